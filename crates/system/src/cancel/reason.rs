//! Reasons why a run stopped.

use std::fmt;

/// Reason why a run stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StopReason {
    /// Completion of the run.
    Finished,
    /// Time limit.
    TimeLimit,
    /// Node limit.
    NodeLimit,
    /// Stop request of the monitor.
    Interrupted,
    /// Unknown reason: the solver does not report one.
    Unstated,
}

impl fmt::Display for StopReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Finished => "finished",
            Self::TimeLimit => "time limit",
            Self::NodeLimit => "node limit",
            Self::Interrupted => "interrupted",
            Self::Unstated => "reason not stated",
        })
    }
}
