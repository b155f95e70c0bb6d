//! What is asked besides the formulation.

use std::fmt;

use ndqueens_notation::name::Piece;

use crate::board::{Board, Square};
use crate::ilp::reduce::RowFilter;

/// What is asked of the number of queens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Goal {
    /// As many as possible; as few as possible for dominating sets.
    Optimise,
    /// Is there a solution with at least this many?
    AtLeast(u64),
    /// Is there a dominating set with at most this many?
    AtMost(u64),
    /// Is there a solution with exactly this many? The main source's form.
    Exactly(u64),
}

impl Goal {
    /// The number asked for, in the board's words, if there is one: `at least 3 rooks`.
    #[must_use]
    pub fn number_on(self, board: &Board) -> Option<String> {
        let (how, number) = match self {
            Self::Optimise => return None,
            Self::AtLeast(k) => ("at least", k),
            Self::AtMost(k) => ("at most", k),
            Self::Exactly(k) => ("exactly", k),
        };
        Some(format!("{how} {}", board.pieces(number)))
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

/// What is asked besides the formulation.
#[derive(Debug, Clone)]
pub struct Variant {
    /// What is asked of the number of queens.
    pub goal: Goal,
    /// Squares that must be part of the solution.
    pub include: Vec<Square>,
    /// Which rows are kept.
    pub keep: RowFilter,
}

impl Variant {
    /// The goal alone.
    #[must_use]
    pub fn of(goal: Goal) -> Self {
        Self { goal, include: Vec::new(), keep: RowFilter::All }
    }
}

/// The number of queens of a full solution: one on every line along an axis.
///
/// # Errors
/// The reason, as the end of a sentence, when the board has no such solutions by definition.
pub fn full_size(board: &Board) -> Result<u64, String> {
    let cubic = board.grid().filter(|grid| {
        grid.piece() != Piece::Bishop && grid.sides().iter().all(|side| *side == grid.sides()[0])
    });
    cubic
        .map(|_| board.trivial_bound())
        .ok_or_else(|| "full solutions are those of queens and rooks on n^d and torus:n^d".to_owned())
}
