//! Upper bounds on the number of pieces on a board, with their provenance.

use std::fmt;

use ndqueens_notation::name::{BoardName, Piece};

use crate::board::Board;

/// Provenance of an upper bound, from the strongest to the weakest.
///
/// # Examples
/// ```
/// use ndqueens_model::facts::Provenance;
///
/// assert!(Provenance::Theorem("lines".to_owned()).is_proof());
/// assert!(!Provenance::Solved("a float solver".to_owned()).is_proof());
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Provenance {
    /// Theorem; the text cites it.
    Theorem(String),
    /// Proof that was checked in this run; the text names the kind of proof and its file.
    Proved(String),
    /// Archived bound whose proof was not checked in this run; the text names the kind of proof and its file.
    /// Results that use it are conditional.
    Archived(String),
    /// Floating-point result of a solver in this run. Results that use it are conditional.
    Solved(String),
    /// Published bound without a check; the text cites the source. Results that use it are conditional.
    Reported(String),
    /// Archived bound whose proof was rejected in this run; the text gives the reason.
    Rejected(String),
}

impl Provenance {
    /// Returns `true` if results that use the bound are unconditional.
    #[must_use]
    pub fn is_proof(&self) -> bool {
        matches!(self, Self::Theorem(_) | Self::Proved(_))
    }
}

impl fmt::Display for Provenance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Theorem(why) => write!(f, "theorem: {why}"),
            Self::Proved(why) => write!(f, "checked in this run: {why}"),
            Self::Archived(why) => write!(f, "archived, not checked in this run: {why}"),
            Self::Solved(why) => f.write_str(why),
            Self::Reported(why) => write!(f, "reported: {why}"),
            Self::Rejected(why) => write!(f, "refused: {why}"),
        }
    }
}

/// The upper bound `alpha(board) <= value`, with its provenance.
///
/// # Examples
/// ```
/// use ndqueens_model::facts::{Theorems, UpperBounds as _};
///
/// let bound = Theorems.upper(&"6^3".parse()?).expect("lines partition the board");
/// assert_eq!(bound.value, 27);
/// assert!(bound.provenance.is_proof() && bound.condition().is_none());
/// # Ok::<(), ndqueens_notation::name::NameError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct UpperBound {
    /// The board.
    pub board: BoardName,
    /// The bound, in pieces.
    pub value: u64,
    /// Evidence for the bound.
    pub provenance: Provenance,
}

impl UpperBound {
    /// Returns the condition of results that use this bound, or `None` if the bound is proved.
    #[must_use]
    pub fn condition(&self) -> Option<String> {
        let source = match &self.provenance {
            Provenance::Theorem(_) | Provenance::Proved(_) => return None,
            Provenance::Archived(source) => format!("archive: {source}"),
            Provenance::Solved(source) | Provenance::Reported(source) => source.clone(),
            Provenance::Rejected(why) => format!("refused: {why}"),
        };
        Some(format!("holds if alpha({}) <= {} [{source}]", self.board, self.value))
    }
}

impl fmt::Display for UpperBound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "alpha({}) <= {} ({})", self.board, self.value, self.provenance)
    }
}

/// Source of upper bounds, which families use as right-hand sides.
///
/// # Examples
/// ```
/// use ndqueens_model::facts::{Theorems, UpperBounds};
///
/// let bound = Theorems.upper(&"2^3".parse()?).expect("a theorem");
/// assert_eq!(bound.value, 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait UpperBounds: Send + Sync {
    /// Returns the best upper bound for a board, or `None` if none is known.
    fn upper(&self, board: &BoardName) -> Option<UpperBound>;
}

/// Upper bounds by theorems: partitions into parallel lines or into boxes of side 2, and the value of `3^2`.
///
/// # Examples
/// ```
/// use ndqueens_model::facts::{Theorems, UpperBounds};
///
/// let bound = Theorems.upper(&"2^3".parse()?).expect("a theorem");
/// assert_eq!(bound.value, 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # References
/// T. Kunt, *The n-Queens Problem in Higher Dimensions*, 2023; W. Ahrens, *Mathematische Unterhaltungen und
/// Spiele*, 1910 (planar solutions exist for every n except 2 and 3).
#[derive(Debug, Clone, Copy)]
pub struct Theorems;

impl UpperBounds for Theorems {
    fn upper(&self, board: &BoardName) -> Option<UpperBound> {
        let bound = |value: u64, why: &str| UpperBound {
            board: board.clone(),
            value,
            provenance: Provenance::Theorem(why.to_owned()),
        };
        let trivial = Board::new(board).trivial_bound();
        let BoardName::Grid { piece, torus, sides } = board else {
            return Some(bound(trivial, "cliques partition the board"));
        };
        let trivial = bound(trivial, "parallel lines partition the board");
        if *piece != Piece::Queen {
            return Some(trivial);
        }
        let cubes = sides.iter().map(|&n| u64::from(n.div_ceil(2))).product();
        let mut known =
            vec![trivial, bound(cubes, "boxes of side 2 partition the board, and each is a clique")];
        if sides.len() == 2 && sides.iter().all(|&n| n == 3) && !torus {
            known.push(bound(2, "three queens do not fit on 3^2"));
        }
        known.into_iter().min_by_key(|bound| bound.value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_unproved_bounds_are_conditions() {
        let condition = |provenance: fn(String) -> Provenance| {
            let board = BoardName::queen(&[5; 4]);
            UpperBound { board, value: 38, provenance: provenance("Somebody 2001".to_owned()) }.condition()
        };
        assert_eq!(condition(Provenance::Theorem), None);
        assert_eq!(condition(Provenance::Proved), None);
        for provenance in [Provenance::Solved, Provenance::Reported] {
            let expected = "holds if alpha(5^4) <= 38 [Somebody 2001]";
            assert_eq!(condition(provenance).as_deref(), Some(expected));
        }
        let archived = condition(Provenance::Archived).expect("a condition");
        assert_eq!(archived, "holds if alpha(5^4) <= 38 [archive: Somebody 2001]");
    }
}
