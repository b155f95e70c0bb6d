//! The bounds of the archive's ledger, `ledger.csv`, which `ndq archive` extends and verifies. None counts as proved before the
//! file of its row has been checked.

use std::collections::HashMap;

use ndqueens_notation::name::BoardName;
use serde::Deserialize;

use super::bound::{Provenance, UpperBound};
use super::reading;
use super::shipped::Shipped;

/// The columns of the ledger that are looked at here.
#[derive(Debug, Deserialize)]
struct LedgerLine {
    board: BoardName,
    side: String,
    #[serde(deserialize_with = "reading::plain_number")]
    value: u64,
    kind: String,
    file: String,
}

/// The largest file that is kept beside the ledger, in bytes.
pub const MOST_BYTES: u64 = 16_000_000;

#[derive(Debug, Default)]
struct Table {
    lower: HashMap<BoardName, u64>,
    upper: HashMap<BoardName, UpperBound>,
}

static TABLE: Shipped<Table> = Shipped::new(include_str!("../../data/ledger.csv"), read);

fn read(text: &str) -> Result<Table, csv::Error> {
    let mut table = Table::default();
    for LedgerLine { board, side, value, kind, file } in reading::rows::<LedgerLine>(text)? {
        if side == "upper" {
            let provenance = Provenance::Archived(format!("{kind} {file}"));
            table.upper.insert(board.reduced(), UpperBound { board, value, provenance });
        } else {
            table.lower.insert(board.reduced(), value);
        }
    }
    Ok(table)
}

/// Takes this ledger in the place of the shipped one. It has to come before the first look at it.
///
/// # Errors
/// When the text is no ledger.
pub fn replace(text: &str) -> Result<(), csv::Error> {
    TABLE.replace(text)
}

/// The size of a certificate of a board, whichever way its sides are ordered, if the ledger has one.
#[must_use]
pub fn lower(board: &BoardName) -> Option<u64> {
    TABLE.get().lower.get(&board.reduced()).copied()
}

/// The upper bound of a board, whichever way its sides are ordered, if the ledger has one.
#[must_use]
pub fn upper(board: &BoardName) -> Option<&'static UpperBound> {
    TABLE.get().upper.get(&board.reduced())
}

/// All upper bounds of the ledger.
pub fn all() -> impl Iterator<Item = &'static UpperBound> {
    TABLE.get().upper.values()
}
