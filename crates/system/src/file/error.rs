//! Errors that name their file.

use std::io::{self, BufRead, Read, Write};
use std::path::{Path, PathBuf};

use nix::libc;

/// Error of reading, writing or locking a file.
#[derive(Debug, thiserror::Error)]
#[error("cannot {verb} {}: {cause}", path.display())]
pub struct FileError {
    /// Operation that failed: `read`, `write` or `lock`.
    pub verb: &'static str,
    /// Path of the file.
    pub path: PathBuf,
    /// Underlying error.
    pub cause: io::Error,
}

impl FileError {
    /// Creates the error of a file. If `cause` contains the error of another file, returns that one instead.
    #[must_use]
    pub fn new(verb: &'static str, path: &Path, cause: io::Error) -> Self {
        cause.downcast().unwrap_or_else(|cause| Self { verb, path: path.to_owned(), cause })
    }

    /// Returns `true` if the system failed, for example because of a full disk or too many open files, rather
    /// than the given path being unsuitable.
    #[must_use]
    pub fn is_failure(&self) -> bool {
        use io::ErrorKind::{
            AlreadyExists, InvalidFilename, InvalidInput, IsADirectory, NotADirectory, NotFound,
            PermissionDenied, ReadOnlyFilesystem,
        };
        let is_path_error = matches!(
            self.cause.kind(),
            AlreadyExists
                | InvalidFilename
                | InvalidInput
                | IsADirectory
                | NotADirectory
                | NotFound
                | PermissionDenied
                | ReadOnlyFilesystem
        );
        let is_resource_limit =
            matches!(self.cause.raw_os_error(), Some(libc::EMFILE | libc::ENFILE | libc::ENOMEM));
        is_resource_limit || matches!(self.verb, "write" | "lock") && !is_path_error
    }

    /// Returns the error with the path replaced by the name that the user gave to the file.
    #[must_use]
    pub fn of(self, path: &Path) -> Self {
        Self { path: path.to_owned(), ..self }
    }
}

impl From<FileError> for io::Error {
    fn from(fault: FileError) -> Self {
        Self::new(fault.cause.kind(), fault)
    }
}

/// Reader or writer whose errors name its file.
#[derive(Debug)]
pub struct Named<'p, T> {
    inner: T,
    path: &'p Path,
}

impl<'p, T> Named<'p, T> {
    /// Wraps a reader or a writer of the file at `path`.
    #[must_use]
    pub fn new(inner: T, path: &'p Path) -> Self {
        Self { inner, path }
    }
}

impl<T: Read> Read for Named<'_, T> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        self.inner.read(bytes).map_err(|cause| FileError::new("read", self.path, cause).into())
    }
}

impl<T: BufRead> BufRead for Named<'_, T> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        let path = self.path;
        self.inner.fill_buf().map_err(|cause| FileError::new("read", path, cause).into())
    }

    fn consume(&mut self, bytes: usize) {
        self.inner.consume(bytes);
    }
}

impl<T: Write> Write for Named<'_, T> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.inner.write(bytes).map_err(|cause| FileError::new("write", self.path, cause).into())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush().map_err(|cause| FileError::new("write", self.path, cause).into())
    }
}
