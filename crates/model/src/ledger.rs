//! The upper bounds of the archive's ledger, `ledger.csv`, which `ndq ledger` extends and verifies. None counts as proved
//! before the file of its row has been checked.

use std::collections::HashMap;
use std::sync::OnceLock;

use serde::Deserialize;

use crate::bound::{Standing, UpperBound};
use crate::name::BoardName;

/// The columns of the ledger that are looked at here.
#[derive(Debug, Deserialize)]
struct Row {
    board: BoardName,
    side: String,
    value: u64,
    kind: String,
    file: String,
}

/// The largest file that is kept beside the ledger, in bytes.
pub const MOST_BYTES: u64 = 1_000_000;

type Table = HashMap<BoardName, UpperBound>;

static TABLE: OnceLock<Table> = OnceLock::new();

const SHIPPED: &str = include_str!("../../../results/archive/ledger.csv");

fn table() -> &'static Table {
    TABLE.get_or_init(|| read(SHIPPED).expect("the shipped ledger is well formed"))
}

fn read(text: &str) -> Result<Table, csv::Error> {
    let mut table = Table::new();
    for row in csv::Reader::from_reader(text.as_bytes()).into_deserialize() {
        let Row { board, side, value, kind, file } = row?;
        if side == "upper" {
            let standing = Standing::Archived(format!("{kind} {file}"));
            table.insert(board.reduced(), UpperBound { board, value, standing });
        }
    }
    Ok(table)
}

/// Takes this ledger in the place of the shipped one. It has to come before the first look at it.
///
/// # Errors
/// When the text is no ledger.
pub fn replace(text: &str) -> Result<(), csv::Error> {
    TABLE.set(read(text)?).expect("the ledger is replaced before it is looked at");
    Ok(())
}

/// The upper bound of a board, whichever way its sides are ordered, if the ledger has one.
#[must_use]
pub fn upper(board: &BoardName) -> Option<&'static UpperBound> {
    table().get(&board.reduced())
}

/// All upper bounds of the ledger.
pub fn all() -> impl Iterator<Item = &'static UpperBound> {
    table().values()
}
