//! Reasons why a file cannot be added to the ledger, or why it cannot be read.

use std::path::{Path, PathBuf};

use ndqueens_model::facts::ledger::MAX_BYTES;
use ndqueens_notation::name::BoardName;
use ndqueens_system::file::FileError;
use ndqueens_workflow::evidence::Refusal;

use crate::files::ArchiveError;

/// Reason why a file cannot be added, or why the ledger cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum LedgerError {
    /// A file cannot be read or written.
    #[error(transparent)]
    File(#[from] FileError),
    /// The archive cannot be read or changed.
    #[error(transparent)]
    Archive(#[from] ArchiveError),
    /// The ledger is malformed.
    #[error("{} is not a ledger: {fault}", path.display())]
    Malformed {
        /// Path of the ledger.
        path: PathBuf,
        /// The fault.
        fault: csv::Error,
    },
    /// The file is wrong.
    #[error("{} does not hold: {fault}", path.display())]
    Fault {
        /// Path of the file.
        path: PathBuf,
        /// The fault.
        fault: String,
    },
    /// The file is not of a kind that the ledger stores.
    #[error("{} cannot be archived: {fault}", path.display())]
    Unchecked {
        /// Path of the file.
        path: PathBuf,
        /// The fault.
        fault: String,
    },
    /// The check failed to run.
    #[error("{} was not checked: {fault}", path.display())]
    Failed {
        /// Path of the file.
        path: PathBuf,
        /// Reason.
        fault: String,
    },
    /// The check reached a limit.
    #[error("{} was not checked: {fault}", path.display())]
    Limit {
        /// Path of the file.
        path: PathBuf,
        /// The limit.
        fault: String,
    },
    /// The file rests on a bound that the ledger does not prove.
    #[error("{} rests on alpha({board}) <= {most}, which the ledger does not prove", path.display())]
    Unproved {
        /// Path of the file.
        path: PathBuf,
        /// Board of the missing bound.
        board: BoardName,
        /// Value of the missing bound.
        most: u64,
    },
    /// The board is described in a file, which the ledger does not store.
    #[error("{} is about {board}, and the ledger is for boards with a name of their own", path.display())]
    FileBoard {
        /// Path of the file.
        path: PathBuf,
        /// The board.
        board: BoardName,
    },
    /// The file rests on a row of the ledger that is rejected.
    #[error("{} rests on alpha({board}) <= {most}, and the ledger's row does not hold: {why}", path.display())]
    Refused {
        /// Path of the file.
        path: PathBuf,
        /// Board of the rejected row.
        board: BoardName,
        /// Value of the rejected row.
        most: u64,
        /// Reason for which the row is rejected.
        why: String,
    },
    /// The file is too large to be stored, and no command to recreate it is given.
    #[error("{} has more than {MAX_BYTES} bytes, so it is not archived, and no command that reproduces it is recorded", .0.display())]
    TooLarge(PathBuf),
}

impl LedgerError {
    /// Returns `true` if the system failed, and `false` if the input is at fault.
    #[must_use]
    pub fn is_failure(&self) -> bool {
        match self {
            Self::File(fault) => fault.is_failure(),
            Self::Archive(error) => error.is_failure(),
            Self::Failed { .. } => true,
            _ => false,
        }
    }

    /// Returns `true` if a file was checked and is wrong, or rests on a bound that is unproved or rejected.
    #[must_use]
    pub fn is_refutation(&self) -> bool {
        matches!(self, Self::Fault { .. } | Self::Unproved { .. } | Self::Refused { .. })
    }

    /// Returns the error for a file at `path` that is rejected or not checked.
    pub(super) fn of(refusal: Refusal, path: &Path) -> Self {
        let path = path.to_owned();
        match refusal {
            Refusal::Wrong(fault) => Self::Fault { path, fault },
            Refusal::Unreadable(fault) | Refusal::Unchecked(fault) | Refusal::NoBoard(fault) => {
                Self::Unchecked { path, fault }
            }
            Refusal::Failed(fault) => Self::Failed { path, fault },
            Refusal::Limit(fault) => Self::Limit { path, fault },
        }
    }
}
