//! Exit codes, and which errors are failures.

use std::error::Error;
use std::io;

use ndqueens_cliquer::extremes::ExtremesError;
use ndqueens_experiments::plot::PlotError;
use ndqueens_experiments::runner::RunnerError;
use ndqueens_experiments::store::StoreError;
use ndqueens_files::FileError;
use ndqueens_knowledge::addition::AdditionError;
use ndqueens_knowledge::certificates::CertificateStoreError;
use ndqueens_knowledge::counts::CountStoreError;
use ndqueens_knowledge::ledger::LedgerError;
use ndqueens_lab::run::LabError;
use ndqueens_model::model::ModelError;
use ndqueens_solver::backends::BackendError;

pub(crate) use ndqueens_console::Exit;

/// The exit after an error: that of the input, unless the error or one of its causes is a failure, or an answer.
pub(crate) fn exit_of(error: &anyhow::Error) -> Exit {
    let is_answer = |cause: &(dyn Error + 'static)| {
        matches!(cause.downcast_ref(), Some(LabError::Model(ModelError::AboveTrivialBound { .. })))
            || cause.downcast_ref().is_some_and(AdditionError::is_refutation)
    };
    let is_limit = |cause: &(dyn Error + 'static)| cause.downcast_ref().is_some_and(AdditionError::is_limit);
    if error.chain().any(is_failure) {
        Exit::Failed
    } else if error.chain().any(is_limit) {
        Exit::Stopped
    } else if error.chain().any(is_answer) {
        Exit::No
    } else {
        Exit::BadInput
    }
}

/// Whether the system, a solver or this program failed. Each kind of error that may say so tells it itself.
fn is_failure(error: &(dyn Error + 'static)) -> bool {
    fn says<E: Error + 'static>(error: &(dyn Error + 'static), is_failure: fn(&E) -> bool) -> bool {
        error.downcast_ref().is_some_and(is_failure)
    }
    says(error, FileError::is_failure)
        || says(error, BackendError::is_failure)
        || says(error, LabError::is_failure)
        || says(error, AdditionError::is_failure)
        || says(error, LedgerError::is_failure)
        || says(error, CertificateStoreError::is_failure)
        || says(error, CountStoreError::is_failure)
        || says(error, StoreError::is_failure)
        || says(error, RunnerError::is_failure)
        || says(error, PlotError::is_failure)
        // Every board has extremes.
        || says(error, |_: &ExtremesError| true)
        || says(error, |fault: &io::Error| fault.kind() == io::ErrorKind::StorageFull)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use anyhow::{Context as _, Error, anyhow};
    use ndqueens_knowledge::archive::ArchiveError;

    use super::*;

    fn fault(verb: &'static str, kind: io::ErrorKind) -> FileError {
        FileError::new(verb, Path::new("f"), kind.into())
    }

    fn full() -> FileError {
        fault("write", io::ErrorKind::StorageFull)
    }

    #[test]
    fn failures_are_told_from_bad_input_whatever_carries_them() {
        let failed = || BackendError::Failed { solver: "s".to_owned(), fault: "f".to_owned() };
        let start = || BackendError::BadStart("x0".to_owned());
        let failures: [Error; 14] = [
            full().into(),
            LabError::from(full()).into(),
            LedgerError::from(ArchiveError::from(full())).into(),
            CertificateStoreError::from(full()).into(),
            AdditionError::from(LedgerError::from(full())).into(),
            StoreError::from(full()).into(),
            RunnerError::from(full()).into(),
            PlotError::from(full()).into(),
            RunnerError::Start { program: "p".to_owned(), cause: io::ErrorKind::NotFound.into() }.into(),
            failed().into(),
            LabError::from(failed()).into(),
            LabError::Engine(io::ErrorKind::NotFound.into()).into(),
            ExtremesError::from(start()).into(),
            io::Error::from(io::ErrorKind::StorageFull).into(),
        ];
        for error in failures {
            assert_eq!(exit_of(&error), Exit::Failed, "{error}");
            let error = Err::<(), _>(error).context("while it ran").expect_err("an error");
            assert_eq!(exit_of(&error), Exit::Failed, "{error:#}");
        }
        let open = io::Error::from_raw_os_error(nix::libc::EMFILE);
        assert_eq!(exit_of(&FileError::new("read", Path::new("f"), open).into()), Exit::Failed);
        let inputs: [Error; 8] = [
            anyhow!("no such board"),
            fault("read", io::ErrorKind::InvalidData).into(),
            fault("write", io::ErrorKind::PermissionDenied).into(),
            LabError::from(fault("read", io::ErrorKind::NotFound)).into(),
            start().into(),
            LabError::from(start()).into(),
            LedgerError::from(ArchiveError::Embedded).into(),
            AdditionError::from(LedgerError::TooLarge("f".into())).into(),
        ];
        for error in inputs {
            assert_eq!(exit_of(&error), Exit::BadInput, "{error}");
        }
    }
}
