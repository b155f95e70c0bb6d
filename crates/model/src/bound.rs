//! Upper bounds on the number of queens on a board, with what they rest on.

use std::collections::HashMap;
use std::fmt;

use crate::board::Board;
use crate::boxes;
use crate::known;
use crate::ledger;
use crate::name::{BoardName, Piece};

/// What an upper bound rests on, from strongest to weakest.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Standing {
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
}

impl Standing {
    /// Whether a proof may use the bound without becoming conditional.
    #[must_use]
    pub fn is_proof(&self) -> bool {
        matches!(self, Self::Theorem(_) | Self::Proved(_))
    }

    /// The place in the order from strongest to weakest.
    fn rank(&self) -> u8 {
        match self {
            Self::Theorem(_) => 0,
            Self::Proved(_) => 1,
            Self::Archived(_) => 2,
            Self::Solved(_) => 3,
            Self::Reported(_) => 4,
        }
    }
}

impl fmt::Display for Standing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Theorem(why) => write!(f, "theorem: {why}"),
            Self::Proved(why) => write!(f, "checked in this run: {why}"),
            Self::Archived(why) => write!(f, "archived, not checked in this run: {why}"),
            Self::Solved(why) => f.write_str(why),
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

/// Where families take their right sides from.
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
            standing: Standing::Theorem(why.to_owned()),
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

/// Checks the archived proof of a bound, and gives the bound back as a proved one if it holds.
pub type Recheck = fn(&UpperBound) -> Option<UpperBound>;

/// The theorems, the values proved so far, and, if wanted, what the archive and publications say: the least wins, and of
/// equal ones the one that rests on most.
#[derive(Debug, Clone, Default)]
pub struct Bounds {
    proved: HashMap<BoardName, UpperBound>,
    archive: Archive,
    with_reported: bool,
}

/// What of the archive counts.
#[derive(Debug, Clone, Copy, Default)]
enum Archive {
    #[default]
    Nothing,
    All,
    /// What passes the check of its proof.
    Checked(Recheck),
}

impl Bounds {
    /// Theorems, and besides them all of the archive: the ledger and the table of boxes.
    #[must_use]
    pub fn with_archive() -> Self {
        Self { archive: Archive::All, ..Self::default() }
    }

    /// Theorems, and besides them what is in the archive and passes the check of its proof.
    #[must_use]
    pub fn with_checked_archive(recheck: Recheck) -> Self {
        Self { archive: Archive::Checked(recheck), ..Self::default() }
    }

    /// Theorems, and besides them all of the archive and published values.
    #[must_use]
    pub fn with_reported() -> Self {
        Self { with_reported: true, ..Self::with_archive() }
    }

    /// Adds a bound. A better one of the same board stays.
    pub fn add(&mut self, bound: UpperBound) {
        let key = bound.board.reduced();
        match self.proved.get(&key) {
            Some(known) if known.value <= bound.value => {}
            _ => drop(self.proved.insert(key, bound)),
        }
    }
}

impl UpperBounds for Bounds {
    fn upper(&self, board: &BoardName) -> Option<UpperBound> {
        let key = board.reduced();
        let mut all: Vec<_> =
            Theorems.upper(&key).into_iter().chain(self.proved.get(&key).cloned()).collect();
        let archived = || [ledger::upper(&key), boxes::lookup(&key)].into_iter().flatten();
        match self.archive {
            Archive::Nothing => {}
            Archive::All => all.extend(archived().cloned()),
            // Only what would win is worth a check.
            Archive::Checked(recheck) => {
                let known = all.iter().map(|bound| bound.value).min().unwrap_or(u64::MAX);
                all.extend(archived().filter(|bound| bound.value < known).filter_map(recheck));
            }
        }
        if self.with_reported {
            all.extend(known::lookup(&key).map(known::Known::upper_bound));
        }
        let best = all.into_iter().min_by_key(|bound| (bound.value, bound.standing.rank()))?;
        Some(UpperBound { board: board.clone(), ..best })
    }
}
