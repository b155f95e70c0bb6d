//! Adds files to an archive. All files are checked before the first is stored, so that a rejected file leaves
//! the archive unchanged.

use std::fmt;
use std::path::{Path, PathBuf};

use ndqueens_system::file::{self, FileError};
use schemars::JsonSchema;
use serde::Serialize;

use crate::archive::Archive;
use crate::certificates::{self, CertificateStore};
use crate::counts::{self, Counted, VerifiedCheck};
use crate::error::ArchiveError;
use crate::ledger;

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
) -> Result<Vec<Added>, ArchiveError> {
    // Check that all files exist before the folder of the archive is created.
    for path in paths {
        file::open_plain(path).map_err(|cause| FileError::new("read", path, cause))?;
    }
    let mut additions = ledger::Additions::to(archive.files(), archive.notes())?;
    let checked = paths.iter().map(|path| check(&mut additions, path, command, verified));
    let checked = checked.collect::<Result<Vec<Checked>, ArchiveError>>()?;
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
            let added = added.map_err(unstored(path))?;
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

/// Returns the function that adds the path of a certificate to the reason for which it is not stored.
fn unstored<E: Into<ArchiveError>>(path: &Path) -> impl Fn(E) -> ArchiveError {
    move |error| ArchiveError::Unstored { path: path.to_owned(), error: Box::new(error.into()) }
}

fn check(
    additions: &mut ledger::Additions,
    path: &Path,
    command: Option<&str>,
    verified: bool,
) -> Result<Checked, ArchiveError> {
    if counts::is_count(path)? {
        let verified = if verified { VerifiedCheck::Always } else { VerifiedCheck::Never };
        return Ok(Checked::Count(counts::Checked::read(path, verified)?));
    }
    let bounds = additions.add(path, command, verified)?;
    bounds.certificate.as_ref().map_or(Ok(()), CertificateStore::check).map_err(unstored(path))?;
    Ok(Checked::Bounds(bounds))
}
