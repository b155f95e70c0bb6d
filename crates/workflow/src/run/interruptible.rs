//! Result of work that can be stopped early.

use ndqueens_system::cancel::StopReason;

/// Result of work that can be stopped early. `S` describes the state at the stop.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Interruptible<T, S = StopReason> {
    /// The work was finished, with this result.
    Finished(T),
    /// The work was stopped.
    Stopped(S),
}

impl<T> Interruptible<T> {
    /// Creates the result of work that returned `None` if it was stopped, and the reason of the stop.
    pub(crate) fn new(result: Option<T>, stop: Option<StopReason>) -> Self {
        match result {
            Some(result) => Self::Finished(result),
            None => Self::Stopped(stop.unwrap_or(StopReason::Interrupted)),
        }
    }
}

impl<T, S> Interruptible<T, S> {
    /// Returns the result, or `None` if the work was stopped.
    #[must_use]
    pub fn result(self) -> Option<T> {
        match self {
            Self::Finished(result) => Some(result),
            Self::Stopped(_) => None,
        }
    }
}
