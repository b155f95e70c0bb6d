//! Rows of the ledger, and the bounds that they rest on.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use ndqueens_model::facts::{Provenance, Side, UpperBound, reading};
use ndqueens_notation::name::BoardName;
use ndqueens_workflow::evidence::Statement;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::kind::Kind;

/// Board and side of a bound, by which the ledger is sorted.
pub(super) type Key = (BoardName, Side);

/// An upper bound `alpha(board) <= most` that another bound rests on.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Need {
    pub(super) board: BoardName,
    pub(super) most: u64,
}

impl fmt::Display for Need {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}<={}", self.board, self.most)
    }
}

/// Error for a text that is not a [`Need`].
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("\"{0}\" should be a bound such as 3^4<=6")]
pub(super) struct NeedError(String);

impl FromStr for Need {
    type Err = NeedError;

    fn from_str(text: &str) -> Result<Self, NeedError> {
        let parts = text.split_once("<=");
        let plain = |most: &str| most.parse::<u64>().ok().filter(|number| number.to_string() == most);
        let need =
            parts.and_then(|(board, most)| Some(Self { board: board.parse().ok()?, most: plain(most)? }));
        need.ok_or_else(|| NeedError(text.to_owned()))
    }
}

/// A row of the ledger.
#[derive(Debug, Clone, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LedgerRow {
    /// The board; a box without its sides of 1, and sorted.
    pub board: BoardName,
    /// Side of the bound.
    pub side: Side,
    /// The bound, in queens.
    #[serde(deserialize_with = "reading::parse_number")]
    pub value: u64,
    /// Kind of the file that shows the bound.
    #[schemars(with = "String")]
    pub kind: Kind,
    /// The file that shows the bound.
    pub file: String,
    /// Size of the file in bytes; a file of more than 16,000,000 bytes is not archived.
    #[serde(deserialize_with = "reading::parse_number")]
    pub bytes: u64,
    /// SHA-256 digest of the file.
    pub sha256: String,
    /// Bounds of other boards that the bound rests on, such as `3^4<=6`, separated by semicolons.
    pub rests_on: String,
    /// The command that regenerates the file; required if the file is not archived.
    pub command: String,
    /// The commit that wrote the row.
    pub commit: String,
    /// The verified checker that accepted the file, if it was run; the bounds that this one rests on have
    /// rows of their own.
    #[serde(default)]
    pub verified: String,
}

impl LedgerRow {
    /// Returns the key of the row, which does not depend on the order of the sides or on sides of 1.
    pub(super) fn key(&self) -> Key {
        (self.board.without_unit_sides(), self.side)
    }

    /// Returns the bound, marked as not checked in this run.
    pub(crate) fn archived_bound(&self) -> UpperBound {
        let provenance = Provenance::Archived(format!("{} {}", self.kind, self.file));
        UpperBound { board: self.board.clone(), value: self.value, provenance }
    }

    /// Returns the bound, marked as proved.
    pub(crate) fn proved_bound(&self) -> UpperBound {
        let provenance = Provenance::Proved(format!("{} {}", self.kind, self.file));
        UpperBound { board: self.board.clone(), value: self.value, provenance }
    }

    /// Returns `true` if `bounds` contains a bound of the same board and side that is at least as good.
    pub(super) fn is_shown_by(&self, bounds: &BTreeMap<Key, u64>) -> bool {
        bounds.get(&self.key()).is_some_and(|&value| !self.side.is_better(self.value, value))
    }

    /// Parses the bounds that the row rests on.
    pub(super) fn needs(&self) -> Result<Vec<Need>, NeedError> {
        self.rests_on.split(';').filter(|need| !need.is_empty()).map(str::parse).collect()
    }
}

/// Returns the bounds that a file rests on.
pub(super) fn needs(statement: &Statement) -> Vec<Need> {
    statement.needs.iter().map(|(board, most)| Need { board: board.clone(), most: *most }).collect()
}

/// Formats bounds as in the column `rests_on`.
pub(super) fn join_needs(needs: &[Need]) -> String {
    needs.iter().map(Need::to_string).collect::<Vec<_>>().join(";")
}

/// Returns `true` if one row is a lower bound that exceeds the other one, an upper bound. The rows are of the
/// same board.
pub(super) fn contradicts(row: &LedgerRow, other: &LedgerRow) -> bool {
    row.side != other.side && row.side.is_better(row.value, other.value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ledger::tests::row;

    #[test]
    fn needs_are_parsed_as_they_are_written() {
        for text in ["3^4<=6", "torus:5^2<=5", "3x4x5<=9"] {
            assert_eq!(text.parse::<Need>().map(|need| need.to_string()), Ok(text.to_owned()));
        }
        for text in ["", "3^4", "3^4<=", "3^4<=-1", "<=6", "3^4<6"] {
            assert!(text.parse::<Need>().is_err(), "{text}");
        }
        let row = row("6^4", Side::Upper, 80, "6^4.bound", "3^4<=6;2^4<=1;");
        assert_eq!(row.needs().map(|needs| needs.len()), Ok(2));
    }
}
