//! Bounds of small boxes from an archive's `box-table.csv`, which `ndq table boxes` generates. The exact
//! engine found each bound by a proof that was checked in integers and not archived.

use std::collections::HashMap;

use ndqueens_notation::name::{BoardName, NameError};
use serde::Deserialize;

use super::bound::{Provenance, UpperBound};
use super::reading;

/// Row of the table, with the columns that are used here.
#[derive(Debug, Deserialize)]
struct BoxLine {
    piece: String,
    sides: String,
    #[serde(default)]
    lower: u64,
    upper: u64,
}

/// Bounds of a box in the table.
#[derive(Debug)]
struct BoxBounds {
    /// Number of pieces of a placement whose pairs were all checked.
    placed: u64,
    upper: UpperBound,
}

/// Provenance of the upper bounds of the table.
const PROVENANCE: &str = "box table, proof not archived";

/// Table of boxes with their bounds.
///
/// # Examples
/// ```
/// use ndqueens_model::facts::ArchivedBounds;
///
/// let archive = ArchivedBounds::builtin();
/// assert!(archive.boxes.upper(&"2x3x3".parse()?).is_some());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Default)]
pub struct BoxTable {
    /// By board, without sides of 1 and with sorted sides.
    by_board: HashMap<BoardName, BoxBounds>,
}

impl BoxTable {
    /// Parses a table.
    ///
    /// # Errors
    /// Returns an error if the text is not a table of boxes.
    pub fn parse(text: &str) -> Result<Self, csv::Error> {
        let mut by_board = HashMap::<BoardName, BoxBounds>::new();
        reading::require_columns(text, &["piece", "sides", "upper"])?;
        for (line, row) in reading::parse_numbered_rows::<BoxLine>(text)? {
            let (board, entry) =
                parse_bounds(&row).map_err(|fault| reading::line_error(line, &fault.to_string()))?;
            let bounds = (entry.placed, entry.upper.value);
            // The table has one row of a box for each number of sides of 1.
            let other = by_board.insert(board.clone(), entry);
            if other.is_some_and(|other| (other.placed, other.upper.value) != bounds) {
                let fault = format!("the bounds of {board} differ from those in an earlier row");
                return Err(reading::line_error(line, &fault));
            }
        }
        Ok(Self { by_board })
    }

    /// Returns the table of the archive that comes with the program.
    pub(super) fn builtin() -> Self {
        Self::parse(include_str!("../../data/box-table.csv")).expect("the shipped table is well formed")
    }

    /// Returns the upper bound of a box if it is in the table. The order of the sides does not matter.
    #[must_use]
    pub fn upper(&self, board: &BoardName) -> Option<&UpperBound> {
        self.by_board.get(&board.without_unit_sides()).map(|entry| &entry.upper)
    }

    /// Returns the number of queens of the largest placement found on a box if the box is in the table.
    #[must_use]
    pub fn lower(&self, board: &BoardName) -> Option<u64> {
        self.by_board.get(&board.without_unit_sides()).map(|entry| entry.placed)
    }
}

/// Error of a row that is not about a plain box.
#[derive(Debug, thiserror::Error)]
enum BoxLineError {
    #[error(transparent)]
    Name(#[from] NameError),
    #[error("{0} is not a plain box")]
    NoPlainBox(BoardName),
}

/// Returns the box of a row, reduced, and its bounds.
fn parse_bounds(row: &BoxLine) -> Result<(BoardName, BoxBounds), BoxLineError> {
    let &BoxLine { ref piece, ref sides, lower: placed, upper: value } = row;
    let board: BoardName = format!("{piece}:{sides}").parse()?;
    if !matches!(board, BoardName::Grid { torus: false, .. }) {
        return Err(BoxLineError::NoPlainBox(board));
    }
    let provenance = Provenance::Archived(PROVENANCE.to_owned());
    Ok((board.without_unit_sides(), BoxBounds { placed, upper: UpperBound { board, value, provenance } }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::facts::known;
    use crate::facts::{ArchivedBounds, Bounds, Theorems, UpperBounds as _};

    fn board(name: &str) -> BoardName {
        name.parse().expect("a board name")
    }

    #[test]
    fn the_shipped_table_agrees_with_theorems_and_published_values() {
        let table = BoxTable::builtin();
        assert!(table.by_board.len() > 200);
        for (board, BoxBounds { placed, upper: bound }) in &table.by_board {
            assert!(*placed <= bound.value && *placed > 0, "{bound}");
            assert_eq!(board, &bound.board.without_unit_sides());
            let theorem = Theorems.upper(board).expect("parallel lines");
            assert!(bound.value <= theorem.value, "{bound} and {theorem}");
            if let Some(known) = known::lookup(board) {
                let (lower, upper) = (known.lower.unwrap_or(0), known.upper.unwrap_or(u64::MAX));
                assert!((lower..=upper).contains(&bound.value), "{bound} and {known:?}");
            }
        }
    }

    #[test]
    fn rows_of_a_box_agree() {
        const HEAD: &str = "piece,sides,lower,upper\nqueen,2x3x4,5,6\n";
        let same = format!("{HEAD}queen,3x2x4x1,5,6\n");
        assert_eq!(BoxTable::parse(&same).expect("a table").by_board.len(), 1);
        for row in ["2x3x4,4,6", "4x2x1x3,5,5"] {
            assert!(BoxTable::parse(&format!("{HEAD}queen,{row}\n")).is_err(), "{row}");
        }
    }

    #[test]
    fn sides_of_1_and_their_order_do_not_matter() {
        let table = BoxTable::builtin();
        for (name, value) in [("3^3", 4), ("5x3x4", 7), ("1x3x3", 2), ("3x3x1x1", 2), ("3^2", 2), ("1^4", 1)]
        {
            assert_eq!(table.upper(&board(name)).map(|bound| bound.value), Some(value), "{name}");
        }
        for name in ["torus:3^3", "rook:3^3", "40^3"] {
            assert_eq!(table.upper(&board(name)), None, "{name}");
        }
        let bounds = Bounds::with_publications(&ArchivedBounds::builtin());
        let provenance = |name: &str| bounds.upper(&board(name)).expect(name).provenance;
        // An archived bound does not count as proved before its file has been checked.
        assert!(matches!(provenance("4x4x4x5"), Provenance::Archived(_)));
        assert!(matches!(provenance("5x5x4"), Provenance::Archived(_)));
        assert!(matches!(provenance("2^3"), Provenance::Theorem(_)));
        assert!(matches!(provenance("15^3"), Provenance::Reported(_)));
        // Without the archive, the bound is that of a theorem.
        assert!(matches!(
            Bounds::default().upper(&board("5x5x4")).expect("lines").provenance,
            Provenance::Theorem(_)
        ));
    }
}
