//! The files of an archive of proved bounds and placements found. They are embedded in the program; a folder
//! of the same layout can be used instead.
//!
//! | name | contents |
//! | --- | --- |
//! | `ledger.csv` | proved bounds, one per row; see [`crate::ledger`] |
//! | `ledger/` | the files that prove them |
//! | `certificates/` | the certificates of the best lower bounds; see [`crate::certificates`] |
//! | `counts/` | numbers of maximum solutions, with proofs; see [`crate::counts`] |
//! | `effort.csv` | attempts to improve the bounds of open boards; see [`crate::effort`] |
//! | `box-table.csv` | bounds of small boxes; see [`ndqueens_model::facts::boxes`] |
//!
//! Missing files are treated as empty.

use std::fmt;
use std::fs;
use std::io::{self, BufRead, BufReader, Read as _};
use std::path::{Path, PathBuf};

use include_dir::{Dir, include_dir};
use ndqueens_system::file::{self, FileError};

use crate::error::ArchiveError;

static EMBEDDED: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/../../results/archive");

/// Size limit of tables and certificates that are read, in bytes.
pub(crate) const LARGEST: u64 = 1 << 28;

/// The files of an archive: those embedded in the program, or those in a folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ArchiveFiles {
    /// Absolute path of the folder; `None` for the embedded files.
    folder: Option<PathBuf>,
    /// Path of the folder as the user gave it, for messages.
    named: PathBuf,
}

impl ArchiveFiles {
    /// Returns the files embedded in the program.
    #[must_use]
    pub fn embedded() -> Self {
        Self { folder: None, named: PathBuf::new() }
    }

    /// Returns the files in a folder.
    #[must_use]
    pub fn at(folder: &Path) -> Self {
        // Make the path absolute, so that it stays valid if the working directory changes.
        let absolute = std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned());
        Self { folder: Some(absolute), named: folder.to_owned() }
    }

    /// Returns the absolute path of the folder; `None` for the embedded archive.
    #[must_use]
    pub fn folder(&self) -> Option<&Path> {
        self.folder.as_deref()
    }

    /// Returns `true` if these are the files embedded in the program.
    #[must_use]
    pub fn is_embedded(&self) -> bool {
        self.folder.is_none()
    }

    /// Returns the path of a file of the archive, for writing.
    ///
    /// # Errors
    /// Returns [`ArchiveError::Embedded`] if this is the embedded archive.
    pub fn path(&self, name: &str) -> Result<PathBuf, ArchiveError> {
        self.folder.as_ref().map(|folder| folder.join(name)).ok_or(ArchiveError::Embedded)
    }

    /// Opens a file of the archive. Returns `None` if it does not exist.
    ///
    /// # Errors
    /// Returns an error if the file exists and cannot be opened, or is not a plain file.
    pub fn open(&self, name: &str) -> io::Result<Option<Box<dyn BufRead + Send>>> {
        let Some(folder) = &self.folder else {
            return Ok(EMBEDDED.get_file(name).map(|file| Box::new(file.contents()) as _));
        };
        match file::open_plain(&folder.join(name)) {
            Ok(file) => Ok(Some(Box::new(BufReader::new(file)))),
            Err(fault) if fault.kind() == io::ErrorKind::NotFound && !folder.join(name).is_symlink() => {
                Ok(None)
            }
            Err(fault) => Err(fault),
        }
    }

    /// Returns the size of a file of the archive in bytes, or `None` if the file does not exist.
    ///
    /// # Errors
    /// Returns an error if the size cannot be determined.
    pub(crate) fn size(&self, name: &str) -> io::Result<Option<u64>> {
        let Some(folder) = &self.folder else {
            return Ok(EMBEDDED.get_file(name).map(|file| file.contents().len() as u64));
        };
        match fs::metadata(folder.join(name)) {
            Err(fault) if fault.kind() == io::ErrorKind::NotFound => Ok(None),
            metadata => metadata.map(|metadata| Some(metadata.len())),
        }
    }

    /// Reads a text file of the archive, unpacking it if it is compressed. Returns `None` if it does not
    /// exist.
    ///
    /// # Errors
    /// Returns an error if the file exists and cannot be read, or exceeds the size limit.
    pub fn read(&self, name: &str) -> Result<Option<String>, FileError> {
        let read = || -> io::Result<Option<String>> {
            let Some(file) = self.open(name)? else { return Ok(None) };
            let mut text = String::new();
            file::packed::read(file)?.take(LARGEST + 1).read_to_string(&mut text)?;
            if text.len() as u64 > LARGEST {
                return Err(io::Error::other(format!("it is larger than {LARGEST} bytes")));
            }
            Ok(Some(text))
        };
        read().map_err(|cause| FileError { verb: "read", path: self.display_path(name), cause })
    }

    /// Returns the sorted names of the files in a folder of the archive; empty if the folder does not exist.
    ///
    /// # Errors
    /// Returns an error if the folder exists and cannot be read.
    pub fn names(&self, folder: &str) -> Result<Vec<String>, FileError> {
        let name = |path: &Path| path.file_name().map(|name| name.to_string_lossy().into_owned());
        let mut names: Vec<String> = match &self.folder {
            None => {
                let files = EMBEDDED.get_dir(folder).into_iter().flat_map(Dir::files);
                files.filter_map(|file| name(file.path())).collect()
            }
            Some(root) => {
                let folder = root.join(folder);
                let list = || -> io::Result<Vec<String>> {
                    let entries = match fs::read_dir(&folder) {
                        Err(fault) if fault.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
                        entries => entries?,
                    };
                    let paths = entries
                        .map(|entry| entry.map(|entry| entry.path()))
                        .collect::<io::Result<Vec<_>>>()?;
                    Ok(paths.iter().filter_map(|path| name(path)).collect())
                };
                list().map_err(|cause| FileError { verb: "read", path: folder.clone(), cause })?
            }
        };
        names.sort();
        Ok(names)
    }

    /// Returns the path of a file of the archive for messages, relative to the folder as the user gave it.
    #[must_use]
    pub fn display_path(&self, name: &str) -> PathBuf {
        match self.folder {
            Some(_) => self.named.join(name),
            None => Path::new("the embedded archive").join(name),
        }
    }

    /// Creates a folder of the archive if it does not exist, and returns its path.
    ///
    /// # Errors
    /// Returns an error if this is the embedded archive, or if the folder cannot be created.
    pub(crate) fn make_folder(&self, name: &str) -> Result<PathBuf, ArchiveError> {
        let folder = self.path(name)?;
        file::make_folder(&folder)?;
        Ok(folder)
    }
}

/// Writes `the embedded archive`, or the folder as the user gave it.
impl fmt::Display for ArchiveFiles {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.folder {
            None => f.write_str("the embedded archive"),
            Some(_) => write!(f, "{}", self.named.display()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_embedded_archive_is_the_folder_of_the_clone() {
        let clone =
            ArchiveFiles::at(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../results/archive")));
        let embedded = ArchiveFiles::embedded();
        for folder in ["certificates", "ledger", "nothing"] {
            assert_eq!(embedded.names(folder).expect("listed"), clone.names(folder).expect("listed"));
        }
        for name in ["ledger.csv", "box-table.csv", "certificates/5^3.txt", "ledger/none.txt"] {
            assert_eq!(embedded.read(name).expect("read"), clone.read(name).expect("read"), "{name}");
        }
        assert!(embedded.read("ledger.csv").expect("read").is_some());
        assert!(matches!(embedded.path("ledger.csv"), Err(ArchiveError::Embedded)));
    }

    #[test]
    fn missing_files_are_empty_and_folders_are_rejected() {
        let folder = tempfile::tempdir().expect("a folder");
        let archive = ArchiveFiles::at(folder.path());
        assert_eq!(archive.read("ledger.csv").expect("nothing"), None);
        assert_eq!(archive.names("ledger").expect("nothing"), Vec::<String>::new());
        fs::create_dir(folder.path().join("ledger.csv")).expect("made");
        assert!(archive.read("ledger.csv").expect_err("a folder").to_string().contains("not a plain file"));
    }
}
