//! One question for the search: whether k queens fit.

use std::io;

use ndqueens_model::board::{Board, Square};
use tempfile::SpooledTempFile;

use super::enumeration::Enumeration;
use super::estimate::Estimate;
use super::indexed::Order;
use super::settings::{Layers, Settings};
use super::slab::{Slab, slabs};
use super::table::BoxTable;
use super::task::Task;

/// Whether k queens fit.
#[derive(Debug)]
pub enum Answer {
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

    /// Searches for the queens. The answer, and the number of nodes. The tree does not depend on the number of threads, but
    /// the squares found may.
    ///
    /// # Errors
    /// When the board is too large, or the proof cannot be written to its temporary file.
    pub fn answer(&self, settings: &Settings<'_>, node_limit: u64) -> io::Result<(Answer, u64)> {
        Task::new(self, settings)?.answer(node_limit)
    }

    /// The same by cases: how many queens each layer holds. `None` when there are none, or too many of them.
    ///
    /// # Errors
    /// When the board is too large, or the proof cannot be written to its temporary file.
    pub fn answer_by_layers(
        &self,
        settings: &Settings<'_>,
        node_limit: u64,
    ) -> io::Result<Option<(Answer, u64)>> {
        if self.layers.is_empty() {
            return Ok(None);
        }
        Task::new(self, settings)?.answer_by_layers(node_limit)
    }

    /// Estimates the size of the tree by going down it at random so many times, or until stopped.
    ///
    /// # Errors
    /// When the board is too large.
    pub fn estimate(&self, settings: &Settings<'_>, samples: u64) -> io::Result<Estimate> {
        Ok(Task::new(self, settings)?.estimate(samples))
    }

    /// Prepares the search for every placement of the queens: cuts the tree off at the least depth at which it has `parts`
    /// parts or more, or at its end. At most `keep` orbits of solutions are kept in each tally. With proofs, the tree
    /// is written, too. `None` when stopped.
    ///
    /// # Errors
    /// When the board is too large, or the tree cannot be written.
    pub fn enumerate(
        &self,
        settings: &Settings<'a>,
        parts: usize,
        keep: usize,
    ) -> io::Result<Option<Enumeration<'a>>> {
        Task::new(self, settings)?.enumerate(parts, keep)
    }
}
