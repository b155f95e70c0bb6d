//! Sealed texts: texts compressed by gzip whose last line is the digest of all preceding lines.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::Path;

use flate2::Compression;

use super::digest::Digester;
use super::error::{FileError, Named};
use super::input::open_plain;
use super::{atomic, packed};

/// Prefix of the last line. No other line of a sealed text begins with it.
const LAST: &str = "sha256 ";

/// Writes a sealed text atomically and returns the result of `fill`.
///
/// # Errors
/// Returns an error if the file cannot be written or `fill` fails.
pub fn write<T>(
    path: &Path,
    fill: impl FnOnce(&mut (dyn Write + Send)) -> io::Result<T>,
) -> Result<T, FileError> {
    atomic::write_as_it_is(path, |out| {
        packed::write(out, Compression::fast(), |out| {
            let mut sealed = Sealed { out, digest: Digester::default() };
            let filled = fill(&mut sealed)?;
            let digest = sealed.digest.finish();
            writeln!(sealed.out, "{LAST}{digest}")?;
            Ok(filled)
        })
    })
}

/// Writer that computes the digest of the bytes that pass through it.
struct Sealed<'w> {
    out: &'w mut (dyn Write + Send),
    digest: Digester,
}

impl Write for Sealed<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.out.write(bytes)?;
        self.digest.update(&bytes[..written]);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// Reader of a sealed text without its last line. It returns an error at the end of the text if the digest
/// does not match.
#[derive(Debug)]
pub struct Unsealed<R> {
    lines: R,
    /// Current line.
    line: String,
    /// Number of bytes of the current line that have been read.
    offset: usize,
    /// Digest of the lines so far; `None` after the last line was compared with it.
    digest: Option<Digester>,
}

/// Creates the reader of a sealed text.
///
/// # Errors
/// Returns an error if the beginning of the file cannot be read.
pub fn read<'r>(file: impl BufRead + 'r) -> io::Result<Unsealed<Box<dyn BufRead + 'r>>> {
    let lines = packed::read(file)?;
    Ok(Unsealed { lines, line: String::new(), offset: 0, digest: Some(Digester::default()) })
}

/// Opens the sealed text in a plain file; errors of the reader name the file.
///
/// # Errors
/// Returns an error if the file cannot be opened or is not a plain file.
pub fn open(path: &Path) -> io::Result<Named<'_, impl BufRead + use<>>> {
    let opened = open_plain(path).and_then(|file| read(BufReader::new(file)));
    Ok(Named::new(opened.map_err(|cause| FileError::new("read", path, cause))?, path))
}

impl<R: BufRead> Unsealed<R> {
    /// Reads the next line, or compares the last line with the digest of the preceding ones.
    ///
    /// # Errors
    /// Returns an error if the text cannot be read, is cut off or does not match its digest.
    fn next_line(&mut self, mut digest: Digester) -> io::Result<()> {
        let damaged = |what: &str| io::Error::new(io::ErrorKind::InvalidData, what.to_owned());
        self.offset = 0;
        if packed::next_line(&mut self.lines, &mut self.line)? == 0 {
            return Err(damaged("it is cut off: its last line is not its digest"));
        }
        let Some(last) = self.line.strip_prefix(LAST) else {
            digest.update(self.line.as_bytes());
            self.digest = Some(digest);
            return Ok(());
        };
        let matches = digest.finish() == last.trim_end();
        if packed::next_line(&mut self.lines, &mut self.line)? == 0 && matches {
            self.digest = None;
            return Ok(());
        }
        self.line.clear();
        Err(damaged("its contents do not match its digest"))
    }
}

impl<R: BufRead> Read for Unsealed<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.fill_buf()?.read(buffer)?;
        self.consume(read);
        Ok(read)
    }
}

impl<R: BufRead> BufRead for Unsealed<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.offset == self.line.len()
            && let Some(digest) = &self.digest
        {
            let digest = digest.clone();
            self.next_line(digest)?;
        }
        Ok(&self.line.as_bytes()[self.offset..])
    }

    fn consume(&mut self, bytes: usize) {
        self.offset += bytes;
    }
}

/// Returns `true` if a text cannot be read because it is damaged, so that it may be written again.
#[must_use]
pub fn is_damage(fault: &io::Error) -> bool {
    use io::ErrorKind::{InvalidData, InvalidInput, UnexpectedEof};
    matches!(fault.kind(), InvalidData | InvalidInput | UnexpectedEof)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(path: &Path) -> io::Result<String> {
        let mut text = String::new();
        open(path)?.read_to_string(&mut text)?;
        Ok(text)
    }

    #[test]
    fn detects_changed_lines() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("text.gz");
        for text in ["", "one\ntwo\n", &"a line\n".repeat(1000)] {
            write(&path, |out| out.write_all(text.as_bytes())).expect("written");
            assert_eq!(read(&path).expect("as it was written"), text);
        }
        let mut whole = String::new();
        crate::file::open_unpacked(&path)
            .and_then(|mut file| file.read_to_string(&mut whole))
            .expect("packed");
        for changed in [
            whole.replacen("a line", "a lime", 1),
            whole.replacen("a line\n", "", 1),
            whole[..whole.len() - 10].to_owned(),
            whole.lines().filter(|line| !line.starts_with(LAST)).collect(),
            format!("{whole}a line\n"),
        ] {
            let packed = |out: &mut (dyn Write + Send)| out.write_all(changed.as_bytes());
            atomic::write_as_it_is(&path, |out| packed::write(out, Compression::fast(), packed))
                .expect("written");
            assert!(read(&path).is_err_and(|fault| is_damage(&fault)));
        }
    }
}
