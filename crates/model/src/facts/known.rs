//! Published values of the independence number: data to compare with, never a substitute for a computation.
//!
//! The table is `instances/known-values.csv`.

use serde::Deserialize;

use super::bound::{Provenance, UpperBound};
use super::shipped::Shipped;
use crate::name::BoardName;

/// One row of the table.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Known {
    /// The board.
    pub board: BoardName,
    /// A size that is reached, in queens.
    pub lower: u64,
    /// A size that is not exceeded, in queens.
    pub upper: u64,
    /// Whether `upper` is a theorem or reported.
    pub upper_standing: UpperStanding,
    /// Where the values are published.
    pub source: String,
}

impl Known {
    /// `13`, or `172 to 195`.
    #[must_use]
    pub fn value(&self) -> String {
        let Self { lower, upper, .. } = self;
        if lower == upper { lower.to_string() } else { format!("{lower} to {upper}") }
    }
}

/// The standing of a published upper bound.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum UpperStanding {
    /// A theorem.
    Theorem,
    /// Somebody's solver run.
    Reported,
}

impl Known {
    /// The upper bound. Whatever its publication rests on, it is reported here.
    #[must_use]
    pub fn upper_bound(&self) -> UpperBound {
        let provenance = Provenance::Reported(self.source.clone());
        UpperBound { board: self.board.clone(), value: self.upper, provenance }
    }
}

static TABLE: Shipped<Vec<Known>> = Shipped::new(include_str!("../../data/known-values.csv"), read);

/// Reads a table like the shipped one.
///
/// # Errors
/// At the first row that is not like it; the error names the line.
pub fn read(text: &str) -> Result<Vec<Known>, csv::Error> {
    csv::Reader::from_reader(text.as_bytes()).into_deserialize().collect()
}

/// The whole table, in the order of the file.
#[must_use]
pub fn table() -> &'static [Known] {
    TABLE.get()
}

/// The row of a board, whichever way its sides are ordered.
#[must_use]
pub fn lookup(board: &BoardName) -> Option<&'static Known> {
    let board = board.sorted();
    TABLE.get().iter().find(|known| known.board == board)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shipped_table_reads_and_is_consistent() {
        assert!(table().len() > 40);
        for known in table() {
            assert!(known.lower <= known.upper, "{}", known.board);
            assert_eq!(known.board, known.board.sorted(), "looked up by sorted name");
        }
    }
}
