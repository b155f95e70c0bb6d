//! Settings of the engine and the components that the caller supplies.

pub mod lp;
pub(crate) mod work_store;

use std::collections::HashMap;
use std::sync::OnceLock;

use ndqueens_model::board::{Board, Square};
use ndqueens_notation::name::BoardName;
use ndqueens_system::cancel::Control;

use crate::settings::lp::LpSolver;
use crate::settings::work_store::WorkStore;

/// Optional components of the search; they affect its running time, but not its answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Components {
    /// Demands of slabs: a slab must hold the queens that do not fit into the rest of the box.
    pub demands: bool,
    /// Orbital branching near the root.
    pub symmetry: bool,
    /// Second cover in the reverse order of the squares, if the first one leaves few squares uncovered.
    pub second_cover: bool,
    /// Branching on the region with the fewest uncovered squares instead of always on the whole board.
    pub narrowest: bool,
    /// Case distinction by the number of queens in each layer of a box.
    pub layers: Layers,
    /// LP relaxations.
    pub relax: Relax,
}

/// Problems that are split into cases by the number of queens in each layer of a box.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Layers {
    /// No problems.
    Never,
    /// Problems with a large tree.
    LargeTrees,
    /// All problems with such cases.
    Always,
}

/// Nodes at which the LP relaxation is solved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Relax {
    /// No nodes.
    Never,
    /// Nodes with a large tree, in boxes of four or more dimensions. In three dimensions slabs give equally
    /// strong bounds in less time.
    LargeTrees,
    /// All nodes.
    Always,
}

impl Components {
    /// All components.
    pub const ALL: Self = Self {
        demands: true,
        symmetry: true,
        second_cover: true,
        narrowest: true,
        layers: Layers::LargeTrees,
        relax: Relax::LargeTrees,
    };
}

/// Heuristics that place queens. The engine verifies every set that they return.
pub trait PrimalHeuristics: Sync + std::fmt::Debug {
    /// Returns an independent set in closed form, if one is found with this much work on its parameters.
    fn construct(&self, board: &Board, work: u64) -> Option<Vec<Square>>;

    /// Returns an independent set found by local search, which ends when the set has `target` squares or the
    /// work limit is reached. Returns `None` if the board is too large.
    fn search(&self, board: &Board, seed: u64, work: u64, target: usize) -> Option<Vec<Square>>;
}

/// Checker for the trees of boxes whose bounds coincide; it works while the engine continues.
pub trait TreeChecker: Sync + std::fmt::Debug {
    /// Submits a tree for checking: the lines of `tree` prove that at most `at_most` queens fit on the box,
    /// given the `bounds` of boxes inside.
    fn check(&self, board: BoardName, at_most: u64, bounds: HashMap<BoardName, u64>, tree: Vec<u8>);
}

/// Settings of the engine.
#[derive(Debug, Clone, Copy)]
pub struct Settings<'a> {
    /// Seed of the local search.
    pub seed: u64,
    /// Number of threads that work on boxes or on parts of a tree. Neither the maximum nor the
    /// proof depends on it.
    pub threads: usize,
    /// Node limit per box, or per board that is not a box; the bounds of a box that reaches it may differ.
    pub node_limit: u64,
    /// Node limit per box inside the board, if less than `node_limit`.
    pub box_limit: u64,
    /// Number of nodes above which a tree is large and is restarted with a relaxation at its root. Lower
    /// values give shorter proofs.
    pub large_tree: u64,
    /// Number of queens that suffices: the engine stops once it has placed them, without completing
    /// its proof. With several threads, one of them waits until the value is set; the caller must
    /// set it in any case.
    pub target: Option<&'a OnceLock<u64>>,
    /// Components of the search that are used.
    pub components: Components,
    /// If `true`, proof trees are written.
    pub proofs: bool,
    /// Checker that runs while the engine has threads to spare.
    pub tree_checker: Option<&'a dyn TreeChecker>,
    /// Heuristics for the lower bounds; without them, placements are found by the search.
    pub heuristics: Option<&'a dyn PrimalHeuristics>,
    /// Solver for the relaxations; without one, no relaxation is solved.
    pub lp: Option<&'a dyn LpSolver>,
    /// Store of the results for boxes between runs.
    pub box_cache: Option<&'a dyn WorkStore>,
    /// Stop signal and progress counters.
    pub control: &'a Control,
}

impl<'a> Settings<'a> {
    /// Returns settings with all components and without limits, on one thread, without heuristics,
    /// relaxations or proofs.
    #[must_use]
    pub const fn new(control: &'a Control) -> Self {
        Self {
            seed: 0,
            threads: 1,
            node_limit: u64::MAX,
            box_limit: u64::MAX,
            large_tree: 1 << 18,
            target: None,
            components: Components::ALL,
            proofs: false,
            tree_checker: None,
            heuristics: None,
            lp: None,
            box_cache: None,
            control,
        }
    }

    /// Returns the number of queens that suffices, or `u64::MAX` if it is not known yet.
    pub(crate) fn target(&self) -> u64 {
        self.target.and_then(OnceLock::get).copied().unwrap_or(u64::MAX)
    }

    /// Returns the node limit of a box inside a board.
    pub(crate) fn node_limit_for(&self, sides: &[u32], board: &[u32]) -> u64 {
        let squares = |sides: &[u32]| sides.iter().map(|&side| u64::from(side)).product::<u64>();
        if squares(sides) == squares(board) { self.node_limit } else { self.node_limit.min(self.box_limit) }
    }

    /// Returns `true` if relaxations may be solved in the search of a board.
    pub(crate) fn has_relaxation(&self, board: &Board) -> bool {
        match self.components.relax {
            _ if self.lp.is_none() => false,
            Relax::Never => false,
            Relax::Always => true,
            Relax::LargeTrees => {
                let grid = board.plain_box();
                grid.is_some_and(|grid| grid.sides().iter().filter(|&&n| n > 1).count() >= 4)
            }
        }
    }
}
