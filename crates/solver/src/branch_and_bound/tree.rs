//! The search: nodes depth first, each with its LP, cuts, and a leaf or a branch.

use std::io::{self, Write};
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;

use fixedbitset::FixedBitSet;
use ndqueens_control::{Control, StopReason, stack};
use ndqueens_model::board::{Board, Group, Square};
use rand::SeedableRng as _;
use rand::rngs::ChaCha8Rng;
use rand::seq::SliceRandom as _;

use super::branching::{self, Branching, CANDIDATES, Orbits};
use super::multipliers;
use super::relaxation::{Relaxation, Row};
use super::separation::violated_cliques;
use super::writer::{ProofTreeWriter, TreeWriter};
use crate::backends::BackendError;
use crate::backends::highs::incremental::Optimum;

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
    /// Squares of every solution, in increasing order, of which no two attack each other. With such squares no symmetries are used.
    pub included: &'a [Square],
    /// Stop the search at the first solution instead of going on for a larger one.
    pub first_solution: bool,
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
            included: &[],
            first_solution: false,
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

/// What a search shares with the thread that watches it.
#[derive(Debug, Default)]
pub struct Monitor {
    /// Stops the search; counts nodes and the share of the tree that is done.
    pub control: Control,
    lp_iterations: AtomicU64,
    open: AtomicU64,
    /// Bits of a floating-point number.
    bound: AtomicU64,
}

impl Monitor {
    /// Adds the simplex iterations of a relaxation, and sets the number of waiting nodes and the bound.
    pub(super) fn note(&self, lp_iterations: u64, open: u64, bound: f64) {
        self.lp_iterations.fetch_add(lp_iterations, Relaxed);
        self.open.store(open, Relaxed);
        self.bound.store(bound.to_bits(), Relaxed);
    }

    /// Returns the number of simplex iterations so far.
    #[must_use]
    pub fn lp_iterations(&self) -> u64 {
        self.lp_iterations.load(Relaxed)
    }

    /// Returns the number of nodes that wait on the path to the current one.
    #[must_use]
    pub fn open(&self) -> u64 {
        self.open.load(Relaxed)
    }

    /// Returns the largest bound of an open node (floating point); `None` before the first relaxation is solved.
    #[must_use]
    pub fn bound(&self) -> Option<f64> {
        let bound = f64::from_bits(self.bound.load(Relaxed));
        (bound > 0.0).then_some(bound)
    }
}

/// Rounds of separation at the root.
pub const ROOT_ROUNDS: u32 = 20;

/// Largest number of symmetries that are tested at each node; all boxes of at most six dimensions have fewer.
const MOST_SYMMETRIES: usize = 50_000;

/// Cliques that are added in one round at most.
const CUTS_A_ROUND: usize = 40;

/// Difference from an integer that is put down to floating-point arithmetic.
const TOLERANCE: f64 = 1e-6;

/// How a search ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// No solution is larger than the best one, or has the number of queens asked for; the tree proves it.
    Finished,
    /// A solution was found, and the search was to stop there.
    Found,
    /// The search was stopped.
    Stopped(StopReason),
}

/// Counts of a search.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Statistics {
    /// Nodes: relaxations that ended in a leaf or a branch.
    pub nodes: u64,
    /// Leaves.
    pub leaves: u64,
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
    /// Adds the counts of another search; the root bound stays.
    pub(super) fn add(&mut self, other: &Self) {
        self.nodes += other.nodes;
        self.leaves += other.leaves;
        self.lp_iterations += other.lp_iterations;
        self.cuts += other.cuts;
        self.unproved_leaves += other.unproved_leaves;
    }
}

/// Result of a search.
#[derive(Debug, Clone, PartialEq)]
pub struct Search {
    /// How it ended.
    pub end: End,
    /// The largest solution that was found, if it has at least the number of queens asked for.
    pub solution: Option<Vec<Square>>,
    /// The tree that was written shows that no solution has this number of queens, if the search finished.
    pub refuted: u64,
    /// Counts.
    pub statistics: Statistics,
}

/// A reason to leave the recursion.
enum Leave {
    End(End),
    Backend(BackendError),
    Write(io::Error),
}

impl From<BackendError> for Leave {
    fn from(fault: BackendError) -> Self {
        Self::Backend(fault)
    }
}

impl From<io::Error> for Leave {
    fn from(fault: io::Error) -> Self {
        Self::Write(fault)
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

/// Searches for `target` queens on a board whose independent sets satisfy the `rows`, and writes the tree of the proof that
/// they do not fit to `out`, from the first node on. Continues with a larger target whenever a solution is found, unless the settings
/// stop it there.
///
/// # Errors
/// Returns an error if HiGHS fails or the tree cannot be written.
pub(super) fn search(
    board: &Board,
    rows: Vec<Row>,
    target: u64,
    settings: &Settings<'_>,
    out: &mut dyn Write,
) -> Result<Search, SearchError> {
    let (graph, group) = (board.graph(), group_of(board, settings.symmetry));
    let mut writer = ProofTreeWriter::new(out, board, &group, &graph);
    search_with(&mut writer, (&graph, &group), rows, target, settings)
}

/// Returns the symmetries that a search uses.
pub(super) fn group_of(board: &Board, symmetry: Symmetry) -> Group {
    let identity: Vec<u32> = (0..board.size() as u32).collect();
    match symmetry {
        Symmetry::EveryNode | Symmetry::Root => Group::with_at_most(MOST_SYMMETRIES, board, &identity),
        Symmetry::Nowhere => Group::trivial(board.size()),
    }
}

/// Searches, and writes the tree with `writer`.
pub(super) fn search_with(
    writer: &mut dyn TreeWriter,
    (graph, group): (&[FixedBitSet], &Group),
    rows: Vec<Row>,
    target: u64,
    settings: &Settings<'_>,
) -> Result<Search, SearchError> {
    let size = graph.len();
    let no_symmetry = Group::trivial(size);
    let identity: Vec<u32> = (0..size as u32).collect();
    let mut tie_break = identity;
    if settings.seed != 0 {
        tie_break.shuffle(&mut ChaCha8Rng::seed_from_u64(settings.seed.into()));
    }
    let relaxation = Relaxation::new(size, rows, settings.seed, &settings.monitor.control)?;
    let mut tree = Tree {
        settings,
        group,
        no_symmetry: &no_symmetry,
        graph,
        tie_break,
        relaxation,
        writer,
        target,
        solution: None,
        open_bounds: Vec::new(),
        statistics: Statistics::default(),
    };
    let mut free = FixedBitSet::with_capacity(size);
    free.insert_range(..);
    let mut placed = FixedBitSet::with_capacity(size);
    for &square in settings.included {
        placed.insert(square as usize);
        free.set(square as usize, false);
        free.difference_with(&graph[square as usize]);
    }
    let end = match tree.visit(&mut placed, free, 1.0) {
        Ok(()) => End::Finished,
        Err(Leave::End(end)) => end,
        Err(Leave::Backend(fault)) => return Err(fault.into()),
        Err(Leave::Write(fault)) => return Err(fault.into()),
    };
    let statistics = Statistics {
        lp_iterations: tree.relaxation.iterations,
        cuts: tree.relaxation.cuts,
        ..tree.statistics
    };
    Ok(Search { end, solution: tree.solution, refuted: tree.target, statistics })
}

struct Tree<'a> {
    settings: &'a Settings<'a>,
    group: &'a Group,
    no_symmetry: &'a Group,
    graph: &'a [FixedBitSet],
    /// Preference among squares that score alike, smallest first.
    tie_break: Vec<u32>,
    relaxation: Relaxation<'a>,
    writer: &'a mut dyn TreeWriter,
    /// Number of queens that are searched for.
    target: u64,
    solution: Option<Vec<Square>>,
    /// Bounds of the nodes that wait on the path to the current one, the root's first.
    open_bounds: Vec<f64>,
    statistics: Statistics,
}

impl Tree<'_> {
    /// Visits a node, which is the given share of the tree, and all nodes below it.
    fn visit(
        &mut self,
        placed: &mut FixedBitSet,
        mut free: FixedBitSet,
        mut share: f64,
    ) -> Result<(), Leave> {
        let is_root = self.statistics.nodes == 0;
        let mut rounds = if is_root { self.settings.root_rounds } else { self.settings.root_rounds.min(1) };
        loop {
            let Some(optimum) = self.relax(placed, &free, rounds)? else {
                self.settings.monitor.control.count(0, share);
                return Ok(());
            };
            rounds = self.settings.root_rounds.min(1);
            let (square, orbit) = self.branch(placed, &free, &optimum)?;
            self.writer.branch(square, &orbit)?;
            let basis = self.relaxation.store_basis()?;
            let mut below = free.clone();
            below.difference_with(&self.graph[square]);
            below.set(square, false);
            placed.insert(square);
            share /= 2.0;
            self.open_bounds.push(optimum.value);
            stack::level(|| self.visit(placed, below, share))?;
            self.open_bounds.pop();
            placed.set(square, false);
            self.relaxation.restore_basis(&basis)?;
            orbit.iter().for_each(|&(image, _)| free.set(image, false));
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
        if self.statistics.nodes >= self.settings.node_limit {
            return Err(Leave::End(End::Stopped(StopReason::NodeLimit)));
        }
        self.statistics.nodes += 1;
        self.settings.monitor.control.count(1, 0.0);
        let mut round = 0;
        loop {
            let optimum = self.solve(placed, free)?;
            if self.statistics.nodes == 1 {
                self.statistics.root_bound = Some(optimum.value);
            }
            if self.is_leaf(&optimum, placed, free)? {
                return Ok(None);
            }
            if let Some(solution) = integral(&optimum.point, placed, free) {
                self.record(solution)?;
                if self.is_leaf(&optimum, placed, free)? {
                    return Ok(None);
                }
            }
            if round == rounds {
                return Ok(Some(optimum));
            }
            round += 1;
            let control = &self.settings.monitor.control;
            let cliques = violated_cliques(self.graph, &optimum.point, free, CUTS_A_ROUND, &mut || {
                !control.is_stopped()
            });
            if self.relaxation.add_cuts(cliques)? == 0 {
                return Ok(Some(optimum));
            }
        }
    }

    fn solve(&mut self, placed: &FixedBitSet, free: &FixedBitSet) -> Result<Optimum, Leave> {
        let stopped = Leave::End(End::Stopped(StopReason::Interrupted));
        let Monitor { control, lp_iterations, open, bound } = self.settings.monitor;
        if control.is_stopped() {
            return Err(stopped);
        }
        let before = self.relaxation.iterations;
        let optimum = self.relaxation.solve(placed, free)?.ok_or(stopped)?;
        lp_iterations.fetch_add(self.relaxation.iterations - before, Relaxed);
        open.store(self.open_bounds.len() as u64, Relaxed);
        let largest = self.open_bounds.first().copied().unwrap_or(optimum.value);
        bound.store(largest.to_bits(), Relaxed);
        Ok(optimum)
    }

    /// Writes the node as a leaf if its bound is below the target and integer multipliers show it.
    fn is_leaf(
        &mut self,
        optimum: &Optimum,
        placed: &FixedBitSet,
        free: &FixedBitSet,
    ) -> Result<bool, Leave> {
        if optimum.value > self.target as f64 - TOLERANCE {
            return Ok(false);
        }
        let missing = self.target.saturating_sub(placed.count_ones(..) as u64);
        let Some(combination) = multipliers::round(&self.relaxation, &optimum.duals, placed, free, missing)
        else {
            self.statistics.unproved_leaves += 1;
            return Ok(false);
        };
        self.writer.leaf(&combination, &self.relaxation, placed, free)?;
        self.statistics.leaves += 1;
        Ok(true)
    }

    /// Takes a solution if it is independent and has as many queens as the target.
    fn record(&mut self, solution: Vec<Square>) -> Result<(), Leave> {
        let attacks = |a: Square, b: Square| self.graph[a as usize].contains(b as usize);
        let is_independent =
            solution.iter().enumerate().all(|(k, &a)| solution[..k].iter().all(|&b| !attacks(a, b)));
        if (solution.len() as u64) < self.target || !is_independent {
            return Ok(());
        }
        self.target = solution.len() as u64 + 1;
        self.solution = Some(solution);
        if self.settings.first_solution { Err(Leave::End(End::Found)) } else { Ok(()) }
    }

    /// Chooses the square to branch on; with its orbit.
    fn branch(
        &mut self,
        placed: &FixedBitSet,
        free: &FixedBitSet,
        optimum: &Optimum,
    ) -> Result<(usize, Vec<(usize, u32)>), Leave> {
        let group = match self.settings.symmetry {
            Symmetry::Root if !placed.is_clear() => self.no_symmetry,
            _ => self.group,
        };
        let orbits = Orbits::of(group, placed, free);
        let candidates = branching::candidates(
            self.settings.branching,
            (group, &orbits),
            self.graph,
            &optimum.point,
            free,
            &self.tie_break,
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
            below.difference_with(&self.graph[square]);
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

/// Returns the placed squares and those of value 1, if all others have value 0.
fn integral(point: &[f64], placed: &FixedBitSet, free: &FixedBitSet) -> Option<Vec<Square>> {
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
