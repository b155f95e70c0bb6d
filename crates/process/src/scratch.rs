//! Temporary folders for outside programs: nobody else can look into them, and none is left.

use std::collections::BTreeSet;
use std::fs::Permissions;
use std::io;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use tempfile::TempDir;

/// The folders of this process.
static FOLDERS: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

/// A temporary folder, which goes with all that is in it when this is dropped.
#[derive(Debug)]
pub struct Scratch(TempDir);

impl Scratch {
    /// Makes one.
    ///
    /// # Errors
    /// When it cannot be made.
    pub fn new() -> io::Result<Self> {
        let private = Permissions::from_mode(0o700);
        let folder = tempfile::Builder::new().prefix("ndq-").permissions(private).tempdir()?;
        FOLDERS.lock().unwrap_or_else(PoisonError::into_inner).insert(folder.path().to_owned());
        Ok(Self(folder))
    }

    /// Where it is.
    #[must_use]
    pub fn path(&self) -> &Path {
        self.0.path()
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        FOLDERS.lock().unwrap_or_else(PoisonError::into_inner).remove(self.path());
    }
}

/// Removes the folders of this process, which is about to end.
pub fn remove_all() {
    for folder in &*FOLDERS.lock().unwrap_or_else(PoisonError::into_inner) {
        // It may have been removed just now.
        let _ = std::fs::remove_dir_all(folder);
    }
}
