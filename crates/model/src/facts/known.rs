//! Published values of the independence number: data for comparison, never a substitute for a computation.
//!
//! The table is `instances/known-values.csv`, with one row for each bound and source.

use std::fmt;
use std::sync::LazyLock;
use std::sync::OnceLock;

use ndqueens_notation::name::BoardName;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::bound::{Provenance, UpperBound};
use super::reading;
use super::side::Side;

/// Row of the table: a published bound.
///
/// # Examples
/// ```
/// use ndqueens_model::facts::known::of_board;
///
/// assert!(of_board(&"5^3".parse()?).any(|row| row.value == 13));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Published {
    /// The board.
    pub board: BoardName,
    /// Side of the bound: lower or upper.
    pub side: Side,
    /// The bound, in queens.
    pub value: u64,
    /// Evidence in the publication.
    pub status: Status,
    /// Authors and year of the publication.
    pub source: String,
    /// Place in the source, such as a table; may be empty.
    pub place: String,
    /// `doi:` and a DOI, `oeis:` and a sequence, or an address; may be empty.
    pub identifier: String,
}

impl fmt::Display for Published {
    /// Writes the source and the place: `Kunt 2023, table 4`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.source)?;
        if self.place.is_empty() { Ok(()) } else { write!(f, ", {}", self.place) }
    }
}

/// Evidence for a published bound.
///
/// # Examples
/// ```
/// use ndqueens_model::facts::known::{Status, table};
///
/// assert!(table().iter().any(|row| row.status == Status::Reported));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// A theorem.
    Theorem,
    /// A list of squares, or a solver run of the authors.
    Reported,
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Theorem => "theorem",
            Self::Reported => "reported",
        })
    }
}

/// Best published bounds of a board.
///
/// # Examples
/// ```
/// use ndqueens_model::facts::known::lookup;
///
/// assert_eq!(lookup(&"5^3".parse()?).and_then(|bounds| bounds.maximum()), Some(13));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PublishedBounds {
    /// The board.
    pub board: BoardName,
    /// The best published lower bound, in queens.
    pub lower: Option<u64>,
    /// The best published upper bound, in queens.
    pub upper: Option<u64>,
    /// Publications of these bounds.
    pub source: String,
}

impl PublishedBounds {
    /// Returns the best published bounds of a board, or `None` if nothing is published about it.
    fn of(board: &BoardName) -> Option<Self> {
        let value = |side| best(of_board(board), side).map(|row| row.value);
        let (lower, upper) = (value(Side::Lower), value(Side::Upper));
        lower.or(upper)?;
        let known = Self { board: board.clone(), lower, upper, source: String::new() };
        let source = join_sources(of_board(board).filter(|row| Some(row.value) == known.bound(row.side)));
        Some(Self { source, ..known })
    }

    /// Returns the best published bound of a side.
    #[must_use]
    pub fn bound(&self, side: Side) -> Option<u64> {
        match side {
            Side::Lower => self.lower,
            Side::Upper => self.upper,
        }
    }

    /// Returns the published maximum, or `None` if the published bounds differ.
    #[must_use]
    pub fn maximum(&self) -> Option<u64> {
        self.lower.filter(|_| self.lower == self.upper)
    }

    /// Returns the bounds and their sources without the board.
    #[must_use]
    pub fn best(&self) -> Best {
        Best { lower: self.lower, upper: self.upper, source: self.source.clone() }
    }

    /// Returns the published upper bound. Its provenance is *reported* even if the publication proves it.
    #[must_use]
    pub fn upper_bound(&self) -> Option<UpperBound> {
        let provenance = Provenance::Reported(self.source.clone());
        Some(UpperBound { board: self.board.clone(), value: self.upper?, provenance })
    }
}

/// Best published bounds of a board, without the board.
///
/// # Examples
/// ```
/// use ndqueens_model::facts::known::lookup;
///
/// assert_eq!(lookup(&"5^3".parse()?).map(|bounds| bounds.best().lower), Some(Some(13)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, JsonSchema, Serialize)]
pub struct Best {
    /// The best published lower bound, in queens.
    pub lower: Option<u64>,
    /// The best published upper bound, in queens.
    pub upper: Option<u64>,
    /// Publications of these bounds.
    pub source: String,
}

impl fmt::Display for Best {
    /// Writes the bounds: `13`, `172 to 195` or `at least 307`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.lower, self.upper) {
            (Some(lower), Some(upper)) if lower == upper => write!(f, "{lower}"),
            (Some(lower), Some(upper)) => write!(f, "{lower} to {upper}"),
            (Some(lower), None) => write!(f, "at least {lower}"),
            (None, Some(upper)) => write!(f, "at most {upper}"),
            (None, None) => f.write_str("nothing"),
        }
    }
}

/// Returns the distinct sources of rows, separated by semicolons.
fn join_sources<'a>(rows: impl Iterator<Item = &'a Published>) -> String {
    let mut sources: Vec<String> = Vec::new();
    for source in rows.map(Published::to_string) {
        if !sources.contains(&source) {
            sources.push(source);
        }
    }
    sources.join("; ")
}

static TABLE: LazyLock<Vec<Published>> = LazyLock::new(|| {
    parse(include_str!("../../data/known-values.csv")).expect("the shipped table is well formed")
});

/// Reads a table with the columns of the shipped one.
///
/// # Errors
/// Returns an error at the first malformed row; the error names the line.
pub fn parse(text: &str) -> Result<Vec<Published>, csv::Error> {
    reading::parse_rows(text)
}

/// Returns the whole table, in the order of the file.
#[must_use]
pub fn table() -> &'static [Published] {
    &TABLE
}

/// Returns the rows of a board, whose sides must be in the order of the file.
pub fn of_board(board: &BoardName) -> impl Iterator<Item = &'static Published> {
    table().iter().filter(move |row| &row.board == board)
}

/// Returns the row with the best bound of a side, the first one of equal bounds.
pub fn best<'a>(rows: impl Iterator<Item = &'a Published>, side: Side) -> Option<&'a Published> {
    rows.filter(|row| row.side == side)
        .reduce(|best, row| if side.is_better(row.value, best.value) { row } else { best })
}

/// Returns the best bounds of each board, in the order of the file.
pub fn boards() -> &'static [PublishedBounds] {
    static BOARDS: OnceLock<Vec<PublishedBounds>> = OnceLock::new();
    BOARDS.get_or_init(|| {
        let mut boards: Vec<&BoardName> = Vec::new();
        for row in table() {
            if !boards.contains(&&row.board) {
                boards.push(&row.board);
            }
        }
        boards.into_iter().filter_map(PublishedBounds::of).collect()
    })
}

/// Returns the best bounds of a board, or `None` if nothing is published about it. The order of the sides
/// does not matter.
///
/// # Examples
/// ```
/// use ndqueens_model::facts::known;
///
/// let known = known::lookup(&"6^3".parse()?).expect("the value is published");
/// assert_eq!(known.maximum(), Some(21));
/// # Ok::<(), ndqueens_notation::name::NameError>(())
/// ```
#[must_use]
pub fn lookup(board: &BoardName) -> Option<&'static PublishedBounds> {
    let board = board.with_sorted_sides();
    boards().iter().find(|known| known.board == board)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shipped_table_reads_and_is_consistent() {
        assert!(boards().len() > 40);
        for known in boards() {
            let bounds = known.lower.zip(known.upper);
            assert!(bounds.is_none_or(|(lower, upper)| lower <= upper), "{}", known.board);
            assert_eq!(known.board, known.board.with_sorted_sides(), "looked up by sorted name");
            assert!(!known.source.is_empty(), "{}", known.board);
        }
        for row in table() {
            let known = lookup(&row.board).expect("a published board");
            let best = known.bound(row.side).expect("the row bounds it");
            assert!(!row.side.is_better(row.value, best), "{row:?}");
            let kinds = ["", "doi:10.", "oeis:A", "http://", "https://"];
            assert!(
                kinds[1..].iter().any(|kind| row.identifier.starts_with(kind)) || row.identifier.is_empty()
            );
            assert!(!row.source.is_empty() && !row.source.contains([';', ',']), "one source a row: {row}");
        }
    }

    #[test]
    fn sources_of_both_bounds_occur_once() {
        let known = |name: &str| lookup(&name.parse().expect("a board")).expect("published");
        assert_eq!(known("14^3").source, "Zimmermann contest 2002; Pearson 2009");
        assert_eq!(known("6^3").source, "OEIS A068940; Kunt 2023, table 21");
        let published = |name| known(name).best().to_string();
        assert_eq!((published("14^3"), published("6^3")), ("172 to 195".to_owned(), "21".to_owned()));
        assert_eq!((published("18^3"), published("hex:8")), ("at least 307".to_owned(), "15".to_owned()));
    }

    #[test]
    fn lookup_leaves_out_derived_bounds() {
        let known = |name: &str| lookup(&name.parse().expect("a board"));
        assert_eq!(known("8^4"), None);
        assert_eq!(known("3^9").and_then(|known| known.lower), None);
    }
}
