//! The exact engine: a proof that k queens do not fit, by nested slab bounds.
//!
//! It finds the independence number of a board and writes a proof, which a crate checks that shares no code with this one:
//!
//! ```
//! use ndqueens_control::Control;
//! use ndqueens_crosscheck::proof;
//! use ndqueens_exact::{Settings, maximum};
//! use ndqueens_model::board::Board;
//! use ndqueens_model::name::BoardName;
//!
//! let name: BoardName = "4^3".parse()?;
//! let (board, control) = (Board::new(&name), Control::new());
//! let mut text = Vec::new();
//! let found = maximum(&board, &Settings::new(&control), Some(&mut text), &mut |_| {})?;
//! let proved = proof::check(text.as_slice(), &|board| board.parse().map_err(|_| format!("no board {board}")))?;
//! assert_eq!((found.value, proved.at_most()), (7, 7));
//! assert_eq!(*proved.board(), name);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | module | is |
//! | --- | --- |
//! | [`table`] | what is known of every box in a board, smallest first |
//! | [`box_cache`] | boxes kept between runs |
//! | [`proof`] | the form of the proofs |
//! | [`lp`] | what the engine asks of a solver of linear programmes, for its relaxations |
//! | [`veripb`] | proofs for VeriPB, a checker that others wrote |
//!
//! The search itself is a [`Question`]: whether k queens fit, answered at once, on several threads, or part by part.

mod bits;
pub mod box_cache;
mod box_result;
mod enumeration;
mod group;
mod indexed;
pub mod lp;
pub mod proof;
mod question;
mod refutation;
mod relaxation;
mod search;
pub mod table;
pub mod veripb;

use std::io::{self, Write};

use ndqueens_model::board::{Board, Grid, Square};
use ndqueens_model::name::Piece;

use self::box_cache::BoxCache;
use self::box_result::{BoxResult, Entry};
pub use self::enumeration::{Enumeration, Tally};
pub use self::indexed::Order;
use self::lp::LpSolver;
pub use self::question::{Answer, Estimate, Question, Slab, Split};
pub use self::search::Share;
use self::table::BoxTable;
use ndqueens_control::{Control, with_threads};

/// The components of the search that it could do without; what it answers does not depend on them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Components {
    /// Slabs of a box must hold what does not fit into the rest of it.
    pub demands: bool,
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

impl Components {
    /// All of them.
    pub const ALL: Self =
        Self { demands: true, symmetry: true, second_cover: true, narrowest: true, relax: Relax::LargeTrees };
}

/// What places queens for the engine, which tests every set that it is given.
pub trait PrimalHeuristics: Sync + std::fmt::Debug {
    /// An independent set in closed form, with so much work for its parameters, if there is one.
    fn construct(&self, board: &Board, work: u64) -> Option<Vec<Square>>;

    /// An independent set by local search: it ends when the set has `target` squares, or so much work is done. `None` when the
    /// board is too large.
    fn search(&self, board: &Board, seed: u64, work: u64, target: usize) -> Option<Vec<Square>>;
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
    pub target: u64,
    /// Which components of the search are used.
    pub components: Components,
    /// Whether the trees are written down as proofs.
    pub proofs: bool,
    /// What places queens for the lower bounds; without it the search finds them.
    pub heuristics: Option<&'a dyn PrimalHeuristics>,
    /// What solves relaxations; without it there are none.
    pub lp: Option<&'a dyn LpSolver>,
    /// Where result boxes are taken from and kept.
    pub box_cache: Option<&'a dyn BoxCache>,
    /// For stopping and watching.
    pub control: &'a Control,
}

impl<'a> Settings<'a> {
    /// All components, without limits, on one thread; no heuristics, relaxations and proofs.
    #[must_use]
    pub const fn new(control: &'a Control) -> Self {
        Self {
            seed: 0,
            threads: 1,
            node_limit: u64::MAX,
            target: u64::MAX,
            components: Components::ALL,
            proofs: false,
            heuristics: None,
            lp: None,
            box_cache: None,
            control,
        }
    }
}

/// How the engine ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Termination {
    /// It has bounded all that it was asked for, as far as the limit on nodes allows.
    Finished,
    /// As many queens as are asked for are placed.
    TargetReached,
    /// The control was stopped.
    Stopped,
}

impl Termination {
    /// Whether it finished.
    #[must_use]
    pub fn is_finished(self) -> bool {
        self == Self::Finished
    }
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
    /// How the engine ended; a proof that it began is whole when it finished.
    pub end: Termination,
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
            let end = boxes.fill(grid.sides(), &settings, out, tell)?;
            let Entry { lower, upper, .. } = *boxes.get(grid.sides()).expect("the box was filled in");
            let placement = boxes.placement(grid.sides()).expect("each entry has a placement");
            Maximum { value: lower, upper, placement, nodes: boxes.nodes(), end, boxes }
        }
        None => {
            let nothing = BoxResult::nothing(board);
            let mut result = table::close_gap(board, &boxes, &settings, nothing)?;
            let end = if result.entry.lower >= settings.target {
                Termination::TargetReached
            } else if settings.control.is_stopped() {
                Termination::Stopped
            } else {
                Termination::Finished
            };
            if let Some(out) = proof.as_mut().filter(|_| end.is_finished()) {
                writeln!(out, "search {}", result.entry.upper)?;
                result.write_tree(*out)?;
            }
            let BoxResult { entry, placement, .. } = result;
            Maximum { value: entry.lower, upper: entry.upper, placement, nodes: entry.nodes, end, boxes }
        }
    };
    if let Some(out) = proof.filter(|_| maximum.end.is_finished()) {
        write!(out, "at most {}\nend\n", maximum.upper)?;
        out.flush()?;
    }
    Ok(maximum)
}
