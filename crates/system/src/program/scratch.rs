//! Private temporary folders for external programs, which are removed at the end of the process.

use std::collections::BTreeSet;
use std::fs::Permissions;
use std::io;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use parking_lot::Mutex;
use tempfile::TempDir;

/// Temporary folders of this process.
static FOLDERS: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

/// Temporary folder that only its owner can read; it is removed with its contents on drop.
#[derive(Debug)]
pub struct Scratch(TempDir);

impl Scratch {
    /// Creates a folder.
    ///
    /// # Errors
    /// Returns an error if the folder cannot be created.
    pub fn new() -> io::Result<Self> {
        let private = Permissions::from_mode(0o700);
        let folder = tempfile::Builder::new().prefix("ndq-").permissions(private).tempdir()?;
        FOLDERS.lock().insert(folder.path().to_owned());
        Ok(Self(folder))
    }

    /// Returns the path of the folder.
    #[must_use]
    pub fn path(&self) -> &Path {
        self.0.path()
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        FOLDERS.lock().remove(self.path());
    }
}

/// Removes the temporary folders of this process, which is about to exit.
pub fn remove_all() {
    for folder in &*FOLDERS.lock() {
        // The folder may have been removed concurrently.
        let _ = std::fs::remove_dir_all(folder);
    }
}
