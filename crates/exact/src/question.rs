//! One question for the search: whether k queens fit.

use ndqueens_model::board::{Board, Square};
use tempfile::SpooledTempFile;

use crate::boxes::box_table::BoxTable;
use crate::boxes::slab::{Slab, slabs};
use crate::search::indexed_board::Order;
use crate::settings::{Layers, Settings};

/// Whether k queens fit.
#[derive(Debug)]
pub enum Feasibility {
    /// They do not; the tree is there when proofs are written.
    Infeasible(Option<SpooledTempFile>),
    /// They fit on these squares.
    Feasible(Vec<Square>),
    /// The search did not finish; about this part of its tree is done, from 0 to 1.
    Stopped(f64),
}

/// Whether `at_least` queens fit on a board, and what the search takes as given.
#[derive(Debug)]
pub struct Question<'a> {
    /// The board.
    pub board: &'a Board,
    /// The number of queens.
    pub at_least: u64,
    /// The order of the squares.
    pub order: Order,
    /// Slabs that must hold queens, thin ones first.
    pub slabs: Vec<Slab>,
    /// Bounds of the boxes inside by their sorted sides, for the LP relaxation and the parts of layers.
    pub boxes: Vec<(Vec<u32>, u64)>,
    /// For each axis of a plain box the most queens of 1, 2, ... layers next to each other, but not of all; nothing where the
    /// question is not split into cases.
    pub layers: Vec<Vec<u64>>,
}

/// For each axis the most queens of 1, 2, ... layers next to each other, but not of all; nothing where a table lacks a box.
fn windows(sides: &[u32], table: &BoxTable) -> Vec<Vec<u64>> {
    let most = |axis: usize, width: u32| {
        let mut part = sides.to_vec();
        part[axis] = width;
        table.upper(&part)
    };
    let along = |axis: usize| (1..sides[axis]).map(|width| most(axis, width)).collect();
    (0..sides.len()).map(along).collect::<Option<_>>().unwrap_or_default()
}

impl<'a> Question<'a> {
    /// A question with the slabs that a table gives.
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
        let layers = grid.filter(|_| settings.components.layers != Layers::Never && !settings.relaxes(board));
        let layers = layers.map_or_else(Vec::new, |grid| windows(grid.sides(), table));
        let known = settings.relaxes(board) || !layers.is_empty();
        let boxes = if known { table.uppers() } else { Vec::new() };
        Self { board, at_least, order, slabs, boxes, layers }
    }
}
