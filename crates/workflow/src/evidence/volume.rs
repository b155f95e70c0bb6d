//! Upper bound by the volume of a cube, on boxes with sides of at most 3.

use ndqueens_crosscheck::bound::{self, BoundError};
use ndqueens_model::board::Board;
use ndqueens_model::facts::volume;
use ndqueens_notation::name::Piece;

/// Volume bound that passed the check.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Volume {
    /// Bound, in queens.
    pub at_most: u64,
    /// Number of inequalities in the sum, one of each orbit.
    pub rows: u64,
    /// Sum of their right-hand sides.
    pub sum: String,
}

/// Largest number of squares of a board whose bound is checked.
const MOST_SQUARES: usize = 1 << 28;

/// Returns the volume bound of a board, checked as a sum of inequalities. Returns `None` for boards without
/// one, and for boards of more than 2^28 squares.
///
/// # Errors
/// Returns an error if crosscheck rejects the bound.
pub fn best(board: &Board) -> Result<Option<Volume>, BoundError> {
    let plain =
        board.plain_box().filter(|_| board.piece() == Some(Piece::Queen) && board.size() <= MOST_SQUARES);
    let Some(text) = plain.and_then(|plain| volume::file(plain.sides())) else { return Ok(None) };
    let proved = bound::check(text.as_bytes())?;
    Ok(Some(Volume {
        at_most: proved.at_most(),
        rows: proved.rows() as u64,
        sum: bound::format_mixed(proved.sum()),
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn volume_bounds_pass_the_check() {
        let at_most = |name: &str| {
            let board = Board::new(&name.parse().expect(name));
            best(&board).expect("an accepted bound").map(|volume| volume.at_most)
        };
        let values = [1, 2, 4, 6, 11, 19, 32, 52, 89, 158, 262];
        for (d, value) in (1..).zip(values) {
            assert_eq!(at_most(&format!("3^{d}")), Some(value), "3^{d}");
        }
        for sides in ["2x3", "2x3x3", "2x2x3", "2x2x2x3x3", "1x3x3", "2x2x3x3x3x3", "3x2x3"] {
            let axes: Vec<u32> = sides.split('x').map(|side| side.parse().expect("a side")).collect();
            assert_eq!(at_most(sides), volume::bound(&axes), "{sides}");
            assert!(at_most(sides).is_some(), "{sides}");
        }
        for other in ["4^3", "2^5", "rook:3^3", "bishop:3^3", "torus:3^3", "hex:3"] {
            assert_eq!(at_most(other), None, "{other}");
        }
    }
}
