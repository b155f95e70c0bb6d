//! The ledger: proved bounds with the files that show them, and the bounds that each rests on.
//!
//! A row bounds one board from one side. Its file is in the folder `ledger/` of the
//! [archive](crate::files). Files of more than 16 megabytes are not stored; their rows have a digest and the
//! command that recreates them. A bound counts as proved only if its file, and those of the bounds that it
//! rests on, were checked in this run.
//!
//! Files are *read* for their digest and the bounds that they show, rows are *checked* with their files and
//! with the rows that they rest on, and files are *confirmed* by the verified checker.

mod additions;
mod check;
mod confirm;
mod evidence_files;
mod kind;
mod row;
mod row_check;

use std::collections::BTreeMap;

use ndqueens_model::facts::{Side, reading};
use ndqueens_notation::name::BoardName;
use ndqueens_system::file;

pub use self::additions::{Added, Additions};
pub use self::check::{BoundCheck, CheckedRow, QUICKLY_CHECKED};
pub(crate) use self::evidence_files::FOLDER;
use self::evidence_files::LedgerFiles;
pub use self::kind::Kind;
pub use self::row::LedgerRow;
use self::row::{Key, contradicts};
pub use self::row_check::RowStatus;
use crate::error::ArchiveError;
use crate::files::ArchiveFiles;

/// Name of the table in the archive.
pub(crate) const TABLE: &str = "ledger.csv";

/// The ledger of an archive, in memory.
#[derive(Debug)]
pub struct Ledger {
    files: LedgerFiles,
    rows: BTreeMap<Key, LedgerRow>,
}

impl Ledger {
    /// Reads the ledger of an archive; empty if it does not exist.
    ///
    /// # Errors
    /// Returns an error if the ledger cannot be read or is malformed.
    pub fn of(archive: &ArchiveFiles) -> Result<Self, ArchiveError> {
        let text = archive.read(TABLE)?.unwrap_or_default();
        let malformed =
            |fault: csv::Error| ArchiveError::NoLedger { path: archive.display_path(TABLE), fault };
        reading::require_columns(&text, &["board", "side", "value", "kind", "file"]).map_err(malformed)?;
        let mut rows = BTreeMap::new();
        for (line, row) in reading::parse_numbered_rows::<LedgerRow>(&text).map_err(malformed)? {
            let fault = format!("an earlier row gives the {} bound of {} as well", row.side, row.board);
            if rows.insert(row.key(), row).is_some() {
                return Err(malformed(reading::line_error(line, &fault)));
            }
        }
        Ok(Self { files: LedgerFiles::of(archive), rows })
    }

    /// Returns the rows, ordered by board and side.
    pub fn rows(&self) -> impl Iterator<Item = &LedgerRow> {
        self.rows.values()
    }

    /// Writes the ledger to the archive.
    ///
    /// # Errors
    /// Returns an error if it cannot be written.
    fn write(&self) -> Result<(), ArchiveError> {
        file::write(&self.files.archive().path(TABLE)?, |out| {
            let mut table = csv::Writer::from_writer(out);
            self.rows.values().try_for_each(|row| table.serialize(row))?;
            table.flush()
        })?;
        Ok(())
    }

    /// Returns the row that bounds a board from one side, for any order of the sides of the board.
    #[must_use]
    pub fn row(&self, board: &BoardName, side: Side) -> Option<&LedgerRow> {
        self.rows.get(&(board.without_unit_sides(), side))
    }

    fn upper(&self, board: &BoardName) -> Option<&LedgerRow> {
        self.row(board, Side::Upper)
    }

    /// Returns the row that bounds a board from a side by `value` or better.
    fn row_at_least(&self, board: &BoardName, side: Side, value: u64) -> Option<&LedgerRow> {
        self.row(board, side).filter(|row| !side.is_better(value, row.value))
    }

    /// Returns these rows, all rows that they rest on, and the rows that contradict one of them.
    fn with_premises<'a>(&'a self, mut rows: Vec<&'a LedgerRow>) -> BTreeMap<&'a Key, &'a LedgerRow> {
        let mut all = BTreeMap::new();
        while let Some(row) = rows.pop() {
            let (key, row) = self.rows.get_key_value(&row.key()).expect("a row of this ledger");
            if all.insert(key, row).is_none() {
                let needs = row.needs().unwrap_or_default();
                rows.extend(needs.iter().filter_map(|need| self.upper(&need.board)));
                let of_board = [Side::Lower, Side::Upper].map(|side| self.row(&row.board, side));
                rows.extend(of_board.into_iter().flatten().filter(|other| contradicts(row, other)));
            }
        }
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ndqueens_workflow::evidence;

    pub(super) fn row(board: &str, side: Side, value: u64, file: &str, rests_on: &str) -> LedgerRow {
        LedgerRow {
            board: board.parse().expect("a board"),
            side,
            value,
            kind: if side == Side::Lower {
                Kind::CERTIFICATE
            } else {
                Kind(evidence::by_name("orbit LP").expect("a kind"))
            },
            file: file.to_owned(),
            bytes: 1,
            sha256: "0".repeat(64),
            rests_on: rests_on.to_owned(),
            command: String::new(),
            commit: String::new(),
            verified: String::new(),
        }
    }

    pub(super) fn ledger(rows: impl IntoIterator<Item = LedgerRow>) -> Ledger {
        let rows = rows.into_iter().map(|row| (row.key(), row)).collect();
        Ledger { files: LedgerFiles::of(&ArchiveFiles::embedded()), rows }
    }
}
