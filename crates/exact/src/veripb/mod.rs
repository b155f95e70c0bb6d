//! Proofs for the external checker VeriPB that a placement is maximum, derived from the
//! line constraints only.
//!
//! The formula is the one written by the crate `crosscheck`: the formulation `base` in the OPB format, with
//! variables `x1`, `x2`, ... for the squares and one constraint per line, in the order of [`Board::lines`].
//! The proof first logs the placement, which adds the constraint that a solution has one more queen, and then
//! derives a contradiction from:
//!
//! - *cliques*: at most one queen on pairwise attacking squares. The constraint is derived from line
//!   constraints, one square at a time: `j - 1` times the constraint of the first `j` squares plus those of
//!   the `j` pairs with the next square, divided by `j`.
//! - *symmetry*, at the root only: if a queen stands on the orbit of `r`, we may assume that one stands on
//!   `r` itself. These are dominance steps, whose order prefers queens on `r_1`, then on `r_2`, and so on.
//! - *nodes*, children before parents: the constraint on the target plus the clique constraints of a cover
//!   contradicts the queens placed, so the clause that forbids them follows by unit propagation. The clauses
//!   of earlier children exclude their squares. The clauses of the children are then deleted.
//! - *boxes*, if the proof would otherwise be long: bounds of smaller boxes (see the module `boxes`). The
//!   demands of slabs follow from them and replace the target in the clauses of nodes.
//!
//! The search is that of the engine, with orbital branching at the root only: dominance breaks symmetry by
//! one order for the whole formula. The orbits at the root define such an order; those below differ from node
//! to node. Each tree is searched twice: the first search collects the cliques, orbits and slabs that it uses
//! and determines the size of the proof.
//!
//! # References
//! B. Bogaerts, S. Gocht, C. McCreesh, J. Nordström, *Certified dominance and symmetry breaking for
//! combinatorial optimisation*, JAIR 77 (2023); S. Gocht et al., *Certifying solvers for clique and maximum
//! common (connected) subgraph problems*, CP 2020.

mod boxes;
mod formula;
mod tree;

use std::io::{self, Write};
use std::sync::Arc;

use ndqueens_model::board::{Board, Grid, Square};
use ndqueens_system::cancel::Control;

use self::boxes::Plan;
use self::formula::{LineRows, variable};
use crate::boxes::box_table::BoxTable;
use crate::search::indexed_board::{IndexedBoard, Order, ensure_size};
use crate::settings::Settings;

/// Size of a proof.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Size {
    /// Number of nodes of the search trees.
    pub nodes: u64,
    /// Number of bytes of the text.
    pub bytes: u64,
}

/// Default maximum number of bytes of a tree without slabs, for [`write()`]. Checking such a tree takes about
/// as long as checking the lemma of a box.
pub const LONG: u64 = 1_000_000;

/// Writes a proof that no placement has more queens than `placement`, and returns its size, or
/// `None` if stopped.
///
/// Trees of more than `max_direct_bytes` bytes are replaced by trees with slabs, which use the bounds of
/// smaller boxes. These are taken from `boxes`, or computed with these settings if `boxes` lacks the board.
/// `on_size` receives the approximate size of the proof before writing starts.
///
/// # Errors
/// Returns an error if the proof cannot be written, the board has more than [`MOST_SQUARES`]
/// squares or the placement is not maximum.
///
/// [`MOST_SQUARES`]: crate::MOST_SQUARES
pub fn write(
    board: &Board,
    placement: &[Square],
    boxes: Option<&BoxTable>,
    max_direct_bytes: u64,
    settings: &Settings<'_>,
    on_size: &mut dyn FnMut(Size),
    out: &mut dyn Write,
) -> io::Result<Option<Size>> {
    ensure_size(board)?;
    let written = write_steps(board, placement, boxes, max_direct_bytes, settings, on_size, out);
    match written {
        Ok(size) => Ok(Some(size)),
        Err(Halt::Io(error)) => Err(error),
        Err(Halt::Stopped | Halt::TooLong) => Ok(None),
    }
}

/// Data common to all trees of a proof.
#[derive(Clone, Copy)]
struct Context<'a> {
    board: &'a Board,
    lines: &'a LineRows,
    indexed: &'a [Arc<IndexedBoard>; Order::ALL.len()],
    control: &'a Control,
}

/// Plans the proof and writes its steps.
fn write_steps(
    board: &Board,
    placement: &[Square],
    boxes: Option<&BoxTable>,
    max_direct_bytes: u64,
    settings: &Settings<'_>,
    on_size: &mut dyn FnMut(Size),
    out: &mut dyn Write,
) -> Result<Size, Halt> {
    let lines = LineRows::new(board);
    let indexed = Order::ALL.map(|order| Arc::new(IndexedBoard::new(board, order, true)));
    let context = Context { board, lines: &lines, indexed: &indexed, control: settings.control };
    let target = placement.len() as u64 + 1;
    let computed_table;
    let plain_box = board.plain_box();
    let mut direct_plan =
        Plan::new(context, if plain_box.is_some() { max_direct_bytes } else { u64::MAX }, None);
    let (mut plan, tree) = match (direct_plan.plan_refutation(target), plain_box) {
        (Err(Halt::TooLong), Some(grid)) => {
            let table = match boxes.filter(|boxes| boxes.get(grid.sides()).is_some()) {
                Some(boxes) => boxes,
                None => {
                    computed_table = fill_table(grid, settings)?;
                    &computed_table
                }
            };
            let mut plan = Plan::new(context, max_direct_bytes, Some(table));
            let tree = plan.plan_refutation(target)?;
            (plan, tree)
        }
        (tree, _) => (direct_plan, tree?),
    };
    on_size(Size { nodes: plan.nodes, bytes: plan.bytes });

    let rows = lines.all.len();
    let mut steps = Steps::new(out, rows, u64::MAX);
    steps.write(&format!("pseudo-Boolean proof version 3.0\nf {rows};"))?;
    let sign = |square| if placement.contains(&square) { "" } else { "~" };
    let literals = board.squares().map(|square| format!(" {}{}", sign(square), variable(square)));
    let target_row = steps.derive(&format!("soli{};", literals.collect::<String>()))?;
    plan.write(tree, target_row, &mut steps)?;
    let (k, last) = (placement.len(), steps.last);
    steps
        .write(&format!("output NONE;\nconclusion BOUNDS -{k} : {last} -{k};\nend pseudo-Boolean proof;"))?;
    steps.out.flush().map_err(Halt::Io)?;
    Ok(steps.size)
}

/// Computes the bounds of all boxes inside a box, itself included.
fn fill_table(grid: &Grid, settings: &Settings<'_>) -> Result<BoxTable, Halt> {
    let mut table = BoxTable::new(grid.piece());
    let termination = table.fill(grid.sides(), settings, None, &mut |_| {}).map_err(Halt::Io)?;
    if termination.is_finished() { Ok(table) } else { Err(Halt::Stopped) }
}

/// Reason why a proof was not written.
enum Halt {
    /// The engine was stopped.
    Stopped,
    /// The proof exceeds the maximum number of bytes.
    TooLong,
    /// The proof cannot be written or the input is invalid.
    Io(io::Error),
}

/// Creates the error for invalid input.
fn input_error(message: &str) -> Halt {
    Halt::Io(io::Error::new(io::ErrorKind::InvalidInput, message))
}

/// Writer of proof steps.
struct Steps<'o> {
    out: &'o mut dyn Write,
    /// Size of the steps written so far.
    size: Size,
    /// Maximum number of bytes that may be written.
    max_bytes: u64,
    /// Number that VeriPB assigns to the last constraint.
    last: u64,
}

impl<'o> Steps<'o> {
    /// Creates a writer for a formula with this number of constraints.
    fn new(out: &'o mut dyn Write, rows: usize, max_bytes: u64) -> Self {
        Self { out, size: Size::default(), max_bytes, last: rows as u64 }
    }

    /// Writes a line of the proof.
    ///
    /// # Errors
    /// Returns an error if writing fails or the proof exceeds the maximum number of bytes.
    fn write(&mut self, text: &str) -> Result<(), Halt> {
        self.size.bytes += text.len() as u64 + 1;
        if self.size.bytes > self.max_bytes {
            return Err(Halt::TooLong);
        }
        writeln!(self.out, "{text}").map_err(Halt::Io)
    }

    /// Writes a step that derives a constraint. Returns the number of the constraint.
    fn derive(&mut self, text: &str) -> Result<u64, Halt> {
        self.last += 1;
        self.write(text).map(|()| self.last)
    }
}

const WRITE_TO_STRING: &str = "writing to a string cannot fail";
