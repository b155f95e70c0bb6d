//! Files that grow by a line at a time, each line with its digest.
//!
//! A line is a JSON object whose first entry, `sha256`, is the digest of the object without it. It is appended in one write
//! and is on disk when that is done. What follows the last end of a line was being written when a process was killed, or a
//! disk was full; readers leave it out, and the next writer cuts it off.

use std::borrow::Cow;
use std::fs::File;
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};

use serde::Serialize;

use crate::digest;

/// What a line with a digest begins with.
const HEAD: &str = "{\"sha256\":\"";

/// What stands between a digest and the rest of its object.
const MIDDLE: &str = "\",";

/// A line, its end included.
///
/// # Errors
/// When the object cannot be written as JSON.
pub fn line(object: &impl Serialize) -> serde_json::Result<Vec<u8>> {
    let text = serde_json::to_string(object)?;
    let rest = text.strip_prefix('{').unwrap_or(&text);
    Ok(format!("{HEAD}{}{MIDDLE}{rest}\n", digest::of(&text)).into_bytes())
}

/// Whether a line is what was written.
#[derive(Debug, PartialEq, Eq)]
pub enum Line<'l> {
    /// The object, of which nothing has changed.
    Whole(String),
    /// There is no digest, as in lines that earlier versions wrote.
    Unsealed(Cow<'l, str>),
    /// It is another one than was written.
    Damaged,
}

impl<'l> Line<'l> {
    /// Takes a line apart.
    #[must_use]
    pub fn of(line: &'l [u8]) -> Self {
        let Ok(text) = std::str::from_utf8(line) else { return Self::Damaged };
        let text = text.trim_end_matches(['\n', '\r']);
        let Some(sealed) = text.strip_prefix(HEAD) else { return Self::Unsealed(text.into()) };
        match sealed.split_once(MIDDLE) {
            Some((digest, rest)) => {
                let object = format!("{{{rest}");
                if digest::of(&object) == digest { Self::Whole(object) } else { Self::Damaged }
            }
            None => Self::Damaged,
        }
    }
}

/// Where the last whole line of a text ends.
#[must_use]
pub fn whole_lines(text: &[u8]) -> usize {
    text.iter().rposition(|&byte| byte == b'\n').map_or(0, |last| last + 1)
}

/// Cuts off a line that was cut short, and appends one. The file is open for reading and appending, and nobody else writes to
/// it meanwhile.
///
/// # Errors
/// When it cannot be written; what was there stays as it was.
pub fn append(file: &mut File, line: &[u8]) -> io::Result<()> {
    let length = file.metadata()?.len();
    let start = end_of_lines(file, length)?;
    if start < length {
        file.set_len(start)?;
    }
    let written = file.write_all(line).and_then(|()| file.sync_data());
    if written.is_err() {
        // What is left of the line has no end in any case.
        let _ = file.set_len(start);
    }
    written
}

fn end_of_lines(file: &mut File, length: u64) -> io::Result<u64> {
    let mut end = length;
    let mut block = vec![0; 1 << 16];
    while end > 0 {
        let start = end.saturating_sub(block.len() as u64);
        let read = &mut block[..usize::try_from(end - start).map_err(io::Error::other)?];
        file.seek(SeekFrom::Start(start))?;
        file.read_exact(read)?;
        let whole = whole_lines(read) as u64;
        if whole > 0 {
            return Ok(start + whole);
        }
        end = start;
    }
    Ok(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_change_of_a_line_is_noticed() {
        let object = serde_json::json!({"part": 7, "colourings": [[1, 2], [3, 4]]});
        let whole = line(&object).expect("plain data");
        assert_eq!(Line::of(&whole), Line::Whole(object.to_string()));
        for place in 0..whole.len() - 1 {
            for change in [1, 2, 0x80] {
                let mut damaged = whole.clone();
                damaged[place] ^= change;
                assert!(!matches!(Line::of(&damaged), Line::Whole(_)), "{place}");
            }
        }
        assert!(matches!(Line::of(object.to_string().as_bytes()), Line::Unsealed(_)));
    }
}
