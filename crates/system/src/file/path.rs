//! Resolution of paths and symbolic links.

use std::fs::File;
use std::io;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

/// Returns `true` if two paths lead to the same plain file, existing or not, so that writing one would
/// replace the other.
#[must_use]
pub fn are_one(one: &Path, other: &Path) -> bool {
    let resolve = |path: &Path| {
        let new = || Some(folder_of(path).canonicalize().ok()?.join(path.file_name()?));
        path.canonicalize().ok().or_else(new)
    };
    resolve(one).is_some_and(|path| (!path.exists() || path.is_file()) && resolve(other) == Some(path))
}

/// Returns the folder that contains a file, or would contain it.
pub(crate) fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Returns the path to which the symbolic links at `path` lead. That file need not exist.
///
/// # Errors
/// Returns an error if the links form a cycle.
pub(crate) fn target(path: &Path) -> io::Result<PathBuf> {
    const MAX_LINKS: usize = 40;
    if path.exists() {
        // Links such as /dev/stderr may lead to open files without a name.
        return Ok(path.canonicalize().unwrap_or_else(|_| path.to_owned()));
    }
    let mut current = path.to_owned();
    for _ in 0..MAX_LINKS {
        match current.read_link() {
            Ok(to) => current = folder_of(&current).join(to),
            Err(_) => return Ok(current),
        }
    }
    Err(io::Error::new(io::ErrorKind::InvalidInput, "it is a symbolic link that leads to no file"))
}

/// Returns `true` if `path` is the name of this open file.
pub(crate) fn is_at(file: &File, path: &Path) -> bool {
    let (Ok(open), Ok(named)) = (file.metadata(), path.symlink_metadata()) else { return false };
    (open.dev(), open.ino()) == (named.dev(), named.ino())
}

/// Creates the error for a path that exists and is not a plain file.
pub(crate) fn not_plain() -> io::Error {
    io::Error::new(io::ErrorKind::AlreadyExists, "it is not a plain file")
}

/// Creates the error for a folder that does not exist.
pub(crate) fn not_there(folder: &Path) -> io::Error {
    io::Error::new(io::ErrorKind::NotFound, format!("there is no folder {}", folder.display()))
}
