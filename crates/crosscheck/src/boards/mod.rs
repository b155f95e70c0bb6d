//! Definitions of the kinds of boards: squares, attacks and symmetries. Each kind has its own module.

pub mod cells;
mod definition;
pub mod drawing;
pub mod file;
pub mod grid;
pub mod hexagon;
pub mod leaping;
pub(crate) mod linear;
pub mod network;
pub mod sudoku;
pub mod three_player;
pub mod twisted;

use ndqueens_notation::name::BoardName;

use cells::Cells;
pub use definition::{Definition, LineOf, Symmetry};
use grid::Grid;
use hexagon::Hexagon;
use leaping::Leaping;
use sudoku::Sudoku;
use three_player::ThreePlayer;
use twisted::TwistedBoard;

/// Returns the definition of the board with this name.
///
/// # Panics
/// Panics if the name could not have been parsed, i.e. if it has no side, a side of 0, a torus with unequal
/// sides, or a three-player board with an odd side.
///
/// # Examples
/// ```
/// use ndqueens_crosscheck::boards::definition;
///
/// let board = definition(&"3^2".parse()?);
/// assert_eq!(board.squares().count(), 9);
/// assert!(board.attacks(&[0, 0], &[2, 2]) && !board.attacks(&[0, 0], &[1, 2]));
/// # Ok::<(), ndqueens_notation::name::NameError>(())
/// ```
#[must_use]
pub fn definition(board: &BoardName) -> Box<dyn Definition> {
    match board {
        BoardName::Grid { piece, torus, sides } => Box::new(Grid::new(*piece, *torus, sides)),
        BoardName::Leaper { leaper, torus, sides } => Box::new(Leaping::new(*leaper, *torus, sides)),
        BoardName::Surface { surface, sides } => Box::new(TwistedBoard::new(*surface, *sides)),
        BoardName::Hex(side) => Box::new(Hexagon::new(*side)),
        BoardName::Three(side) => Box::new(ThreePlayer::new(*side)),
        BoardName::Sudoku(order) => Box::new(Sudoku::new(*order, false)),
        BoardName::SudokuX(order) => Box::new(Sudoku::new(*order, true)),
        BoardName::Cells(order) => Box::new(Cells::new(*order, false)),
        BoardName::CellsX(order) => Box::new(Cells::new(*order, true)),
        BoardName::File(board) => file::file_definition(board.text(), board.reading()),
    }
}
