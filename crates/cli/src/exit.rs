//! Exit codes, and whose fault an error is.

use std::error::Error;
use std::io;

use ndqueens_cliquer::extremes::ExtremesError;
use ndqueens_crosscheck::opb::FormulaFault;
use ndqueens_experiments::runner::RunnerError;
use ndqueens_experiments::store::StoreError;
use ndqueens_files::FileError;
use ndqueens_knowledge::archive::ArchiveError;
use ndqueens_knowledge::certificates::CertificateStoreError;
use ndqueens_knowledge::ledger::LedgerError;
use ndqueens_lab::run::{CountError, LabError};
use ndqueens_solver::backends::BackendError;
use ndqueens_solver::orbit_lp::OrbitLpError;

/// How the command ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Exit {
    Yes = 0,
    No = 1,
    BadInput = 2,
    Stopped = 3,
    Failed = 4,
}

/// The fault of a file that an error tells.
fn of_file<'e>(error: &'e (dyn Error + 'static)) -> Option<&'e FileError> {
    if let Some(LabError::File(fault)) = error.downcast_ref() {
        return Some(fault);
    }
    if let Some(LedgerError::File(fault) | LedgerError::Archive(ArchiveError::File(fault))) =
        error.downcast_ref()
    {
        return Some(fault);
    }
    if let Some(
        CertificateStoreError::File(fault) | CertificateStoreError::Archive(ArchiveError::File(fault)),
    ) = error.downcast_ref()
    {
        return Some(fault);
    }
    if let Some(StoreError::File(fault)) = error.downcast_ref() {
        return Some(fault);
    }
    if let Some(RunnerError::Store(StoreError::File(fault))) = error.downcast_ref() {
        return Some(fault);
    }
    error.downcast_ref()
}

/// Whose fault an error is: a solver's, the system's or our own, or else the input's.
pub(crate) fn exit_of(error: &anyhow::Error) -> Exit {
    let failed =
        |error: &BackendError| !matches!(error, BackendError::BadStart(_) | BackendError::Unsupported { .. });
    let systems = |cause: &(dyn Error + 'static)| {
        of_file(cause).is_some_and(FileError::is_of_the_system)
            || matches!(cause.downcast_ref(), Some(RunnerError::Start { .. }))
            || cause
                .downcast_ref::<io::Error>()
                .is_some_and(|fault| fault.kind() == io::ErrorKind::StorageFull)
    };
    let ours = error.chain().any(|cause| match cause.downcast_ref::<LabError>() {
        _ if systems(cause) => true,
        Some(
            LabError::Refused { .. }
            | LabError::Refuted { .. }
            | LabError::RefusedProof { .. }
            | LabError::RefusedBound(_)
            | LabError::Count(CountError::List(_))
            | LabError::RefusedColouring(_)
            | LabError::Engine(_),
        ) => true,
        Some(LabError::Drat(refusal)) => refusal.is_verdict() || refusal.is_failure(),
        Some(LabError::Formula(fault)) => matches!(fault, FormulaFault::Lines { .. }),
        Some(LabError::Backend(error) | LabError::OrbitLp(OrbitLpError::Backend(error))) => failed(error),
        _ => cause.downcast_ref::<BackendError>().is_some_and(failed),
    });
    let ours = ours || error.chain().any(|cause| cause.is::<ExtremesError>());
    if ours { Exit::Failed } else { Exit::BadInput }
}
