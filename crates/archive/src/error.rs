//! Errors of reading and changing an archive.

use std::fmt;
use std::path::{Path, PathBuf};

use ndqueens_model::facts::ledger::MAX_BYTES;
use ndqueens_notation::error_class::{Classified, ErrorClass};
use ndqueens_notation::name::BoardName;
use ndqueens_system::file::FileError;
use ndqueens_workflow::evidence::Refusal;

/// File that shows nothing that an archive stores.
#[derive(Debug, thiserror::Error)]
pub struct RefusedFile {
    /// Path of the file.
    pub path: PathBuf,
    /// Reason.
    pub refusal: Refusal,
}

impl RefusedFile {
    /// Returns the function that adds the path of a file to the reason for which it is refused.
    pub(crate) fn at(path: &Path) -> impl Fn(Refusal) -> Self {
        move |refusal| Self { path: path.to_owned(), refusal }
    }
}

impl fmt::Display for RefusedFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let verdict = match self.refusal.class() {
            ErrorClass::Refuted => "does not hold",
            ErrorClass::BadInput => "cannot be archived",
            ErrorClass::Limit | ErrorClass::Failure => "was not checked",
        };
        write!(f, "{} {verdict}: {}", self.path.display(), self.refusal)
    }
}

/// Error of reading or changing an archive.
#[derive(Debug, thiserror::Error)]
pub enum ArchiveError {
    /// Folder that does not exist.
    #[error("there is no archive at {}: it is a folder with ledger.csv, ledger/, certificates/ and box-table.csv, or some of them", .0.display())]
    Missing(PathBuf),
    /// Attempt to change the embedded archive.
    #[error("the archive in the program cannot be changed")]
    Embedded,
    /// File that cannot be read or written.
    #[error(transparent)]
    File(#[from] FileError),
    /// Malformed table.
    #[error("{}: {fault}", path.display())]
    Malformed {
        /// Path of the table.
        path: PathBuf,
        /// Error with the line and its fault.
        fault: csv::Error,
    },
    /// Malformed ledger.
    #[error("{} is not a ledger: {fault}", path.display())]
    NoLedger {
        /// Path of the ledger.
        path: PathBuf,
        /// Error with the line and its fault.
        fault: csv::Error,
    },
    /// File that shows nothing that an archive stores.
    #[error(transparent)]
    Refused(#[from] RefusedFile),
    /// File about a board that is described in a file.
    #[error("{} is about {board}, and the ledger is for boards with a name of their own", path.display())]
    FileBoard {
        /// Path of the file.
        path: PathBuf,
        /// The board.
        board: BoardName,
    },
    /// File that is too large to be stored and that no known command recreates.
    #[error("{} has more than {MAX_BYTES} bytes, so it is not archived, and no command that reproduces it is recorded", .0.display())]
    TooLarge(PathBuf),
    /// File that rests on a bound that the ledger does not prove.
    #[error("{} rests on alpha({board}) <= {most}, which the ledger does not prove", path.display())]
    Unproved {
        /// Path of the file.
        path: PathBuf,
        /// Board of the missing bound.
        board: BoardName,
        /// Value of the missing bound.
        most: u64,
    },
    /// File that rests on a rejected row of the ledger.
    #[error("{} rests on alpha({board}) <= {most}, and the ledger's row does not hold: {why}", path.display())]
    RejectedRow {
        /// Path of the file.
        path: PathBuf,
        /// Board of the rejected row.
        board: BoardName,
        /// Value of the rejected row.
        most: u64,
        /// Reason for which the row is rejected.
        why: String,
    },
    /// Certificate that the store refuses.
    #[error(transparent)]
    Certificate(#[from] Refusal),
    /// Bounds of a board that contradict each other.
    #[error("the bounds contradict each other: {lower} and {upper}")]
    Contradiction {
        /// The lower bound.
        lower: String,
        /// The upper bound.
        upper: String,
    },
    /// Certificate that cannot be added, with the path of its file.
    #[error("{}: {error}", path.display())]
    Unstored {
        /// Path of the file.
        path: PathBuf,
        /// Reason.
        error: Box<Self>,
    },
}

impl Classified for ArchiveError {
    fn class(&self) -> ErrorClass {
        match self {
            Self::File(fault) if fault.is_failure() => ErrorClass::Failure,
            Self::Refused(RefusedFile { refusal, .. }) | Self::Certificate(refusal) => refusal.class(),
            Self::Unproved { .. } | Self::RejectedRow { .. } => ErrorClass::Refuted,
            Self::Unstored { error, .. } => error.class(),
            _ => ErrorClass::BadInput,
        }
    }
}
