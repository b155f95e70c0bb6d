//! Files that grow by a line at a time, each line with its digest.
//!
//! A line is a JSON object whose first entry, `sha256`, is the digest of the object without it. It is appended in one write
//! and is on disk when that is done. What follows the last end of a line was being written when a process was killed, or a
//! disk was full; readers leave it out, and the next writer cuts it off.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

use serde::Serialize;

use crate::claim::{Claim, Claims};
use crate::fault::FileError;
use crate::{digest, open_to_append};

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

/// The files of a stem in a folder, one for each runner that wrote at the same time: `STEM.jsonl`, `STEM-2.jsonl`, ...
///
/// # Errors
/// When the folder cannot be read.
pub fn all(folder: &Path, stem: &str) -> Result<Vec<PathBuf>, FileError> {
    let refused = |cause| FileError::new("read", folder, cause);
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(folder).map_err(refused)? {
        let entry = entry.map_err(refused)?;
        if let Some(number) = entry.file_name().to_str().and_then(|name| journal_number(name, stem)) {
            found.insert(number, entry.path());
        }
    }
    Ok(found.into_values().collect())
}

fn journal_name(stem: &str, number: usize) -> String {
    if number == 1 { format!("{stem}.jsonl") } else { format!("{stem}-{number}.jsonl") }
}

fn journal_number(name: &str, stem: &str) -> Option<usize> {
    let rest = name.strip_prefix(stem)?.strip_suffix(".jsonl")?;
    let number = if rest.is_empty() { 1 } else { rest.strip_prefix('-')?.parse().ok()? };
    (journal_name(stem, number) == name).then_some(number)
}

/// The file of a stem that this runner alone appends to: the first one that nobody else does.
#[derive(Debug)]
pub struct Own {
    /// Its name.
    pub path: PathBuf,
    /// Made with the first line.
    file: Option<File>,
    _claim: Claim,
}

impl Own {
    /// Opens it. Nothing is written before the first line.
    ///
    /// # Errors
    /// When it cannot be claimed.
    pub fn open(folder: &Path, stem: &str, claims: &Claims) -> Result<Self, FileError> {
        for number in 1.. {
            let name = journal_name(stem, number);
            let Some(claim) = claims.claim_for_good(&name)? else { continue };
            return Ok(Self { path: folder.join(name), file: None, _claim: claim });
        }
        unreachable!("one of the numbers is free")
    }

    /// Makes the file, if it is not there, before anything is to be written.
    ///
    /// # Errors
    /// When it cannot be made.
    pub fn ready(&mut self) -> Result<(), FileError> {
        self.opened().map(drop).map_err(|cause| FileError::new("write", &self.path, cause))
    }

    fn opened(&mut self) -> io::Result<&mut File> {
        let file = match self.file.take() {
            Some(file) => file,
            None => open_to_append(&self.path)?,
        };
        Ok(self.file.insert(file))
    }

    /// Appends a line.
    ///
    /// # Errors
    /// When it cannot be written; what was there stays as it was.
    pub fn append(&mut self, object: &impl Serialize) -> Result<(), FileError> {
        let written = line(object).map_err(io::Error::from).and_then(|line| append(self.opened()?, &line));
        written.map_err(|cause| FileError::new("write", &self.path, cause))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::claim::Holder;

    #[test]
    fn every_writer_has_a_file_of_its_own_and_the_next_one_goes_on_in_it() {
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
