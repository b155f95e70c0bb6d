//! The search: nodes depth first, each with its LP, cuts, and a leaf or a branch.

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

use super::branching::{self, Branch, Branching, CANDIDATES, Orbits, PseudoCosts, Side};
use super::multipliers;
use super::relaxation::{Pool, Relaxation};
use super::separation::violated_cliques;
use super::writer::{self, TreeWriter};
use crate::backends::BackendError;
use crate::backends::highs::incremental::{Basis, Optimum};

/// How the search works.
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
    /// Number of parts that are searched at the same time; the tree does not depend on it.
    pub threads: usize,
    /// Squares of every solution, in increasing order, of which no two attack each other. With such squares no symmetries are used.
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
    /// At every node those that map the node to itself.
    EveryNode,
    /// As long as no queen is placed.
    Root,
    /// Nowhere.
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
    /// Stops the search; counts nodes and the share of the tree that is done.
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

    /// Returns the number of nodes that wait.
    #[must_use]
    pub fn open(&self) -> u64 {
        self.open.lock().values().map(|nodes| nodes.number as u64).sum()
    }

    /// Returns the largest bound of an open node (floating point); `None` before the first relaxation is solved.
    #[must_use]
    pub fn bound(&self) -> Option<f64> {
        let largest = self.open.lock().values().map(|nodes| nodes.bound).max_by(f64::total_cmp);
        largest.filter(|bound| bound.is_finite())
    }

    /// Adds simplex iterations.
    pub(super) fn count_iterations(&self, lp_iterations: u64) {
        self.lp_iterations.fetch_add(lp_iterations, Relaxed);
    }

    /// Notes the open nodes of a part.
    pub(super) fn note(&self, part: &str, bound: f64, number: usize) {
        self.open.lock().insert(part.to_owned(), OpenNodes { number, bound });
    }

    /// Notes that a part is done.
    pub(super) fn forget(&self, part: &str) {
        self.open.lock().remove(part);
    }
}

/// Rounds of separation at the root.
pub const ROOT_ROUNDS: u32 = 20;

/// Largest number of symmetries that are tested at each node; all boxes of at most six dimensions have fewer.
const MOST_SYMMETRIES: usize = 50_000;

/// Cliques that are added in one round at most.
const CUTS_A_ROUND: usize = 40;

/// Difference from an integer that is put down to floating-point arithmetic.
pub(super) const TOLERANCE: f64 = 1e-6;

/// Result of a search.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum End {
    /// The tree that was written proves that the number of queens asked for does not fit.
    Refuted,
    /// A placement of at least as many queens as were asked for.
    Found(Vec<Square>),
    /// The search was stopped.
    Stopped(StopReason),
}

/// Counts of a search.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Statistics {
    /// Nodes: relaxations that ended in a leaf or a branch.
    pub nodes: u64,
    /// Leaves.
    pub leaves: u64,
    /// Leaves whose multipliers are the exact dual solution of the basis, because no rounding gave a proof.
    pub leaves_by_basis: u64,
    /// Simplex iterations.
    pub lp_iterations: u64,
    /// Cliques that were added.
    pub cuts: u64,
    /// Nodes that branched although their bound was small enough, because no integer multipliers were found.
    pub unproved_leaves: u64,
    /// Upper bound by the relaxation at the root, after separation (floating point).
    pub root_bound: Option<f64>,
}

impl Statistics {
    /// Adds the counts of another search; a root bound stays.
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

/// A search that has ended.
#[derive(Debug, Clone, PartialEq)]
pub struct Search {
    /// Its result.
    pub end: End,
    /// Counts.
    pub statistics: Statistics,
    /// A bound that is proved although the search was stopped.
    pub root: Option<RootBound>,
}

/// A bound of the whole board by the relaxation at the root.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RootBound {
    /// Number of queens.
    pub at_most: u64,
    /// The leaf that shows it, as a line of a proof tree.
    pub(super) leaf: String,
}

/// A reason to leave the recursion of a search.
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
    /// HiGHS failed.
    #[error(transparent)]
    Backend(#[from] BackendError),
    /// The proof could not be written.
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
    first_of: Vec<u32>,
    /// Number of queens that are searched for.
    pub(super) target: u64,
    /// Nodes of all parts so far.
    visited: AtomicU64,
    pub(super) root: OnceLock<RootBound>,
}

impl<'a> Question<'a> {
    pub(super) fn new(
        (graph, group): (&'a [FixedBitSet], &'a Group),
        target: u64,
        settings: &'a Settings<'a>,
    ) -> Self {
        let mut tie_break: Vec<u32> = (0..graph.len() as u32).collect();
        if settings.seed != 0 {
            tie_break.shuffle(&mut ChaCha8Rng::seed_from_u64(settings.seed.into()));
        }
        let no_symmetry = Group::trivial(graph.len());
        let elements: Vec<u32> = group.elements().collect();
        let mut first_of: Vec<u32> = (0..graph.len() as u32).collect();
        for square in 0..graph.len() {
            if first_of[square] as usize == square {
                group.orbit(square, &elements).iter().for_each(|&(image, _)| first_of[image] = square as u32);
            }
        }
        let (visited, root) = (AtomicU64::new(0), OnceLock::new());
        Self { settings, graph, group, no_symmetry, tie_break, first_of, target, visited, root }
    }
}

/// A node from which a part of the tree begins.
#[derive(Debug, Clone)]
pub(super) struct Node {
    pub(super) placed: FixedBitSet,
    pub(super) free: FixedBitSet,
    /// Share of the tree.
    pub(super) share: f64,
    /// Bound of its parent (floating point), and the basis in which it was attained, with numbers of the pool; `None` at the root.
    pub(super) parent: Option<(f64, Basis)>,
}

impl Node {
    /// Creates the root, with some squares of which no two attack each other.
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

    /// Returns the bound of its parent (floating point).
    pub(super) fn bound(&self) -> f64 {
        self.parent.as_ref().map_or(f64::INFINITY, |(bound, _)| *bound)
    }
}

/// Rows and costs that a part knows at its end. The parts below it begin with them.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Learned {
    /// Cliques that were separated in the part.
    pub(super) cliques: Vec<Vec<Square>>,
    /// Numbers of the rows that the program held, in increasing order.
    pub(super) program: Vec<usize>,
    /// Decreases of bounds, those of the parts above included.
    pub(super) costs: PseudoCosts,
    /// Bound of the whole board, if the part begins at the root.
    pub(super) root: Option<RootBound>,
}

/// A part of a tree after its search.
pub(super) enum Explored {
    /// All nodes of the part are done except the waiting ones, which were not visited.
    Done { statistics: Statistics, waiting: Vec<Node>, learned: Learned },
    /// A placement of the target or more queens was found.
    Found(Vec<Square>, Statistics),
    /// The search was stopped.
    Stopped(StopReason, Statistics),
}

/// Searches below a node, visiting at most `most_nodes` nodes, and writes the tree with `writer`. `go_on` is called after
/// every relaxation with the largest bound of an open node and the number of open nodes; it returns `false` to stop.
pub(super) fn explore(
    question: &Question<'_>,
    (node, pool, costs): (&Node, &Pool, &PseudoCosts),
    most_nodes: u64,
    (writer, go_on): (&mut dyn TreeWriter, &dyn Fn(f64, usize) -> bool),
) -> Result<Explored, SearchError> {
    let settings = question.settings;
    let basis = node.parent.as_ref().map(|(_, basis)| basis);
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
            let (cliques, program) = tree.relaxation.changes(pool.len());
            let root = question.root.get().filter(|_| tree.is_root).cloned();
            let learned = Learned { cliques, program, costs: tree.costs, root };
            Ok(Explored::Done { statistics, waiting: tree.waiting, learned })
        }
        Err(Leave::Found(solution)) => Ok(Explored::Found(solution, statistics)),
        Err(Leave::Stop(reason)) => Ok(Explored::Stopped(reason, statistics)),
        Err(Leave::Fault(fault)) => Err(fault),
    }
}

struct Tree<'a> {
    question: &'a Question<'a>,
    settings: &'a Settings<'a>,
    relaxation: Relaxation<'a>,
    writer: &'a mut dyn TreeWriter,
    /// Receives the largest bound of an open node of the part and the number of open nodes. Returns `false` to stop.
    go_on: &'a dyn Fn(f64, usize) -> bool,
    /// The part begins at the root of the tree.
    is_root: bool,
    most_nodes: u64,
    costs: PseudoCosts,
    /// Branch whose child is the node that is visited next.
    entered: Option<(Branch, Side)>,
    /// Nodes that are left to other parts.
    waiting: Vec<Node>,
    /// Bounds of the nodes that wait on the path to the current one, the first one's first.
    open_bounds: Vec<f64>,
    statistics: Statistics,
}

impl Tree<'_> {
    /// Visits a node, which is the given share of the tree, and all nodes below it. `bound` is that of its parent.
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
                let parent = Some((bound, self.relaxation.pool_basis()?));
                self.waiting.push(Node { placed: placed.clone(), free, share, parent });
                return Ok(());
            }
            let Some(optimum) = self.relax(placed, &free, rounds)? else {
                self.settings.monitor.control.count(0, share);
                return Ok(());
            };
            if self.is_root && self.statistics.nodes == 1 {
                self.note_root_bound(&optimum, placed, &free);
            }
            rounds = self.settings.root_rounds.min(1);
            (share, bound) = (share / 2.0, optimum.value);
            let (square, orbit) = self.branch(placed, &free, &optimum)?;
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

    /// Solves the relaxation of a node with up to `rounds` rounds of separation. Returns `None` if the node is a leaf, which
    /// has been written.
    fn relax(
        &mut self,
        placed: &FixedBitSet,
        free: &FixedBitSet,
        rounds: u32,
    ) -> Result<Option<Optimum>, Leave> {
        if self.question.visited.fetch_add(1, Relaxed) >= self.settings.node_limit {
            return Err(Leave::Stop(StopReason::NodeLimit));
        }
        self.statistics.nodes += 1;
        self.settings.monitor.control.count(1, 0.0);
        let mut round = 0;
        loop {
            let optimum = self.solve(placed, free)?;
            if let Some((branch, side)) = self.entered.take() {
                let orbit = self.question.first_of[branch.square] as usize;
                self.costs.note(&branch, orbit, side, optimum.value);
            }
            if self.is_root && self.statistics.nodes == 1 {
                self.statistics.root_bound = Some(optimum.value);
            }
            if self.is_leaf(&optimum, placed, free)? {
                return Ok(None);
            }
            if let Some(solution) = integral(&optimum.point, placed, free) {
                self.ensure_too_small(solution)?;
            }
            if round == rounds {
                return Ok(Some(optimum));
            }
            round += 1;
            let control = &self.settings.monitor.control;
            let cliques =
                violated_cliques(self.question.graph, &optimum.point, free, CUTS_A_ROUND, &mut || {
                    !control.is_stopped()
                });
            if self.relaxation.add_cuts(cliques)? == 0 {
                return Ok(Some(optimum));
            }
        }
    }

    fn solve(&mut self, placed: &FixedBitSet, free: &FixedBitSet) -> Result<Optimum, Leave> {
        let stopped = Leave::Stop(StopReason::Interrupted);
        let control = &self.settings.monitor.control;
        if control.is_stopped() {
            return Err(stopped);
        }
        let before = self.relaxation.iterations;
        let optimum = self.relaxation.solve(placed, free)?.ok_or(stopped)?;
        self.settings.monitor.count_iterations(self.relaxation.iterations - before);
        let largest = self.open_bounds.first().copied().unwrap_or(optimum.value);
        match (self.go_on)(largest, self.open_bounds.len()) {
            true => Ok(optimum),
            false => Err(Leave::Stop(StopReason::Interrupted)),
        }
    }

    /// Writes the node as a leaf if its bound is below the target and integer multipliers show it.
    fn is_leaf(
        &mut self,
        optimum: &Optimum,
        placed: &FixedBitSet,
        free: &FixedBitSet,
    ) -> Result<bool, Leave> {
        if optimum.value > self.question.target as f64 - TOLERANCE {
            return Ok(false);
        }
        let missing = self.question.target.saturating_sub(placed.count_ones(..) as u64);
        let rounded = multipliers::round(&self.relaxation, &optimum.duals, placed, free, missing);
        let combination = match rounded {
            Some(combination) => combination,
            None => {
                let (squares, rows) = self.relaxation.basic_squares_and_tight_rows()?;
                let basis = (squares.as_slice(), rows.as_slice());
                let Some(solved) = multipliers::solve(&self.relaxation, basis, placed, free, missing) else {
                    self.statistics.unproved_leaves += 1;
                    return Ok(false);
                };
                self.statistics.leaves_by_basis += 1;
                solved
            }
        };
        self.writer.leaf(&combination, &self.relaxation, placed, free)?;
        self.statistics.leaves += 1;
        Ok(true)
    }

    /// Notes the bound of the board that the relaxation at the root shows, if integer multipliers show it.
    fn note_root_bound(&self, optimum: &Optimum, placed: &FixedBitSet, free: &FixedBitSet) {
        let at_most = (optimum.value + TOLERANCE).floor() as u64;
        let found = multipliers::round(&self.relaxation, &optimum.duals, placed, free, at_most + 1);
        if let Some(combination) = found {
            let leaf = writer::sum(&combination, &self.relaxation, self.question.graph);
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

    /// Chooses the square to branch on; with its orbit.
    fn branch(
        &mut self,
        placed: &FixedBitSet,
        free: &FixedBitSet,
        optimum: &Optimum,
    ) -> Result<(usize, Vec<(usize, u32)>), Leave> {
        let group = match self.settings.symmetry {
            Symmetry::Root if !placed.is_clear() => &self.question.no_symmetry,
            _ => self.question.group,
        };
        let orbits = Orbits::of(group, placed, free);
        let candidates = branching::candidates(
            (self.settings.branching, &self.costs),
            (group, &orbits),
            self.question.graph,
            &optimum.point,
            free,
            (&self.question.tie_break, &self.question.first_of),
        );
        let mut square = candidates
            .first()
            .copied()
            .or_else(|| free.minimum())
            .expect("a node that branches has free squares");
        if self.settings.branching == Branching::Strong && candidates.len() > 1 {
            square = self.strongest(&candidates, (group, &orbits), placed, free, optimum.value)?;
        }
        Ok((square, orbits.of_square(group, square)))
    }

    /// Solves both relaxations of the first candidates, and returns the one with the largest product of the decreases.
    fn strongest(
        &mut self,
        candidates: &[usize],
        (group, orbits): (&Group, &Orbits),
        placed: &FixedBitSet,
        free: &FixedBitSet,
        value: f64,
    ) -> Result<usize, Leave> {
        let mut best = (f64::NEG_INFINITY, candidates[0]);
        for &square in candidates.iter().take(CANDIDATES) {
            let mut with = placed.clone();
            with.insert(square);
            let mut below = free.clone();
            below.difference_with(&self.question.graph[square]);
            below.set(square, false);
            let mut without = free.clone();
            orbits.of_square(group, square).iter().for_each(|&(image, _)| without.set(image, false));
            let mut decreases = [0.0; 2];
            for (decrease, (placed, free)) in decreases.iter_mut().zip([(&with, &below), (placed, &without)])
            {
                let basis = self.relaxation.store_basis()?;
                *decrease = (value - self.solve(placed, free)?.value).max(1e-6);
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
pub(super) fn integral(point: &[f64], placed: &FixedBitSet, free: &FixedBitSet) -> Option<Vec<Square>> {
    let mut solution: Vec<Square> = placed.ones().map(|square| square as Square).collect();
    for square in free.ones() {
        if point[square] > 1.0 - TOLERANCE {
            solution.push(square as Square);
        } else if point[square] > TOLERANCE {
            return None;
        }
    }
    solution.sort_unstable();
    Some(solution)
}
