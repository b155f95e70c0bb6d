//! Conventions for writing down a set of squares, and their errors.

use std::fmt;
use std::str::FromStr;

use ndqueens_notation::certificate::format_square;
use ndqueens_notation::escape::escape;
use ndqueens_notation::name::BoardName;
use ndqueens_notation::similar::did_you_mean;

/// A convention for writing down a set of squares.
///
/// # Examples
/// ```
/// use ndqueens_model::import::Convention;
///
/// assert_eq!("heights".parse::<Convention>()?, Convention::Heights0);
/// # Ok::<(), ndqueens_model::import::UnknownConvention>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Convention {
    /// A certificate file, or a drawing with letters for pieces.
    #[default]
    Native,
    /// Coordinates, counted from 0.
    Tuples0,
    /// Coordinates, counted from 1.
    Tuples1,
    /// Square numbers, counted from 0.
    Flat0,
    /// Square numbers, counted from 1.
    Flat1,
    /// De Groot's square numbers, counted from 1.
    DeGroot,
    /// A matrix of last coordinates, counted from 0.
    Heights0,
    /// A matrix of last coordinates, counted from 1.
    Heights1,
    /// Rows of signs.
    Picture,
}

/// Error for a text that is not the name of a convention.
///
/// # Examples
/// ```
/// use ndqueens_model::import::Convention;
///
/// assert_eq!("tuple".parse::<Convention>().expect_err("unknown").input, "tuple");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "unknown convention \"{}\"; expected one of {}{}",
    escape(input),
    Convention::ALL.map(Convention::name).join(", "),
    did_you_mean(input, Convention::ALL.map(Convention::name))
)]
pub struct UnknownConvention {
    /// The given text.
    pub input: String,
}

/// Error for a certificate that cannot be written in a convention.
///
/// # Examples
/// ```
/// use ndqueens_model::import::{Convention, Inexpressible, export};
/// use ndqueens_notation::certificate::Certificate;
///
/// let same_row = Certificate::independent("3x3".parse()?, vec![vec![0, 0], vec![0, 2]], "by hand");
/// let refused = export(&same_row, Convention::Heights0).expect_err("two heights");
/// assert!(matches!(refused, Inexpressible::SameCell { .. }));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Inexpressible {
    /// A square off the board, which has neither a square number nor a height.
    #[error(
        "the square {} is not on the board {board}, so the convention \"{convention}\" cannot express it",
        format_square(square)
    )]
    OffBoard {
        /// The square.
        square: Vec<u32>,
        /// The board.
        board: BoardName,
        /// The convention.
        convention: Convention,
    },
    /// Two squares in one cell of a matrix of heights.
    #[error(
        "heights cannot express both {} and {}, which differ in the last coordinate only",
        format_square(first),
        format_square(second)
    )]
    SameCell {
        /// The first square.
        first: Vec<u32>,
        /// The second square.
        second: Vec<u32>,
    },
    /// A board whose squares de Groot does not number.
    #[error("de Groot numbers the squares of hex:n and three:n, and the board {board} is neither")]
    NoNumbers {
        /// The board.
        board: BoardName,
    },
    /// A graph, which has no picture.
    #[error("{board} is a graph, which has no picture")]
    NoPicture {
        /// The board.
        board: BoardName,
    },
    /// A board that is not a box, so that no coordinate is a height.
    #[error("heights are for boxes of squares, and the board {board} is not a box")]
    NoBox {
        /// The board.
        board: BoardName,
    },
}

impl fmt::Display for Convention {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Convention {
    type Err = UnknownConvention;

    fn from_str(input: &str) -> Result<Self, UnknownConvention> {
        let found = Self::ALL.into_iter().find(|convention| convention.name() == input);
        found.ok_or_else(|| UnknownConvention { input: input.to_owned() })
    }
}
