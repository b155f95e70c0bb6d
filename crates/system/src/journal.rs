//! Journals: files to which lines are appended, each with its digest.
//!
//! A line is a JSON object whose first entry, `sha256`, is the digest of the object without that entry. It is
//! appended by a single write and synced to disk. Bytes after the last line break are an incomplete line,
//! which was being written when a process was killed or the disk was full; readers ignore them, and the next
//! writer removes them.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

use serde::Serialize;

use crate::claim::{Claim, Claims};
use crate::file::{FileError, digest, open_to_append};

/// Beginning of a line with a digest.
const HEAD: &str = "{\"sha256\":\"";

/// Text between the digest and the other entries of the object.
const MIDDLE: &str = "\",";

/// Returns the line of an object, with its digest and a line break.
///
/// # Errors
/// Returns an error if the object cannot be serialised as JSON.
pub fn line(object: &impl Serialize) -> serde_json::Result<Vec<u8>> {
    let text = serde_json::to_string(object)?;
    let rest = text.strip_prefix('{').unwrap_or(&text);
    Ok(format!("{HEAD}{}{MIDDLE}{rest}\n", digest::of(&text)).into_bytes())
}

/// Line of a journal, compared with its digest.
#[derive(Debug, PartialEq, Eq)]
pub enum Line<'l> {
    /// Object that matches its digest.
    Whole(String),
    /// Line without a digest, as earlier versions wrote them.
    Unsealed(Cow<'l, str>),
    /// Line that is not UTF-8 or does not match its digest.
    Damaged,
}

impl<'l> Line<'l> {
    /// Parses a line and compares it with its digest.
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

/// Returns the length of the complete lines of a text in bytes.
#[must_use]
pub fn whole_lines(text: &[u8]) -> usize {
    text.iter().rposition(|&byte| byte == b'\n').map_or(0, |last| last + 1)
}

/// Removes an incomplete last line and appends `line`.
///
/// The file must be open for reading and appending, and no other process may write to it in the meantime.
///
/// # Errors
/// Returns an error if the line cannot be written; the complete lines of the file are then unchanged.
pub fn append(file: &mut File, line: &[u8]) -> io::Result<()> {
    let length = file.metadata()?.len();
    let start = end_of_lines(file, length)?;
    if start < length {
        file.set_len(start)?;
    }
    let written = file.write_all(line).and_then(|()| file.sync_data());
    if written.is_err() {
        // If this fails as well, the rest of the line has no line break, and readers ignore it.
        let _ = file.set_len(start);
    }
    written
}

/// Returns the length of the complete lines of a file of `length` bytes.
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

/// Returns the journals of a stem in a folder, one for each concurrent writer: `STEM.jsonl`, `STEM-2.jsonl`,
/// ...
///
/// # Errors
/// Returns an error if the folder cannot be read.
pub fn all(folder: &Path, stem: &str) -> Result<Vec<PathBuf>, FileError> {
    let read_error = |cause| FileError::new("read", folder, cause);
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(folder).map_err(read_error)? {
        let entry = entry.map_err(read_error)?;
        if let Some(number) = entry.file_name().to_str().and_then(|name| journal_number(name, stem)) {
            found.insert(number, entry.path());
        }
    }
    Ok(found.into_values().collect())
}

fn journal_name(stem: &str, number: usize) -> String {
    if number == 1 { format!("{stem}.jsonl") } else { format!("{stem}-{number}.jsonl") }
}

/// Returns the number of a journal by its file name, if that is the name of a journal of this stem.
fn journal_number(name: &str, stem: &str) -> Option<usize> {
    let rest = name.strip_prefix(stem)?.strip_suffix(".jsonl")?;
    let number = if rest.is_empty() { 1 } else { rest.strip_prefix('-')?.parse().ok()? };
    (journal_name(stem, number) == name).then_some(number)
}

/// Journal that only this process appends to: the first of its stem that no other process has claimed.
#[derive(Debug)]
pub struct Own {
    /// Path of the journal.
    pub path: PathBuf,
    /// Open file, once the first line is written.
    file: Option<File>,
    _claim: Claim,
}

impl Own {
    /// Claims the first free journal of a stem. Its file is created with the first line.
    ///
    /// # Errors
    /// Returns an error if no journal can be claimed.
    pub fn open(folder: &Path, stem: &str, claims: &Claims) -> Result<Self, FileError> {
        for number in 1.. {
            let name = journal_name(stem, number);
            let Some(claim) = claims.claim_for_good(&name)? else { continue };
            return Ok(Self { path: folder.join(name), file: None, _claim: claim });
        }
        unreachable!("one of the numbers is free")
    }

    /// Creates the file of the journal, if it does not exist, before the first line is written.
    ///
    /// # Errors
    /// Returns an error if the file cannot be created.
    pub fn ready(&mut self) -> Result<(), FileError> {
        self.open_file().map(drop).map_err(|cause| FileError::new("write", &self.path, cause))
    }

    /// Returns the file, opening it at the first call.
    fn open_file(&mut self) -> io::Result<&mut File> {
        let file = match self.file.take() {
            Some(file) => file,
            None => open_to_append(&self.path)?,
        };
        Ok(self.file.insert(file))
    }

    /// Appends the line of an object.
    ///
    /// # Errors
    /// Returns an error if the line cannot be written; the complete lines of the file are then unchanged.
    pub fn append(&mut self, object: &impl Serialize) -> Result<(), FileError> {
        let written = line(object).map_err(io::Error::from).and_then(|line| append(self.open_file()?, &line));
        written.map_err(|cause| FileError::new("write", &self.path, cause))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::claim::Holder;

    #[test]
    fn each_writer_has_its_own_journal() {
        let folder = tempfile::tempdir().expect("a folder");
        let claims = Claims::of(folder.path(), Holder::here("host".to_owned(), None)).expect("a folder");
        let open = || Own::open(folder.path(), "rows", &claims).expect("a file");
        let (mut one, mut other) = (open(), open());
        let row = serde_json::json!({"row": 1});
        one.append(&row).and_then(|()| other.append(&row)).and_then(|()| one.append(&row)).expect("written");
        drop(one);
        assert_eq!(open().path, folder.path().join("rows.jsonl"));
        fs::write(folder.path().join("rows-02.jsonl"), "").expect("written");
        fs::write(folder.path().join("rows-10.jsonl"), "").expect("written");
        let names = ["rows.jsonl", "rows-2.jsonl", "rows-10.jsonl"].map(|name| folder.path().join(name));
        assert_eq!(all(folder.path(), "rows").expect("read"), names);
        let lines = names.each_ref().map(|name| fs::read_to_string(name).expect("read").lines().count());
        assert_eq!(lines, [2, 1, 0]);
    }

    #[test]
    fn detects_every_change_of_a_line() {
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
