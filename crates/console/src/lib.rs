//! User interface of the commands: groups of flags, results and exit codes, progress, signals and time
//! limits, job scripts, and displays of running parts.

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

/// Exit code of a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exit {
    /// Completed, answer yes.
    Yes = 0,
    /// Completed, answer no.
    No = 1,
    /// Invalid input.
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
