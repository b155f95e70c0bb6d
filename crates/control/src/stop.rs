//! Why work stopped.

use std::fmt;

/// Why a run stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StopReason {
    /// The question is answered.
    Finished,
    /// The time limit.
    TimeLimit,
    /// The node limit.
    NodeLimit,
    /// The monitor asked for it.
    Interrupted,
    /// The solver does not tell.
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
