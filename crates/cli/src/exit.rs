//! Exit codes, and which errors are failures.

use std::error::Error;
use std::io;

use ndqueens_cliquer::extremes::ExtremesError;
use ndqueens_experiments::runner::RunnerError;
use ndqueens_experiments::store::StoreError;
use ndqueens_files::FileError;
use ndqueens_knowledge::certificates::CertificateStoreError;
use ndqueens_knowledge::ledger::LedgerError;
use ndqueens_lab::run::LabError;
use ndqueens_solver::backends::BackendError;

/// How the command ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Exit {
    Yes = 0,
    No = 1,
    BadInput = 2,
    Stopped = 3,
    Failed = 4,
}

/// The exit after an error: that of the input, unless the error or one of its causes is a failure.
pub(crate) fn exit_of(error: &anyhow::Error) -> Exit {
    if error.chain().any(is_failure) { Exit::Failed } else { Exit::BadInput }
}

/// Whether the system, a solver or this program failed. Each kind of error that may say so tells it itself.
fn is_failure(error: &(dyn Error + 'static)) -> bool {
    fn says<E: Error + 'static>(error: &(dyn Error + 'static), is_failure: fn(&E) -> bool) -> bool {
        error.downcast_ref().is_some_and(is_failure)
    }
    says(error, FileError::is_failure)
        || says(error, BackendError::is_failure)
        || says(error, LabError::is_failure)
        || says(error, LedgerError::is_failure)
        || says(error, CertificateStoreError::is_failure)
        || says(error, StoreError::is_failure)
        || says(error, RunnerError::is_failure)
        || says(error, |_: &ExtremesError| true)
        || says(error, |fault: &io::Error| fault.kind() == io::ErrorKind::StorageFull)
}
