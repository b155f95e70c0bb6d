//! Packed texts whose last line is the digest of all before it.

use std::io::{self, BufRead, BufReader, Seek as _, Write};
use std::path::Path;

use flate2::Compression;
use tempfile::SpooledTempFile;

use crate::digest::Digester;
use crate::fault::FileError;
use crate::{atomic, packed};

/// What the last line begins with; no other line of a sealed text does.
const LAST: &str = "sha256 ";

/// What is held in memory of a text that is read, in bytes.
const HELD_IN_MEMORY: usize = 1 << 24;

/// Writes a text in full or not at all, packed and with its digest.
///
/// # Errors
/// When it cannot be written, or `fill` fails.
pub fn write<T>(
    path: &Path,
    fill: impl FnOnce(&mut (dyn Write + Send)) -> io::Result<T>,
) -> Result<T, FileError> {
    atomic::write(path, |out| {
        packed::write(out, Compression::fast(), |out| {
            let mut sealed = Sealed { out, digest: Digester::default() };
            let filled = fill(&mut sealed)?;
            let digest = sealed.digest.finish();
            writeln!(sealed.out, "{LAST}{digest}")?;
            Ok(filled)
        })
    })
}

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

/// Reads a text to its end, and gives it back without its digest.
///
/// # Errors
/// When it cannot be read, or is not what was written.
pub fn open(path: &Path) -> io::Result<impl BufRead + use<>> {
    let damaged = |what: &str| io::Error::new(io::ErrorKind::InvalidData, what.to_owned());
    let mut packed = packed::open(path)?;
    let mut text = SpooledTempFile::new(HELD_IN_MEMORY);
    let (mut digest, mut line) = (Digester::default(), String::new());
    let last = loop {
        if packed::next_line(&mut packed, &mut line)? == 0 {
            return Err(damaged("it is cut off: its last line is not its digest"));
        }
        match line.strip_prefix(LAST) {
            Some(last) => break last.trim_end().to_owned(),
            None => text.write_all(line.as_bytes())?,
        }
        digest.update(line.as_bytes());
    };
    if digest.finish() != last || packed::next_line(&mut packed, &mut line)? > 0 {
        return Err(damaged("it is not what was written: its digest is another one"));
    }
    text.rewind()?;
    Ok(BufReader::new(text))
}

/// Whether a text cannot be read because it is not what was written, and can be made again.
#[must_use]
pub fn is_damage(fault: &io::Error) -> bool {
    use io::ErrorKind::{InvalidData, InvalidInput, UnexpectedEof};
    matches!(fault.kind(), InvalidData | InvalidInput | UnexpectedEof)
}

#[cfg(test)]
mod tests {
    use std::io::Read as _;

    use super::*;

    fn read(path: &Path) -> io::Result<String> {
        let mut text = String::new();
        open(path)?.read_to_string(&mut text)?;
        Ok(text)
    }

    #[test]
    fn a_line_that_was_changed_is_noticed() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("text.gz");
        for text in ["", "one\ntwo\n", &"a line\n".repeat(1000)] {
            write(&path, |out| out.write_all(text.as_bytes())).expect("written");
            assert_eq!(read(&path).expect("as it was written"), text);
        }
        let mut whole = String::new();
        packed::open(&path).and_then(|mut file| file.read_to_string(&mut whole)).expect("packed");
        for changed in [
            whole.replacen("a line", "a lime", 1),
            whole.replacen("a line\n", "", 1),
            whole[..whole.len() - 10].to_owned(),
            whole.lines().filter(|line| !line.starts_with(LAST)).collect(),
            format!("{whole}a line\n"),
        ] {
            let packed = |out: &mut (dyn Write + Send)| out.write_all(changed.as_bytes());
            atomic::write(&path, |out| packed::write(out, Compression::fast(), packed)).expect("written");
            assert!(read(&path).is_err_and(|fault| is_damage(&fault)));
        }
    }
}
