//! Errors of checks.

use std::path::PathBuf;

use ndqueens_notation::error_class::{Classified, ErrorClass};
use ndqueens_system::file::FileError;

use super::asked_model::AskedModelError;
use super::options::OptionsError;
use super::refusal::Refusal;
use crate::run::{CertificateFileError, WorkflowError};

/// Error of a check that gave no verdict.
#[derive(Debug, thiserror::Error)]
pub enum EvidenceError {
    /// File that cannot be read.
    #[error(transparent)]
    File(#[from] FileError),
    /// File that begins with a byte order mark.
    #[error("{}, line 1, column 1: the file must not begin with a byte order mark; save it without one", .0.display())]
    ByteOrderMark(PathBuf),
    /// File of squares, or list of them, that is malformed.
    #[error(transparent)]
    Malformed(#[from] CertificateFileError),
    /// Option that does not apply to the file.
    #[error(transparent)]
    Options(#[from] OptionsError),
    /// Question of an answer that is incomplete or contradictory.
    #[error(transparent)]
    Model(#[from] AskedModelError),
    /// File that proves nothing. The message does not name the file.
    #[error(transparent)]
    Refusal(#[from] Refusal),
    /// Error of a workflow in a second opinion.
    #[error(transparent)]
    Workflow(Box<WorkflowError>),
}

impl From<WorkflowError> for EvidenceError {
    fn from(error: WorkflowError) -> Self {
        Self::Workflow(Box::new(error))
    }
}

impl Classified for EvidenceError {
    fn class(&self) -> ErrorClass {
        match self {
            Self::File(fault) if fault.is_failure() => ErrorClass::Failure,
            Self::Model(fault) => fault.class(),
            Self::Refusal(refusal) => refusal.class(),
            Self::Workflow(fault) => fault.class(),
            Self::File(_) | Self::ByteOrderMark(_) | Self::Malformed(_) | Self::Options(_) => {
                ErrorClass::BadInput
            }
        }
    }
}
