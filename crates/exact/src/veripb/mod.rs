//! Proofs for VeriPB, a checker that others wrote: that a placement is maximum, from the rows of the lines alone.
//!
//! The formula is the one that crosscheck writes, which is the formulation `base` in the OPB format: a variable for each square, `x1` on, and one
//! row for each line in the order of [`Board::lines`]. The proof first logs the placement, which asks for one queen more from then on, and derives
//! a contradiction:
//!
//! - *cliques*: at most one queen on squares that attack each other pairwise, out of the rows of the lines, one square more at
//!   a time: `j - 1` times the row of the first `j`, and the `j` pairs with the next one, divided by `j`.
//! - *symmetry*, first, at the root only: where a queen stands on the orbit of `r`, one may be put on `r` itself. These
//!   are dominance steps, whose order prefers queens on `r_1`, then on `r_2`, and so on.
//! - *nodes*, children before parents: the row of the queens asked for plus the rows of the cliques of a cover leaves too
//!   little when the queens placed are placed, so that the clause which forbids them follows by unit propagation; the
//!   clauses of earlier children forbid what they tried. Then the children's clauses are deleted.
//! - *boxes*, where the proof would be long without: the bounds of smaller boxes, of which `boxes` tells. From them
//!   follows what slabs must hold, whose rows then serve nodes as that of all queens does.
//!
//! The search is the engine's, with orbital branching at the root alone: dominance breaks symmetry by one order for the
//! whole formula, which the orbits tried at the root make, while those below differ from node to node. A tree is searched
//! twice, at first only to find its cliques, orbits and slabs and to learn how long it will be.
//!
//! # References
//! B. Bogaerts, S. Gocht, C. McCreesh, J. Nordström, *Certified dominance and symmetry breaking for combinatorial
//! optimisation*, JAIR 77 (2023); S. Gocht et al., *Certifying solvers for clique and maximum common (connected) subgraph
//! problems*, CP 2020.

mod boxes;
mod formula;
mod tree;

use std::io::{self, Write};
use std::sync::Arc;

use ndqueens_model::board::{Board, Grid, Square};
use ndqueens_system::cancel::Control;

use self::boxes::Plan;
use self::formula::{Lines, variable};
use crate::boxes::box_table::BoxTable;
use crate::search::indexed_board::{IndexedBoard, Order, ensure_size};
use crate::settings::Settings;

/// How long a proof is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Size {
    /// Nodes of the search tree.
    pub nodes: u64,
    /// Bytes of the text.
    pub bytes: u64,
}

/// Bytes above which, for [`write()`], a tree is long: about what the lemma of a box costs otherwise, in time to check it.
pub const LONG: u64 = 1_000_000;

/// Writes the proof that no more queens fit than `placement` has. Trees on boxes that would take more than `long` bytes go
/// by way of smaller boxes, whose bounds are those of the table `boxes` if it is given, and found with these settings if not. `tell` hears about what its size will
/// be before anything is written. `None` when stopped.
///
/// # Errors
/// When the proof cannot be written, the board has more than 4096 squares, or the placement is not maximum.
pub fn write(
    board: &Board,
    placement: &[Square],
    boxes: Option<&BoxTable>,
    long: u64,
    settings: &Settings<'_>,
    tell: &mut dyn FnMut(Size),
    out: &mut dyn Write,
) -> io::Result<Option<Size>> {
    ensure_size(board)?;
    let written = write_steps(board, placement, boxes, long, settings, tell, out);
    match written {
        Ok(size) => Ok(Some(size)),
        Err(Halt::Fault(fault)) => Err(fault),
        Err(Halt::Stopped | Halt::TooLong) => Ok(None),
    }
}

/// What all trees have in common.
#[derive(Clone, Copy)]
struct Context<'a> {
    board: &'a Board,
    lines: &'a Lines,
    indexed: &'a [Arc<IndexedBoard>; Order::ALL.len()],
    control: &'a Control,
}

fn write_steps(
    board: &Board,
    placement: &[Square],
    boxes: Option<&BoxTable>,
    long: u64,
    settings: &Settings<'_>,
    tell: &mut dyn FnMut(Size),
    out: &mut dyn Write,
) -> Result<Size, Halt> {
    let lines = Lines::of(board);
    let indexed = Order::ALL.map(|order| Arc::new(IndexedBoard::new(board, order, true)));
    let context = Context { board, lines: &lines, indexed: &indexed, control: settings.control };
    let asked = placement.len() as u64 + 1;
    let filled;
    let parted = board.plain_box();
    let mut plain = Plan::new(context, if parted.is_some() { long } else { u64::MAX }, None);
    let (mut plan, planned) = match (plain.question(asked), parted) {
        (Err(Halt::TooLong), Some(grid)) => {
            let table = match boxes.filter(|boxes| boxes.get(grid.sides()).is_some()) {
                Some(boxes) => boxes,
                None => {
                    filled = bounds(grid, settings)?;
                    &filled
                }
            };
            let mut parted = Plan::new(context, long, Some(table));
            let planned = parted.question(asked)?;
            (parted, planned)
        }
        (planned, _) => (plain, planned?),
    };
    tell(Size { nodes: plan.nodes, bytes: plan.bytes });

    let rows = lines.all.len();
    let mut steps = Steps::new(out, rows, u64::MAX);
    steps.say(&format!("pseudo-Boolean proof version 3.0\nf {rows};"))?;
    let sign = |square| if placement.contains(&square) { "" } else { "~" };
    let literals = board.squares().map(|square| format!(" {}{}", sign(square), variable(square)));
    let more = steps.derive(&format!("soli{};", literals.collect::<String>()))?;
    plan.write(planned, more, &mut steps)?;
    let (k, last) = (placement.len(), steps.last);
    steps.say(&format!("output NONE;\nconclusion BOUNDS -{k} : {last} -{k};\nend pseudo-Boolean proof;"))?;
    steps.out.flush().map_err(Halt::Fault)?;
    Ok(steps.size)
}

/// The bounds of all boxes in a box.
fn bounds(grid: &Grid, settings: &Settings<'_>) -> Result<BoxTable, Halt> {
    let mut table = BoxTable::new(grid.piece());
    let filled = table.fill(grid.sides(), settings, None, &mut |_| {}).map_err(Halt::Fault)?;
    if filled.is_finished() { Ok(table) } else { Err(Halt::Stopped) }
}

/// Why a proof was not written.
enum Halt {
    Stopped,
    TooLong,
    Fault(io::Error),
}

fn fault(kind: io::ErrorKind, says: &str) -> Halt {
    Halt::Fault(io::Error::new(kind, says))
}

/// Where the steps go.
struct Steps<'o> {
    out: &'o mut dyn Write,
    size: Size,
    most_bytes: u64,
    /// The number that VeriPB gives to the last row.
    last: u64,
}

impl<'o> Steps<'o> {
    /// The formula has so many rows.
    fn new(out: &'o mut dyn Write, rows: usize, most_bytes: u64) -> Self {
        Self { out, size: Size::default(), most_bytes, last: rows as u64 }
    }

    fn say(&mut self, text: &str) -> Result<(), Halt> {
        self.size.bytes += text.len() as u64 + 1;
        if self.size.bytes > self.most_bytes {
            return Err(Halt::TooLong);
        }
        writeln!(self.out, "{text}").map_err(Halt::Fault)
    }

    /// A step that makes a row; its number.
    fn derive(&mut self, text: &str) -> Result<u64, Halt> {
        self.last += 1;
        self.say(text).map(|()| self.last)
    }
}

const STRING: &str = "a string takes everything";
