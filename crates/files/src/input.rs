//! Reading files, of which none is larger than what is read here.

use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, IsTerminal as _, Read};
use std::os::fd::AsFd as _;
use std::os::unix::fs::{FileTypeExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};

use nix::fcntl::{FcntlArg, OFlag, fcntl};
use nix::libc;
use nix::poll::{PollFd, PollFlags, poll};
use tempfile::NamedTempFile;

use crate::fault::{FileError, Named};
use crate::packed;
use crate::path::not_plain;
use crate::temporary::Temporary;

/// The largest text file that is read, in bytes.
pub const LARGEST: u64 = 1 << 30;

/// Reads a text file, which may be compressed by gzip; a byte order mark at its beginning is left out.
///
/// # Errors
/// When the file cannot be read, is larger than a GiB, or is not UTF-8.
pub fn read(path: &Path) -> Result<String, FileError> {
    read_as_it_is(path).map(without_mark)
}

/// Removes a byte order mark from the beginning of a text.
fn without_mark(text: String) -> String {
    match text.strip_prefix('\u{feff}') {
        Some(rest) => rest.to_owned(),
        None => text,
    }
}

/// Reads a text file with its byte order mark. What gzip compressed is read uncompressed.
///
/// # Errors
/// Those of [`read`].
pub fn read_as_it_is(path: &Path) -> Result<String, FileError> {
    read_all(path, open_to_read(path))
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

/// Opens a plain file that may be compressed by gzip; its faults name it.
///
/// # Errors
/// Returns an error if it cannot be opened or is not a plain file.
pub fn open_unpacked(path: &Path) -> io::Result<Named<'_, Box<dyn BufRead>>> {
    let opened = open_plain(path).and_then(|file| packed::read(BufReader::new(file)));
    Ok(Named::new(opened.map_err(|cause| FileError::new("read", path, cause))?, path))
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

/// How long a named pipe that nothing writes to is waited for, in milliseconds.
const PATIENCE: u16 = 1000;

/// Opens a file for reading: a plain file or a pipe, which is refused if no program opens it for writing within a second.
///
/// # Errors
/// Returns an error if the file cannot be opened, or is a folder, a socket or a device other than a terminal and `/dev/null`.
pub fn open_to_read(path: &Path) -> io::Result<File> {
    let file = OpenOptions::new().read(true).custom_flags(libc::O_NONBLOCK).open(path)?;
    let kind = file.metadata()?.file_type();
    let is_null = || path.canonicalize().is_ok_and(|path| path == Path::new("/dev/null"));
    if kind.is_dir() {
        return Err(io::Error::new(io::ErrorKind::IsADirectory, "it is a folder"));
    }
    if !kind.is_file() && !kind.is_fifo() && !(kind.is_char_device() && (file.is_terminal() || is_null())) {
        return Err(not_plain());
    }
    if kind.is_fifo() && !is_stream(path) {
        let mut polled = [PollFd::new(file.as_fd(), PollFlags::POLLIN)];
        if poll(&mut polled, PATIENCE)? == 0 && matches!((&file).read(&mut [0]), Ok(0)) {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "it is a pipe that nothing writes to"));
        }
    }
    let flags = OFlag::from_bits_retain(fcntl(&file, FcntlArg::F_GETFL)?);
    fcntl(&file, FcntlArg::F_SETFL(flags - OFlag::O_NONBLOCK))?;
    Ok(file)
}

/// Returns `true` if a path leads to an open pipe without a name, as `/dev/stdin` and the shell's `<(...)` do.
fn is_stream(path: &Path) -> bool {
    path.canonicalize().is_err()
}

fn read_all(path: &Path, opened: io::Result<File>) -> Result<String, FileError> {
    let all = || {
        let mut bytes = Vec::new();
        let text = packed::read(BufReader::new(opened?))?;
        if text.take(LARGEST + 1).read_to_end(&mut bytes)? as u64 > LARGEST {
            return Err(io::Error::other(format!("it is larger than {LARGEST} bytes")));
        }
        let not_text = |_| io::Error::new(io::ErrorKind::InvalidData, "it is not a text in UTF-8");
        String::from_utf8(bytes).map_err(not_text)
    };
    all().map_err(|cause| FileError { verb: "read", path: path.to_owned(), cause: in_words(cause) })
}

/// Returns the cause of a fault, in the words of this program where it has such.
fn in_words(cause: io::Error) -> io::Error {
    match cause.kind() {
        io::ErrorKind::IsADirectory => io::Error::new(cause.kind(), "it is a folder"),
        _ => cause,
    }
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
            false => Box::new(open_to_read(path)?),
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
        cause: in_words(cause),
    })
}

/// Reads the board file that a board name names: a plain file, or a stream such as `/dev/stdin`, which gives its text
/// once.
///
/// # Errors
/// Returns an error if the file cannot be read or is not UTF-8.
pub fn open(path: &str) -> io::Result<String> {
    let path = Path::new(path);
    let text = if is_stream(path) { read(path) } else { read_plain(path).map(without_mark) };
    text.map_err(|error| error.cause)
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
