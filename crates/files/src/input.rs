//! Reading files, of which none is larger than what is read here.

use std::fs::{File, OpenOptions};
use std::io::{self, Read};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};

use nix::libc;
use tempfile::NamedTempFile;

use crate::fault::FileError;
use crate::path::not_plain;
use crate::temporary::Temporary;

/// The largest text file that is read, in bytes.
pub const LARGEST: u64 = 1 << 30;

/// Reads a text file; a byte order mark at its beginning is left out.
///
/// # Errors
/// When the file cannot be read, is larger than a GiB, or is not UTF-8.
pub fn read(path: &Path) -> Result<String, FileError> {
    let text = read_as_it_is(path)?;
    match text.strip_prefix('\u{feff}') {
        Some(rest) => Ok(rest.to_owned()),
        None => Ok(text),
    }
}

/// Reads a text file as it is, with its byte order mark.
///
/// # Errors
/// Those of [`read`].
pub fn read_as_it_is(path: &Path) -> Result<String, FileError> {
    read_all(path, File::open(path))
}

/// Reads a file of a folder that programs fill, which is a plain file.
///
/// # Errors
/// Those of [`read`], and when it is no plain file.
pub fn read_plain(path: &Path) -> Result<String, FileError> {
    read_all(path, open_plain(path))
}

/// Opens a file of a folder that programs fill. No more than a plain file is opened: a pipe would be waited for.
///
/// # Errors
/// When it cannot be opened or is no plain file.
pub fn open_plain(path: &Path) -> io::Result<File> {
    open_plain_with(path, OpenOptions::new().read(true))
}

/// Opens a file that grows by lines for reading and appending; it is made if need be.
///
/// # Errors
/// Those of [`open_plain`].
pub fn open_to_append(path: &Path) -> io::Result<File> {
    open_plain_with(path, OpenOptions::new().read(true).append(true).create(true))
}

fn open_plain_with(path: &Path, options: &mut OpenOptions) -> io::Result<File> {
    let file = options.custom_flags(libc::O_NONBLOCK).open(path)?;
    if file.metadata()?.is_file() { Ok(file) } else { Err(not_plain()) }
}

fn read_all(path: &Path, opened: io::Result<File>) -> Result<String, FileError> {
    let told = |cause: io::Error| match cause.kind() {
        io::ErrorKind::InvalidData => io::Error::new(cause.kind(), "it is not a text in UTF-8"),
        io::ErrorKind::IsADirectory => io::Error::new(cause.kind(), "it is a folder"),
        _ => cause,
    };
    let mut text = String::new();
    let size = opened.and_then(|file| file.take(LARGEST + 1).read_to_string(&mut text));
    let size = match size {
        Ok(size) if size as u64 > LARGEST => {
            Err(io::Error::other(format!("it is larger than {LARGEST} bytes")))
        }
        size => size,
    };
    size.map_err(|cause| FileError { verb: "read", path: path.to_owned(), cause: told(cause) })?;
    Ok(text)
}

/// A file that can be read from its beginning more than once.
#[derive(Debug)]
pub struct Input {
    path: PathBuf,
    /// What came through a pipe.
    _held: Option<Temporary>,
}

impl Input {
    /// Where it can be read.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }
}

/// Opens a file as it is, and copies first what can be read but once, such as a pipe; `-` is standard input. The limit is
/// given the first 16 bytes.
///
/// # Errors
/// When the file cannot be read, or a pipe gives more bytes than `limit` allows a text with this beginning.
pub fn input(path: &Path, limit: impl FnOnce(&[u8]) -> u64) -> Result<Input, FileError> {
    let copied = || {
        if path.is_file() {
            return Ok(Input { path: path.to_owned(), _held: None });
        }
        let held = Temporary::new(NamedTempFile::new()?);
        let mut pipe: Box<dyn Read> = match path == Path::new("-") {
            true => Box::new(io::stdin().lock()),
            false => Box::new(File::open(path)?),
        };
        let mut first = Vec::new();
        pipe.by_ref().take(16).read_to_end(&mut first)?;
        let most = limit(&first);
        let bytes = io::copy(&mut first.chain(pipe).take(most + 1), &mut held.file())?;
        if bytes > most {
            return Err(io::Error::other(format!("it is larger than {most} bytes")));
        }
        Ok(Input { path: held.path().to_owned(), _held: Some(held) })
    };
    copied().map_err(|cause: io::Error| FileError {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_plain_file_is_refused_and_not_waited_for() {
        let folder = tempfile::tempdir().expect("a folder");
        let pipe = folder.path().join("pipe");
        nix::unistd::mkfifo(&pipe, nix::sys::stat::Mode::S_IRWXU).expect("a pipe");
        for path in [&*pipe, folder.path(), Path::new("/dev/zero")] {
            let words = path.display();
            assert!(open_plain(path).is_err(), "{words}");
            assert!(open_to_append(path).is_err(), "{words}");
            assert!(read_plain(path).is_err(), "{words}");
        }
        let path = folder.path().join("rows");
        std::io::Write::write_all(&mut open_to_append(&path).expect("made"), b"a line\n").expect("written");
        assert_eq!(read_plain(&path).expect("there"), "a line\n");
    }
}
