//! Bounds of an archive's ledger, `ledger.csv`, which `ndq archive` extends and verifies. A bound does not
//! count as proved before the file of its row has been checked.

use std::collections::HashMap;

use ndqueens_notation::name::BoardName;
use serde::Deserialize;

use super::bound::{Provenance, UpperBound};
use super::reading;

/// Row of the ledger, with the columns that are used here.
#[derive(Debug, Deserialize)]
struct LedgerLine {
    board: BoardName,
    side: String,
    #[serde(deserialize_with = "reading::parse_number")]
    value: u64,
    kind: String,
    file: String,
}

/// Size limit for files in the folder of the ledger, in bytes.
pub const MAX_BYTES: u64 = 16_000_000;

/// Bounds of a ledger, by boards without sides of 1 and with sorted sides.
///
/// # Examples
/// ```
/// use ndqueens_model::facts::ArchivedBounds;
///
/// let archive = ArchivedBounds::builtin();
/// assert_eq!(archive.ledger.upper(&"5^3".parse()?).map(|bound| bound.value), Some(13));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Default)]
pub struct LedgerBounds {
    lower: HashMap<BoardName, u64>,
    upper: HashMap<BoardName, UpperBound>,
}

impl LedgerBounds {
    /// Parses the bounds of a ledger.
    ///
    /// # Errors
    /// Returns an error if the text is not a ledger.
    pub fn parse(text: &str) -> Result<Self, csv::Error> {
        let mut table = Self::default();
        for LedgerLine { board, side, value, kind, file } in reading::parse_rows::<LedgerLine>(text)? {
            if side == "upper" {
                let provenance = Provenance::Archived(format!("{kind} {file}"));
                table.upper.insert(board.without_unit_sides(), UpperBound { board, value, provenance });
            } else {
                table.lower.insert(board.without_unit_sides(), value);
            }
        }
        Ok(table)
    }

    /// Returns the bounds of the ledger that comes with the program.
    pub(super) fn builtin() -> Self {
        Self::parse(include_str!("../../data/ledger.csv")).expect("the shipped ledger is well formed")
    }

    /// Returns the size of a certificate of a board if the ledger has one. The order of the sides does not
    /// matter.
    #[must_use]
    pub fn lower(&self, board: &BoardName) -> Option<u64> {
        self.lower.get(&board.without_unit_sides()).copied()
    }

    /// Returns the upper bound of a board if the ledger has one. The order of the sides does not matter.
    #[must_use]
    pub fn upper(&self, board: &BoardName) -> Option<&UpperBound> {
        self.upper.get(&board.without_unit_sides())
    }

    /// Returns all upper bounds of the ledger.
    pub fn upper_bounds(&self) -> impl Iterator<Item = &UpperBound> {
        self.upper.values()
    }
}
