//! Goals and options of a model in addition to the formulation.

use std::fmt;

use ndqueens_notation::name::Piece;

use crate::board::{Board, Square};
use crate::ilp::reduce::RowFilter;

/// Goal for the number of pieces.
///
/// # Examples
/// ```
/// use ndqueens_model::board::Board;
/// use ndqueens_model::variant::Goal;
///
/// let board = Board::new(&"rook:3^3".parse()?);
/// assert_eq!(Goal::AtLeast(9).number_on(&board).as_deref(), Some("at least 9 rooks"));
/// # Ok::<(), ndqueens_notation::name::NameError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Goal {
    /// Largest number, or for dominating sets the smallest one.
    Optimise,
    /// Any solution with at least this number.
    AtLeast(u64),
    /// Any dominating set with at most this number.
    AtMost(u64),
    /// Any solution with exactly this number, the form of Kunt (2023).
    Exactly(u64),
}

impl Goal {
    /// Formats the required number of pieces, such as `at least 3 rooks`. Returns `None` for
    /// [`Self::Optimise`].
    #[must_use]
    pub fn number_on(self, board: &Board) -> Option<String> {
        let (relation, number) = match self {
            Self::Optimise => return None,
            Self::AtLeast(k) => ("at least", k),
            Self::AtMost(k) => ("at most", k),
            Self::Exactly(k) => ("exactly", k),
        };
        Some(format!("{relation} {}", board.format_pieces(number)))
    }
}

impl fmt::Display for Goal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Optimise => f.write_str("optimise"),
            Self::AtLeast(k) => write!(f, "at least {k}"),
            Self::AtMost(k) => write!(f, "at most {k}"),
            Self::Exactly(k) => write!(f, "exactly {k}"),
        }
    }
}

/// Goal and options of a model.
///
/// # Examples
/// ```
/// use ndqueens_model::variant::{Goal, Variant};
///
/// let variant = Variant { include: vec![0], ..Variant::of(Goal::AtLeast(7)) };
/// assert_eq!(variant.goal, Goal::AtLeast(7));
/// ```
#[derive(Debug, Clone)]
pub struct Variant {
    /// Goal for the number of pieces.
    pub goal: Goal,
    /// Squares that every solution must contain.
    pub include: Vec<Square>,
    /// Filter for the constraints of the model.
    pub keep: RowFilter,
}

impl Variant {
    /// Creates the variant with a goal, no required squares and all constraints.
    #[must_use]
    pub fn of(goal: Goal) -> Self {
        Self { goal, include: Vec::new(), keep: RowFilter::All }
    }
}

/// Error for a board on which full solutions are not defined, as the end of a sentence.
///
/// # Examples
/// ```
/// use ndqueens_model::board::Board;
/// use ndqueens_model::variant::{NoFullSolutions, full_size};
///
/// assert_eq!(full_size(&Board::new(&"3x4".parse()?)), Err(NoFullSolutions));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("full solutions are those of queens and rooks on n^d and torus:n^d")]
pub struct NoFullSolutions;

/// Returns the number of pieces of a full solution, which has exactly one piece on every line along an axis.
///
/// # Errors
/// Returns an error if full solutions are not defined for the board.
pub fn full_size(board: &Board) -> Result<u64, NoFullSolutions> {
    let cubic = board.grid().filter(|grid| {
        grid.piece() != Piece::Bishop && grid.sides().iter().all(|side| *side == grid.sides()[0])
    });
    cubic.map(|_| board.trivial_bound()).ok_or(NoFullSolutions)
}
