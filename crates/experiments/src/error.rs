//! Errors of experiments, except those of [definitions](crate::definition).

use std::io;
use std::path::PathBuf;

use ndqueens_notation::error_class::{Classified, ErrorClass};
use ndqueens_report::painting::PaintingError;
use ndqueens_system::file::FileError;

/// Error of running or evaluating an experiment.
#[derive(Debug, thiserror::Error)]
pub enum ExperimentError {
    /// File that cannot be read or written.
    #[error(transparent)]
    File(#[from] FileError),
    /// Invalid line of a file.
    #[error("{}, line {line}: not what this version reads there: {fault}", path.display())]
    Malformed {
        /// Path of the file.
        path: PathBuf,
        /// Line, counted from 1.
        line: usize,
        /// Description of the fault.
        fault: String,
    },
    /// Row whose board file is missing or has changed.
    #[error("{}, line {line}: {fault}", path.display())]
    Board {
        /// Path of the file.
        path: PathBuf,
        /// Line, counted from 1.
        line: usize,
        /// Description of the fault.
        fault: String,
    },
    /// Line of the plan that is not a run.
    #[error("{}, {fault}", path.display())]
    Plan {
        /// Path of the plan.
        path: PathBuf,
        /// Error with the line and its fault.
        fault: csv::Error,
    },
    /// Plan that has changed since it was written.
    #[error("{} has changed since it was written: {digest} next to it holds another digest", path.display())]
    ChangedPlan {
        /// Path of the plan.
        path: PathBuf,
        /// Name of the file with its digest.
        digest: &'static str,
    },
    /// Folder without an experiment.
    #[error("{}: no folder of an experiment: it holds no plan.csv", .0.display())]
    NoPlan(PathBuf),
    /// Folder with work in parts.
    #[error("{} is of work in parts: an experiment needs a folder of its own", .0.display())]
    OfParts(PathBuf),
    /// Process of a run that cannot be started.
    #[error("cannot start {program}: {cause}")]
    Start {
        /// Program that was to be started.
        program: String,
        /// Error of the operating system.
        cause: io::Error,
    },
    /// Chart that cannot be rendered.
    #[error(transparent)]
    Painting(#[from] PaintingError),
}

impl Classified for ExperimentError {
    fn class(&self) -> ErrorClass {
        match self {
            Self::File(fault) if fault.is_failure() => ErrorClass::Failure,
            Self::Start { .. } => ErrorClass::Failure,
            _ => ErrorClass::BadInput,
        }
    }
}
