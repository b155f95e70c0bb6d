//! Bounds of small boxes that were proved here: searched by the exact engine, each proof checked in integers.
//!
//! The table is `instances/box-table.csv`; `ndq boxes` makes it.

use std::collections::HashMap;
use std::sync::LazyLock;

use serde::Deserialize;

use crate::bound::{Standing, UpperBound};
use crate::name::{BoardName, Piece};

/// The columns of the table that are looked at here.
#[derive(Debug, Deserialize)]
struct Row {
    piece: String,
    sides: String,
    upper: u64,
}

const STANDING: &str = "exact proof, checked in integers; instances/box-table.csv";

static TABLE: LazyLock<HashMap<BoardName, UpperBound>> = LazyLock::new(|| {
    let text = include_bytes!("../../../instances/box-table.csv").as_slice();
    let rows = csv::Reader::from_reader(text).into_deserialize::<Row>();
    rows.map(|row| bound(&row.expect("the shipped table is well formed"))).collect()
});

fn bound(row: &Row) -> (BoardName, UpperBound) {
    let piece = Piece::ALL.into_iter().find(|piece| piece.word() == row.piece).expect("a piece");
    let sides: Vec<u32> = row.sides.split('x').map(|side| side.parse().expect("a side")).collect();
    let board = BoardName::grid(piece, false, &sides);
    let standing = Standing::Recorded(STANDING.to_owned());
    (board.reduced(), UpperBound { board, value: row.upper, standing })
}

/// The bound of a box, whichever way its sides are ordered, if it is in the table.
#[must_use]
pub fn lookup(board: &BoardName) -> Option<&'static UpperBound> {
    TABLE.get(&board.reduced())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bound::{Bounds, Theorems, UpperBounds as _};
    use crate::known;

    fn board(name: &str) -> BoardName {
        name.parse().expect("a board name")
    }

    #[test]
    fn the_shipped_table_agrees_with_theorems_and_published_values() {
        assert!(TABLE.len() > 200);
        for (board, bound) in &*TABLE {
            assert_eq!(board, &bound.board.reduced());
            let theorem = Theorems.upper(board).expect("parallel lines");
            assert!(bound.value <= theorem.value, "{bound} and {theorem}");
            if let Some(known) = known::lookup(board) {
                assert!((known.lower..=known.upper).contains(&bound.value), "{bound} and {known:?}");
            }
        }
    }

    #[test]
    fn sides_of_1_and_their_order_do_not_matter() {
        for (name, value) in [("3^3", 4), ("5x3x4", 7), ("1x3x3", 2), ("3x3x1x1", 2), ("3^2", 2), ("1^4", 1)]
        {
            assert_eq!(lookup(&board(name)).map(|bound| bound.value), Some(value), "{name}");
        }
        for name in ["torus:3^3", "rook:3^3", "40^3"] {
            assert_eq!(lookup(&board(name)), None, "{name}");
        }
        let bounds = Bounds::with_reported();
        let standing = |name: &str| bounds.upper(&board(name)).expect(name).standing;
        let recorded = lookup(&board("5x5x4")).map(|bound| &bound.standing);
        assert_eq!(recorded, Some(&Standing::Recorded(STANDING.to_owned())));
        // The ledger has its proof.
        assert!(matches!(standing("5x5x4"), Standing::Proved(_)));
        assert!(matches!(standing("2^3"), Standing::Theorem(_)));
        assert!(matches!(standing("14^3"), Standing::Reported(_)));
        // A right side that nothing has proved yet: what a proof is to begin with.
        assert!(matches!(
            Bounds::default().upper(&board("5x5x4")).expect("lines").standing,
            Standing::Theorem(_)
        ));
    }
}
