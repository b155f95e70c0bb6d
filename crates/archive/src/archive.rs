//! An open archive: its files, the bounds of its tables, and its ledger.

use std::io;
use std::path::Path;
use std::sync::{Arc, OnceLock};

use ndqueens_model::facts::boxes::BoxTable;
use ndqueens_model::facts::ledger::LedgerBounds;
use ndqueens_model::facts::{ArchivedBounds, Provenance, Side, UpperBound};
use ndqueens_notation::name::BoardName;
use ndqueens_system::cancel::Deadline;
use ndqueens_system::file::FileError;
use ndqueens_system::note::Notes;

use crate::error::ArchiveError;
use crate::files::ArchiveFiles;
use crate::ledger::{self, BoundCheck, Ledger, RowStatus};

/// Environment variable that names the folder of an archive, as `--data` does.
pub const VARIABLE: &str = "NDQ_DATA";

/// Name of the table of boxes in the archive.
const BOX_TABLE: &str = "box-table.csv";

/// An open archive. The tables of a folder are read when it is opened. Clones share the results of checks of its
/// files.
///
/// # Examples
/// ```
/// use ndqueens_archive::archive::Archive;
///
/// let archive = Archive::embedded();
/// assert!(archive.bounds().upper(&"5^3".parse()?).any(|bound| bound.value == 13));
/// # Ok::<(), ndqueens_notation::name::NameError>(())
/// ```
#[derive(Debug, Clone)]
pub struct Archive {
    tables: Arc<Tables>,
    notes: Notes,
}

/// The tables of an archive, with its files. Those of the embedded archive are read when they are first
/// needed.
#[derive(Debug)]
struct Tables {
    files: ArchiveFiles,
    bounds: OnceLock<Arc<ArchivedBounds>>,
    ledger: OnceLock<Ledger>,
}

impl Archive {
    /// Opens the archive embedded in the program.
    #[must_use]
    pub fn embedded() -> Self {
        let files = ArchiveFiles::embedded();
        Self::new(Tables { files, bounds: OnceLock::new(), ledger: OnceLock::new() })
    }

    /// Opens the archive in a folder. A folder that does not exist is an empty archive if it `may_be_new`.
    ///
    /// # Errors
    /// Returns an error if the folder does not exist, unless it `may_be_new`, or if its tables cannot be read.
    pub fn open(folder: &Path, may_be_new: bool) -> Result<Self, ArchiveError> {
        if !folder.is_dir() && (!may_be_new || folder.exists()) {
            return Err(ArchiveError::Missing(folder.to_owned()));
        }
        Self::of(ArchiveFiles::at(folder))
    }

    /// Opens the archive again: its tables are read again.
    ///
    /// # Errors
    /// Returns an error if its tables cannot be read.
    pub fn reopen(&self) -> Result<Self, ArchiveError> {
        if self.files().is_embedded() {
            return Ok(self.clone());
        }
        Ok(Self::of(self.files().clone())?.with_notes(&self.notes))
    }

    /// Reads the tables of an archive in a folder.
    fn of(files: ArchiveFiles) -> Result<Self, ArchiveError> {
        let malformed = |name: &str, fault| ArchiveError::Malformed { path: files.display_path(name), fault };
        let ledger = LedgerBounds::parse(&table(&files, ledger::TABLE, "board,side,value,kind,file\n")?)
            .map_err(|fault| malformed(ledger::TABLE, fault))?;
        let boxes = BoxTable::parse(&table(&files, BOX_TABLE, "piece,sides,upper\n")?)
            .map_err(|fault| malformed(BOX_TABLE, fault))?;
        let bounds = Arc::new(ArchivedBounds { ledger, boxes }).into();
        let ledger = Ledger::of(&files)?.into();
        Ok(Self::new(Tables { files, bounds, ledger }))
    }

    fn new(tables: Tables) -> Self {
        Self { tables: Arc::new(tables), notes: Notes::default() }
    }

    /// Returns this archive; notes about rejected rows go to `notes` instead of being discarded.
    #[must_use]
    pub fn with_notes(self, notes: &Notes) -> Self {
        Self { notes: notes.clone(), ..self }
    }

    /// Returns the destination of notes.
    #[must_use]
    pub fn notes(&self) -> &Notes {
        &self.notes
    }

    /// Returns the files of the archive.
    #[must_use]
    pub fn files(&self) -> &ArchiveFiles {
        &self.tables.files
    }

    /// Returns the bounds of the archive, which count only after their check.
    #[must_use]
    pub fn bounds(&self) -> &Arc<ArchivedBounds> {
        self.tables.bounds.get_or_init(ArchivedBounds::builtin)
    }

    /// Returns the ledger, which checks each file at most once.
    ///
    /// # Panics
    /// Never panics, because the embedded ledger is well-formed.
    #[must_use]
    pub fn ledger(&self) -> &Ledger {
        let Tables { files, ledger, .. } = &*self.tables;
        ledger.get_or_init(|| Ledger::of(files).expect("the embedded ledger is well-formed"))
    }

    /// Returns the row of the ledger that bounds a board from a side by `value` or better, after the check of
    /// its file and of all that it rests on, until `deadline`. Reports a note for each rejected row of the
    /// board.
    #[must_use]
    pub fn check_bound(
        &self,
        board: &BoardName,
        side: Side,
        value: u64,
        deadline: Deadline,
    ) -> Option<BoundCheck<'_>> {
        let checked = self.ledger().check_bound(board, side, value, deadline)?;
        for refusal in &checked.refusals {
            self.notes.report(&format!("the archive's {refusal}"));
        }
        Some(checked)
    }

    /// Returns the bound with the result of checking the files by which the ledger shows it: proved, rejected,
    /// or unchanged. Each file is checked once, until `deadline`.
    #[must_use]
    pub fn recheck(&self, bound: &UpperBound, deadline: Deadline) -> UpperBound {
        let checked = self.check_bound(&bound.board, Side::Upper, bound.value, deadline);
        match checked.map(|BoundCheck { row, status, .. }| (row, status)) {
            Some((row, RowStatus::Checked)) => row.proved_bound(),
            // A bound of the box table with the same value is not the rejected one.
            Some((row, RowStatus::Refused(why))) if row.archived_bound().provenance == bound.provenance => {
                UpperBound { provenance: Provenance::Rejected(why), ..bound.clone() }
            }
            _ => bound.clone(),
        }
    }
}

/// Reads a table of an archive; one with only these `columns` if it does not exist.
fn table(files: &ArchiveFiles, name: &str, columns: &str) -> Result<String, ArchiveError> {
    match files.read(name)? {
        Some(text) if text.trim().is_empty() => {
            let cause = io::Error::new(io::ErrorKind::InvalidData, "it is empty: its columns have no names");
            Err(FileError::new("read", &files.display_path(name), cause).into())
        }
        text => Ok(text.unwrap_or_else(|| columns.to_owned())),
    }
}
