//! Upper bounds on the number of queens on a board, with what they rest on.

use std::fmt;

use crate::name::BoardName;

/// What an upper bound rests on. The order is from strongest to weakest.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Standing {
    /// A theorem; the text cites it.
    Theorem(String),
    /// Proved by this workbench; the text names the kind of proof and where it is recorded.
    Proved(String),
    /// Published, not checked by us; the text cites the source. What is proved with it is conditional.
    Reported(String),
}

impl Standing {
    /// Whether a proof may use the bound without becoming conditional.
    #[must_use]
    pub fn is_proof(&self) -> bool {
        !matches!(self, Self::Reported(_))
    }
}

impl fmt::Display for Standing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Theorem(why) => write!(f, "theorem: {why}"),
            Self::Proved(why) => write!(f, "proved here: {why}"),
            Self::Reported(why) => write!(f, "reported: {why}"),
        }
    }
}

/// `alpha(board) <= value`, with its standing.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct UpperBound {
    /// The board.
    pub board: BoardName,
    /// The bound, in queens.
    pub value: u64,
    /// What it rests on.
    pub standing: Standing,
}

impl fmt::Display for UpperBound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "alpha({}) <= {} ({})", self.board, self.value, self.standing)
    }
}
