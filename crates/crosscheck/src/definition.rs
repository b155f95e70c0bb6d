//! What a kind of board must define: its squares, its attacks, its symmetries.

use ndqueens_model::name::BoardName;

use crate::file;
use crate::grid::Grid;
use crate::hexagon::Hexagon;
use crate::sudoku::Sudoku;
use crate::three_player::ThreePlayer;

/// A symmetry of a board: moves a square, in place, to its image.
pub type Symmetry<'a> = Box<dyn Fn(&mut [u32]) + 'a>;

/// The definition of a board, by coordinate tuples that count from 0.
pub trait Definition {
    /// The number of coordinates of a square.
    fn dimension(&self) -> usize;

    /// Whether a tuple of [`Self::dimension`] coordinates is a square of the board.
    fn contains(&self, square: &[u32]) -> bool;

    /// Which squares there are, in words.
    fn allowed(&self) -> String;

    /// Every square once, in increasing order.
    fn squares(&self) -> Box<dyn Iterator<Item = Vec<u32>> + '_>;

    /// Whether two squares of the board attack each other. A square does not attack itself.
    fn attacks(&self, a: &[u32], b: &[u32]) -> bool;

    /// Symmetries that generate the board's symmetry group; nothing when the group is not known, which is so for graphs and
    /// for drawings in many dimensions.
    fn generators(&self) -> Option<Vec<Symmetry<'_>>>;
}

/// The definition of the board with this name.
///
/// # Panics
/// If the name could not have been parsed: no side, a side of 0, a torus with unequal sides, or an odd side for three players.
#[must_use]
pub fn definition(board: &BoardName) -> Box<dyn Definition> {
    match board {
        BoardName::Grid { piece, torus, sides } => Box::new(Grid::new(*piece, *torus, sides)),
        BoardName::Hex(side) => Box::new(Hexagon::new(*side)),
        BoardName::Three(side) => Box::new(ThreePlayer::new(*side)),
        BoardName::Sudoku(order) => Box::new(Sudoku::new(*order)),
        BoardName::File(board) => file::read(board.text()),
    }
}
