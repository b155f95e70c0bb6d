//! Files that are there in full or not at all.

use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// Why a file could not be read or written.
#[derive(Debug, thiserror::Error)]
#[error("cannot {verb} {}: {cause}", path.display())]
pub struct FileError {
    /// `read` or `write`.
    pub verb: &'static str,
    /// The file.
    pub path: PathBuf,
    /// What the operating system says.
    pub cause: io::Error,
}

impl FileError {
    /// The same fault, of a file that the user knows by another name.
    #[must_use]
    pub fn of(self, path: &Path) -> Self {
        Self { path: path.to_owned(), ..self }
    }
}

/// Reads a text file.
///
/// # Errors
/// When the file cannot be read or is not UTF-8.
pub fn read(path: &Path) -> Result<String, FileError> {
    let told = |cause: io::Error| match cause.kind() {
        io::ErrorKind::InvalidData => io::Error::new(cause.kind(), "it is not a text in UTF-8"),
        io::ErrorKind::IsADirectory => io::Error::new(cause.kind(), "it is a folder"),
        _ => cause,
    };
    std::fs::read_to_string(path).map_err(|cause| FileError {
        verb: "read",
        path: path.to_owned(),
        cause: told(cause),
    })
}

/// A file that can be read from its beginning more than once.
#[derive(Debug)]
pub struct Input {
    path: PathBuf,
    /// What came through a pipe.
    _held: Option<tempfile::NamedTempFile>,
}

impl Input {
    /// Where it can be read.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }
}

/// Takes a file as it is, and copies first what can be read but once, such as a pipe; `-` is standard input.
///
/// # Errors
/// When the file cannot be read.
pub fn input(path: &Path) -> Result<Input, FileError> {
    let taken = || {
        if path.is_file() {
            return Ok(Input { path: path.to_owned(), _held: None });
        }
        let mut held = tempfile::NamedTempFile::new()?;
        if path == Path::new("-") {
            io::copy(&mut io::stdin().lock(), &mut held)?;
        } else {
            io::copy(&mut std::fs::File::open(path)?, &mut held)?;
        }
        Ok(Input { path: held.path().to_owned(), _held: Some(held) })
    };
    taken().map_err(|cause: io::Error| FileError {
        verb: "read",
        path: path.to_owned(),
        cause: match cause.kind() {
            io::ErrorKind::IsADirectory => io::Error::new(cause.kind(), "it is a folder"),
            _ => cause,
        },
    })
}

/// Reads the board file that a board name names.
///
/// # Errors
/// When the file cannot be read or is not UTF-8.
pub fn open(path: &str) -> io::Result<String> {
    read(Path::new(path)).map_err(|error| error.cause)
}

/// Writes a file under a temporary name beside it and renames it when it is complete and on disk. Returns what `fill`
/// returns.
///
/// # Errors
/// When the folder is not there or not writable, the disk is full, or `fill` fails; then nothing is left behind.
pub fn write<T>(path: &Path, fill: impl FnOnce(&mut dyn Write) -> io::Result<T>) -> Result<T, FileError> {
    let in_full = || {
        let mut out = BufWriter::new(temporary_beside(path)?);
        let filled = fill(&mut out)?;
        let file = out.into_inner().map_err(io::IntoInnerError::into_error)?;
        file.as_file().sync_all()?;
        file.persist(path).map_err(|e| e.error)?;
        Ok(filled)
    };
    in_full().map_err(|cause| FileError { verb: "write", path: path.to_owned(), cause })
}

/// Makes a folder, and those that it is in, if need be.
///
/// # Errors
/// When it cannot be made.
pub fn make_folder(folder: &Path) -> Result<(), FileError> {
    std::fs::create_dir_all(folder).map_err(|cause| FileError {
        verb: "write",
        path: folder.to_owned(),
        cause,
    })
}

/// Finds out, before long work for it begins, whether a file could be written.
///
/// # Errors
/// When the folder is not there or not writable, or the name is that of a folder.
pub fn writable(path: &Path) -> Result<(), FileError> {
    let refused = |cause| FileError { verb: "write", path: path.to_owned(), cause };
    temporary_beside(path).map(drop).map_err(refused)
}

/// A temporary file that gets the permissions of an ordinary new file, not those of a private one.
fn temporary_beside(path: &Path) -> io::Result<tempfile::NamedTempFile> {
    use std::os::unix::fs::PermissionsExt as _;
    if path.is_dir() {
        return Err(io::Error::new(io::ErrorKind::IsADirectory, "it is a folder"));
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    if !folder.is_dir() {
        let words = format!("there is no folder {}", folder.display());
        return Err(io::Error::new(io::ErrorKind::NotFound, words));
    }
    tempfile::Builder::new()
        .prefix(".ndq-")
        .permissions(std::fs::Permissions::from_mode(0o666))
        .tempfile_in(folder)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_fails_half_way_leaves_nothing() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.txt");
        let error = write(&path, |out| {
            out.write_all(b"half")?;
            Err::<(), _>(io::Error::other("no more"))
        });
        assert!(error.expect_err("failed").to_string().contains("no more"));
        assert_eq!(std::fs::read_dir(folder.path()).expect("readable").count(), 0);
        write(&path, |out| out.write_all(b"whole")).expect("written");
        assert_eq!(read(&path).expect("read"), "whole");
        for refused in [folder.path().to_owned(), folder.path().join("none/a.txt")] {
            assert!(write(&refused, |_| Ok(())).is_err());
            assert!(writable(&refused).is_err());
        }
        writable(&path).expect("may be written again");
        assert_eq!(read(&path).expect("untouched"), "whole");
    }
}
