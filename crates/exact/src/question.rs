//! Decision problem for the search: do k queens fit?

use ndqueens_model::board::{Board, Square};
use tempfile::SpooledTempFile;

use crate::boxes::box_table::BoxTable;
use crate::boxes::slab::{Slab, slabs};
use crate::search::indexed_board::Order;
use crate::settings::{Layers, Settings};

/// Answer to a decision problem.
#[derive(Debug)]
pub enum Feasibility {
    /// The queens do not fit. Contains the tree if proofs are written.
    Infeasible(Option<SpooledTempFile>),
    /// The queens fit on these squares.
    Feasible(Vec<Square>),
    /// The search was stopped after about this fraction of its tree, between 0 and 1.
    Stopped(f64),
}

/// Decision problem: do `at_least` queens fit on a board? Contains the bounds that the search may assume.
#[derive(Debug)]
pub struct Question<'a> {
    /// Board.
    pub board: &'a Board,
    /// Target number of queens.
    pub at_least: u64,
    /// Order of the squares.
    pub order: Order,
    /// Slabs with positive demand, smallest first.
    pub slabs: Vec<Slab>,
    /// Upper bounds of the boxes inside by their sorted sides, for the LP relaxation and for
    /// the parts of layers.
    pub boxes: Vec<(Vec<u32>, u64)>,
    /// For each axis of a plain box, the maximum number of queens in 1, 2, ... consecutive layers, except all
    /// layers. Empty if the problem is not split into cases.
    pub layers: Vec<Vec<u64>>,
}

/// Returns, for each axis, the maximum number of queens in 1, 2, ... consecutive layers, except all layers.
/// Returns an empty vector if the table lacks a box.
fn window_bounds(sides: &[u32], table: &BoxTable) -> Vec<Vec<u64>> {
    let bound = |axis: usize, width: u32| {
        let mut part = sides.to_vec();
        part[axis] = width;
        table.upper_bound(&part)
    };
    let bounds_along = |axis: usize| (1..sides[axis]).map(|width| bound(axis, width)).collect();
    (0..sides.len()).map(bounds_along).collect::<Option<_>>().unwrap_or_default()
}

impl<'a> Question<'a> {
    /// Creates the problem with the slabs and bounds that follow from a table.
    #[must_use]
    pub fn new(
        board: &'a Board,
        at_least: u64,
        order: Order,
        table: &BoxTable,
        settings: &Settings<'_>,
    ) -> Self {
        let grid = board.grid().filter(|grid| settings.components.demands && !grid.is_torus());
        let slabs = grid.map_or_else(Vec::new, |grid| slabs(grid.sides(), at_least, table));
        let layers =
            grid.filter(|_| settings.components.layers != Layers::Never && !settings.has_relaxation(board));
        let layers = layers.map_or_else(Vec::new, |grid| window_bounds(grid.sides(), table));
        let uses_boxes = settings.has_relaxation(board) || !layers.is_empty();
        let boxes = if uses_boxes { table.upper_bounds() } else { Vec::new() };
        Self { board, at_least, order, slabs, boxes, layers }
    }
}
