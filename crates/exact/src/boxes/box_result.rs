//! What is known of one box, with what shows it.

use std::io::{self, Seek as _, SeekFrom, Write};

use ndqueens_model::board::{Board, Square};
use tempfile::SpooledTempFile;

use crate::proof::{HELD_IN_MEMORY, Tree};
use crate::search::indexed_board::{IndexedBoard, Order};

/// What is known of a box.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Entry {
    /// Queens on a placement that was found and checked pair by pair.
    pub lower: u64,
    /// The proved upper bound.
    pub upper: u64,
    /// What proves the upper bound.
    pub how: How,
    /// Search nodes of the proof.
    pub nodes: u64,
}

impl Entry {
    /// Whether lower and upper bound meet.
    #[must_use]
    pub fn is_closed(&self) -> bool {
        self.lower == self.upper
    }
}

/// What proves an upper bound.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum How {
    /// As many parallel lines as this partition the box.
    Lines,
    /// The box is cut across this axis (of the sorted sides) at this width, and both parts are bounded.
    Cut {
        /// The axis.
        axis: usize,
        /// The width of the first part.
        width: u32,
    },
    /// A finished search.
    Search,
}

/// A short tree has so many bytes at most.
const SHORT: u64 = 1 << 24;

/// A board on which lower and upper bound meet, or the limit on nodes was met.
#[derive(Debug)]
pub(crate) struct BoxResult {
    pub(crate) entry: Entry,
    /// A placement of `lower` queens, as coordinates.
    pub(crate) placement: Vec<Vec<u32>>,
    /// The tree of the search, when one was needed and proofs are written.
    pub(crate) tree: Option<SpooledTempFile>,
    /// Whether a better result is kept that rests on bounds which are not there yet.
    pub(crate) waits: bool,
}

impl BoxResult {
    /// What is known of a board before anything is tried.
    pub(crate) fn nothing(board: &Board) -> Self {
        let entry = Entry { lower: 0, upper: board.size() as u64 + 1, how: How::Search, nodes: 0 };
        Self { entry, placement: Vec::new(), tree: None, waits: false }
    }

    /// What a partition of a board into cliques says of it.
    pub(crate) fn of_partition(board: &Board, proofs: bool) -> io::Result<Self> {
        let mut result = Self::nothing(board);
        result.entry.upper = board.trivial_bound();
        if proofs {
            let order = Order::Lexicographic;
            let indexed = IndexedBoard::new(board, order, false);
            let mut out = SpooledTempFile::new(HELD_IN_MEMORY);
            writeln!(out, "order {}", order.word())?;
            let mut tree = Tree::new(out, board, &indexed, &[]);
            let places = |clique: Vec<Square>| indexed.set(clique).ones().collect();
            tree.named(&board.partition().into_iter().map(places).collect::<Vec<_>>());
            result.tree = Some(tree.finish()?);
        }
        Ok(result)
    }

    /// Copies the tree to a proof.
    pub(crate) fn write_tree(&mut self, out: &mut dyn Write) -> io::Result<()> {
        let tree = self.tree.as_mut().expect("a search that is to be proved writes its tree");
        tree.rewind()?;
        io::copy(tree, out).map(drop)
    }

    /// The tree of a search that proves the upper bound, if it is no longer than that.
    pub(crate) fn short_tree(&mut self) -> io::Result<Option<Vec<u8>>> {
        let Some(tree) = self.tree.as_mut().filter(|_| self.entry.how == How::Search) else {
            return Ok(None);
        };
        if tree.seek(SeekFrom::End(0))? > SHORT {
            return Ok(None);
        }
        let mut text = Vec::new();
        self.write_tree(&mut text)?;
        Ok(Some(text))
    }

    /// With the better placement and the better bound of the two.
    pub(crate) fn or_better(mut self, other: Self) -> Self {
        if other.entry.lower > self.entry.lower {
            (self.entry.lower, self.placement) = (other.entry.lower, other.placement);
        }
        if other.entry.upper < self.entry.upper {
            (self.entry.upper, self.entry.how, self.tree) = (other.entry.upper, other.entry.how, other.tree);
        }
        self
    }

    /// Whether lower and upper bound meet, or no more nodes may be spent.
    pub(crate) fn is_over(&self, node_limit: u64) -> bool {
        self.entry.is_closed() || self.entry.nodes >= node_limit
    }

    pub(crate) fn improve(&mut self, board: &Board, squares: &[Square]) {
        if squares.len() as u64 > self.entry.lower {
            self.entry.lower = checked_size(board, squares);
            self.placement = squares.iter().map(|&square| board.coordinates(square)).collect();
        }
    }
}

/// The number of squares of a set, all pairs of which were tested.
///
/// # Panics
/// When two of them attack each other.
pub(crate) fn checked_size(board: &Board, squares: &[Square]) -> u64 {
    assert!(is_independent(board, squares), "a set of {} is not independent", board.name());
    squares.len() as u64
}

/// Whether no two squares are the same or attack each other, pair by pair.
pub(crate) fn is_independent(board: &Board, squares: &[Square]) -> bool {
    let alone = |i: usize| squares[..i].iter().all(|&b| squares[i] != b && !board.attacks(squares[i], b));
    (0..squares.len()).all(alone)
}

/// The sides as in the name of a board.
pub(crate) fn shown(sides: &[u32]) -> String {
    sides.iter().map(u32::to_string).collect::<Vec<_>>().join("x")
}

/// Writes what a proof says of a box.
pub(crate) fn write_entry(out: &mut dyn Write, sides: &[u32], result: &mut BoxResult) -> io::Result<()> {
    write!(out, "box {} {} ", shown(sides), result.entry.upper)?;
    match result.entry.how {
        How::Lines => writeln!(out, "lines"),
        How::Cut { axis, width } => writeln!(out, "cut {} {width}", axis + 1),
        How::Search => {
            writeln!(out, "search")?;
            result.write_tree(out)
        }
    }
}
