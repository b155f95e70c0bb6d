//! Errors of questions about colourings.

use ndqueens_notation::counted::counted;
use ndqueens_notation::name::BoardName;
use ndqueens_solver::colouring::operator::Operator;
use ndqueens_solver::colouring::{chromatic, cover, search};

/// Error of a question about colourings.
#[derive(Debug, thiserror::Error)]
pub enum ColourError {
    /// Symmetry for a board other than `n^2`, or for another number of colours than `n`.
    #[error("the symmetry {0} is for n-colourings of queens on n^2")]
    NoSquare(Operator),
    /// Number of colours that differs from the number of rows.
    #[error("{what} is for n-colourings, here with {}, not {colours}", counted(*side, "colour"))]
    OtherColours {
        /// Requested method or symmetry.
        what: String,
        /// Side of the board.
        side: usize,
        /// Requested number of colours.
        colours: u64,
    },
    /// Symmetry for a method that accepts none.
    #[error("the methods dsatur, greedy and edges accept no symmetry")]
    NoSymmetry,
    /// Board that is too large for classes that are solutions.
    #[error("n-colourings of n^2 are computed up to n = {most}")]
    TooWide {
        /// Largest side.
        most: usize,
    },
    /// Method that does not accept the board.
    #[error("the methods closed, cover and draw are for n-colourings of queens on n^2")]
    Method,
    /// Symmetry that the closed form does not have.
    #[error("the closed form of {side}^2 has the symmetry {has}, not {asked}")]
    ClosedSymmetry {
        /// Side of the board.
        side: usize,
        /// Symmetry of the closed form.
        has: Operator,
        /// Requested symmetry.
        asked: Operator,
    },
    /// Side without a closed form.
    #[error(
        "{0} has no closed form: it is not prime to 6 (a product needs an r-colouring, which the method auto searches for)"
    )]
    NotClosed(usize),
    /// Board that is too large for the complete algorithm.
    #[error("the complete algorithm is for n up to {}", cover::MAX_SIDE)]
    TooLong,
    /// Board that is too small or too large for random colourings.
    #[error("colourings are drawn for n from {least} to {most}", most = search::MAX_SIDE)]
    NotDrawn {
        /// Smallest side.
        least: usize,
    },
    /// Board that is too large for the complete algorithm, which the requested symmetry selects.
    #[error(
        "--symmetry none selects the complete algorithm, for n up to {most}; --symmetry auto and --method closed accept larger boards"
    )]
    NotComplete {
        /// Largest side.
        most: usize,
    },
    /// Product whose other factor has no colouring in closed form.
    #[error("a colouring in {} needs one of {rest}^2 in {rest}, which is drawn only with a time limit", counted(*side, "colour"))]
    LongFactor {
        /// Side of the board.
        side: usize,
        /// Side of the other factor.
        rest: usize,
    },
    /// Random colourings without a symmetry.
    #[error(
        "colourings are drawn with a symmetry; the search without one is the complete algorithm, for n up to {}",
        cover::MAX_SIDE
    )]
    DrawnWithoutSymmetry,
    /// Board that is too large for the methods for any board.
    #[error("{0} has more than {most} squares, the limit of dsatur, greedy and edges", most = chromatic::MAX_SQUARES)]
    TooLarge(BoardName),
    /// Set whose layers are not the classes of a colouring.
    #[error(
        "the classes are the layers of a full solution of n^d, d at least 3; this set has {} on {board}",
        counted(*queens, "queen")
    )]
    NotFull {
        /// Board of the set.
        board: BoardName,
        /// Size of the set.
        queens: usize,
    },
    /// Axis that does not exist.
    #[error("{board} has the axes 1 to {axes}; there is no axis {axis}")]
    NoAxis {
        /// Board of the full solution.
        board: BoardName,
        /// Number of axes.
        axes: usize,
        /// Axis, counted from 1.
        axis: usize,
    },
    /// Layers of another board than the requested one.
    #[error("the layers of {of} colour {layer}, not {asked}")]
    OtherBoard {
        /// Board of the full solution.
        of: BoardName,
        /// Board of its layers.
        layer: BoardName,
        /// Requested board.
        asked: BoardName,
    },
}
