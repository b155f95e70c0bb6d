//! Events that a workflow reports while it runs.

use std::ops::ControlFlow;

use ndqueens_solver::backends::Progress;
use ndqueens_solver::construct::Method;

/// Progress callback; it returns `ControlFlow::Break` to cancel the workflow.
pub type Watch<'a> = dyn FnMut(&Event) -> ControlFlow<()> + 'a;

/// Event that a workflow reports.
#[derive(Debug, Clone, PartialEq)]
pub enum Event {
    /// Start of a stage, or an intermediate result; a sentence without its full stop.
    Stage(String),
    /// Message that is shown regardless of the display of progress; a sentence without its full stop.
    Note(String),
    /// Progress of writing the model.
    Rows {
        /// Number of rows written so far.
        rows: u64,
        /// Seconds so far.
        seconds: f64,
    },
    /// Progress of the solver.
    Progress(Progress),
    /// Progress of the exact engine with the boxes in a board.
    Boxes(BoxesProgress),
    /// Progress of the parts of a proof.
    Parts(PartsProgress),
    /// Progress of branch and bound on LP relaxations.
    Tree(TreeProgress),
    /// Progress of a search for large sets.
    Search(SearchProgress),
    /// Progress of the constructions.
    Construction(ConstructionProgress),
}

/// Progress of the exact engine with the boxes in a board.
#[derive(Debug, Clone, PartialEq)]
pub struct BoxesProgress {
    /// Progress with the boxes; `None` before the first one is bounded.
    pub known: Option<BoxProgress>,
    /// Estimated share of the last box's tree that is done, from 0 to 1, and the extrapolated remaining
    /// seconds.
    pub tree: Option<(f64, f64)>,
    /// Number of nodes so far.
    pub nodes: u64,
    /// Seconds so far.
    pub seconds: f64,
}

/// Numbers of bounded boxes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BoxProgress {
    /// Number of boxes bounded so far.
    pub done: usize,
    /// Total number of boxes.
    pub boxes: usize,
    /// Description of the last box and its bounds.
    pub last: String,
}

/// Progress of the parts of a proof.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PartsProgress {
    /// Number of finished parts.
    pub finished: usize,
    /// Total number of parts.
    pub parts: usize,
    /// Estimated share of the tree that is done, from 0 to 1.
    pub done: f64,
    /// Number of nodes of this run.
    pub nodes: u64,
    /// Seconds of this run.
    pub seconds: f64,
    /// Estimated remaining seconds, at the speed of this run.
    pub left: Option<f64>,
}

/// Progress of branch and bound on LP relaxations.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TreeProgress {
    /// Size of the largest set so far.
    pub incumbent: u64,
    /// Largest bound of an open node (floating point).
    pub bound: Option<f64>,
    /// Number of nodes so far.
    pub nodes: u64,
    /// Number of open nodes on the path to the current one.
    pub open: u64,
    /// Number of simplex iterations so far.
    pub lp_iterations: u64,
    /// Estimated share of the tree that is done, from 0 to 1.
    pub done: f64,
    /// Estimated seconds until the end.
    pub left: Option<f64>,
    /// Seconds since the start of the tree.
    pub seconds: f64,
}

/// Progress of a search for large sets.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SearchProgress {
    /// Number of squares of the largest set so far.
    pub incumbent: usize,
    /// Upper bound in closed form.
    pub bound: u64,
    /// Number of moves so far.
    pub moves: u64,
    /// Seconds since the start of the search.
    pub seconds: f64,
}

/// Progress of the constructions.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ConstructionProgress {
    /// Method that is running.
    pub method: Method,
    /// Size of its set, while that is being checked.
    pub checking: Option<usize>,
    /// Size of the largest set so far, which is checked, and the method that found it.
    pub best: Option<(usize, Method)>,
    /// Seconds since the start of the first method.
    pub seconds: f64,
}
