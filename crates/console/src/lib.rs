//! What a command is to people, scripts and the system: groups of flags, results and exit codes, progress, signals and limits on
//! time, job scripts, and what runs where.

pub mod args;
pub mod batch;
pub mod interrupt;
pub mod output;
pub mod printed;
pub mod progress;
pub mod running;
pub mod typed;

#[doc(hidden)]
pub use inventory;
use ndqueens_notation::error_class::ErrorClass;
pub use printed::Printed;

/// How a command ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exit {
    /// Done, and the answer is yes.
    Yes = 0,
    /// Done, and the answer is no.
    No = 1,
    /// The input is wrong.
    BadInput = 2,
    /// Stopped early.
    Stopped = 3,
    /// The system, a solver or the program failed.
    Failed = 4,
}

impl From<ErrorClass> for Exit {
    fn from(class: ErrorClass) -> Self {
        match class {
            ErrorClass::BadInput => Self::BadInput,
            ErrorClass::Refuted => Self::No,
            ErrorClass::Limit => Self::Stopped,
            ErrorClass::Failure => Self::Failed,
        }
    }
}
