//! Adds files to an archive. All files are checked before the first is stored, so that a rejected file leaves
//! the archive unchanged.

use std::fmt;
use std::path::{Path, PathBuf};

use ndqueens_notation::error_class::{Classified, ErrorClass};
use ndqueens_system::file::{self, FileError};
use schemars::JsonSchema;
use serde::Serialize;

use crate::archive::Archive;
use crate::certificates::{self, CertificateStore, CertificateStoreError};
use crate::counts::{self, CountStoreError, Counted, VerifiedCheck};
use crate::ledger::{self, LedgerError};

/// Result of adding a file.
#[derive(Debug)]
pub enum Added {
    /// Count, and path of the file that stores it.
    Count(Counted, PathBuf),
    /// Bounds added to the ledger, and for a certificate the result of adding it to the store.
    Bounds(ledger::Added, Option<certificates::Added>),
    /// The file is valid, but the archive already has everything that it shows.
    Known(Known),
}

/// A file that shows nothing new.
#[derive(Debug, JsonSchema, Serialize)]
pub struct Known {
    /// Path of the file.
    pub file: PathBuf,
    /// Always `false`, since nothing was stored.
    pub stored: bool,
    /// Reason why nothing was stored: the entry of the archive that is as good.
    pub says: String,
}

impl Added {
    fn unchanged(file: &Path, says: String) -> Self {
        Self::Known(Known { file: file.to_owned(), stored: false, says })
    }
}

impl fmt::Display for Known {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: holds; {}", self.file.display(), self.says)
    }
}

/// Reason why nothing was added.
#[derive(Debug, thiserror::Error)]
pub enum AdditionError {
    /// A file cannot be added to the ledger.
    #[error(transparent)]
    Ledger(#[from] LedgerError),
    /// A count cannot be stored.
    #[error(transparent)]
    Count(#[from] CountStoreError),
    /// A certificate cannot be stored.
    #[error("{}: {fault}", path.display())]
    Certificate {
        /// The file.
        path: PathBuf,
        /// The fault.
        fault: CertificateStoreError,
    },
}

impl Classified for AdditionError {
    fn class(&self) -> ErrorClass {
        match self {
            fault if fault.is_failure() => ErrorClass::Failure,
            fault if fault.is_limit() => ErrorClass::Limit,
            fault if fault.is_refutation() => ErrorClass::Refuted,
            _ => ErrorClass::BadInput,
        }
    }
}

impl AdditionError {
    /// Returns `true` if the system failed, and `false` if the input is at fault.
    fn is_failure(&self) -> bool {
        match self {
            Self::Ledger(fault) => fault.is_failure(),
            Self::Count(fault) => fault.is_failure(),
            Self::Certificate { fault, .. } => fault.is_failure(),
        }
    }

    /// Returns `true` if the check of a file reached a limit.
    fn is_limit(&self) -> bool {
        matches!(self, Self::Ledger(LedgerError::Limit { .. }) | Self::Count(CountStoreError::Limit { .. }))
    }

    /// Returns `true` if a file was checked and is wrong.
    fn is_refutation(&self) -> bool {
        match self {
            Self::Ledger(fault) => fault.is_refutation(),
            Self::Count(fault) => matches!(fault, CountStoreError::Refused { .. }),
            Self::Certificate { fault, .. } => matches!(fault, CertificateStoreError::Fault(_)),
        }
    }
}

enum Checked {
    Count(counts::Checked),
    Bounds(ledger::Added),
}

/// Checks files and stores what they show: counts, certificates, and bounds better than those of the ledger.
/// If `verified`, the verified checker checks them as well. A file may rest on bounds that an earlier file
/// shows. `command` is the command that creates the files.
///
/// # Errors
/// Returns an error if a file is rejected or cannot be read, in which case nothing is stored, or if the
/// archive cannot be read or changed.
pub fn add(
    archive: &Archive,
    paths: &[PathBuf],
    command: Option<&str>,
    verified: bool,
) -> Result<Vec<Added>, AdditionError> {
    // Check that all files exist before the folder of the archive is created.
    for path in paths {
        file::open_plain(path).map_err(|cause| LedgerError::from(FileError::new("read", path, cause)))?;
    }
    let mut additions = ledger::Additions::to(archive.files(), archive.notes())?;
    let checked = paths.iter().map(|path| check(&mut additions, path, command, verified));
    let checked = checked.collect::<Result<Vec<Checked>, AdditionError>>()?;
    additions.store()?;
    let archive = archive.reopen()?;
    let store = |(path, checked): (&PathBuf, Checked)| match checked {
        Checked::Count(count) => {
            let (counted, stored, is_new) = count.store(archive.files())?;
            Ok(match is_new {
                true => Added::Count(counted, stored),
                false => Added::unchanged(path, format!("the archive has it already: {}", stored.display())),
            })
        }
        Checked::Bounds(bounds) => {
            let add = |certificate| CertificateStore::of(&archive).add(certificate);
            let added = bounds.certificate.as_ref().map(add).transpose();
            let added = added.map_err(|fault| AdditionError::Certificate { path: path.clone(), fault })?;
            Ok(match added {
                Some(certificates::Added::NotBetter(why)) if bounds.rows.is_empty() => {
                    Added::unchanged(path, format!("the archive has as many already: {why}"))
                }
                None if bounds.rows.is_empty() => {
                    let conditions = bounds.conditions.iter().map(|bound| format!("; holds if {bound}"));
                    Added::unchanged(
                        path,
                        "the archive has as much already".to_owned() + &conditions.collect::<String>(),
                    )
                }
                added => Added::Bounds(bounds, added),
            })
        }
    };
    paths.iter().zip(checked).map(store).collect()
}

fn check(
    additions: &mut ledger::Additions,
    path: &Path,
    command: Option<&str>,
    verified: bool,
) -> Result<Checked, AdditionError> {
    if counts::is_count(path).map_err(CountStoreError::from)? {
        let verified = if verified { VerifiedCheck::Always } else { VerifiedCheck::Never };
        return Ok(Checked::Count(counts::Checked::read(path, verified)?));
    }
    let bounds = additions.add(path, command, verified)?;
    let result = bounds.certificate.as_ref().map_or(Ok(()), CertificateStore::check);
    result.map_err(|fault| AdditionError::Certificate { path: path.to_owned(), fault })?;
    Ok(Checked::Bounds(bounds))
}
