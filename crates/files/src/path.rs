//! What names of files lead to.

use std::fs::File;
use std::io;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

/// Whether two names are of one file, of which the second writing would replace what the first has left.
#[must_use]
pub fn are_one(one: &Path, other: &Path) -> bool {
    let at = |path: &Path| {
        let new = || Some(folder_of(path).canonicalize().ok()?.join(path.file_name()?));
        path.canonicalize().ok().or_else(new)
    };
    at(one).is_some_and(|path| (!path.exists() || path.is_file()) && at(other) == Some(path))
}

/// The folder that a file is or would be in.
pub(crate) fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// What a name leads to by symbolic links, be that there or not.
pub(crate) fn target(path: &Path) -> io::Result<PathBuf> {
    const MOST: usize = 40;
    if path.exists() {
        // The links of open files, such as /dev/stderr, lead to what has no name.
        return Ok(path.canonicalize().unwrap_or_else(|_| path.to_owned()));
    }
    let mut at = path.to_owned();
    for _ in 0..MOST {
        match at.read_link() {
            Ok(to) => at = folder_of(&at).join(to),
            Err(_) => return Ok(at),
        }
    }
    Err(io::Error::new(io::ErrorKind::InvalidInput, "it is a symbolic link that leads to no file"))
}

/// Whether an open file is the one of this name.
pub(crate) fn is_at(file: &File, path: &Path) -> bool {
    let (Ok(open), Ok(there)) = (file.metadata(), path.symlink_metadata()) else { return false };
    (open.dev(), open.ino()) == (there.dev(), there.ino())
}

/// The fault of what has the name of a file and is none.
pub(crate) fn not_plain() -> io::Error {
    io::Error::new(io::ErrorKind::AlreadyExists, "it is not a plain file")
}

/// The fault of a folder that does not exist.
pub(crate) fn not_there(folder: &Path) -> io::Error {
    io::Error::new(io::ErrorKind::NotFound, format!("there is no folder {}", folder.display()))
}
