//! How the engine works, and what is passed in to it.

pub mod lp;
pub(crate) mod work_store;

use std::collections::HashMap;
use std::sync::OnceLock;

use ndqueens_model::board::{Board, Square};
use ndqueens_notation::name::BoardName;
use ndqueens_system::cancel::Control;

use crate::settings::lp::LpSolver;
use crate::settings::work_store::WorkStore;

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
    /// Cases by the queens that the layers of a box hold, where its tree is large.
    pub layers: Layers,
    /// Where the LP relaxation is solved.
    pub relax: Relax,
}

/// Where a question is split into cases by the queens that the layers of a box hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Layers {
    /// Nowhere.
    Never,
    /// Where a tree is large.
    LargeTrees,
    /// Wherever there are such cases.
    Always,
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
    pub const ALL: Self = Self {
        demands: true,
        symmetry: true,
        second_cover: true,
        narrowest: true,
        layers: Layers::LargeTrees,
        relax: Relax::LargeTrees,
    };
}

/// What places queens for the engine, which tests every set that it is given.
pub trait PrimalHeuristics: Sync + std::fmt::Debug {
    /// An independent set in closed form, with so much work for its parameters, if there is one.
    fn construct(&self, board: &Board, work: u64) -> Option<Vec<Square>>;

    /// An independent set by local search: it ends when the set has `target` squares, or so much work is done. `None` when the
    /// board is too large.
    fn search(&self, board: &Board, seed: u64, work: u64, target: usize) -> Option<Vec<Square>>;
}

/// What checks the trees of boxes whose bounds meet, while the engine goes on.
pub trait TreeChecker: Sync + std::fmt::Debug {
    /// Has it checked that no more than so many queens fit on a box, by the lines of a tree and these bounds of boxes inside.
    fn check(&self, board: BoardName, at_most: u64, bounds: HashMap<BoardName, u64>, tree: Vec<u8>);
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
    /// The same of a box inside the board, where that is less.
    pub box_limit: u64,
    /// Nodes after which a tree is large, and is begun again with a relaxation at its root: fewer make shorter proofs.
    pub large_tree: u64,
    /// How many queens are enough: where they are placed, the engine stops by itself, without a proof of its own. Until that is
    /// known, one of several threads is left to whoever finds it out, and must be told.
    pub target: Option<&'a OnceLock<u64>>,
    /// Which components of the search are used.
    pub components: Components,
    /// Whether the trees are written down as proofs.
    pub proofs: bool,
    /// What checks trees of boxes in the time that the engine leaves.
    pub tree_checker: Option<&'a dyn TreeChecker>,
    /// What places queens for the lower bounds; without it the search finds them.
    pub heuristics: Option<&'a dyn PrimalHeuristics>,
    /// What solves relaxations; without it there are none.
    pub lp: Option<&'a dyn LpSolver>,
    /// Where boxes that were searched are taken from and kept.
    pub box_cache: Option<&'a dyn WorkStore>,
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

    /// How many queens are enough, as far as that is known by now.
    pub(crate) fn target(&self) -> u64 {
        self.target.and_then(OnceLock::get).copied().unwrap_or(u64::MAX)
    }

    /// The limit on the nodes of a box of a board.
    pub(crate) fn limit_of(&self, sides: &[u32], board: &[u32]) -> u64 {
        let squares = |sides: &[u32]| sides.iter().map(|&side| u64::from(side)).product::<u64>();
        if squares(sides) == squares(board) { self.node_limit } else { self.node_limit.min(self.box_limit) }
    }

    /// Whether relaxations may be solved in the search of a board.
    pub(crate) fn relaxes(&self, board: &Board) -> bool {
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
