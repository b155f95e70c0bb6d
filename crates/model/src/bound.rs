//! Upper bounds on the number of queens on a board, with what they rest on.

use std::collections::HashMap;
use std::fmt;

use crate::board::Board;
use crate::boxes;
use crate::known;
use crate::ledger;
use crate::name::{BoardName, Piece};

/// What an upper bound rests on. The order is from strongest to weakest.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Standing {
    /// A theorem; the text cites it.
    Theorem(String),
    /// Proved by this workbench, the proof kept beside it; the text names the kind of proof and where it is recorded.
    Proved(String),
    /// Proved and checked by this workbench once, the proof too large to be kept: it can be made again, and is not here to be
    /// checked again. The text is as for [`Self::Proved`].
    Recorded(String),
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
            Self::Recorded(why) => write!(f, "proved here, proof not kept: {why}"),
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

/// The theorems, the values proved so far, and, if wanted, what was proved here before and published values: the least wins, and of
/// equal ones the one that rests on most.
#[derive(Debug, Clone, Default)]
pub struct Bounds {
    proved: HashMap<BoardName, UpperBound>,
    with_ledger: bool,
    kept_only: bool,
    /// Rows of a ledger that takes the place of the built-in one and the table of boxes.
    rows: Option<HashMap<BoardName, UpperBound>>,
    with_reported: bool,
}

impl Bounds {
    /// Theorems, and besides them what was proved here: the ledger and the table of boxes.
    #[must_use]
    pub fn with_ledger() -> Self {
        Self { with_ledger: true, ..Self::default() }
    }

    /// Theorems, and besides them what was proved here by proofs that are kept, so that anyone can check them again.
    #[must_use]
    pub fn with_kept_proofs() -> Self {
        Self { kept_only: true, ..Self::with_ledger() }
    }

    /// Theorems, and besides them what was proved here and published values.
    #[must_use]
    pub fn with_reported() -> Self {
        Self { with_reported: true, ..Self::with_ledger() }
    }

    /// The same, but with these bounds in the place of the ledger and the table of boxes that are built in.
    #[must_use]
    pub fn with_rows(self, rows: impl Iterator<Item = UpperBound>) -> Self {
        Self { rows: Some(rows.map(|row| (row.board.reduced(), row)).collect()), ..self }
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
        let mut all = vec![Theorems.upper(&key), self.proved.get(&key).cloned()];
        if let Some(rows) = &self.rows {
            all.push(rows.get(&key).cloned());
        } else if self.with_ledger {
            all.extend([boxes::lookup(&key).cloned(), ledger::upper(&key).cloned()]);
        }
        if self.with_reported {
            all.push(known::lookup(&key).map(known::Known::upper_bound));
        }
        let counts =
            |bound: &UpperBound| !(self.kept_only && matches!(bound.standing, Standing::Recorded(_)));
        let all = all.into_iter().flatten().filter(counts);
        let best = all.min_by(|a, b| (a.value, &a.standing).cmp(&(b.value, &b.standing)))?;
        Some(UpperBound { board: board.clone(), ..best })
    }
}
