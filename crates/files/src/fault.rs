//! Faults that name their file.

use std::io::{self, BufRead, Read, Write};
use std::path::{Path, PathBuf};

use nix::libc;

/// Why a file could not be read or written.
#[derive(Debug, thiserror::Error)]
#[error("cannot {verb} {}: {cause}", path.display())]
pub struct FileError {
    /// `read`, `write` or `lock`.
    pub verb: &'static str,
    /// The file.
    pub path: PathBuf,
    /// What the operating system says.
    pub cause: io::Error,
}

impl FileError {
    /// A fault of a file, or the fault of another file that led to it.
    #[must_use]
    pub fn new(verb: &'static str, path: &Path, cause: io::Error) -> Self {
        cause.downcast().unwrap_or_else(|cause| Self { verb, path: path.to_owned(), cause })
    }

    /// Whether the system failed, such as by a full disk or too many open files, and not the path that was given.
    #[must_use]
    pub fn is_failure(&self) -> bool {
        use io::ErrorKind::{
            AlreadyExists, InvalidFilename, InvalidInput, IsADirectory, NotADirectory, NotFound,
            PermissionDenied, ReadOnlyFilesystem,
        };
        let of_the_path = matches!(
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
        let too_much = matches!(self.cause.raw_os_error(), Some(libc::EMFILE | libc::ENFILE | libc::ENOMEM));
        too_much || matches!(self.verb, "write" | "lock") && !of_the_path
    }

    /// The same fault, of a file that the user knows by another name.
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

/// A reader or a writer whose faults name its file.
#[derive(Debug)]
pub struct Named<'p, T> {
    inner: T,
    path: &'p Path,
}

impl<'p, T> Named<'p, T> {
    /// Names the file of a reader or a writer.
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
