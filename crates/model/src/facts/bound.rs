//! Upper bounds on the number of queens on a board, with what they rest on.

use std::fmt;

use ndqueens_notation::name::{BoardName, Piece};

use crate::board::Board;

/// What an upper bound rests on, from strongest to weakest.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Provenance {
    /// A theorem; the text cites it.
    Theorem(String),
    /// Proved, and the proof checked in this run; the text names the kind of proof and its file.
    Proved(String),
    /// In the archive, its proof not checked in this run; the text names the kind of proof and its file. What is proved with
    /// it is conditional.
    Archived(String),
    /// A solver said so in this run, in floating point. What is proved with it is conditional.
    Solved(String),
    /// Published, not checked by us; the text cites the source. What is proved with it is conditional.
    Reported(String),
    /// In the archive, and refused by the check of its proof in this run; the text says why.
    Refused(String),
}

impl Provenance {
    /// Whether a proof may use the bound without becoming conditional.
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
            Self::Refused(why) => write!(f, "refused: {why}"),
        }
    }
}

/// `alpha(board) <= value`, with its provenance.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct UpperBound {
    /// The board.
    pub board: BoardName,
    /// The bound, in queens.
    pub value: u64,
    /// What it rests on.
    pub provenance: Provenance,
}

impl UpperBound {
    /// What a program with this bound as a right-hand side holds under; `None` when the bound is proved.
    #[must_use]
    pub fn condition(&self) -> Option<String> {
        let source = match &self.provenance {
            Provenance::Theorem(_) | Provenance::Proved(_) => return None,
            Provenance::Archived(source) => format!("archive: {source}"),
            Provenance::Solved(source) | Provenance::Reported(source) => source.clone(),
            Provenance::Refused(why) => format!("refused: {why}"),
        };
        Some(format!("holds if alpha({}) <= {} [{source}]", self.board, self.value))
    }
}

impl fmt::Display for UpperBound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "alpha({}) <= {} ({})", self.board, self.value, self.provenance)
    }
}

/// Where families take their right-hand sides from.
pub trait UpperBounds: Send + Sync {
    /// The best upper bound for a board, if there is one worth a row.
    fn upper(&self, board: &BoardName) -> Option<UpperBound>;
}

/// Upper bounds that hold by theorem alone: parallel lines, unit cubes, and the planar values.
///
/// # References
/// T. Kunt, *The n-Queens Problem in Higher Dimensions*, 2023; W. Ahrens, *Mathematische Unterhaltungen und Spiele*, 1910
/// (planar solutions exist for every n except 2 and 3).
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
    fn a_bound_is_a_condition_unless_it_is_proved() {
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
