//! Independence number of a board, with a proof.

use std::io::{self, Write};
use std::sync::OnceLock;

use ndqueens_model::board::{Board, Grid};
use ndqueens_notation::name::Piece;
use ndqueens_system::thread::with_threads;

use super::proof;
use crate::bounds::gap::close_gap;
use crate::bounds::round::{Step, Termination};
use crate::boxes::box_result::{BoxResult, Entry};
use crate::boxes::box_table::BoxTable;
use crate::question::Question;
use crate::search::indexed_board::{BoardsByOrder, IndexedBoards, ensure_size};
use crate::settings::Settings;

/// Bounds on the independence number of a board.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Maximum {
    /// Largest number of queens found: the independence number, unless the node limit was reached or the
    /// engine was stopped.
    pub value: u64,
    /// Proved upper bound.
    pub upper: u64,
    /// Placement of `value` queens, as coordinates.
    pub placement: Vec<Vec<u32>>,
    /// Number of search nodes.
    pub nodes: u64,
    /// Reason why the engine ended. The proof is complete only if the engine finished.
    pub end: Termination,
    /// Bounds of the boxes in the board, itself included; with a proof, only those proved in it. Empty unless
    /// the board is a plain box.
    pub boxes: BoxTable,
}

/// Computes the independence number of a board and writes the proof to `proof`, if given. `on_step` is
/// called for each box that is bounded. If the engine is stopped, returns the bounds known so far and leaves
/// the proof incomplete.
///
/// # Errors
/// Returns an error if the proof cannot be written or the board has more than [`MOST_SQUARES`]
/// squares.
///
/// [`MOST_SQUARES`]: crate::MOST_SQUARES
pub fn maximum(
    board: &Board,
    settings: &Settings<'_>,
    proof: Option<&mut (dyn Write + Send)>,
    on_step: &mut (dyn FnMut(Step<'_>) + Send),
) -> io::Result<Maximum> {
    let target = settings.target.filter(|target| target.get().is_none() && settings.threads > 1);
    with_threads(settings.threads, || {
        let wait = || target.map(OnceLock::wait);
        rayon::join(|| maximum_on_pool(board, settings, proof, on_step), wait).0
    })?
}

/// Computes the maximum on the current thread pool.
fn maximum_on_pool(
    board: &Board,
    settings: &Settings<'_>,
    mut proof: Option<&mut (dyn Write + Send)>,
    on_step: &mut (dyn FnMut(Step<'_>) + Send),
) -> io::Result<Maximum> {
    ensure_size(board)?;
    let settings = &Settings { proofs: proof.is_some(), ..*settings };
    if let Some(out) = &mut proof {
        write!(out, "{}", proof::header(board.name()))?;
    }
    let out = proof.as_deref_mut().map(|out| out as &mut dyn Write);
    let maximum = match board.plain_box() {
        Some(grid) => maximum_of_box(board, grid, settings, out, on_step)?,
        None => maximum_of_board(board, settings, out)?,
    };
    if let Some(out) = proof.filter(|_| maximum.end.is_finished()) {
        write!(out, "at most {}\nend\n", maximum.upper)?;
        out.flush()?;
    }
    Ok(maximum)
}

/// Computes the maximum of a box from the bounds of the boxes inside.
fn maximum_of_box(
    board: &Board,
    grid: &Grid,
    settings: &Settings<'_>,
    out: Option<&mut dyn Write>,
    on_step: &mut (dyn FnMut(Step<'_>) + Send),
) -> io::Result<Maximum> {
    let mut boxes = BoxTable::new(grid.piece());
    // The relaxation uses the bounds of all boxes.
    let end = match settings.has_relaxation(board) {
        true => boxes.fill(grid.sides(), settings, out, on_step)?,
        false => boxes.fill_towards(grid.sides(), settings, out, on_step)?,
    };
    let Entry { lower, upper, .. } = *boxes.get(grid.sides()).expect("the box has been bounded");
    let placement = boxes.placement(grid.sides()).expect("each entry has a placement");
    Ok(Maximum { value: lower, upper, placement, nodes: boxes.nodes(), end, boxes })
}

/// Computes the maximum of a board that is not a box by one search.
fn maximum_of_board(
    board: &Board,
    settings: &Settings<'_>,
    out: Option<&mut dyn Write>,
) -> io::Result<Maximum> {
    let boxes = BoxTable::new(board.grid().map_or(Piece::Queen, Grid::piece));
    let known = BoxResult::from_partition(board, settings.proofs)?;
    let questions = |k, order| Question::new(board, k, order, &boxes, settings);
    let cache = BoardsByOrder::default();
    let boards = IndexedBoards::new(board, settings.components.symmetry, &cache);
    let mut result = close_gap(&boards, &questions, settings, known)?;
    let end = Termination::of(result.entry.lower >= settings.target(), settings);
    if let Some(out) = out.filter(|_| end.is_finished()) {
        writeln!(out, "search {}", result.entry.upper)?;
        result.write_tree(out)?;
    }
    let BoxResult { entry, placement, .. } = result;
    Ok(Maximum { value: entry.lower, upper: entry.upper, placement, nodes: entry.nodes, end, boxes })
}
