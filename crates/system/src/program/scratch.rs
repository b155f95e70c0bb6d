//! Private temporary folders for external programs, which are removed at the end of the process.

use std::fs::{File, Permissions};
use std::io;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use tempfile::TempDir;

use crate::file::{FOLDER, TEMPORARY, remove_folders};

/// Temporary folder that only its owner can read; it is removed with its contents on drop.
#[derive(Debug)]
pub struct Scratch {
    folder: TempDir,
    /// The open folder, by which the end of this process finds it.
    _open: File,
}

impl Scratch {
    /// Creates a folder.
    ///
    /// # Errors
    /// Returns an error if the folder cannot be created.
    pub fn new() -> io::Result<Self> {
        let private = Permissions::from_mode(0o700);
        let folder =
            tempfile::Builder::new().prefix(TEMPORARY).suffix(FOLDER).permissions(private).tempdir()?;
        let open = File::open(folder.path())?;
        Ok(Self { folder, _open: open })
    }

    /// Returns the path of the folder.
    #[must_use]
    pub fn path(&self) -> &Path {
        self.folder.path()
    }
}

/// Removes the temporary folders of this process, which is about to exit.
pub fn remove_all() {
    remove_folders();
}
