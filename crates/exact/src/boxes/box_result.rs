//! Bounds of one box, with a placement and a proof.

use std::io::{self, Seek as _, SeekFrom, Write};

use ndqueens_model::board::{Board, Square};
use tempfile::SpooledTempFile;

use crate::proof::{MAX_BYTES_IN_MEMORY, ProofTreeWriter};
use crate::search::indexed_board::{IndexedBoard, Order};

/// Bounds of a box.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Entry {
    /// Number of queens of a placement that was found and verified pair by pair.
    pub lower: u64,
    /// Proved upper bound.
    pub upper: u64,
    /// Justification of the upper bound.
    pub justification: Justification,
    /// Number of search nodes spent on the box.
    pub nodes: u64,
}

impl Entry {
    /// Returns `true` if the lower and the upper bound coincide.
    #[must_use]
    pub fn is_closed(&self) -> bool {
        self.lower == self.upper
    }
}

/// Justification of an upper bound.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Justification {
    /// Partition of the box into as many parallel lines as the bound.
    Lines,
    /// Cut of the box across an axis into two parts whose bounds sum to this one.
    Cut {
        /// Axis, in the order of the sorted sides.
        axis: usize,
        /// Width of the first part.
        width: u32,
    },
    /// Search that was run to its end.
    Search,
}

/// Maximum number of bytes of a short tree.
const MAX_SHORT_TREE_BYTES: u64 = 1 << 24;

/// Result for a board: its bounds with a placement and the tree that proves the upper bound.
#[derive(Debug)]
pub(crate) struct BoxResult {
    pub(crate) entry: Entry,
    /// Placement of `lower` queens, as coordinates.
    pub(crate) placement: Vec<Vec<u32>>,
    /// Tree of the search, if one was needed and proofs are written.
    pub(crate) tree: Option<SpooledTempFile>,
    /// `true` if the cache has a better result that depends on bounds not proved yet.
    pub(crate) has_pending_entry: bool,
}

impl BoxResult {
    /// Returns the trivial result of a board, whose bounds are 0 and the number of squares plus 1.
    pub(crate) fn unknown(board: &Board) -> Self {
        let entry = Entry {
            lower: 0,
            upper: board.size() as u64 + 1,
            justification: Justification::Search,
            nodes: 0,
        };
        Self { entry, placement: Vec::new(), tree: None, has_pending_entry: false }
    }

    /// Returns the bound given by a partition of the board into cliques.
    ///
    /// # Errors
    /// Returns an error if the tree cannot be written to its temporary file.
    pub(crate) fn from_partition(board: &Board, proofs: bool) -> io::Result<Self> {
        let mut result = Self::unknown(board);
        result.entry.upper = board.trivial_bound();
        if proofs {
            let order = Order::Lexicographic;
            let indexed = IndexedBoard::new(board, order, false);
            let mut out = SpooledTempFile::new(MAX_BYTES_IN_MEMORY);
            writeln!(out, "order {}", order.keyword())?;
            let mut tree = ProofTreeWriter::new(out, board, &indexed, &[]);
            let to_places = |clique: Vec<Square>| indexed.place_set(clique).ones().collect();
            tree.write_clique_cover(&board.partition().into_iter().map(to_places).collect::<Vec<_>>());
            result.tree = Some(tree.finish()?);
        }
        Ok(result)
    }

    /// Copies the tree to `out`.
    pub(crate) fn write_tree(&mut self, out: &mut dyn Write) -> io::Result<()> {
        let tree = self.tree.as_mut().expect("a search writes its tree if proofs are written");
        tree.rewind()?;
        io::copy(tree, out).map(drop)
    }

    /// Returns the tree that proves the upper bound, or `None` if no search proved
    /// the bound or the tree is longer than 16 MiB.
    pub(crate) fn short_tree(&mut self) -> io::Result<Option<Vec<u8>>> {
        let Some(tree) = self.tree.as_mut().filter(|_| self.entry.justification == Justification::Search)
        else {
            return Ok(None);
        };
        if tree.seek(SeekFrom::End(0))? > MAX_SHORT_TREE_BYTES {
            return Ok(None);
        }
        let mut text = Vec::new();
        self.write_tree(&mut text)?;
        Ok(Some(text))
    }

    /// Combines the better placement and the better upper bound of two results.
    pub(crate) fn merge(mut self, other: Self) -> Self {
        if other.entry.lower > self.entry.lower {
            (self.entry.lower, self.placement) = (other.entry.lower, other.placement);
        }
        if other.entry.upper < self.entry.upper {
            (self.entry.upper, self.entry.justification, self.tree) =
                (other.entry.upper, other.entry.justification, other.tree);
        }
        self
    }

    /// Returns `true` if the lower and the upper bound coincide or the node limit is reached.
    pub(crate) fn is_finished(&self, node_limit: u64) -> bool {
        self.entry.is_closed() || self.entry.nodes >= node_limit
    }

    /// Replaces the placement if `squares` has more queens.
    pub(crate) fn improve(&mut self, board: &Board, squares: &[Square]) {
        if squares.len() as u64 > self.entry.lower {
            self.entry.lower = verify_independent(board, squares);
            self.placement = squares.iter().map(|&square| board.coordinates(square)).collect();
        }
    }
}

/// Verifies that a set is independent and returns its size.
///
/// # Panics
/// Panics if two of the squares are equal or attack each other.
pub(crate) fn verify_independent(board: &Board, squares: &[Square]) -> u64 {
    assert!(is_independent(board, squares), "a set of squares of {} is not independent", board.name());
    squares.len() as u64
}

/// Returns `true` if no two of the squares are equal or attack each other; tests all pairs.
pub(crate) fn is_independent(board: &Board, squares: &[Square]) -> bool {
    let is_compatible =
        |i: usize| squares[..i].iter().all(|&b| squares[i] != b && !board.attacks(squares[i], b));
    (0..squares.len()).all(is_compatible)
}

/// Formats sides as in the name of a board, e.g. `3x4x4`.
pub(crate) fn format_sides(sides: &[u32]) -> String {
    sides.iter().map(u32::to_string).collect::<Vec<_>>().join("x")
}

/// Writes the bound of a box as in a proof.
pub(crate) fn write_entry(out: &mut dyn Write, sides: &[u32], result: &mut BoxResult) -> io::Result<()> {
    write!(out, "box {} {} ", format_sides(sides), result.entry.upper)?;
    match result.entry.justification {
        Justification::Lines => writeln!(out, "lines"),
        Justification::Cut { axis, width } => writeln!(out, "cut {} {width}", axis + 1),
        Justification::Search => {
            writeln!(out, "search")?;
            result.write_tree(out)
        }
    }
}
