//! Reading of files up to a size limit.

use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, IsTerminal as _, Read};
use std::os::fd::AsFd as _;
use std::os::unix::fs::{FileTypeExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};

use nix::fcntl::{FcntlArg, OFlag, fcntl};
use nix::libc;
use nix::poll::{PollFd, PollFlags, poll};

use super::error::{FileError, Named};
use super::packed;
use super::path::not_plain;
use super::temporary::Temporary;

/// Maximum size of a text file that is read, in bytes, uncompressed.
pub const LARGEST: u64 = 1 << 30;

/// Reads a text file, which may be compressed by gzip, without a byte order mark at its beginning.
///
/// # Errors
/// Returns an error if the file cannot be read, is larger than 1 GiB, or is not UTF-8.
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

/// Reads a text file, which may be compressed by gzip, with its byte order mark.
///
/// # Errors
/// Returns an error in the same cases as [`read`].
pub fn read_as_it_is(path: &Path) -> Result<String, FileError> {
    read_all(path, open_to_read(path))
}

/// Reads a text file, which may be compressed by gzip, if it is a plain file.
///
/// This is for folders that programs fill, where opening a named pipe would block.
///
/// # Errors
/// Returns an error in the same cases as [`read`], and if the file is not a plain file.
pub fn read_plain(path: &Path) -> Result<String, FileError> {
    read_all(path, open_plain(path))
}

/// Opens a plain file for reading. Named pipes are rejected without blocking.
///
/// # Errors
/// Returns an error if the file cannot be opened or is not a plain file.
pub fn open_plain(path: &Path) -> io::Result<File> {
    open_plain_with(path, OpenOptions::new().read(true))
}

/// Opens a plain file that may be compressed by gzip for reading its uncompressed contents; errors of the
/// reader name the file.
///
/// # Errors
/// Returns an error if the file cannot be opened or is not a plain file.
pub fn open_unpacked(path: &Path) -> io::Result<Named<'_, Box<dyn BufRead>>> {
    let opened = open_plain(path).and_then(|file| packed::read(BufReader::new(file)));
    Ok(Named::new(opened.map_err(|cause| FileError::new("read", path, cause))?, path))
}

/// Opens a plain file for reading and appending, and creates it if it does not exist.
///
/// # Errors
/// Returns an error in the same cases as [`open_plain`].
pub fn open_to_append(path: &Path) -> io::Result<File> {
    open_plain_with(path, OpenOptions::new().read(true).append(true).create(true))
}

fn open_plain_with(path: &Path, options: &mut OpenOptions) -> io::Result<File> {
    let file = options.custom_flags(libc::O_NONBLOCK).open(path)?;
    if file.metadata()?.is_file() { Ok(file) } else { Err(not_plain()) }
}

/// Time to wait for a program to open a named pipe for writing, in milliseconds.
const PATIENCE: u16 = 1000;

/// Opens a plain file or a pipe for reading. A named pipe is rejected if no program opens it for writing
/// within a second.
///
/// # Errors
/// Returns an error if the file cannot be opened, or is a folder, a socket or a device other than a terminal
/// and `/dev/null`.
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

/// Returns `true` if a path leads to an anonymous pipe, as `/dev/stdin` and the shell's `<(...)` do.
fn is_stream(path: &Path) -> bool {
    path.canonicalize().is_err()
}

/// Reads the uncompressed contents of an open file as UTF-8; errors name `path`.
fn read_all(path: &Path, opened: io::Result<File>) -> Result<String, FileError> {
    let read_text = || {
        let mut bytes = Vec::new();
        let text = packed::read(BufReader::new(opened?))?;
        if text.take(LARGEST + 1).read_to_end(&mut bytes)? as u64 > LARGEST {
            return Err(io::Error::other(format!("it is larger than {LARGEST} bytes")));
        }
        let not_text = |_| io::Error::new(io::ErrorKind::InvalidData, "it is not a text in UTF-8");
        String::from_utf8(bytes).map_err(not_text)
    };
    read_text().map_err(|cause| FileError { verb: "read", path: path.to_owned(), cause: reword(cause) })
}

/// Replaces the message of an error by one of this program, if there is one for its kind.
fn reword(cause: io::Error) -> io::Error {
    match cause.kind() {
        io::ErrorKind::IsADirectory => io::Error::new(cause.kind(), "it is a folder"),
        _ => cause,
    }
}

/// File that can be read from its beginning more than once.
#[derive(Debug)]
pub struct Input {
    path: PathBuf,
    /// Copy of the contents of a pipe.
    _copy: Option<Temporary>,
}

impl Input {
    /// Returns the path from which the contents can be read.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }
}

/// Returns a file that can be read repeatedly: a plain file itself, or a temporary copy of a pipe. The path
/// `-` is standard input.
///
/// `limit` receives the first 16 bytes of a pipe and returns the maximum number of bytes to read from it.
///
/// # Errors
/// Returns an error if the file cannot be read, or a pipe contains more bytes than the limit.
pub fn input(path: &Path, limit: impl FnOnce(&[u8]) -> u64) -> Result<Input, FileError> {
    let copy_pipe = || {
        if path.is_file() {
            return Ok(Input { path: path.to_owned(), _copy: None });
        }
        let copy = Temporary::create()?;
        let mut pipe: Box<dyn Read> = match path == Path::new("-") {
            true => Box::new(io::stdin().lock()),
            false => Box::new(open_to_read(path)?),
        };
        let mut first = Vec::new();
        pipe.by_ref().take(16).read_to_end(&mut first)?;
        let most = limit(&first);
        let bytes = io::copy(&mut first.chain(pipe).take(most + 1), &mut copy.file())?;
        if bytes > most {
            return Err(io::Error::other(format!("it is larger than {most} bytes")));
        }
        Ok(Input { path: copy.path().to_owned(), _copy: Some(copy) })
    };
    copy_pipe().map_err(|cause: io::Error| FileError {
        verb: "read",
        path: path.to_owned(),
        cause: reword(cause),
    })
}

/// Reads the board file in the name of a board: a plain file, or an anonymous pipe such as `/dev/stdin`,
/// which can be read once.
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
    fn rejects_pipes_and_devices_without_blocking() {
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
