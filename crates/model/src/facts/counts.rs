//! Numbers of maximum solutions: those printed in a source, and those established by two programs or by a
//! proof. They are data for comparison, never a substitute for a count.
//!
//! The tables are `instances/printed-counts.csv`, with one row for each board and source, and
//! `instances/known-counts.csv`, with one row for each board.

use ndqueens_notation::name::BoardName;
use serde::Deserialize;
use std::sync::LazyLock;

use super::reading;

/// A row of a table in a source, as printed, errors included.
///
/// # Examples
/// ```
/// use ndqueens_model::facts::counts::printed_counts;
///
/// assert!(printed_counts(&"8^2".parse()?).any(|printed| printed.solutions == 92));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PrintedCount {
    /// The board.
    pub board: BoardName,
    /// Printed number of queens of a maximum solution.
    pub queens: Option<u64>,
    /// Printed number of maximum solutions.
    pub solutions: u64,
    /// Least printed number of solutions up to symmetry.
    pub up_to_symmetry_least: Option<u64>,
    /// Largest printed number of solutions up to symmetry.
    pub up_to_symmetry_most: Option<u64>,
    /// Printed answer to the question whether maximum solutions are optimal.
    pub optimal: Option<YesNo>,
    /// Source and table.
    #[serde(rename = "where")]
    pub place: String,
}

/// An answer printed in a table.
///
/// # Examples
/// ```
/// use ndqueens_model::facts::counts::{YesNo, printed_counts};
///
/// assert!(printed_counts(&"8^2".parse()?).all(|printed| printed.optimal != Some(YesNo::No)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum YesNo {
    /// Yes.
    Yes,
    /// No.
    No,
}

/// The number of maximum solutions of a board.
///
/// # Examples
/// ```
/// use ndqueens_model::facts::counts::lookup;
///
/// let known = lookup(&"8^2".parse()?).expect("it is in the table");
/// assert_eq!((known.solutions, known.up_to_symmetry), (92, Some(12)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KnownCount {
    /// The board.
    pub board: BoardName,
    /// Number of maximum solutions.
    pub solutions: u64,
    /// Number of maximum solutions up to symmetry.
    pub up_to_symmetry: Option<u64>,
    /// Evidence for these numbers.
    pub source: String,
}

static PRINTED: LazyLock<Vec<PrintedCount>> = LazyLock::new(|| {
    reading::parse_rows(include_str!("../../data/printed-counts.csv"))
        .expect("the shipped table is well formed")
});

static KNOWN: LazyLock<Vec<KnownCount>> = LazyLock::new(|| {
    reading::parse_rows(include_str!("../../data/known-counts.csv"))
        .expect("the shipped table is well formed")
});

/// Returns the rows that sources print for a board, in the order of the table.
pub fn printed_counts(board: &BoardName) -> impl Iterator<Item = &'static PrintedCount> {
    let board = board.with_sorted_sides();
    PRINTED.iter().filter(move |row| row.board == board)
}

/// Returns the number of maximum solutions of a board if it is in the table.
#[must_use]
pub fn lookup(board: &BoardName) -> Option<&'static KnownCount> {
    let board = board.with_sorted_sides();
    KNOWN.iter().find(|row| row.board == board)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn shipped_tables_read_and_are_consistent() {
        let boards: HashSet<&BoardName> = KNOWN.iter().map(|row| &row.board).collect();
        assert_eq!(boards.len(), KNOWN.len(), "a board twice");
        for row in KNOWN.iter() {
            let orbits = row.up_to_symmetry.unwrap_or(1);
            assert!(0 < orbits && orbits <= row.solutions && !row.source.is_empty(), "{row:?}");
            assert_eq!(row.board, row.board.with_sorted_sides());
        }
        for row in PRINTED.iter() {
            assert_eq!(row.up_to_symmetry_least.is_some(), row.up_to_symmetry_most.is_some(), "{row:?}");
            assert!(row.up_to_symmetry_least <= row.up_to_symmetry_most && !row.place.is_empty(), "{row:?}");
            assert_eq!(row.board, row.board.with_sorted_sides());
        }
    }

    #[test]
    fn de_groots_boards_have_printed_and_known_counts() {
        for name in ["hex:1", "hex:9", "three:2", "three:8"] {
            let board = name.parse().expect("a board name");
            assert!(printed_counts(&board).next().is_some_and(|row| row.optimal.is_some()), "{name}");
            assert!(lookup(&board).is_some(), "{name}");
        }
    }
}
