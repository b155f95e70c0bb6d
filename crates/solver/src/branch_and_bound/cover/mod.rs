//! Smallest dominating sets by branch and bound on linear programs, with a proof in exact arithmetic.
//!
//! A node has placed squares and free squares. The relaxation minimises the number of squares subject to the
//! rows `x(N[s]) >= 1` of all squares `s`, where `N[s]` are the squares that attack or occupy `s`. In
//! independent dominating sets the squares that a placed one attacks are not free; the rows of lines are not
//! part of the relaxation.
//!
//! A node branches on a square that covers the uncovered square with the fewest free coverers. One child
//! places a queen on it, the other one removes it; at the root it removes the orbit of the square, by
//! symmetry rows of the VIPR file.

mod local_search;
mod multipliers;
mod vipr;

use std::io::{self, Write};

use fixedbitset::FixedBitSet;
use ndqueens_model::board::{Board, Group, Square};
use ndqueens_system::cancel::StopReason;
use ndqueens_system::stack;

use self::multipliers::CoverCombination;
use self::vipr::CoverWriter;
use super::branching::Orbits;
use super::derivations::ViprHead;
use super::relaxation::NodeSquares;
use super::tree::{
    End, Leave, SearchError, Settings, Statistics, TOLERANCE, group_of, integral, is_independent,
};
use crate::backends::highs::incremental::{IncrementalLp, LpRow, Optimum};

pub use self::local_search::small_dominating_set;

/// Name of the tree, which has no parts.
const NAME: &str = "tree";

/// Question for small dominating sets of a board.
#[derive(Debug, Clone, Copy)]
pub struct CoverProblem<'a> {
    /// Board.
    pub board: &'a Board,
    /// `true` if sets must be independent.
    pub is_independent: bool,
    /// Squares of every set, in increasing order; they must be independent if sets must be.
    pub included: &'a [Square],
}

/// Program of a VIPR file, as the checker writes it.
#[allow(missing_debug_implementations, reason = "a function cannot be printed")]
pub struct CoverProgram<'a> {
    /// Lines of the board in the order of the program; empty if sets need not be independent.
    pub lines: &'a [Vec<usize>],
    /// Number of the row that covers square 0; the rows of the other squares and those of the
    /// included squares follow.
    pub first_cover: usize,
    /// Function that returns the text up to the end of the constraints, with the row for at most this number
    /// of squares and the symmetry rows of some representatives.
    pub head: &'a dyn Fn(u64, &[usize]) -> io::Result<ViprHead>,
}

/// Result of a search.
#[derive(Debug, Clone, PartialEq)]
pub struct CoverSearch {
    /// End of the search.
    pub end: End,
    /// Counts.
    pub statistics: Statistics,
}

/// Searches for a set of at most `most` squares that attack or occupy every square. Writes a VIPR file to
/// `out` if no such set exists.
///
/// # Errors
/// Returns an error if HiGHS fails or the file cannot be written.
pub fn prove_cover(
    problem: &CoverProblem<'_>,
    most: u64,
    settings: &Settings<'_>,
    program: &CoverProgram<'_>,
    out: &mut dyn Write,
) -> Result<CoverSearch, SearchError> {
    let CoverProblem { board, is_independent, included } = *problem;
    let symmetry = settings.symmetry.of_vipr(board, included);
    let graph = board.graph();
    let size = board.size();
    let coverers: Vec<Vec<Square>> = (0..size)
        .map(|square| {
            let mut around = graph[square].clone();
            around.insert(square);
            around.ones().map(|square| square as Square).collect()
        })
        .collect();
    let mut lp = IncrementalLp::minimising(size, settings.seed, &settings.monitor.control)?;
    let rows = coverers.iter().map(|squares| LpRow { columns: squares, coefficients: None, rhs: 1 });
    lp.add_rows(&rows.collect::<Vec<_>>())?;
    let writer = CoverWriter::new(size, program, included);
    let group = group_of(board, symmetry);
    let trivial = Group::trivial(size);
    let mut tree = Tree {
        settings,
        group: &group,
        no_symmetry: &trivial,
        graph: &graph,
        coverers: &coverers,
        is_independent,
        included: included.len(),
        lp,
        writer,
        most: i64::try_from(most).unwrap_or(i64::MAX),
        depth: 0,
        statistics: Statistics::default(),
    };
    let end = match tree.visit(CoverNode::root(problem, &graph), 1.0) {
        Ok(()) => End::Refuted,
        Err(Leave::Found(solution)) => End::Found(solution),
        Err(Leave::Stop(reason)) => End::Stopped(reason),
        Err(Leave::Fault(fault)) => return Err(fault),
    };
    let Tree { writer, statistics, .. } = tree;
    if end == End::Refuted {
        let head = (program.head)(most, writer.representatives())?;
        writer.finish(&head, out)?;
    }
    Ok(CoverSearch { end, statistics })
}

/// Squares of a node.
#[derive(Debug, Clone)]
struct CoverNode {
    placed: FixedBitSet,
    /// Squares that may still be placed.
    free: FixedBitSet,
    /// Squares that no placed square attacks or occupies.
    open: FixedBitSet,
}

impl CoverNode {
    /// Creates the root with the included squares.
    fn root(problem: &CoverProblem<'_>, graph: &[FixedBitSet]) -> Self {
        let mut free = FixedBitSet::with_capacity(graph.len());
        free.insert_range(..);
        let placed = FixedBitSet::with_capacity(graph.len());
        let mut root = Self { placed, open: free.clone(), free };
        for &square in problem.included {
            root.place(square as usize, graph, problem.is_independent);
        }
        root
    }

    /// Places a square.
    fn place(&mut self, square: usize, graph: &[FixedBitSet], is_independent: bool) {
        self.placed.insert(square);
        self.free.set(square, false);
        if is_independent {
            self.free.difference_with(&graph[square]);
        }
        self.open.difference_with(&graph[square]);
        self.open.set(square, false);
    }

    fn squares(&self) -> NodeSquares<'_> {
        NodeSquares { placed: &self.placed, free: &self.free }
    }
}

/// State of a search.
struct Tree<'a> {
    settings: &'a Settings<'a>,
    group: &'a Group,
    no_symmetry: &'a Group,
    graph: &'a [FixedBitSet],
    /// Squares that attack or occupy each square, in increasing order.
    coverers: &'a [Vec<Square>],
    is_independent: bool,
    /// Number of included squares.
    included: usize,
    lp: IncrementalLp<'a>,
    writer: CoverWriter<'a>,
    /// Number of squares that a set may have.
    most: i64,
    /// Number of open nodes on the path to the current one.
    depth: u64,
    statistics: Statistics,
}

impl Tree<'_> {
    /// Visits a node, which is the given share of the tree, and all nodes below it.
    fn visit(&mut self, mut node: CoverNode, mut share: f64) -> Result<(), Leave> {
        loop {
            let Some(point) = self.bound(&node)? else {
                self.settings.monitor.control.count(0, share);
                return Ok(());
            };
            let square = self.branching_square(&node, &point);
            let is_root = node.placed.count_ones(..) == self.included;
            let group = if is_root { self.group } else { self.no_symmetry };
            let orbits = Orbits::new(group, node.squares());
            let orbit: Vec<usize> = orbits.orbit(square).into_iter().map(|(image, _)| image).collect();
            self.writer.branch(square, &orbit)?;
            let basis = self.lp.basis()?;
            let mut below = node.clone();
            below.place(square, self.graph, self.is_independent);
            share /= 2.0;
            self.depth += 1;
            stack::level(|| self.visit(below, share))?;
            self.depth -= 1;
            self.lp.set_basis(&basis)?;
            orbit.iter().for_each(|&image| node.free.set(image, false));
        }
    }

    /// Solves the relaxation of a node. Returns `None` if the node is a leaf, which has been written.
    fn bound(&mut self, node: &CoverNode) -> Result<Option<Vec<f64>>, Leave> {
        let control = &self.settings.monitor.control;
        if self.statistics.nodes >= self.settings.node_limit {
            return Err(Leave::Stop(StopReason::NodeLimit));
        }
        self.statistics.nodes += 1;
        control.count(1, 0.0);
        let placed = node.placed.count_ones(..) as i64;
        if node.open.is_clear() && placed <= self.most {
            self.ensure_too_large(node.placed.ones().map(|square| square as Square).collect())?;
        }
        if placed > self.most {
            self.write_leaf(&CoverCombination::OF_NO_ROWS, node)?;
            return Ok(None);
        }
        let is_covered_by =
            |&square: &usize| self.coverers[square].iter().any(|&other| node.free.contains(other as usize));
        if let Some(square) = node.open.ones().find(|square| !is_covered_by(square)) {
            self.write_leaf(&CoverCombination::of_row(square), node)?;
            return Ok(None);
        }
        let optimum = self.solve(node)?;
        if self.write_leaf_if_proved(&optimum, node)? {
            return Ok(None);
        }
        if let Some(solution) = integral(&optimum.point, node.squares()) {
            self.ensure_too_large(solution)?;
        }
        Ok(Some(optimum.point))
    }

    fn solve(&mut self, node: &CoverNode) -> Result<Optimum, Leave> {
        let stopped = Leave::Stop(StopReason::Interrupted);
        if self.settings.monitor.control.is_stopped() {
            return Err(stopped);
        }
        self.lp.set_domains(|square| node.squares().domain(square))?;
        let optimum = self.lp.solve()?.ok_or(stopped)?;
        self.statistics.lp_iterations += optimum.iterations;
        let root = *self.statistics.root_bound.get_or_insert(optimum.value);
        self.settings.monitor.count_iterations(optimum.iterations);
        self.settings.monitor.set_open(NAME, root, self.depth as usize + 1);
        Ok(optimum)
    }

    /// Writes the node as a leaf if its bound is above the target and integer multipliers prove it.
    /// Returns `true` if so.
    fn write_leaf_if_proved(&mut self, optimum: &Optimum, node: &CoverNode) -> Result<bool, Leave> {
        if optimum.value < self.most as f64 + TOLERANCE {
            return Ok(false);
        }
        let missing = self.most - node.placed.count_ones(..) as i64;
        let found = multipliers::round(self.coverers, &optimum.duals, node, missing);
        let Some(combination) = found else {
            self.statistics.unproved_leaves += 1;
            return Ok(false);
        };
        self.write_leaf(&combination, node)?;
        Ok(true)
    }

    fn write_leaf(&mut self, combination: &CoverCombination, node: &CoverNode) -> Result<(), Leave> {
        self.writer.leaf(combination, self.coverers, node.squares())?;
        self.statistics.leaves += 1;
        Ok(())
    }

    /// Ends the search if a set dominates the board, is independent if it must be, and has at most the target
    /// number of squares.
    fn ensure_too_large(&self, solution: Vec<Square>) -> Result<(), Leave> {
        let is_covered = |around: &Vec<Square>| around.iter().any(|square| solution.contains(square));
        if solution.len() as i64 > self.most
            || (self.is_independent && !is_independent(self.graph, &solution))
            || !self.coverers.iter().all(is_covered)
        {
            return Ok(());
        }
        Err(Leave::Found(solution))
    }

    /// Returns the square to branch on. It covers the open square with the fewest free coverers, and has the
    /// largest sum of its value and the number of open squares that it covers.
    fn branching_square(&self, node: &CoverNode, point: &[f64]) -> usize {
        let free = |square: usize| {
            let coverers = self.coverers[square].iter().map(|&other| other as usize);
            coverers.filter(|&other| node.free.contains(other))
        };
        let target = node.open.ones().min_by_key(|&square| free(square).count());
        let target = target.expect("a node that branches has an open square");
        let score = |square: usize| {
            let covered = self.graph[square].intersection(&node.open).count();
            point[square] + (covered + usize::from(node.open.contains(square))) as f64
        };
        let best = free(target).map(|square| (score(square), square));
        best.max_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1))).expect("the square has a coverer").1
    }
}
