//! Deadlines of work.

use std::time::{Duration, Instant};

use super::reason::StopReason;

/// Instant at which work must end, or none. A time limit beyond the range of the clock gives no deadline.
///
/// # Examples
/// ```
/// use std::time::Duration;
///
/// use ndqueens_system::cancel::{Deadline, StopReason};
///
/// assert_eq!(Deadline::NEVER.reason(), None);
/// assert_eq!(Deadline::after(Some(Duration::ZERO)).reason(), Some(StopReason::TimeLimit));
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Deadline(Option<Instant>);

impl Deadline {
    /// Absence of a deadline.
    pub const NEVER: Self = Self(None);

    /// Creates the deadline of a time limit that begins now.
    #[must_use]
    pub fn after(limit: Option<Duration>) -> Self {
        Self::since(Instant::now(), limit)
    }

    /// Creates the deadline of a time limit that began at `begin`.
    #[must_use]
    pub fn since(begin: Instant, limit: Option<Duration>) -> Self {
        Self(limit.and_then(|limit| begin.checked_add(limit)))
    }

    /// Returns `true` if the deadline has passed.
    #[must_use]
    pub fn is_over(self) -> bool {
        self.0.is_some_and(|end| Instant::now() >= end)
    }

    /// Returns [`StopReason::TimeLimit`] if the deadline has passed.
    #[must_use]
    pub fn reason(self) -> Option<StopReason> {
        self.is_over().then_some(StopReason::TimeLimit)
    }

    /// Returns the deadline moved back by `by`.
    #[must_use]
    pub fn later(self, by: Duration) -> Self {
        Self(self.0.and_then(|end| end.checked_add(by)))
    }

    /// Returns the remaining time, to be used as the time limit of a part of the work; `None` without a
    /// deadline.
    #[must_use]
    pub fn left(self) -> Option<Duration> {
        self.0.map(|end| end.saturating_duration_since(Instant::now()))
    }

    /// Returns the minimum of the remaining time and `most`.
    #[must_use]
    pub fn within(self, most: Duration) -> Duration {
        self.left().map_or(most, |left| left.min(most))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_beyond_the_clock_never_expire() {
        for limit in [None, Some(Duration::MAX), Some(Duration::from_secs(10_000_000_000_000_000_000))] {
            let deadline = Deadline::after(limit);
            assert!(!deadline.is_over() && deadline.reason().is_none());
            assert_eq!(deadline.within(Duration::from_secs(1)), Duration::from_secs(1));
        }
    }

    #[test]
    fn zero_limit_expires_at_once() {
        let deadline = Deadline::after(Some(Duration::ZERO));
        assert_eq!(deadline.reason(), Some(StopReason::TimeLimit));
        assert_eq!(deadline.left(), Some(Duration::ZERO));
        assert_eq!(deadline.within(Duration::from_secs(1)), Duration::ZERO);
    }
}
