//! Published numbers of full solutions: data for comparison, never a substitute for a computation.
//!
//! The table is `instances/full-counts.csv`, with one row for each board and source.

use std::fmt;
use std::sync::LazyLock;

use ndqueens_notation::counted::counted;
use ndqueens_notation::name::BoardName;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::reading;

/// Row of the table: a published number of solutions.
///
/// # Examples
/// ```
/// use ndqueens_model::facts::full_counts::lookup;
///
/// assert_eq!(lookup(&"8^2".parse()?).map(|count| count.solutions), Some(92));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PublishedCount {
    /// The board.
    pub board: BoardName,
    /// Number of queens of a solution. If more than the maximum, the number of solutions is 0.
    pub queens: u64,
    /// Number of solutions.
    pub solutions: u64,
    /// Publication.
    pub source: String,
    /// `doi:` and a DOI, `oeis:` and a sequence, or an address; may be empty.
    pub identifier: String,
}

impl fmt::Display for PublishedCount {
    /// `92 solutions of 8 queens [OEIS A000170]`
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { queens, solutions, source, .. } = self;
        write!(f, "{} of {} [{source}]", counted(*solutions, "solution"), counted(*queens, "queen"))
    }
}

static TABLE: LazyLock<Vec<PublishedCount>> = LazyLock::new(|| {
    reading::parse_rows(include_str!("../../data/full-counts.csv")).expect("the shipped table is well formed")
});

/// Returns the whole table, in the order of the file.
#[must_use]
pub fn table() -> &'static [PublishedCount] {
    &TABLE
}

/// Returns the published number of solutions of a board, or `None` if it is not in the table. The order of
/// the sides does not matter.
#[must_use]
pub fn lookup(board: &BoardName) -> Option<&'static PublishedCount> {
    let board = board.with_sorted_sides();
    table().iter().find(|row| row.board == board)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shipped_table_reads_and_names_sources() {
        assert_eq!(table().len(), 27);
        for row in table() {
            assert_eq!(row.board, row.board.with_sorted_sides(), "looked up by sorted name");
            assert!(row.identifier.starts_with("oeis:A"), "{row}");
        }
        let row = lookup(&"8^2".parse().expect("a board")).expect("published");
        assert_eq!(row.to_string(), "92 solutions of 8 queens [OEIS A000170]");
        assert_eq!(lookup(&"8^4".parse().expect("a board")), None);
    }
}
