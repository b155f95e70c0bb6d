//! Exit codes, and the classes of errors that determine them.

use std::error::Error;
use std::io;

use ndqueens_archive::ArchiveError;
use ndqueens_cliquer::extremes::ExtremesError;
use ndqueens_experiments::ExperimentError;
use ndqueens_notation::error_class::{Classified, ErrorClass};
use ndqueens_polytope::facets::FacetError;
use ndqueens_polytope::solutions::ListError;
use ndqueens_solver::backends::BackendError;
use ndqueens_system::file::FileError;
use ndqueens_workflow::evidence::{EvidenceError, FileVerdict};
use ndqueens_workflow::run::WorkflowError;

/// Exit code of a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Exit {
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

impl From<FileVerdict> for Exit {
    fn from(verdict: FileVerdict) -> Self {
        match verdict {
            FileVerdict::Holds => Self::Yes,
            FileVerdict::Conditional | FileVerdict::NotChecked => Self::Stopped,
            FileVerdict::False => Self::No,
        }
    }
}

/// Returns the largest class of an error and its causes, which determines the exit code.
pub(crate) fn class_of_chain(error: &anyhow::Error) -> ErrorClass {
    error.chain().map(class_of).max().unwrap_or(ErrorClass::BadInput)
}

/// Returns the class of an error without its causes. Errors of unknown types count as bad input.
fn class_of(error: &(dyn Error + 'static)) -> ErrorClass {
    fn class<E: Classified + 'static>(error: &(dyn Error + 'static)) -> Option<ErrorClass> {
        error.downcast_ref().map(E::class)
    }
    let classes = [
        class::<WorkflowError>(error),
        class::<ArchiveError>(error),
        class::<EvidenceError>(error),
        class::<ExperimentError>(error),
        class::<FacetError>(error),
        class::<ListError>(error),
    ];
    let class = classes.into_iter().flatten().next();
    class.unwrap_or(if is_failure(error) { ErrorClass::Failure } else { ErrorClass::BadInput })
}

/// Returns `true` if the system, a solver or this program failed, for errors that do not state their class.
fn is_failure(error: &(dyn Error + 'static)) -> bool {
    fn says<E: Error + 'static>(error: &(dyn Error + 'static), is_failure: fn(&E) -> bool) -> bool {
        error.downcast_ref().is_some_and(is_failure)
    }
    says(error, FileError::is_failure)
        || says(error, BackendError::is_failure)
        // Every board has extremes, so the input cannot be at fault.
        || says(error, |_: &ExtremesError| true)
        || says(error, |fault: &io::Error| fault.kind() == io::ErrorKind::StorageFull)
}

#[cfg(test)]
mod tests {
    use std::path::{Path, PathBuf};

    use anyhow::{Context as _, Error, anyhow};
    use ndqueens_archive::RefusedFile;
    use ndqueens_model::model::ModelError;
    use ndqueens_workflow::evidence::Refusal;

    use super::*;

    fn fault(verb: &'static str, kind: io::ErrorKind) -> FileError {
        FileError::new(verb, Path::new("f"), kind.into())
    }

    fn full() -> FileError {
        fault("write", io::ErrorKind::StorageFull)
    }

    #[test]
    fn largest_class_of_a_chain_decides() {
        let model = || {
            WorkflowError::from(ModelError::AboveTrivialBound {
                asked: "6 queens".to_owned(),
                board: "5^2".to_owned(),
                bound: 5,
            })
        };
        let refused = |refusal: fn(String) -> Refusal| {
            let refusal = refusal("it is wrong".to_owned());
            Error::from(ArchiveError::from(RefusedFile { path: PathBuf::from("f"), refusal }))
        };
        for (error, class) in [
            (Error::from(model()), ErrorClass::Refuted),
            (Error::from(model()).context("run 3"), ErrorClass::Refuted),
            (Error::from(full()).context("run 3"), ErrorClass::Failure),
            (refused(Refusal::Wrong), ErrorClass::Refuted),
            (refused(Refusal::Limit), ErrorClass::Limit),
            (refused(Refusal::Failed), ErrorClass::Failure),
            (refused(Refusal::Unchecked), ErrorClass::BadInput),
            (
                Error::from(WorkflowError::from(ModelError::IncludedAttack("a".to_owned(), "b".to_owned()))),
                ErrorClass::BadInput,
            ),
        ] {
            assert_eq!(class_of_chain(&error), class, "{error:#}");
        }
    }

    #[test]
    fn failures_are_told_from_bad_input_whatever_carries_them() {
        let failed = || BackendError::Failed { solver: "s".to_owned(), fault: "f".to_owned() };
        let start = || BackendError::BadStart("x0".to_owned());
        let failures: [Error; 11] = [
            full().into(),
            WorkflowError::from(full()).into(),
            ArchiveError::from(full()).into(),
            ArchiveError::Unstored { path: "f".into(), error: Box::new(full().into()) }.into(),
            ExperimentError::from(full()).into(),
            ExperimentError::Start { program: "p".to_owned(), cause: io::ErrorKind::NotFound.into() }.into(),
            failed().into(),
            WorkflowError::from(failed()).into(),
            WorkflowError::Engine(io::ErrorKind::NotFound.into()).into(),
            ExtremesError::from(start()).into(),
            io::Error::from(io::ErrorKind::StorageFull).into(),
        ];
        for error in failures {
            assert_eq!(class_of_chain(&error), ErrorClass::Failure, "{error}");
            let error = Err::<(), _>(error).context("while it ran").expect_err("an error");
            assert_eq!(class_of_chain(&error), ErrorClass::Failure, "{error:#}");
        }
        let open = io::Error::from_raw_os_error(nix::libc::EMFILE);
        assert_eq!(class_of_chain(&FileError::new("read", Path::new("f"), open).into()), ErrorClass::Failure);
        let inputs: [Error; 8] = [
            anyhow!("no such board"),
            fault("read", io::ErrorKind::InvalidData).into(),
            fault("write", io::ErrorKind::PermissionDenied).into(),
            WorkflowError::from(fault("read", io::ErrorKind::NotFound)).into(),
            start().into(),
            WorkflowError::from(start()).into(),
            ArchiveError::Embedded.into(),
            ArchiveError::TooLarge("f".into()).into(),
        ];
        for error in inputs {
            assert_eq!(class_of_chain(&error), ErrorClass::BadInput, "{error}");
        }
    }
}
