//! Why a question about colours cannot be asked.

use ndqueens_notation::name::BoardName;
use ndqueens_solver::colouring::operator::Operator;
use ndqueens_solver::colouring::{chromatic, cover, search};

/// Why a question about colours cannot be asked.
#[derive(Debug, thiserror::Error)]
pub enum ColourError {
    /// A symmetry is for square boards of queens, and for as many colours as they have rows.
    #[error("the symmetry {0} is for n-colourings of queens on n^2")]
    NoSquare(Operator),
    /// The colours are not as many as the board has rows.
    #[error("{what} is for n-colourings, {side} colours here, not {colours}")]
    OtherColours {
        /// What was asked for.
        what: String,
        /// The side of the board.
        side: usize,
        /// The colours that were asked for.
        colours: u64,
    },
    /// The methods for any board know no symmetry.
    #[error("the methods dsatur, greedy and edges accept no symmetry")]
    NoSymmetry,
    /// The board is too large for classes that are solutions.
    #[error("n-colourings of n^2 are made up to n = {most}")]
    TooWide {
        /// The longest side.
        most: usize,
    },
    /// The method does not take this board.
    #[error("the methods closed, cover and draw are for n-colourings of queens on n^2")]
    Method,
    /// The closed form has another symmetry.
    #[error("the closed form of {side}^2 has the symmetry {has}, not {asked}")]
    ClosedSymmetry {
        /// The side of the board.
        side: usize,
        /// The symmetry of the closed form.
        has: Operator,
        /// The symmetry that was asked for.
        asked: Operator,
    },
    /// There is no closed form.
    #[error(
        "{0} has no closed form: it is not prime to 6 (a product needs an r-colouring, which the method auto looks for)"
    )]
    NotClosed(usize),
    /// The board is too large for the complete algorithm.
    #[error("the complete algorithm is for n up to {}", cover::LONGEST)]
    TooLong,
    /// The board is too small or too large for colourings to be drawn.
    #[error("colourings are drawn for n from {least} to {most}", most = search::LONGEST)]
    NotDrawn {
        /// The smallest.
        least: usize,
    },
    /// The board is too large for the complete algorithm, which was asked for by its symmetry.
    #[error(
        "--symmetry none is the complete algorithm, for n up to {most}; --symmetry auto and --method closed take larger boards"
    )]
    NotComplete {
        /// The longest side.
        most: usize,
    },
    /// The other factor of a product has no colouring at hand.
    #[error("{side} colours need {rest} on {rest}^2, which are drawn only with a time limit")]
    LongFactor {
        /// The side of the board.
        side: usize,
        /// The side of the other factor.
        rest: usize,
    },
    /// Draws need a symmetry.
    #[error(
        "colourings are drawn with a symmetry; the search without one is the complete algorithm, for n up to {}",
        cover::LONGEST
    )]
    DrawnWithoutSymmetry,
    /// The board is too large for the methods for any board.
    #[error("{0} has more than {most} squares, the limit of dsatur, greedy and edges", most = chromatic::MOST_SQUARES)]
    TooLarge(BoardName),
    /// The layers of a set are no classes.
    #[error(
        "the layers of full solutions of n^d, d at least 3, are classes; this is one of {queens} queens on {board}"
    )]
    NotFull {
        /// The board of the set.
        board: BoardName,
        /// Its size.
        queens: usize,
    },
    /// There is no such axis.
    #[error("{board} has the axes 1 to {axes}; there is no axis {axis}")]
    NoAxis {
        /// The board of the full solution.
        board: BoardName,
        /// How many axes it has.
        axes: usize,
        /// The axis, counted from 1.
        axis: usize,
    },
    /// Layers colour another board.
    #[error("the layers of {of} colour {layer}, not {asked}")]
    OtherBoard {
        /// The board of the full solution.
        of: BoardName,
        /// The board of its layers.
        layer: BoardName,
        /// The board that was asked for.
        asked: BoardName,
    },
}
