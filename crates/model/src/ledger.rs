//! The upper bounds that the ledger proves: `results/ledger.csv`, which `ndq ledger` extends and verifies.

use std::collections::HashMap;
use std::sync::LazyLock;

use serde::Deserialize;

use crate::bound::{Standing, UpperBound};
use crate::name::BoardName;

/// The columns of the ledger that are looked at here.
#[derive(Debug, Deserialize)]
struct Row {
    board: String,
    side: String,
    value: u64,
    kind: String,
    bytes: u64,
}

/// The largest file that is kept beside the ledger, in bytes.
pub const MOST_BYTES: u64 = 1_000_000;

static UPPER: LazyLock<HashMap<BoardName, UpperBound>> = LazyLock::new(|| {
    let text = include_bytes!("../../../results/ledger.csv").as_slice();
    let rows = csv::Reader::from_reader(text).into_deserialize::<Row>();
    let rows = rows.map(|row| row.expect("the shipped ledger is well formed"));
    rows.filter(|row| row.side == "upper").map(|row| bound(&row)).collect()
});

fn bound(row: &Row) -> (BoardName, UpperBound) {
    let board: BoardName = row.board.parse().expect("a board");
    let why = format!("{}, in results/ledger.csv", row.kind);
    let standing = if row.bytes > MOST_BYTES { Standing::Recorded(why) } else { Standing::Proved(why) };
    (board.reduced(), UpperBound { board, value: row.value, standing })
}

/// The upper bound of a board, whichever way its sides are ordered, if the ledger has one.
#[must_use]
pub fn upper(board: &BoardName) -> Option<&'static UpperBound> {
    UPPER.get(&board.reduced())
}

/// All upper bounds of the ledger.
pub fn all() -> impl Iterator<Item = &'static UpperBound> {
    UPPER.values()
}
