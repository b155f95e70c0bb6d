//! What a workflow reports while it runs.

use std::ops::ControlFlow;

use ndqueens_solver::backends::Progress;
use ndqueens_solver::construct::Method;

/// Hears what a workflow reports while it runs; the answer says whether to go on.
pub type Watch<'a> = dyn FnMut(&Event) -> ControlFlow<()> + 'a;

/// One thing that a workflow reports.
#[derive(Debug, Clone, PartialEq)]
pub enum Event {
    /// A new stage begins or something is known; a sentence without its full stop.
    Stage(String),
    /// Something that one should know whatever else is shown; a sentence without its full stop.
    Note(String),
    /// How far the model is.
    Rows {
        /// Rows made.
        rows: u64,
        /// Seconds it took.
        seconds: f64,
    },
    /// How far the solver is.
    Progress(Progress),
    /// How far the exact engine is with the boxes in a board.
    Boxes(BoxesProgress),
    /// How far the parts of a proof are.
    Parts(PartsProgress),
    /// Progress of branch and bound on LP relaxations.
    Tree(TreeProgress),
    /// How far a search for large sets is.
    Search(SearchProgress),
    /// How far the constructions are.
    Construction(ConstructionProgress),
}

/// How far the exact engine is with the boxes in a board.
#[derive(Debug, Clone, PartialEq)]
pub struct BoxesProgress {
    /// What it tells of the boxes, once there is one.
    pub known: Option<BoxProgress>,
    /// About what part of the last box's tree is done, from 0 to 1, and the seconds that are left if the rest is alike.
    pub tree: Option<(f64, f64)>,
    /// Nodes so far.
    pub nodes: u64,
    /// Seconds so far.
    pub seconds: f64,
}

/// The boxes that are bounded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BoxProgress {
    /// How many.
    pub done: usize,
    /// Of so many.
    pub boxes: usize,
    /// The last one and its bounds, in words.
    pub last: String,
}

/// How far the parts are.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PartsProgress {
    /// Parts that are there.
    pub there: usize,
    /// All parts.
    pub parts: usize,
    /// About what part of the tree is done, from 0 to 1.
    pub done: f64,
    /// Nodes of this run.
    pub nodes: u64,
    /// Seconds of this run.
    pub seconds: f64,
    /// Seconds that are left if the rest of the tree is like what this run has done.
    pub left: Option<f64>,
}

/// Progress of branch and bound on LP relaxations.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TreeProgress {
    /// Size of the largest set so far.
    pub incumbent: u64,
    /// Largest bound of an open node (floating point).
    pub bound: Option<f64>,
    /// Nodes so far.
    pub nodes: u64,
    /// Nodes that wait on the path to the current one.
    pub open: u64,
    /// Simplex iterations so far.
    pub lp_iterations: u64,
    /// Estimated share of the tree that is done, from 0 to 1.
    pub done: f64,
    /// Estimated seconds until the end.
    pub left: Option<f64>,
    /// Seconds since the start of the tree.
    pub seconds: f64,
}

/// How far a search is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SearchProgress {
    /// The number of the largest set so far.
    pub incumbent: usize,
    /// Upper bound in closed form.
    pub bound: u64,
    /// Moves so far.
    pub moves: u64,
    /// Seconds since the search began.
    pub seconds: f64,
}

/// How far the constructions are.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ConstructionProgress {
    /// The method that is being tried.
    pub method: Method,
    /// The queens that it made, when they are being checked.
    pub checking: Option<usize>,
    /// The queens of the largest set so far, which is checked, and the method that made it.
    pub best: Option<(usize, Method)>,
    /// Seconds since the first method began.
    pub seconds: f64,
}
