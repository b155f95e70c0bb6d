//! When work is to end.

use std::time::{Duration, Instant};

use super::stop::StopReason;

/// When work is to end: at an instant, or never. A limit that is longer than the clock can tell is never over.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Deadline(Option<Instant>);

impl Deadline {
    /// No limit.
    pub const NEVER: Self = Self(None);

    /// The end of a limit that begins now.
    #[must_use]
    pub fn after(limit: Option<Duration>) -> Self {
        Self::since(Instant::now(), limit)
    }

    /// The end of a limit that began then.
    #[must_use]
    pub fn since(begin: Instant, limit: Option<Duration>) -> Self {
        Self(limit.and_then(|limit| begin.checked_add(limit)))
    }

    /// Whether time is up.
    #[must_use]
    pub fn is_over(self) -> bool {
        self.0.is_some_and(|end| Instant::now() >= end)
    }

    /// Why work stops, once time is up.
    #[must_use]
    pub fn reason(self) -> Option<StopReason> {
        self.is_over().then_some(StopReason::TimeLimit)
    }

    /// The same with more time.
    #[must_use]
    pub fn later(self, by: Duration) -> Self {
        Self(self.0.and_then(|end| end.checked_add(by)))
    }

    /// What is left, as the limit of a part of the work; `None` without a limit.
    #[must_use]
    pub fn left(self) -> Option<Duration> {
        self.0.map(|end| end.saturating_duration_since(Instant::now()))
    }

    /// What is left, `most` at most.
    #[must_use]
    pub fn within(self, most: Duration) -> Duration {
        self.left().map_or(most, |left| left.min(most))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_limit_that_the_clock_cannot_tell_is_never_over() {
        for limit in [None, Some(Duration::MAX), Some(Duration::from_secs(10_000_000_000_000_000_000))] {
            let deadline = Deadline::after(limit);
            assert!(!deadline.is_over() && deadline.reason().is_none());
            assert_eq!(deadline.within(Duration::from_secs(1)), Duration::from_secs(1));
        }
    }

    #[test]
    fn no_time_is_over_at_once() {
        let deadline = Deadline::after(Some(Duration::ZERO));
        assert_eq!(deadline.reason(), Some(StopReason::TimeLimit));
        assert_eq!(deadline.left(), Some(Duration::ZERO));
        assert_eq!(deadline.within(Duration::from_secs(1)), Duration::ZERO);
    }
}
