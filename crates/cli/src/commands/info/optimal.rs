//! Optimal solutions in the sense of de Groot.

use std::fmt;

use ndqueens_archive::best::Best;
use ndqueens_archive::bounds::Strength;
use ndqueens_model::board::Board;
use schemars::JsonSchema;
use serde::Serialize;

/// The answer to the question whether maximum solutions have exactly one piece on every row and every column.
///
/// # References
/// J. A. de Groot, *Solving n-queens on non-squares*, Utrecht, 2020, definition 2.1.2.
#[derive(JsonSchema, Serialize)]
pub(super) struct Optimality {
    /// Number of pieces of an optimal solution.
    pub(super) size: u64,
    /// `true` if such a solution exists, `false` if it does not; null if the bounds leave it open.
    pub(super) reached: Option<bool>,
    /// Status of the bound that decides this; null if the bounds leave it open.
    pub(super) status: Option<Strength>,
    /// The size with its noun.
    #[serde(skip)]
    pieces: String,
}

impl Optimality {
    /// Compares the bounds of a board with the size of an optimal solution. Returns `None` if optimality is
    /// not defined on the board.
    pub(super) fn of(board: &Board, lower: &Best, upper: &Best) -> Option<Self> {
        let size = board.optimal_size()?;
        let decided = match u128::from(size) {
            size if upper.value < size => Some((false, upper.strength)),
            size if lower.value >= size => Some((true, lower.strength)),
            _ => None,
        };
        let (reached, status) = decided.unzip();
        Some(Self { size, reached, status, pieces: board.format_pieces(size) })
    }
}

impl fmt::Display for Optimality {
    /// `yes: 7 queens, exactly one on every row and every column`
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { size, pieces, .. } = self;
        match self.reached {
            Some(_) if self.status > Some(Strength::Checked) => {
                let answer = if self.reached == Some(true) { "yes" } else { "no" };
                write!(
                    f,
                    "{answer}, if the bound below holds: exactly one on every row and every column would be {pieces}"
                )
            }
            Some(true) if *size == 1 => write!(f, "yes: {pieces}, on the only row and the only column"),
            Some(true) => write!(f, "yes: {pieces}, exactly one on every row and every column"),
            Some(false) => write!(f, "no: exactly one on every row and every column would be {pieces}"),
            None => write!(f, "open: exactly one on every row and every column would be {pieces}"),
        }
    }
}
