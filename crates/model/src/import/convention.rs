//! The ways in which people write down a set of squares; [`super::import`] reads and writes them.

use std::fmt;
use std::str::FromStr;

use ndqueens_notation::name::BoardName;
use ndqueens_notation::similar::did_you_mean;

use ndqueens_notation::certificate::tuple;

/// How squares are written down.
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
    /// Square numbers as de Groot has them, counted from 1.
    DeGroot,
    /// A matrix of last coordinates, counted from 0.
    Heights0,
    /// A matrix of last coordinates, counted from 1.
    Heights1,
    /// Rows of signs.
    Picture,
}

/// The text is not the name of a convention.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "unknown convention \"{input}\"; expected one of {}{}",
    Convention::ALL.map(Convention::name).join(", "),
    did_you_mean(input, Convention::ALL.map(Convention::name))
)]
pub struct UnknownConvention {
    /// The text as given.
    pub input: String,
}

/// Why a certificate cannot be written in a convention.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Inexpressible {
    /// Square numbers and heights exist for squares of the board only.
    #[error(
        "the square {} is not on the board {board}, so the convention \"{convention}\" cannot express it",
        tuple(square)
    )]
    OffBoard {
        /// The square.
        square: Vec<u32>,
        /// The board.
        board: BoardName,
        /// The convention.
        convention: Convention,
    },
    /// A matrix cell holds one height.
    #[error(
        "heights cannot express both {} and {}, which differ in the last coordinate only",
        tuple(first),
        tuple(second)
    )]
    SameCell {
        /// A square.
        first: Vec<u32>,
        /// Another one.
        second: Vec<u32>,
    },
    /// De Groot numbers the squares of his two kinds of board only.
    #[error("de Groot numbers the squares of hex:n and three:n, and the board {board} is neither")]
    NoNumbers {
        /// The board.
        board: BoardName,
    },
    /// The board is a graph.
    #[error("{board} is a graph, which has no picture")]
    NoPicture {
        /// The board.
        board: BoardName,
    },
    /// There is no last coordinate to be the height.
    #[error("heights are for boxes of squares, and the board {board} is not a box")]
    NoBox {
        /// The board.
        board: BoardName,
    },
}

impl Convention {
    /// Every convention.
    pub const ALL: [Self; 9] = [
        Self::Native,
        Self::Tuples0,
        Self::Tuples1,
        Self::Flat0,
        Self::Flat1,
        Self::DeGroot,
        Self::Heights0,
        Self::Heights1,
        Self::Picture,
    ];

    /// The name, as in commands.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Native => "native",
            Self::Tuples0 => "tuples",
            Self::Tuples1 => "tuples1",
            Self::Flat0 => "flat",
            Self::Flat1 => "flat1",
            Self::DeGroot => "degroot",
            Self::Heights0 => "heights",
            Self::Heights1 => "heights1",
            Self::Picture => "picture",
        }
    }

    /// Returns `true` for the form that ndq writes itself.
    #[must_use]
    pub fn is_native(self) -> bool {
        self == Self::Native
    }

    /// What numbers are counted from.
    #[must_use]
    pub fn base(self) -> u64 {
        match self {
            Self::Native | Self::Tuples0 | Self::Flat0 | Self::Heights0 | Self::Picture => 0,
            Self::Tuples1 | Self::Flat1 | Self::DeGroot | Self::Heights1 => 1,
        }
    }
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
