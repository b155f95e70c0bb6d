//! The box table: what is known of the independence number of every box, smallest first.

use std::collections::HashMap;
use std::io::{self, Seek as _, Write};

use ndqueens_model::board::{Board, Square};
use ndqueens_model::name::{BoardName, Piece};
use tempfile::SpooledTempFile;

use super::{Answer, Order, Settings, search};
use crate::construction::cut::Cut;
use crate::construction::greedy;

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

/// Independence numbers of boxes of one piece, keyed by sorted sides.
pub struct BoxTable {
    piece: Piece,
    entries: HashMap<Vec<u32>, Entry>,
    proof: Option<Box<dyn Write + Send>>,
}

impl std::fmt::Debug for BoxTable {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("BoxTable")
            .field("piece", &self.piece)
            .field("entries", &self.entries)
            .finish_non_exhaustive()
    }
}

impl BoxTable {
    /// An empty table.
    #[must_use]
    pub fn new(piece: Piece) -> Self {
        Self { piece, entries: HashMap::new(), proof: None }
    }

    /// An empty table that writes the proof of each entry, in the order in which they are found.
    #[must_use]
    pub fn with_proof(piece: Piece, proof: Box<dyn Write + Send>) -> Self {
        Self { piece, entries: HashMap::new(), proof: Some(proof) }
    }

    /// Gives back the writer of the proof.
    pub fn take_proof(&mut self) -> Option<Box<dyn Write + Send>> {
        self.proof.take()
    }

    /// What is known of a box, if anything.
    #[must_use]
    pub fn get(&self, sides: &[u32]) -> Option<&Entry> {
        self.entries.get(&sorted(sides))
    }

    /// All entries, smallest box first.
    #[must_use]
    pub fn entries(&self) -> Vec<(&[u32], &Entry)> {
        let mut all: Vec<_> = self.entries.iter().map(|(sides, entry)| (sides.as_slice(), entry)).collect();
        all.sort_by_key(|(sides, _)| (squares(sides), *sides));
        all
    }

    /// Nodes of all searches so far.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.entries.values().map(|entry| entry.nodes).sum()
    }

    /// The upper bound of a box that is in the table.
    pub(super) fn upper(&self, sides: &[u32]) -> Option<u64> {
        self.get(sides).map(|entry| entry.upper)
    }

    /// Finds out about a box, and before it about all boxes inside, smallest first. `tell` hears of each new entry. `None`
    /// when stopped; what was found so far stays.
    ///
    /// # Errors
    /// When a proof cannot be written.
    pub fn fill(
        &mut self,
        sides: &[u32],
        settings: &Settings<'_>,
        tell: &mut dyn FnMut(&[u32], &Entry),
    ) -> io::Result<Option<Entry>> {
        for part in parts(sides) {
            if !self.entries.contains_key(&part) {
                let Some(entry) = self.find_out(&part, settings)? else { return Ok(None) };
                tell(&part, &entry);
                self.entries.insert(part, entry);
            }
        }
        Ok(self.get(sides).copied())
    }

    /// Finds out about a box whose proper parts are in the table.
    fn find_out(&mut self, sides: &[u32], settings: &Settings<'_>) -> io::Result<Option<Entry>> {
        let board = Board::new(&BoardName::grid(self.piece, false, sides));
        let mut entry = self.without_search(&board, sides);
        let mut tree = None;
        let (mut work, mut node_limit) = (FIRST_WORK, FIRST_NODES);
        for seed in settings.seed.. {
            if entry.lower == entry.upper {
                break;
            }
            let found = greedy::search_for(&board, &[], seed, work, entry.upper as usize);
            entry.lower = entry.lower.max(checked_size(&board, &found.unwrap_or_default()));
            for order in Order::ALL {
                if entry.lower == entry.upper {
                    break;
                }
                let (answer, nodes) = search(&board, entry.lower + 1, self, settings, node_limit, order)?;
                entry.nodes += nodes;
                match answer {
                    Answer::Infeasible(proof) => {
                        (entry.upper, entry.how) = (entry.lower, How::Search);
                        tree = proof;
                    }
                    Answer::Feasible(squares) => entry.lower = checked_size(&board, &squares),
                    Answer::Stopped if (settings.stop)() => return Ok(None),
                    Answer::Stopped => {}
                }
            }
            work *= 2;
            node_limit *= 2;
        }
        if let Some(out) = &mut self.proof {
            write_entry(out, sides, &entry, tree)?;
        }
        Ok(Some(entry))
    }

    /// What cuts and constructions say of a box.
    fn without_search(&self, board: &Board, sides: &[u32]) -> Entry {
        let lines = board.trivial_bound();
        let mut entry = Entry { lower: 1, upper: lines, how: How::Lines, nodes: 0 };
        for axis in 0..sides.len() {
            for width in 1..=sides[axis] / 2 {
                let part = |n: u32| {
                    let mut part = sides.to_vec();
                    part[axis] = n;
                    self.get(&part).expect("smaller boxes come first")
                };
                let (thin, thick) = (part(width), part(sides[axis] - width));
                entry.lower = entry.lower.max(thick.lower);
                if thin.upper + thick.upper < entry.upper {
                    (entry.upper, entry.how) = (thin.upper + thick.upper, How::Cut { axis, width });
                }
            }
        }
        if self.piece == Piece::Queen && entry.lower < entry.upper {
            let cut = Cut::best(sides, &[], CUT_WORK).map_or_else(Vec::new, |cut| cut.squares());
            let squares: Vec<Square> = cut.iter().filter_map(|square| board.square(square)).collect();
            entry.lower = entry.lower.max(checked_size(board, &squares));
        }
        entry
    }
}

/// Effort of the first local search, in neighbours looked at, and of the first tree search, in nodes. Both are doubled
/// until one of them settles the box.
const FIRST_WORK: u64 = 200_000;
const FIRST_NODES: u64 = 50_000;

/// Effort of the search for a subcube cut.
const CUT_WORK: u64 = 100_000;

/// The number of squares of a set, all pairs of which were tested.
///
/// # Panics
/// When two of them attack each other.
fn checked_size(board: &Board, squares: &[Square]) -> u64 {
    for (i, &a) in squares.iter().enumerate() {
        assert!(
            squares[..i].iter().all(|&b| a != b && !board.attacks(a, b)),
            "a set of {} is not independent",
            board.name()
        );
    }
    squares.len() as u64
}

fn write_entry(
    out: &mut dyn Write,
    sides: &[u32],
    entry: &Entry,
    tree: Option<SpooledTempFile>,
) -> io::Result<()> {
    let sides = sides.iter().map(u32::to_string).collect::<Vec<_>>().join("x");
    write!(out, "box {sides} {} ", entry.upper)?;
    match entry.how {
        How::Lines => writeln!(out, "lines"),
        How::Cut { axis, width } => writeln!(out, "cut {axis} {width}"),
        How::Search => {
            writeln!(out, "search")?;
            let mut tree = tree.expect("a table with a proof searches with proofs");
            tree.rewind()?;
            io::copy(&mut tree, out).map(drop)
        }
    }
}

fn sorted(sides: &[u32]) -> Vec<u32> {
    let mut key = sides.to_vec();
    key.sort_unstable();
    key
}

fn squares(sides: &[u32]) -> u64 {
    sides.iter().map(|&n| u64::from(n)).product()
}

/// The sorted sides of all boxes that lie in a box, itself included, smallest first.
fn parts(sides: &[u32]) -> Vec<Vec<u32>> {
    let mut all = vec![Vec::new()];
    for &side in sides {
        let longer = |part: Vec<u32>| (1..=side).map(move |n| part.iter().copied().chain([n]).collect());
        all = all.into_iter().flat_map(longer).collect();
    }
    for part in &mut all {
        part.sort_unstable();
    }
    all.sort_by_key(|part| (squares(part), part.clone()));
    all.dedup();
    all
}
