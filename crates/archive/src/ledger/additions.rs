//! Adds files to the ledger, and merges their bounds with the known ones.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{self, BufReader, Read as _};
use std::path::Path;

use ndqueens_model::board::Board;
use ndqueens_model::facts::ledger::MAX_BYTES;
use ndqueens_model::facts::{Side, UpperBound};
use ndqueens_notation::certificate::Certificate;
use ndqueens_notation::name::BoardName;
use ndqueens_system::cancel::Deadline;
use ndqueens_system::file::{self, FileError, packed};
use ndqueens_system::lock::{self, Guard};
use ndqueens_system::note::Notes;
use ndqueens_system::thread::all_cores;
use ndqueens_workflow::evidence::{Conclusion, Statement};
use ndqueens_workflow::record::COMMIT;

use super::evidence_files::{Contents, FOLDER, Finding, confirm, is_plain, read_contents};
use super::kind::Kind;
use super::row::{Key, LedgerRow, join_needs, needs};
use super::{Ledger, TABLE};
use crate::error::{ArchiveError, RefusedFile};
use crate::files::ArchiveFiles;

/// Result of adding a file to the ledger.
#[derive(Debug)]
pub struct Added {
    /// New and changed rows.
    pub rows: Vec<LedgerRow>,
    /// Bounds that the file rests on and that were not fully checked, because a file is not available.
    pub conditions: Vec<UpperBound>,
    /// The certificate, if the file is one.
    pub certificate: Option<Certificate>,
}

/// A valid file that is to be added to the ledger.
struct GivenFile {
    /// The bytes of the file, or the first ones if it is too large to be stored.
    text: Vec<u8>,
    /// Size in bytes.
    bytes: u64,
    sha256: String,
    kind: Kind,
    statement: Statement,
    /// The verified checker that accepts the file; empty if it was not used.
    verified: String,
}

impl GivenFile {
    /// Reads and checks a file, with the verified checker too if `verified`.
    fn read(path: &Path, command: Option<&str>, verified: bool) -> Result<Self, ArchiveError> {
        let unreadable = |fault| FileError::new("read", path, fault);
        let refused = RefusedFile::at(path);
        // Read the bytes to be stored once, so that the bytes checked are the bytes stored.
        let mut text = Vec::new();
        let mut file = file::open_plain(path).map_err(unreadable)?;
        (&mut file).take(MAX_BYTES + 1).read_to_end(&mut text).map_err(unreadable)?;
        let Contents { bytes, sha256, finding } =
            read_contents(BufReader::new(text.as_slice().chain(file)), all_cores(), Deadline::NEVER)
                .map_err(unreadable)?;
        let Finding { kind, statement } = finding.map_err(&refused)?;
        if matches!(statement.board, BoardName::File(_)) {
            return Err(ArchiveError::FileBoard { path: path.to_owned(), board: statement.board });
        }
        if bytes > MAX_BYTES && command.is_none() {
            return Err(ArchiveError::TooLarge(path.to_owned()));
        }
        let verified = match verified {
            true => {
                let mut file = BufReader::new(file::open_plain(path).map_err(unreadable)?);
                confirm(&mut file, kind, &statement).map_err(refused)?
            }
            false => String::new(),
        };
        Ok(Self { text, bytes, sha256, kind, statement, verified })
    }
}

/// Returns the bounds that a file shows, and the certificate if it is one.
fn bounds_of(statement: &Statement) -> (BTreeMap<Key, u64>, Option<Certificate>) {
    match &statement.conclusion {
        Conclusion::Fit(certificate) => {
            let key = (statement.board.without_unit_sides(), Side::Lower);
            (BTreeMap::from([(key, certificate.size() as u64)]), Some(certificate.clone()))
        }
        Conclusion::Restricted { .. } => (BTreeMap::new(), None),
        Conclusion::AtMost { bounds, .. } | Conclusion::Count { bounds, .. } => {
            (bounds.iter().map(|(board, &most)| ((board.clone(), Side::Upper), most)).collect(), None)
        }
    }
}

/// A ledger to which files are added. Each file is checked with those added before, and all are stored
/// together. The ledger is locked against changes by other processes.
#[derive(Debug)]
pub struct Additions {
    ledger: Ledger,
    /// Files that the rows named before the additions.
    before: BTreeSet<String>,
    /// Files to be written, or to be removed if `None`.
    files: BTreeMap<String, Option<Vec<u8>>>,
    is_changed: bool,
    _alone: Guard,
}

impl Additions {
    /// Locks and reads the ledger of an archive.
    ///
    /// # Errors
    /// Returns an error if the archive cannot be read or changed.
    pub fn to(archive: &ArchiveFiles, notes: &Notes) -> Result<Self, ArchiveError> {
        archive.make_folder("")?;
        let alone = lock::exclusive(&archive.path(TABLE)?, notes)?;
        let ledger = Ledger::of(archive)?;
        let before = ledger.rows.values().map(|row| row.file.clone()).collect();
        Ok(Self { ledger, before, files: BTreeMap::new(), is_changed: false, _alone: alone })
    }

    /// Checks a file and adds those of its bounds that are better than the known ones, or that replace a file
    /// that is not available any more. The file is copied into the folder of the ledger, unless it is too
    /// large. If a file of the same name exists, its rows move to this file if this one shows bounds at least
    /// as good; otherwise this file gets another name. With `verified`, the verified checker must accept the
    /// file as well. `command` is the command that recreates the file.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read or is wrong, rests on a bound that the ledger does not
    /// prove, is about a board that a file describes, or is too large and no command is given.
    pub fn add(&mut self, path: &Path, command: Option<&str>, verified: bool) -> Result<Added, ArchiveError> {
        let given = GivenFile::read(path, command, verified)?;
        let needs = needs(&given.statement);
        let conditions = self.ledger.check_needs(&needs, path)?;
        let (bounds, certificate) = bounds_of(&given.statement);
        let stem = given.statement.board.to_string().replace([':', '/'], "-");
        let extension = given.kind.0.archived_as().expect("a kind that is archived");
        let packed = if given.text.starts_with(&packed::MAGIC) { ".gz" } else { "" };
        let file = self.ledger.name_for(&stem, &format!("{extension}{packed}"), &given.sha256, &bounds);
        let mut taken = self.new_bounds(&given, &file, &bounds);
        if taken.is_empty() {
            let rows = self.mark_verified(&given);
            return Ok(Added { rows, conditions, certificate });
        }
        let GivenFile { text, bytes, sha256, kind, statement, verified } = given;
        let of_the_name = self.ledger.rows.values().filter(|row| row.file == file && row.sha256 != sha256);
        taken.extend(of_the_name.map(|row| (row.key(), bounds[&row.key()])));
        let rests_on = join_needs(&needs);
        let row = |((board, side), value)| LedgerRow {
            board,
            side,
            value,
            kind,
            file: file.clone(),
            bytes,
            sha256: sha256.clone(),
            rests_on: rests_on.clone(),
            command: command.unwrap_or_default().to_owned(),
            commit: COMMIT.to_owned(),
            verified: verified.clone(),
        };
        let rows: Vec<LedgerRow> = taken.into_iter().map(row).collect();
        self.ledger.rows.extend(rows.iter().map(|row| (row.key(), row.clone())));
        self.is_changed = true;
        if bytes <= MAX_BYTES {
            let contents = Contents { bytes, sha256, finding: Ok(Finding { kind, statement }) };
            self.put(file, Some(text), Some(contents));
        } else if !self.ledger.has_file(&rows[0]) {
            // An older file of this name is there, but no row rests on it any more.
            self.put(file, None, None);
        }
        Ok(Added { rows, conditions, certificate })
    }

    /// Returns those bounds of a file that the ledger takes: new ones, better ones, and those that replace a
    /// row that is rejected or whose file is not available any more. `file` is its name in the ledger.
    fn new_bounds(&self, given: &GivenFile, file: &str, bounds: &BTreeMap<Key, u64>) -> BTreeMap<Key, u64> {
        let is_taken = |key: &Key, value: u64| match self.ledger.rows.get(key) {
            // A bound that equals the trivial bound needs no row.
            None => bounds.len() == 1 || Board::new(&key.0).trivial_bound() > value,
            // Replace a file that is not available any more by one that can be stored or that was recreated.
            Some(known) if value == known.value => {
                let is_recreated = known.file == file && known.sha256 != given.sha256;
                (given.bytes <= MAX_BYTES || is_recreated) && !self.ledger.has_file(known)
            }
            Some(known) => known.is_shown_by(bounds) || self.ledger.is_refused(known),
        };
        let taken = bounds.iter().filter(|&(key, &value)| is_taken(key, value));
        taken.map(|(key, &value)| (key.clone(), value)).collect()
    }

    /// Notes in the rows of a file that the verified checker accepts it. Returns the changed rows.
    fn mark_verified(&mut self, given: &GivenFile) -> Vec<LedgerRow> {
        let GivenFile { sha256, verified, .. } = given;
        let rows = self.ledger.rows.values_mut();
        let unmarked = rows.filter(|row| row.sha256 == *sha256 && row.verified != *verified);
        let rows = unmarked.filter(|_| !verified.is_empty()).map(|row| {
            row.verified.clone_from(verified);
            row.clone()
        });
        let rows: Vec<LedgerRow> = rows.collect();
        self.is_changed |= !rows.is_empty();
        rows
    }

    /// Records that a file of the ledger is to be written, or removed if `text` is `None`.
    fn put(&mut self, file: String, text: Option<Vec<u8>>, contents: Option<Contents>) {
        self.ledger.files.set(file.clone(), contents);
        self.files.insert(file, text);
    }

    /// Writes the added files and the ledger, and removes files that no row names any more.
    ///
    /// # Errors
    /// Returns an error if a file cannot be written or removed.
    pub fn store(self) -> Result<(), ArchiveError> {
        if !self.is_changed {
            return Ok(());
        }
        let folder = self.ledger.files.archive().make_folder(FOLDER)?;
        let named: BTreeSet<&String> = self.ledger.rows.values().map(|row| &row.file).collect();
        for (name, text) in self.files.iter().filter(|(name, _)| named.contains(name)) {
            if let Some(text) = text {
                file::write_as_it_is(&folder.join(name), |out| out.write_all(text))?;
            }
        }
        self.ledger.write()?;
        let superseded = self.before.iter().filter(|name| !named.contains(name) && is_plain(name));
        let removed = self.files.iter().filter_map(|(name, text)| text.is_none().then_some(name));
        superseded.chain(removed).try_for_each(|name| remove(&folder.join(name)))?;
        Ok(())
    }
}

impl Ledger {
    /// Returns the name for a file: that of its board, with a number if rows rest on another file of that
    /// name that shows better bounds.
    fn name_for(&self, stem: &str, extension: &str, sha256: &str, bounds: &BTreeMap<Key, u64>) -> String {
        let plain = format!("{stem}.{extension}");
        let numbered = (2..).map(|number| format!("{stem}-{number}.{extension}"));
        let is_free = |name: &String| {
            let mut others = self.rows.values().filter(|row| row.file == *name && row.sha256 != sha256);
            others.all(|row| row.is_shown_by(bounds))
        };
        std::iter::once(plain).chain(numbered).find(is_free).expect("there is always another number")
    }
}

/// Removes a file if it exists.
fn remove(path: &Path) -> Result<(), FileError> {
    match fs::remove_file(path) {
        Err(fault) if fault.kind() != io::ErrorKind::NotFound => Err(FileError::new("remove", path, fault)),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ledger::tests::{ledger, row};

    #[test]
    fn a_file_gets_another_name_while_rows_rest_on_one_that_shows_more() {
        let ledger = ledger([row("3^4", Side::Upper, 6, "3^4.bound", "")]);
        let bounds = |value| BTreeMap::from([(("3^4".parse().expect("a board"), Side::Upper), value)]);
        assert_eq!(ledger.name_for("3^4", "bound", "1", &bounds(5)), "3^4.bound");
        assert_eq!(ledger.name_for("3^4", "bound", "1", &bounds(7)), "3^4-2.bound");
        assert_eq!(ledger.name_for("3^4", "bound", &"0".repeat(64), &bounds(7)), "3^4.bound");
    }
}
