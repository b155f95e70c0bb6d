//! Search in a part of a tree: nodes depth first, each with its LP, cuts, and a leaf or a branch.

use std::collections::HashMap;
use std::io;
use std::sync::OnceLock;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;

use fixedbitset::FixedBitSet;
use ndqueens_model::board::{Board, Group, Square};
use ndqueens_system::cancel::{Control, StopReason};
use ndqueens_system::stack;
use parking_lot::Mutex;
use rand::SeedableRng as _;
use rand::rngs::ChaCha8Rng;
use rand::seq::SliceRandom as _;
use serde::{Deserialize, Serialize};

use super::branching::{self, Branch, Branching, BranchingContext, CANDIDATES, Orbits, PseudoCosts, Side};
use super::multipliers;
use super::relaxation::{NodeSquares, Pool, Relaxation};
use super::separation::violated_cliques;
use super::writer::{self, TreeWriter};
use crate::backends::BackendError;
use crate::backends::highs::incremental::{Basis, Optimum};

/// Settings of a search.
#[derive(Debug, Clone, Copy)]
pub struct Settings<'a> {
    /// Rule for the choice of the square to branch on.
    pub branching: Branching,
    /// Nodes at which symmetries of the board are used.
    pub symmetry: Symmetry,
    /// Rounds of separation of cliques at the root; 0 switches separation off everywhere.
    pub root_rounds: u32,
    /// Seed of the tie-breaking among squares and of HiGHS; 0 prefers squares with smaller numbers.
    pub seed: u32,
    /// Limit on the number of nodes.
    pub node_limit: u64,
    /// Number of parts that are searched in parallel; the tree does not depend on it.
    pub threads: usize,
    /// Squares of every solution, in increasing order, no two of which attack each other. If there are any,
    /// no symmetries are used.
    pub included: &'a [Square],
    /// Stops the search and reports its progress.
    pub monitor: &'a Monitor,
}

impl<'a> Settings<'a> {
    /// Creates the settings of a full search without limits.
    #[must_use]
    pub const fn new(monitor: &'a Monitor) -> Self {
        Self {
            branching: Branching::Neighbourhood,
            symmetry: Symmetry::EveryNode,
            root_rounds: ROOT_ROUNDS,
            seed: 0,
            node_limit: u64::MAX,
            threads: 1,
            included: &[],
            monitor,
        }
    }
}

/// Nodes at which symmetries of the board are used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Symmetry {
    /// Every node: the symmetries that map it to itself.
    EveryNode,
    /// The nodes at which no queen is placed.
    Root,
    /// No node.
    Nowhere,
}

impl Symmetry {
    /// Returns the symmetries of a VIPR file: those of the root of a plain box, if no squares are included.
    pub(super) fn of_vipr(self, board: &Board, included: &[Square]) -> Self {
        match self {
            Self::EveryNode | Self::Root if board.plain_box().is_some() && included.is_empty() => Self::Root,
            _ => Self::Nowhere,
        }
    }
}

/// State that a search shares with the thread that watches it.
#[derive(Debug, Default)]
pub struct Monitor {
    /// Stop flag, and counts of nodes and of the explored share of the tree.
    pub control: Control,
    lp_iterations: AtomicU64,
    open: Mutex<HashMap<String, OpenNodes>>,
}

/// Open nodes of a part.
#[derive(Debug, Clone, Copy)]
struct OpenNodes {
    number: usize,
    /// Largest bound (floating point).
    bound: f64,
}

impl Monitor {
    /// Returns the number of simplex iterations so far.
    #[must_use]
    pub fn lp_iterations(&self) -> u64 {
        self.lp_iterations.load(Relaxed)
    }

    /// Returns the number of open nodes.
    #[must_use]
    pub fn open(&self) -> u64 {
        self.open.lock().values().map(|nodes| nodes.number as u64).sum()
    }

    /// Returns the largest bound of an open node (floating point); `None` before the first
    /// relaxation is solved.
    #[must_use]
    pub fn bound(&self) -> Option<f64> {
        let largest = self.open.lock().values().map(|nodes| nodes.bound).max_by(f64::total_cmp);
        largest.filter(|bound| bound.is_finite())
    }

    /// Adds simplex iterations.
    pub(super) fn count_iterations(&self, lp_iterations: u64) {
        self.lp_iterations.fetch_add(lp_iterations, Relaxed);
    }

    /// Sets the open nodes of a part and their largest bound.
    pub(super) fn set_open(&self, part: &str, bound: f64, number: usize) {
        self.open.lock().insert(part.to_owned(), OpenNodes { number, bound });
    }

    /// Removes a part that is done.
    pub(super) fn remove(&self, part: &str) {
        self.open.lock().remove(part);
    }
}

/// Default number of rounds of separation at the root.
pub const ROOT_ROUNDS: u32 = 20;

/// Largest number of symmetries that are tested at each node; all boxes of at most six dimensions have fewer.
const MOST_SYMMETRIES: usize = 50_000;

/// Largest number of cliques that are added in one round.
const CUTS_A_ROUND: usize = 40;

/// Difference from an integer that is attributed to floating-point arithmetic.
pub(super) const TOLERANCE: f64 = 1e-6;

/// Result of a search.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum End {
    /// Proof that the target does not fit; it is the tree that was written.
    Refuted,
    /// Placement of at least the target number of queens.
    Found(Vec<Square>),
    /// Stop before the end of the search.
    Stopped(StopReason),
}

/// Counts of a search.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Statistics {
    /// Number of nodes: relaxations that ended in a leaf or a branch.
    pub nodes: u64,
    /// Number of leaves.
    pub leaves: u64,
    /// Number of leaves whose multipliers are the exact dual solution of the basis, because no
    /// rounding gave a proof.
    pub leaves_by_basis: u64,
    /// Number of simplex iterations.
    pub lp_iterations: u64,
    /// Number of cliques that were added.
    pub cuts: u64,
    /// Number of nodes that branched although their bound was small enough, because no integer
    /// multipliers were found.
    pub unproved_leaves: u64,
    /// Upper bound by the relaxation at the root, after separation (floating point).
    pub root_bound: Option<f64>,
}

impl Statistics {
    /// Adds the counts of another search. An existing root bound is kept.
    pub(super) fn add(&mut self, other: &Self) {
        self.nodes += other.nodes;
        self.leaves += other.leaves;
        self.leaves_by_basis += other.leaves_by_basis;
        self.lp_iterations += other.lp_iterations;
        self.cuts += other.cuts;
        self.unproved_leaves += other.unproved_leaves;
        self.root_bound = self.root_bound.or(other.root_bound);
    }
}

/// Completed search.
#[derive(Debug, Clone, PartialEq)]
pub struct Search {
    /// Result.
    pub end: End,
    /// Counts.
    pub statistics: Statistics,
    /// Bound that is proved even if the search was stopped.
    pub root: Option<RootBound>,
}

/// Upper bound of the whole board, shown by the relaxation at the root.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RootBound {
    /// Largest number of queens that may fit.
    pub at_most: u64,
    /// Leaf that proves it, as a line of a proof tree.
    pub(super) leaf: String,
}

/// Reason to leave the recursion of a search.
pub(super) enum Leave {
    Found(Vec<Square>),
    Stop(StopReason),
    Fault(SearchError),
}

impl From<BackendError> for Leave {
    fn from(fault: BackendError) -> Self {
        Self::Fault(fault.into())
    }
}

impl From<io::Error> for Leave {
    fn from(fault: io::Error) -> Self {
        Self::Fault(fault.into())
    }
}

/// Errors of a search.
#[derive(Debug, thiserror::Error)]
pub enum SearchError {
    /// Failure of HiGHS.
    #[error(transparent)]
    Backend(#[from] BackendError),
    /// Failure to write the proof.
    #[error(transparent)]
    Write(#[from] io::Error),
}

/// Returns the symmetries that a search uses.
pub(super) fn group_of(board: &Board, symmetry: Symmetry) -> Group {
    let identity: Vec<u32> = (0..board.size() as u32).collect();
    match symmetry {
        Symmetry::EveryNode | Symmetry::Root => Group::with_at_most(MOST_SYMMETRIES, board, &identity),
        Symmetry::Nowhere => Group::trivial(board.size()),
    }
}

/// State that all parts of a search share.
pub(super) struct Question<'a> {
    pub(super) settings: &'a Settings<'a>,
    pub(super) graph: &'a [FixedBitSet],
    pub(super) group: &'a Group,
    no_symmetry: Group,
    /// Preference among squares that score alike, smallest first.
    tie_break: Vec<u32>,
    /// First square of the orbit of each square under all symmetries.
    first_of_orbit: Vec<u32>,
    /// Number of queens to place.
    pub(super) target: u64,
    /// Number of nodes of all parts so far.
    visited: AtomicU64,
    pub(super) root: OnceLock<RootBound>,
}

impl<'a> Question<'a> {
    pub(super) fn new(
        graph: &'a [FixedBitSet],
        group: &'a Group,
        target: u64,
        settings: &'a Settings<'a>,
    ) -> Self {
        let mut tie_break: Vec<u32> = (0..graph.len() as u32).collect();
        if settings.seed != 0 {
            tie_break.shuffle(&mut ChaCha8Rng::seed_from_u64(settings.seed.into()));
        }
        let no_symmetry = Group::trivial(graph.len());
        let elements: Vec<u32> = group.elements().collect();
        let mut first_of_orbit: Vec<u32> = (0..graph.len() as u32).collect();
        for square in 0..graph.len() {
            if first_of_orbit[square] as usize == square {
                let orbit = group.orbit(square, &elements);
                orbit.iter().for_each(|&(image, _)| first_of_orbit[image] = square as u32);
            }
        }
        let (visited, root) = (AtomicU64::new(0), OnceLock::new());
        Self { settings, graph, group, no_symmetry, tie_break, first_of_orbit, target, visited, root }
    }
}

/// Node at which a part of the tree begins.
#[derive(Debug, Clone)]
pub(super) struct Node {
    pub(super) placed: FixedBitSet,
    pub(super) free: FixedBitSet,
    /// Share of the tree.
    pub(super) share: f64,
    /// Optimum of the relaxation of its parent; `None` at the root.
    pub(super) parent: Option<ParentOptimum>,
}

/// Optimum of the relaxation of a parent.
#[derive(Debug, Clone)]
pub(super) struct ParentOptimum {
    /// Bound (floating point).
    pub(super) bound: f64,
    /// Optimal basis, whose rows are numbers of the pool.
    pub(super) basis: Basis,
}

impl Node {
    /// Creates the root, with some placed squares, no two of which attack each other.
    pub(super) fn root(graph: &[FixedBitSet], included: &[Square]) -> Self {
        let mut free = FixedBitSet::with_capacity(graph.len());
        free.insert_range(..);
        let mut placed = FixedBitSet::with_capacity(graph.len());
        for &square in included {
            placed.insert(square as usize);
            free.set(square as usize, false);
            free.difference_with(&graph[square as usize]);
        }
        Self { placed, free, share: 1.0, parent: None }
    }

    /// Returns the bound of its parent (floating point), or infinity at the root.
    pub(super) fn bound(&self) -> f64 {
        self.parent.as_ref().map_or(f64::INFINITY, |parent| parent.bound)
    }
}

/// Rows and costs at the end of a part. The parts below it begin with them.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Learned {
    /// Cliques that were separated in the part.
    pub(super) cliques: Vec<Vec<Square>>,
    /// Numbers of the rows that the program held, in increasing order.
    pub(super) program: Vec<usize>,
    /// Decreases of bounds, including those of the parts above.
    pub(super) costs: PseudoCosts,
    /// Bound of the whole board, if the part begins at the root.
    pub(super) root: Option<RootBound>,
}

/// Result of the search in a part.
pub(super) enum Explored {
    /// Completion of the part. The waiting nodes were not visited.
    Done { statistics: Statistics, waiting: Vec<Node>, learned: Learned },
    /// Placement of at least the target number of queens.
    Found(Vec<Square>, Statistics),
    /// Stop before the end of the part.
    Stopped(StopReason, Statistics),
}

/// Node at which a part begins, and the rows and costs that are known there.
#[derive(Clone, Copy)]
pub(super) struct PartStart<'p> {
    pub(super) node: &'p Node,
    pub(super) pool: &'p Pool,
    pub(super) costs: &'p PseudoCosts,
}

/// Searches below a node, visiting at most `most_nodes` nodes, and writes the tree with `writer`. `go_on` is
/// called after every relaxation with the largest bound of an open node and the number of open nodes; it
/// returns `false` to stop.
///
/// # Errors
/// Returns an error if HiGHS fails or the tree cannot be written.
pub(super) fn explore(
    question: &Question<'_>,
    start: PartStart<'_>,
    most_nodes: u64,
    writer: &mut dyn TreeWriter,
    go_on: &dyn Fn(f64, usize) -> bool,
) -> Result<Explored, SearchError> {
    let PartStart { node, pool, costs } = start;
    let settings = question.settings;
    let basis = node.parent.as_ref().map(|parent| &parent.basis);
    let control = &settings.monitor.control;
    let mut tree = Tree {
        question,
        settings,
        relaxation: Relaxation::new(question.graph.len(), pool, basis, settings.seed, control)?,
        writer,
        go_on,
        is_root: node.parent.is_none(),
        most_nodes,
        costs: costs.clone(),
        entered: None,
        waiting: Vec::new(),
        open_bounds: Vec::new(),
        statistics: Statistics::default(),
    };
    let bound = node.bound();
    let result = tree.visit(&mut node.placed.clone(), node.free.clone(), node.share, bound);
    let statistics = Statistics {
        lp_iterations: tree.relaxation.iterations,
        cuts: tree.relaxation.cuts,
        ..tree.statistics
    };
    match result {
        Ok(()) => {
            let (cliques, program) = (tree.relaxation.added_cliques(pool.len()), tree.relaxation.program());
            let root = question.root.get().filter(|_| tree.is_root).cloned();
            let learned = Learned { cliques, program, costs: tree.costs, root };
            Ok(Explored::Done { statistics, waiting: tree.waiting, learned })
        }
        Err(Leave::Found(solution)) => Ok(Explored::Found(solution, statistics)),
        Err(Leave::Stop(reason)) => Ok(Explored::Stopped(reason, statistics)),
        Err(Leave::Fault(fault)) => Err(fault),
    }
}

/// Square to branch on, and its orbit with a symmetry for each image.
struct BranchingOrbit {
    square: usize,
    orbit: Vec<(usize, u32)>,
}

/// State of the search in a part.
struct Tree<'a> {
    question: &'a Question<'a>,
    settings: &'a Settings<'a>,
    relaxation: Relaxation<'a>,
    writer: &'a mut dyn TreeWriter,
    /// Receives the largest bound of an open node of the part and the number of open nodes.
    /// Returns `false` to stop.
    go_on: &'a dyn Fn(f64, usize) -> bool,
    /// `true` if the part begins at the root of the tree.
    is_root: bool,
    most_nodes: u64,
    costs: PseudoCosts,
    /// Branch whose child is visited next.
    entered: Option<(Branch, Side)>,
    /// Nodes that are left to other parts.
    waiting: Vec<Node>,
    /// Bounds of the open nodes on the path to the current one, from the top down.
    open_bounds: Vec<f64>,
    statistics: Statistics,
}

impl Tree<'_> {
    /// Visits a node, which is the given share of the tree, and all nodes below it. `bound` is the
    /// bound of its parent.
    fn visit(
        &mut self,
        placed: &mut FixedBitSet,
        mut free: FixedBitSet,
        mut share: f64,
        mut bound: f64,
    ) -> Result<(), Leave> {
        let mut rounds = match self.is_root && self.statistics.nodes == 0 {
            true => self.settings.root_rounds,
            false => self.settings.root_rounds.min(1),
        };
        loop {
            if self.statistics.nodes == self.most_nodes {
                self.entered = None;
                self.writer.part(self.waiting.len())?;
                let parent = ParentOptimum { bound, basis: self.relaxation.pool_basis()? };
                self.waiting.push(Node { placed: placed.clone(), free, share, parent: Some(parent) });
                return Ok(());
            }
            let node = NodeSquares { placed, free: &free };
            let Some(optimum) = self.relax(node, rounds)? else {
                self.settings.monitor.control.count(0, share);
                return Ok(());
            };
            if self.is_root && self.statistics.nodes == 1 {
                self.store_root_bound(&optimum, node);
            }
            rounds = self.settings.root_rounds.min(1);
            (share, bound) = (share / 2.0, optimum.value);
            let BranchingOrbit { square, orbit } = self.choose_square(node, &optimum)?;
            let mass = orbit.iter().map(|&(image, _)| optimum.point[image]).sum();
            let branch = Branch { square, value: optimum.point[square], mass, bound };
            self.writer.branch(square, &orbit)?;
            let basis = self.relaxation.store_basis()?;
            let mut below = free.clone();
            below.difference_with(&self.question.graph[square]);
            below.set(square, false);
            placed.insert(square);
            self.open_bounds.push(bound);
            self.entered = Some((branch, Side::With));
            stack::level(|| self.visit(placed, below, share, bound))?;
            self.open_bounds.pop();
            placed.set(square, false);
            self.relaxation.restore_basis(&basis)?;
            orbit.iter().for_each(|&(image, _)| free.set(image, false));
            self.entered = Some((branch, Side::Without));
        }
    }

    /// Solves the relaxation of a node with up to `rounds` rounds of separation. Returns `None` if the node
    /// is a leaf, which has been written.
    fn relax(&mut self, node: NodeSquares<'_>, rounds: u32) -> Result<Option<Optimum>, Leave> {
        if self.question.visited.fetch_add(1, Relaxed) >= self.settings.node_limit {
            return Err(Leave::Stop(StopReason::NodeLimit));
        }
        self.statistics.nodes += 1;
        self.settings.monitor.control.count(1, 0.0);
        let mut round = 0;
        loop {
            let optimum = self.solve(node)?;
            if let Some((branch, side)) = self.entered.take() {
                let orbit = self.question.first_of_orbit[branch.square] as usize;
                self.costs.add(&branch, orbit, side, optimum.value);
            }
            if self.is_root && self.statistics.nodes == 1 {
                self.statistics.root_bound = Some(optimum.value);
            }
            if self.write_leaf_if_proved(&optimum, node)? {
                return Ok(None);
            }
            if let Some(solution) = integral(&optimum.point, node) {
                self.ensure_too_small(solution)?;
            }
            if round == rounds {
                return Ok(Some(optimum));
            }
            round += 1;
            let control = &self.settings.monitor.control;
            let cliques =
                violated_cliques(self.question.graph, &optimum.point, node.free, CUTS_A_ROUND, &mut || {
                    !control.is_stopped()
                });
            if self.relaxation.add_cuts(cliques)? == 0 {
                return Ok(Some(optimum));
            }
        }
    }

    fn solve(&mut self, node: NodeSquares<'_>) -> Result<Optimum, Leave> {
        let stopped = Leave::Stop(StopReason::Interrupted);
        let control = &self.settings.monitor.control;
        if control.is_stopped() {
            return Err(stopped);
        }
        let before = self.relaxation.iterations;
        let optimum = self.relaxation.solve(node)?.ok_or(stopped)?;
        self.settings.monitor.count_iterations(self.relaxation.iterations - before);
        let largest = self.open_bounds.first().copied().unwrap_or(optimum.value);
        match (self.go_on)(largest, self.open_bounds.len()) {
            true => Ok(optimum),
            false => Err(Leave::Stop(StopReason::Interrupted)),
        }
    }

    /// Writes the node as a leaf if its bound is below the target and integer multipliers prove it.
    /// Returns `true` if so.
    fn write_leaf_if_proved(&mut self, optimum: &Optimum, node: NodeSquares<'_>) -> Result<bool, Leave> {
        if optimum.value > self.question.target as f64 - TOLERANCE {
            return Ok(false);
        }
        let missing = self.question.target.saturating_sub(node.placed.count_ones(..) as u64);
        let rounded = multipliers::round(&self.relaxation, &optimum.duals, node, missing);
        let combination = match rounded {
            Some(combination) => combination,
            None => {
                let basis = self.relaxation.tight_basis()?;
                let Some(solved) = multipliers::solve(&self.relaxation, &basis, node, missing) else {
                    self.statistics.unproved_leaves += 1;
                    return Ok(false);
                };
                self.statistics.leaves_by_basis += 1;
                solved
            }
        };
        self.writer.leaf(&combination, &self.relaxation, node)?;
        self.statistics.leaves += 1;
        Ok(true)
    }

    /// Stores the bound of the board by the relaxation at the root, if integer multipliers prove it.
    fn store_root_bound(&self, optimum: &Optimum, node: NodeSquares<'_>) {
        let at_most = (optimum.value + TOLERANCE).floor() as u64;
        let found = multipliers::round(&self.relaxation, &optimum.duals, node, at_most + 1);
        if let Some(combination) = found {
            let leaf = writer::format_sum(&combination, &self.relaxation, self.question.graph);
            self.question.root.get_or_init(|| RootBound { at_most, leaf });
        }
    }

    /// Ends the search with a solution if it is independent and has as many queens as the target.
    fn ensure_too_small(&self, solution: Vec<Square>) -> Result<(), Leave> {
        let Question { graph, target, .. } = *self.question;
        match solution.len() as u64 >= target && is_independent(graph, &solution) {
            true => Err(Leave::Found(solution)),
            false => Ok(()),
        }
    }

    /// Chooses the square to branch on.
    fn choose_square(&mut self, node: NodeSquares<'_>, optimum: &Optimum) -> Result<BranchingOrbit, Leave> {
        let question = self.question;
        let group = match self.settings.symmetry {
            Symmetry::Root if !node.placed.is_clear() => &question.no_symmetry,
            _ => question.group,
        };
        let orbits = Orbits::new(group, node);
        let context = BranchingContext {
            rule: self.settings.branching,
            costs: &self.costs,
            graph: question.graph,
            tie_break: &question.tie_break,
            first_of_orbit: &question.first_of_orbit,
        };
        let candidates = branching::candidates(&context, &orbits, &optimum.point, node.free);
        let mut square = candidates
            .first()
            .copied()
            .or_else(|| node.free.minimum())
            .expect("a node that branches has free squares");
        if self.settings.branching == Branching::Strong && candidates.len() > 1 {
            square = self.strongest(&candidates, &orbits, node, optimum.value)?;
        }
        Ok(BranchingOrbit { square, orbit: orbits.orbit(square) })
    }

    /// Solves both relaxations of the first candidates, and returns the one with the largest
    /// product of the decreases.
    fn strongest(
        &mut self,
        candidates: &[usize],
        orbits: &Orbits<'_>,
        node: NodeSquares<'_>,
        value: f64,
    ) -> Result<usize, Leave> {
        let mut best = (f64::NEG_INFINITY, candidates[0]);
        for &square in candidates.iter().take(CANDIDATES) {
            let mut with = node.placed.clone();
            with.insert(square);
            let mut below = node.free.clone();
            below.difference_with(&self.question.graph[square]);
            below.set(square, false);
            let mut without = node.free.clone();
            orbits.orbit(square).iter().for_each(|&(image, _)| without.set(image, false));
            let mut decreases = [0.0; 2];
            let children = [
                NodeSquares { placed: &with, free: &below },
                NodeSquares { placed: node.placed, free: &without },
            ];
            for (decrease, child) in decreases.iter_mut().zip(children) {
                let basis = self.relaxation.store_basis()?;
                *decrease = (value - self.solve(child)?.value).max(1e-6);
                self.relaxation.restore_basis(&basis)?;
            }
            let score = decreases[0] * decreases[1];
            if score > best.0 {
                best = (score, square);
            }
        }
        Ok(best.1)
    }
}

/// Returns `true` if no two squares attack each other.
pub(super) fn is_independent(graph: &[FixedBitSet], squares: &[Square]) -> bool {
    let attacks = |a: Square, b: Square| graph[a as usize].contains(b as usize);
    squares.iter().enumerate().all(|(k, &a)| squares[..k].iter().all(|&b| !attacks(a, b)))
}

/// Returns the placed squares and those of value 1, if all others have value 0.
pub(super) fn integral(point: &[f64], node: NodeSquares<'_>) -> Option<Vec<Square>> {
    let mut solution: Vec<Square> = node.placed.ones().map(|square| square as Square).collect();
    for square in node.free.ones() {
        if point[square] > 1.0 - TOLERANCE {
            solution.push(square as Square);
        } else if point[square] > TOLERANCE {
            return None;
        }
    }
    solution.sort_unstable();
    Some(solution)
}
