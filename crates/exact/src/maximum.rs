//! The most queens on a board, with a proof.

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
use crate::search::indexed_board::{InOrders, IndexedBoards, ensure_size};
use crate::settings::Settings;

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
    /// Boxes in the board, itself included, with a proof those that are proved in it; none when it is not a plain box.
    pub boxes: BoxTable,
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
    let target = settings.target.filter(|target| target.get().is_none() && settings.threads > 1);
    with_threads(settings.threads, || {
        let wait = || target.map(OnceLock::wait);
        rayon::join(|| maximum_here(board, settings, proof, tell), wait).0
    })?
}

fn maximum_here(
    board: &Board,
    settings: &Settings<'_>,
    mut proof: Option<&mut (dyn Write + Send)>,
    tell: &mut (dyn FnMut(Step<'_>) + Send),
) -> io::Result<Maximum> {
    ensure_size(board)?;
    let settings = Settings { proofs: proof.is_some(), ..*settings };
    let mut boxes = BoxTable::new(board.grid().map_or(Piece::Queen, Grid::piece));
    if let Some(out) = &mut proof {
        write!(out, "{}", proof::head(board.name()))?;
    }
    let maximum = match board.plain_box() {
        Some(grid) => {
            let out = proof.as_deref_mut().map(|out| out as &mut dyn Write);
            // The relaxation has all boxes as rows.
            let end = match settings.relaxes(board) {
                true => boxes.fill(grid.sides(), &settings, out, tell)?,
                false => boxes.fill_towards(grid.sides(), &settings, out, tell)?,
            };
            let Entry { lower, upper, .. } = *boxes.get(grid.sides()).expect("the box was filled in");
            let placement = boxes.placement(grid.sides()).expect("each entry has a placement");
            Maximum { value: lower, upper, placement, nodes: boxes.nodes(), end, boxes }
        }
        None => {
            let known = BoxResult::of_partition(board, settings.proofs)?;
            let questions = |k, order| Question::new(board, k, order, &boxes, &settings);
            let made = InOrders::default();
            let boards = IndexedBoards::new(board, settings.components.symmetry, &made);
            let mut result = close_gap(&boards, &questions, &settings, known)?;
            let end = Termination::of(result.entry.lower >= settings.target(), &settings);
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
