//! The exact engine: a proof that k queens do not fit, by nested slab bounds.

mod bits;
mod enumeration;
mod group;
pub mod proof;
mod question;
mod refutation;
mod relaxation;
mod search;
pub mod shelf;
pub mod table;
pub mod veripb;

use std::io::{self, Write};
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicBool, AtomicU64};

use ndqueens_model::board::{Board, Grid};
use ndqueens_model::name::Piece;
use serde::{Deserialize, Serialize};

pub use self::enumeration::{Enumeration, Tally};
pub use self::question::{Answer, Estimate, Question, Slab, Split};
pub use self::search::Share;
use self::shelf::Shelf;
use self::table::{BoxTable, Entry, Settled};

/// What the engine shares with whoever watches it, on another thread.
#[derive(Debug, Default)]
pub struct Control {
    stopped: AtomicBool,
    nodes: AtomicU64,
    /// In units of 2^-50.
    done: AtomicU64,
}

/// One, as a control counts what is done.
const WHOLE: f64 = (1u64 << 50) as f64;

impl Control {
    /// A control that nobody has used.
    #[must_use]
    pub const fn new() -> Self {
        Self { stopped: AtomicBool::new(false), nodes: AtomicU64::new(0), done: AtomicU64::new(0) }
    }

    /// Asks the engine to stop.
    pub fn stop(&self) {
        self.stopped.store(true, Relaxed);
    }

    /// Whether the engine was asked to stop.
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        self.stopped.load(Relaxed)
    }

    /// Search nodes so far, those of searches that led nowhere included.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.nodes.load(Relaxed)
    }

    /// The part of their trees that is done, from 0 to 1 each, of all searches together.
    #[must_use]
    pub fn done(&self) -> f64 {
        self.done.load(Relaxed) as f64 / WHOLE
    }

    pub(crate) fn count(&self, nodes: u64, done: f64) {
        self.nodes.fetch_add(nodes, Relaxed);
        self.done.fetch_add((done * WHOLE) as u64, Relaxed);
    }

    /// So much of a tree is to be done again.
    pub(crate) fn take_back(&self, done: f64) {
        // Sums of rounded parts may be less than the rounded sum.
        let less = |counted: u64| Some(counted.saturating_sub((done * WHOLE) as u64));
        let _ = self.done.fetch_update(Relaxed, Relaxed, less);
    }
}

/// The means of the search that it could do without; what it answers does not depend on them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Means {
    /// Slabs of a box must hold what does not fit into the rest of it.
    pub needs: bool,
    /// Orbital branching at the top.
    pub symmetry: bool,
    /// A second cover, from the other end of the order of squares, where the first is promising.
    pub second_cover: bool,
    /// Branching where the covers leave the fewest squares over, and not always on the whole board.
    pub narrowest: bool,
    /// Where the LP relaxation is solved.
    pub relax: Relax,
}

/// At which nodes the LP relaxation is solved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Relax {
    /// At none.
    Never,
    /// In boxes of four dimensions or more, where a tree is large. In three dimensions slabs say as much, and sooner.
    LargeTrees,
    /// At all nodes.
    Always,
}

impl Means {
    /// All of them.
    pub const ALL: Self =
        Self { needs: true, symmetry: true, second_cover: true, narrowest: true, relax: Relax::LargeTrees };
}

/// How the engine works.
#[derive(Debug, Clone, Copy)]
pub struct Settings<'a> {
    /// Seed of the local search.
    pub seed: u64,
    /// Threads that work on boxes, or on parts of a tree, at a time; neither maximum nor proof depends on it.
    pub threads: usize,
    /// Nodes after which a box, or a board that is none, is left with bounds that do not meet.
    pub node_limit: u64,
    /// As many queens as are asked for: where they are placed, the engine stops by itself, without a proof of its own.
    pub enough: u64,
    /// Which of the search's means are used.
    pub means: Means,
    /// Whether the trees are written down as proofs.
    pub proofs: bool,
    /// Where settled boxes are taken from and kept.
    pub shelf: Option<&'a dyn Shelf>,
    /// For stopping and watching.
    pub control: &'a Control,
}

/// What is known of the maximum on a board.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Maximum {
    /// The most queens that were found: the independence number, unless the limit on nodes was met or the engine stopped.
    pub value: u64,
    /// No more than these fit.
    pub upper: u64,
    /// A placement of `value` queens, as coordinates.
    pub placement: Vec<Vec<u32>>,
    /// Search nodes.
    pub nodes: u64,
    /// Whether the engine came to its end; a proof that it began is whole then.
    pub finished: bool,
    /// All boxes in the board, itself included; none when it is not a plain box.
    pub boxes: BoxTable,
}

/// What the engine tells while it works on a board.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Step<'a> {
    /// The box.
    pub sides: &'a [u32],
    /// What was found out.
    pub entry: Entry,
}

/// The largest board that the search can hold.
pub const MOST_SQUARES: usize = 4096;

fn too_large(board: &Board) -> io::Error {
    let words = format!(
        "{} has more than {MOST_SQUARES} squares, the most that the exact engine takes",
        board.name()
    );
    io::Error::new(io::ErrorKind::InvalidInput, words)
}

/// Finds the independence number of a board, and proves it to `proof` if there is one. When stopped, what is known so far,
/// and a proof that breaks off.
///
/// # Errors
/// When a proof cannot be written, or the board has more squares than the search can hold.
pub fn maximum(
    board: &Board,
    settings: &Settings<'_>,
    proof: Option<&mut (dyn Write + Send)>,
    tell: &mut (dyn FnMut(Step<'_>) + Send),
) -> io::Result<Maximum> {
    with_threads(settings.threads, || maximum_here(board, settings, proof, tell))?
}

/// Does something with so many threads for what it does in parallel.
///
/// # Errors
/// When the threads cannot be had.
pub fn with_threads<T: Send>(threads: usize, work: impl FnOnce() -> T + Send) -> io::Result<T> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads.max(1)).build();
    Ok(pool.map_err(io::Error::other)?.install(work))
}

fn maximum_here(
    board: &Board,
    settings: &Settings<'_>,
    mut proof: Option<&mut (dyn Write + Send)>,
    tell: &mut dyn FnMut(Step<'_>),
) -> io::Result<Maximum> {
    if board.size() > MOST_SQUARES {
        return Err(too_large(board));
    }
    let settings = Settings { proofs: proof.is_some(), ..*settings };
    let mut boxes = BoxTable::new(board.grid().map_or(Piece::Queen, Grid::piece));
    if let Some(out) = &mut proof {
        write!(out, "{}\nboard {}\n", proof::HEADER, board.name())?;
    }
    let maximum = match board.grid().filter(|grid| !grid.is_torus()) {
        Some(grid) => {
            let tell = &mut |sides: &[u32], entry: &Entry| {
                tell(Step { sides, entry: *entry });
            };
            let out = proof.as_deref_mut().map(|out| out as &mut dyn Write);
            let finished = boxes.fill(grid.sides(), &settings, out, tell)?;
            let Entry { lower, upper, .. } = *boxes.get(grid.sides()).expect("the box was filled in");
            let placement = boxes.placement(grid.sides()).expect("each entry has a placement");
            Maximum { value: lower, upper, placement, nodes: boxes.nodes(), finished, boxes }
        }
        None => {
            let nothing = Settled::nothing(board);
            let mut settled = table::settle(board, &boxes, &settings, nothing)?;
            if settled.entry.lower >= settings.enough {
                settings.control.stop();
            }
            let finished = !settings.control.is_stopped();
            if let Some(out) = proof.as_mut().filter(|_| finished) {
                writeln!(out, "search {}", settled.entry.upper)?;
                settled.write_tree(*out)?;
            }
            let Settled { entry, placement, .. } = settled;
            Maximum { value: entry.lower, upper: entry.upper, placement, nodes: entry.nodes, finished, boxes }
        }
    };
    if let Some(out) = proof.filter(|_| maximum.finished) {
        write!(out, "at most {}\nend\n", maximum.upper)?;
        out.flush()?;
    }
    Ok(maximum)
}

/// The order in which the search numbers the squares.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Order {
    /// As the board does.
    Lexicographic,
    /// Along the Morton curve: the bits of the coordinates interleaved.
    Morton,
}

impl Order {
    /// Every order, in which they are tried.
    pub const ALL: [Self; 2] = [Self::Lexicographic, Self::Morton];
}

/// The place of a square on the Morton curve.
fn morton(coordinates: &[u32]) -> u128 {
    let mut key = 0;
    for bit in (0..128 / coordinates.len().max(1)).rev().filter(|&bit| bit < 32) {
        for &c in coordinates {
            key = key << 1 | u128::from(c >> bit & 1);
        }
    }
    key
}
