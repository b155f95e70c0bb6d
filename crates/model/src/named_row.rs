//! Rows of a model by name, and the reasons why they are valid.

use std::fmt;
use std::sync::Arc;

use crate::board::{Board, Square};
use crate::facts::UpperBound;
use crate::family::Family;
use crate::ilp::{Comparison, Row, Tag};
use crate::own::Standing;

/// Row of a model with the basis of its validity.
///
/// # Examples
/// ```
/// use ndqueens_model::board::Board;
/// use ndqueens_model::facts::Theorems;
/// use ndqueens_model::formulation::Formulation;
/// use ndqueens_model::model::Model;
/// use ndqueens_model::variant::{Goal, Variant};
///
/// let (board, formulation) = (Board::new(&"3^2".parse()?), Formulation::builtin("base")?);
/// let model = Model::new(&board, &formulation, Variant::of(Goal::Optimise), &Theorems, 1 << 30)?;
/// let named = model.row("line_0")?;
/// assert!(named.family.is_some_and(|family| family.name() == "line"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct NamedRow<'a> {
    /// Row of the program.
    pub row: Row,
    /// Family of the row; `None` for the row that states the number of queens.
    pub family: Option<&'a dyn Family>,
    /// Bound that is the right-hand side; `None` if the right-hand side follows from a definition.
    pub bound: Option<Arc<UpperBound>>,
    /// Inequality of the formulation's file to which the row belongs.
    pub own: Option<OwnReason>,
}

/// Inequality of a formulation's file, with the result of its proof.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OwnReason {
    /// Name of the inequality.
    pub label: String,
    /// Claim that makes the row valid.
    pub claim: String,
    /// Result of the proof of the claim.
    pub standing: Standing,
}

impl fmt::Display for OwnReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { label, claim, standing } = self;
        write!(f, "{label}, {claim} ({standing})")
    }
}

/// Error for a row that does not exist in a program.
///
/// # Examples
/// ```
/// use ndqueens_model::board::Board;
/// use ndqueens_model::facts::Theorems;
/// use ndqueens_model::formulation::Formulation;
/// use ndqueens_model::model::Model;
/// use ndqueens_model::variant::{Goal, Variant};
///
/// let (board, formulation) = (Board::new(&"3^2".parse()?), Formulation::builtin("base")?);
/// let model = Model::new(&board, &formulation, Variant::of(Goal::Optimise), &Theorems, 1 << 30)?;
/// assert_eq!(model.row("line_99").expect_err("no such row").name, "line_99");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{program} has no row \"{name}\"; expected {}", row_ranges(families))]
pub struct UnknownRow {
    /// Name as given.
    pub name: String,
    /// Name of the program.
    pub program: String,
    /// First row of each family, with the number of its last row.
    pub families: Vec<(Tag, u64)>,
}

/// Returns the names of all rows, such as `line_0 to line_75 or cube_0 to cube_7`.
fn row_ranges(families: &[(Tag, u64)]) -> String {
    let range = |&(first, last): &(Tag, u64)| match last == first.number {
        true => first.to_string(),
        false => format!("{first} to {}", Tag { number: last, ..first }),
    };
    match families {
        [] => "none, because it has no rows".to_owned(),
        _ => families.iter().map(range).collect::<Vec<_>>().join(" or "),
    }
}

/// Reason why a row is valid.
///
/// # Examples
/// ```
/// use ndqueens_model::board::Board;
/// use ndqueens_model::facts::Theorems;
/// use ndqueens_model::formulation::Formulation;
/// use ndqueens_model::named_row::RowReason;
/// use ndqueens_model::model::Model;
/// use ndqueens_model::variant::{Goal, Variant};
///
/// let (board, formulation) = (Board::new(&"3^2".parse()?), Formulation::builtin("base")?);
/// let model = Model::new(&board, &formulation, Variant::of(Goal::Optimise), &Theorems, 1 << 30)?;
/// assert!(matches!(model.row("line_0")?.reason(&board), RowReason::Clique));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RowReason {
    /// Clique: the squares attack each other pairwise, so at most one of them holds a queen.
    Clique,
    /// Bound on the number of queens on the squares.
    Bound(Arc<UpperBound>),
    /// Inequality of the formulation's file.
    Own(OwnReason),
    /// Argument of the family, with its summary and its citation.
    Family(&'static str, &'static str),
    /// Argument of a symmetry-breaking family, with its summary and its citation. An image of each solution
    /// satisfies the row.
    UpToSymmetry(&'static str, &'static str),
    /// Requested number of queens.
    Goal,
}

impl fmt::Display for RowReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Clique => f.write_str("the squares attack each other pairwise, which was checked"),
            Self::Bound(bound) => write!(f, "{bound}"),
            Self::Own(own) => write!(f, "{own}"),
            Self::Family(summary, citation) => write!(f, "{summary} [{citation}]"),
            Self::UpToSymmetry(summary, citation) => {
                write!(
                    f,
                    "up to symmetry only, of each solution cut off an image is left: {summary} [{citation}]"
                )
            }
            Self::Goal => f.write_str("this number of queens is asked for"),
        }
    }
}

impl NamedRow<'_> {
    /// Returns the squares of the row with their coefficients; the columns of a model are the squares of its
    /// board.
    #[must_use]
    pub fn terms(&self) -> Vec<(Square, i64)> {
        self.row.terms().collect()
    }

    /// Returns the reason why the row is valid. Checks on the board whether its squares attack each other
    /// pairwise.
    #[must_use]
    pub fn reason(&self, board: &Board) -> RowReason {
        let Row { columns, coefficients, comparison, rhs, .. } = &self.row;
        let attacks_later = |(k, &square): (usize, &Square)| {
            columns[k + 1..].iter().all(|&other| board.attacks(square, other))
        };
        let is_packing = coefficients.is_none() && (*comparison, *rhs) == (Comparison::AtMost, 1);
        if is_packing && columns.iter().enumerate().all(attacks_later) {
            return RowReason::Clique;
        }
        if let Some(own) = &self.own {
            return RowReason::Own(own.clone());
        }
        match (&self.bound, self.family) {
            (Some(bound), _) => RowReason::Bound(Arc::clone(bound)),
            (None, Some(family)) if family.breaks_symmetry() => {
                RowReason::UpToSymmetry(family.summary(), family.citation())
            }
            (None, Some(family)) => RowReason::Family(family.summary(), family.citation()),
            (None, None) => RowReason::Goal,
        }
    }

    /// Returns the condition under which the row is valid, or `None` if it is proved.
    #[must_use]
    pub fn condition(&self) -> Option<String> {
        let own = self.own.as_ref().filter(|own| matches!(own.standing, Standing::Open(_)));
        let of_bound = || self.bound.as_ref().and_then(|bound| bound.condition());
        own.map(|own| format!("holds if {own}")).or_else(of_bound)
    }

    /// Returns the sides of the box that consists of the squares of the row, and its first square.
    ///
    /// Returns `None` if there are fewer than two squares or they are not the squares of a box.
    #[must_use]
    pub fn filled_box(&self, board: &Board) -> Option<(Vec<u32>, Square)> {
        let squares = &self.row.columns;
        let first = *squares.first().filter(|_| squares.len() > 1)?;
        board.grid()?;
        let mut ends = board.coordinates(first);
        let mut starts = ends.clone();
        for &square in squares {
            for (axis, x) in board.coordinates(square).into_iter().enumerate() {
                (starts[axis], ends[axis]) = (starts[axis].min(x), ends[axis].max(x));
            }
        }
        let sides: Vec<u32> = starts.iter().zip(&ends).map(|(start, end)| end - start + 1).collect();
        let volume: u128 = sides.iter().map(|&side| u128::from(side)).product();
        (volume == squares.len() as u128).then_some((sides, board.square(&starts)?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::facts::Theorems;
    use crate::formulation::Formulation;
    use crate::ilp::Program as _;
    use crate::model::Model;
    use crate::variant::{Goal, Variant};

    fn on_model<T>(board: &str, formulation: &str, look: impl Fn(&Board, &Model<'_>) -> T) -> T {
        let board = Board::new(&board.parse().expect("a board name"));
        let formulation = Formulation::builtin(formulation).expect("shipped");
        let variant = Variant::of(Goal::Optimise);
        let model = Model::new(&board, &formulation, variant, &Theorems, 1 << 30).expect("a model");
        look(&board, &model)
    }

    #[test]
    fn finds_rows_by_name() {
        for (board, formulation) in [("4^3", "all"), ("torus:4^2", "cube-star"), ("4^2", "domination")] {
            on_model(board, formulation, |_, model| {
                for row in model.rows() {
                    assert_eq!(model.row(&row.tag.to_string()).map(|named| named.row), Ok(row));
                }
            });
        }
    }

    #[test]
    fn states_cliques_and_bounds_as_reasons() {
        on_model("5^3", "all", |board, model| {
            let reason = |name: &str| model.row(name).expect("a row").reason(board);
            assert_eq!(reason("line_0"), RowReason::Clique);
            assert_eq!(reason("cube_0"), RowReason::Clique);
            let RowReason::Bound(bound) = reason("subsolution_64") else { panic!("a bound") };
            assert_eq!((bound.board.to_string().as_str(), bound.value), ("3^3", 8));
            let subsolution = model.row("subsolution_64").expect("a row");
            assert_eq!(subsolution.filled_box(board), Some((vec![3; 3], 0)));
            assert_eq!(model.row("cube_64").expect("a row").filled_box(board), None);
        });
        on_model("4^2", "domination", |board, model| {
            let row = model.row("domination_0").expect("a row");
            assert!(matches!(row.reason(board), RowReason::Family(..)));
        });
        on_model("4^2", "symmetry", |board, model| {
            let row = model.row("symmetry_3").expect("a row");
            assert!(matches!(row.reason(board), RowReason::UpToSymmetry(..)));
        });
    }

    #[test]
    fn error_names_the_existing_rows() {
        on_model("3^2", "cube", |_, model| {
            let error = model.row("star_0").expect_err("no star");
            let first = |family| Tag { family, number: 0 };
            assert_eq!(error.name, "star_0");
            assert_eq!(error.families.first().map(|(tag, _)| *tag), Some(first("line")));
            assert_eq!(error.families.last(), Some(&(first("cube"), 4)));
        });
    }
}
