//! Bit-parallel branch and bound on clique covers: do `k` queens fit?
//!
//! A *region* is a set of squares that must hold at least `demand` queens: the whole board with `demand = k`,
//! and the outer slabs of a box, whose complements are too small to hold the rest. At a node, `demand - 1`
//! cliques are removed from the free squares of a region. They hold at most `demand - 1` queens, so every
//! solution has a queen on one of the *uncovered* squares. If no square is uncovered, the node is pruned;
//! otherwise the search branches on the uncovered squares of the region that has the fewest of them. Near the
//! root, as long as the stabiliser of the decisions is not trivial, the search branches on the orbit of a
//! square instead: a queen on the square, or no queen on its orbit.
//!
//! A tree may be cut off. The nodes at the cut become *parts*, which are searched separately.
//!
//! # References
//! E. Balas, C. S. Yu, *Finding a maximum clique in an arbitrary graph*, SIAM J. Comput. 15 (1986), for
//! branching on the squares that a cover leaves uncovered; J. Ostrowski, J. Linderoth, F. Rossi, S.
//! Smriglio, *Orbital branching*, Math. Program. 126 (2011); P. R. J. Östergård, *A fast algorithm for the
//! maximum clique problem*, Discrete Appl. Math. 120 (2002), for Russian dolls.

use std::ops::ControlFlow;

use fixedbitset::FixedBitSet;
use ndqueens_system::cancel::Control;
use ndqueens_system::stack;
use rand::{Rng, RngExt as _};

use crate::search::attacks::{count, members};
use crate::search::budget::Budget;
use crate::search::instance::{Instance, OrbitalBranching, Subproblem};
use crate::search::layout::BitPosition;
use crate::search::log::{FirstFit, Log, Share};
use crate::settings::Components;

/// Reason why a search ended before its tree was exhausted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum End {
    /// Placement of `k` queens, by place.
    Found(Vec<usize>),
    /// Node limit reached, or stopped by the user.
    Stopped,
}

/// Result of a search.
#[derive(Debug)]
pub(crate) struct Run {
    /// `Ok` if `k` queens do not fit, except possibly below the parts that were cut off.
    pub(crate) end: Result<(), End>,
    /// Number of nodes, without those that became parts.
    pub(crate) nodes: u64,
    /// Fraction of the whole tree that was searched, between 0 and the weight of the root of the search.
    pub(crate) done: f64,
    /// Parts that were cut off, in depth-first order.
    pub(crate) parts: Vec<Subproblem>,
}

/// State of a search.
pub(crate) struct Search<'a, L> {
    instance: &'a Instance,
    /// Demand of each region, less the queens placed in it.
    demands: Vec<i32>,
    /// Squares of the queens placed.
    placed: Vec<usize>,
    /// Orbits branched on above the current node whose branch has a queen on the orbit.
    orbits: Vec<FixedBitSet>,
    /// Free squares of the nodes on the current path, in the words of the layout.
    free: Vec<usize>,
    /// Number of nodes above the current one.
    level: usize,
    estimates: Estimates,
    memory: Memory,
    nodes: u64,
    /// Fraction of the whole tree that has been searched.
    done: f64,
    /// Nodes and progress that were reported to the control.
    reported: (u64, f64),
    /// Nodes that were charged to the budget.
    spent: u64,
    cut_off: CutOff,
    parts: Vec<Subproblem>,
    /// Number of children of the nodes on the current path that have not been entered yet.
    open: usize,
    budget: &'a Budget<'a>,
    control: &'a Control,
    log: L,
}

/// Working memory for covers; each vector has the length of the longest bitset.
#[derive(Debug)]
struct Memory {
    /// Squares that the last cover left uncovered.
    last: Vec<usize>,
    /// Squares that the best cover left uncovered.
    best: Vec<usize>,
    /// Candidates for the current clique.
    candidates: Vec<usize>,
}

/// Estimates of the number of squares that the covers of each region leave uncovered, for the nodes on the
/// current path. A region with many uncovered squares at a node has many below it as well, so its cover need
/// not be computed there.
#[derive(Debug, Default)]
struct Estimates {
    /// Number of free squares at each level.
    free: Vec<u32>,
    /// Estimate for each level and region, `regions` values per level.
    uncovered: Vec<u32>,
}

impl Estimates {
    /// Creates the estimates of a root with `free` free squares; 0 means that no cover has been computed.
    fn for_root(free: u32, regions: usize) -> Self {
        Self { free: vec![free], uncovered: vec![0; regions] }
    }

    /// Starts a node at `level` with `free` free squares, and scales the estimates of its parent accordingly.
    fn push_level(&mut self, level: usize, free: u32, regions: usize) {
        const BITS: u32 = 16;
        self.free.resize(level + 1, 0);
        self.uncovered.resize((level + 1) * regions, 0);
        let ratio = (u64::from(free) << BITS) / u64::from(self.free[level - 1].max(1));
        let (above, own) = self.uncovered.split_at_mut(level * regions);
        for (own, above) in own.iter_mut().zip(&above[(level - 1) * regions..]) {
            *own = ((u64::from(*above) * ratio) >> BITS) as u32;
        }
        self.free[level] = free;
    }

    /// Removes the root, so that the node at level 1 becomes the root.
    fn drop_root(&mut self, regions: usize) {
        self.free.remove(0);
        self.uncovered.drain(..regions);
    }

    /// Accounts for the removal of a free square, which may have been uncovered in each of its regions.
    fn remove(&mut self, level: usize, positions: &[BitPosition], regions: usize) {
        self.free[level] = self.free[level].saturating_sub(1);
        for position in positions {
            let uncovered = &mut self.uncovered[level * regions + position.region as usize];
            *uncovered = uncovered.saturating_sub(1);
        }
    }
}

/// Covers are skipped if their estimate is at least this many times the fewest uncovered squares.
const SKIP_FACTOR: u32 = 4;

/// Number of nodes between two polls of the control.
const POLL_INTERVAL: u64 = 1024;

/// Approximate maximum number of words that the parts of a tree may take. A tree whose paths are thousands of
/// nodes long with hundreds of children each would exceed it and is cut off later.
const MAX_PART_WORDS: usize = 1 << 22;

/// Nodes at which a tree is cut off.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CutOff {
    /// No nodes.
    Never,
    /// Nodes after this number of decisions.
    AtDepth(u32),
    /// All nodes that are open after this number of nodes, unless they would take too much memory.
    AfterNodes(u64),
}

/// Result of the covers computed at a node.
enum Cover {
    /// Cover of all free squares of a region: the node is pruned.
    Complete(FirstFit),
    /// Cover that leaves squares uncovered: the node is branched on.
    Partial { by: FirstFit, uncovered: Vec<usize> },
}

/// Row of a full layer, or line of a partition, that the search may branch on.
struct BestRow {
    by: FirstFit,
    /// Number of uncovered squares.
    size: u32,
    /// `true` if no other region needs to be covered.
    is_final: bool,
}

impl<'a, L: Log> Search<'a, L> {
    /// Creates a search that has not been started.
    pub(crate) fn new(
        instance: &'a Instance,
        cut_off: CutOff,
        budget: &'a Budget<'a>,
        control: &'a Control,
        log: L,
    ) -> Self {
        let demands = instance.regions.iter().map(|region| region.demand).collect();
        let longest = vec![0; instance.layout.views.iter().map(|view| view.words).max().unwrap_or(0)];
        let memory = Memory { last: longest.clone(), best: longest.clone(), candidates: longest };
        Self {
            instance,
            demands,
            placed: Vec::new(),
            orbits: Vec::new(),
            free: Vec::new(),
            level: 0,
            estimates: Estimates::default(),
            memory,
            nodes: 0,
            done: 0.0,
            reported: (0, 0.0),
            spent: 0,
            cut_off,
            parts: Vec::new(),
            open: 0,
            budget,
            control,
            log,
        }
    }

    /// Searches the tree below `part`. Returns the result and the log.
    pub(crate) fn run(mut self, part: &Subproblem) -> (Run, L) {
        for &x in &part.placed {
            self.change_demands(x, -1);
        }
        self.placed.clone_from(&part.placed);
        self.orbits.clone_from(&part.orbits);
        self.free = self.instance.layout.to_words(&part.free);
        self.estimates = Estimates::for_root(count(self.free_squares()), self.instance.regions.len());
        if !part.uncovered_estimates.is_empty() {
            self.estimates.uncovered.clone_from(&part.uncovered_estimates);
        }
        let end = self.branch_on_orbits(&part.elements, part.weight, 0);
        self.report();
        let nodes = self.nodes - self.parts.len() as u64;
        self.spend(nodes);
        (Run { end, nodes, done: self.done, parts: self.parts }, self.log)
    }

    /// Branches on orbits while the stabiliser is not trivial. `elements` fix the placed queens and map free
    /// squares to free squares.
    fn branch_on_orbits(&mut self, elements: &[u32], mut weight: f64, mut depth: u32) -> Result<(), End> {
        let max_orbits = match self.instance.orbital {
            OrbitalBranching::AtEveryNode => u32::MAX,
            OrbitalBranching::AtRoot { max_orbits } => max_orbits,
        };
        while elements.len() > 1 && depth < max_orbits {
            if self.enter(weight)?.is_break() {
                return Ok(());
            }
            let estimates = self.estimates_at_cut(depth);
            let uncovered = match (self.best_branching_region(), estimates) {
                (Cover::Complete(by), _) => {
                    self.prune(by, weight);
                    return Ok(());
                }
                (Cover::Partial { .. }, Some(estimates)) => {
                    self.cut_off(elements, weight, estimates);
                    return Ok(());
                }
                (Cover::Partial { uncovered, .. }, None) => uncovered,
            };
            let square = self.max_degree_square(&uncovered);
            let orbit = self.instance.orbit(square, elements);
            self.log.log_orbit(square, elements);
            let stabiliser = self.instance.stabiliser(square, elements);
            weight /= 2.0;
            depth += 1;
            self.orbits.push(orbit.clone());
            self.branch_with_queen(square, |search| search.branch_on_orbits(&stabiliser, weight, depth))?;
            self.orbits.pop();
            orbit.ones().for_each(|x| self.remove(x));
        }
        self.branch_on_squares(weight, depth)
    }

    /// Branches on the uncovered squares of a region.
    fn branch_on_squares(&mut self, weight: f64, depth: u32) -> Result<(), End> {
        if self.enter(weight)?.is_break() {
            return Ok(());
        }
        let estimates = self.estimates_at_cut(depth);
        match (self.best_branching_region(), estimates) {
            (Cover::Complete(by), _) => self.prune(by, weight),
            (Cover::Partial { .. }, Some(estimates)) => self.cut_off(&[], weight, estimates),
            (Cover::Partial { by, uncovered }, None) => {
                let free = level_words(&self.free, self.level, self.instance);
                let cliques = || cover_cliques(self.instance, &self.demands, free, by);
                self.log.log_cover(by, cliques, || uncovered.clone());
                let share = weight / uncovered.len() as f64;
                self.open += uncovered.len();
                for x in uncovered {
                    self.open -= 1;
                    self.branch_with_queen(x, |search| search.branch_on_squares(share, depth + 1))?;
                    self.remove(x);
                }
            }
        }
        Ok(())
    }

    /// Estimates the size of the tree by a random descent from the root. At each node a child is
    /// chosen uniformly, and the estimate assumes that all nodes at the same depth have as many
    /// children as the one visited.
    ///
    /// # References
    /// D. E. Knuth, *Estimating the efficiency of backtrack programs*, Mathematics of Computation 29 (1975).
    pub(crate) fn probe(&mut self, random: &mut impl Rng) -> Result<f64, End> {
        let Subproblem { free, mut elements, .. } = self.instance.root();
        self.free = self.instance.layout.to_words(&free);
        let regions = self.instance.regions.len();
        self.estimates = Estimates::for_root(count(self.free_squares()), regions);
        let (mut weight, mut nodes) = (1.0, 0.0);
        let end = loop {
            if self.demands.last() == Some(&0) {
                break Err(End::Found(self.placed.clone()));
            }
            if self.control.is_stopped() {
                break Err(End::Stopped);
            }
            self.nodes += 1;
            nodes += weight;
            let uncovered = match self.best_branching_region() {
                Cover::Complete(_) => break Ok(nodes),
                Cover::Partial { uncovered, .. } => uncovered,
            };
            let chosen = if elements.len() > 1 {
                let square = self.max_degree_square(&uncovered);
                weight *= 2.0;
                if random.random() {
                    self.instance.orbit(square, &elements).ones().for_each(|x| self.remove(x));
                    continue;
                }
                elements = self.instance.stabiliser(square, &elements);
                square
            } else {
                weight *= uncovered.len() as f64;
                let choice = random.random_range(0..uncovered.len());
                uncovered[..choice].iter().for_each(|&x| self.remove(x));
                uncovered[choice]
            };
            for (free, unattacked) in self.free.iter_mut().zip(self.instance.layout.unattacked_mask(chosen)) {
                *free &= unattacked;
            }
            self.estimates.push_level(1, count(self.free_squares()), regions);
            self.estimates.drop_root(regions);
            self.change_demands(chosen, -1);
            self.placed.push(chosen);
        };
        self.report();
        while let Some(x) = self.placed.pop() {
            self.change_demands(x, 1);
        }
        end
    }

    /// Returns the free squares of the current node.
    fn free_squares(&self) -> &[usize] {
        let view = self.instance.layout.views.last().expect("an instance has regions");
        &level_words(&self.free, self.level, self.instance)[view.first..][..view.words]
    }

    /// Removes square `x` from the free squares of the current node.
    fn remove(&mut self, x: usize) {
        let layout = &self.instance.layout;
        layout.remove(x, &mut self.free[self.level * layout.words..][..layout.words]);
        self.estimates.remove(self.level, layout.positions(x), self.instance.regions.len());
    }

    /// Returns the square of `uncovered` that attacks the most free squares.
    fn max_degree_square(&self, uncovered: &[usize]) -> usize {
        let common = |(free, attacked): (&usize, &usize)| (free & attacked).count_ones();
        let attacked_and_first = |&&x: &&usize| {
            let attacks = self.instance.indexed.attacks.neighbours(x);
            (self.free_squares().iter().zip(attacks).map(common).sum::<u32>(), usize::MAX - x)
        };
        *uncovered.iter().max_by_key(attacked_and_first).expect("the node has an uncovered square")
    }

    /// Returns the estimates of the current node if the tree is to be cut off there.
    fn estimates_at_cut(&self, depth: u32) -> Option<Vec<u32>> {
        let is_part = match self.cut_off {
            CutOff::Never => false,
            CutOff::AtDepth(cut) => depth == cut,
            CutOff::AfterNodes(limit) => self.nodes > limit && self.part_words() <= MAX_PART_WORDS,
        };
        let regions = self.instance.regions.len();
        is_part.then(|| self.estimates.uncovered[self.level * regions..][..regions].to_vec())
    }

    /// Returns the approximate number of words of the parts if the tree is cut off at the current node.
    fn part_words(&self) -> usize {
        self.open * (self.placed.len() + self.free_squares().len())
    }

    /// Records the current node as a part.
    fn cut_off(&mut self, elements: &[u32], weight: f64, uncovered_estimates: Vec<u32>) {
        self.log.log_part(self.parts.len());
        let (placed, orbits, elements) = (self.placed.clone(), self.orbits.clone(), elements.to_vec());
        let words = self.free_squares().iter().copied();
        let free = FixedBitSet::with_capacity_and_blocks(self.instance.indexed.squares.len(), words);
        self.parts.push(Subproblem { placed, free, elements, orbits, weight, uncovered_estimates });
    }

    /// Enters a node. Returns `Break` if it is a solution, which has been reported, and `Continue` if the
    /// node must be branched on.
    ///
    /// # Errors
    /// Returns the reason if the search ends here.
    fn enter(&mut self, weight: f64) -> Result<ControlFlow<()>, End> {
        if self.demands.last() == Some(&0) {
            let mut share = Share { numerator: 1, denominator: 1 };
            for orbit in &self.orbits {
                share.numerator *= orbit.count_ones(..) as u64;
                share.denominator *= self.placed.iter().filter(|&&x| orbit.contains(x)).count() as u64;
            }
            if self.log.log_solution(&self.placed, share).is_break() {
                return Err(End::Found(self.placed.clone()));
            }
            self.done += weight;
            return Ok(ControlFlow::Break(()));
        }
        self.nodes += 1;
        if self.nodes.is_multiple_of(POLL_INTERVAL) {
            self.report();
            if self.control.is_stopped()
                || self.log.is_broken()
                || !self.spend(self.nodes - 1 - self.parts.len() as u64)
            {
                return Err(End::Stopped);
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    /// Charges `nodes`, less those charged before, to the budget. Returns `false` if the budget is exceeded.
    fn spend(&mut self, nodes: u64) -> bool {
        let more = nodes - self.spent;
        self.spent = nodes;
        self.budget.spend(more)
    }

    /// Reports progress since the last call to the control.
    fn report(&mut self) {
        self.control.count(self.nodes - self.reported.0, self.done - self.reported.1);
        self.reported = (self.nodes, self.done);
    }

    /// Places a queen on the free square `x`, runs `below` for the child, and removes the queen again.
    fn branch_with_queen(
        &mut self,
        x: usize,
        below: impl FnOnce(&mut Self) -> Result<(), End>,
    ) -> Result<(), End> {
        let layout = &self.instance.layout;
        let next = (self.level + 1) * layout.words;
        if self.free.len() < next + layout.words {
            self.free.resize(next + layout.words, 0);
        }
        let (parent, child) = self.free.split_at_mut(next);
        let parent = &parent[next - layout.words..];
        for ((child, free), unattacked) in child.iter_mut().zip(parent).zip(layout.unattacked_mask(x)) {
            *child = free & unattacked;
        }
        self.change_demands(x, -1);
        self.placed.push(x);
        self.level += 1;
        self.estimates.push_level(self.level, count(self.free_squares()), self.instance.regions.len());
        let result = stack::level(|| below(self));
        self.level -= 1;
        self.placed.pop();
        self.change_demands(x, 1);
        result
    }

    /// Adds `by` to the demands of all regions that contain square `x`.
    fn change_demands(&mut self, x: usize, by: i32) {
        for position in self.instance.layout.positions(x) {
            self.demands[position.region as usize] += by;
        }
    }

    /// Selects the row to branch on, if the instance has rows: in the first layer with an open demand, the
    /// row with the fewest uncovered squares. Rows of later layers are preferred only if they leave at most
    /// one square uncovered.
    fn best_row(&mut self) -> Option<BestRow> {
        let rows = &self.instance.row_layers;
        let mut best: Option<(usize, u32)> = None;
        for (number, &layer) in rows.iter().enumerate() {
            if self.demands[number] <= 0 {
                continue;
            }
            let by = FirstFit { region: number, reversed: false };
            let size = self.count_uncovered(by);
            let is_best = |(row, fewest): (usize, u32)| rows[row] == layer && size < fewest;
            if size <= 1 || best.is_none_or(is_best) {
                self.keep_cover();
                best = Some((number, size));
            }
            if size <= 1 {
                break;
            }
        }
        let (region, size) = best?;
        let is_final = size <= 1 || rows[region] == 0;
        Some(BestRow { by: FirstFit { region, reversed: false }, size, is_final })
    }

    /// Covers the regions and selects the one with the fewest uncovered squares among those that
    /// may be branched on.
    fn best_branching_region(&mut self) -> Cover {
        let Components { second_cover, narrowest, .. } = self.instance.components;
        let last_region = self.instance.regions.len() - 1;
        let level_start = self.level * (last_region + 1);
        let mut fewest = u32::MAX;
        let mut best = None;
        if narrowest && let Some(BestRow { by, size, is_final }) = self.best_row() {
            if is_final {
                return self.best_cover(by, size);
            }
            (best, fewest) = (Some(by), size);
        }
        let unsatisfied =
            (self.instance.row_layers.len()..=last_region).filter(|&region| self.demands[region] > 0);
        let first = unsatisfied.min_by_key(|&region| self.estimates.uncovered[level_start + region]);
        let first = first.expect("the last region has a positive demand");
        let others = (self.instance.row_layers.len()..=last_region).filter(|&region| region != first);
        for region in std::iter::once(first).chain(others) {
            let is_below = |size: u32, times: u32, fewest: u32| size < fewest.saturating_mul(times);
            if self.demands[region] <= 0
                || !is_below(self.estimates.uncovered[level_start + region], SKIP_FACTOR, fewest)
            {
                continue;
            }
            for reversed in [false, true] {
                let by = FirstFit { region, reversed };
                let size = self.count_uncovered(by);
                if size == 0 {
                    return Cover::Complete(by);
                }
                let estimate = &mut self.estimates.uncovered[level_start + region];
                *estimate = if reversed { size.min(*estimate) } else { size };
                let try_reversed = second_cover && is_below(size, 2, fewest);
                if size < fewest && (narrowest || region == last_region) {
                    self.keep_cover();
                    (best, fewest) = (Some(by), size);
                }
                if !try_reversed {
                    break;
                }
            }
        }
        self.best_cover(best.expect("the last region has a positive demand"), fewest)
    }

    /// Covers a region by `demand - 1` first-fit cliques. Returns the number of uncovered squares.
    fn count_uncovered(&mut self, by: FirstFit) -> u32 {
        let view = &self.instance.layout.views[by.region];
        let free = &level_words(&self.free, self.level, self.instance)[view.first..][..view.words];
        let Memory { last, candidates, .. } = &mut self.memory;
        let (last, candidates) = (&mut last[..view.words], &mut candidates[..view.words]);
        last.copy_from_slice(free);
        view.region.attacks.take_cliques(last, self.demands[by.region] - 1, by.reversed, candidates);
        count(last)
    }

    /// Stores the last cover as the best one.
    fn keep_cover(&mut self) {
        std::mem::swap(&mut self.memory.last, &mut self.memory.best);
    }

    /// Returns the best cover, which leaves `size` squares uncovered.
    fn best_cover(&self, by: FirstFit, size: u32) -> Cover {
        if size == 0 {
            return Cover::Complete(by);
        }
        let view = &self.instance.layout.views[by.region];
        let uncovered = members(&self.memory.best[..view.words]);
        Cover::Partial { by, uncovered: uncovered.map(|x| view.region.squares[x] as usize).collect() }
    }

    /// Logs that the current node is pruned by a cover.
    fn prune(&mut self, by: FirstFit, weight: f64) {
        self.done += weight;
        let free = level_words(&self.free, self.level, self.instance);
        self.log.log_cover(by, || cover_cliques(self.instance, &self.demands, free, by), Vec::new);
    }
}

/// Returns the words of the free squares at a level.
fn level_words<'f>(all: &'f [usize], level: usize, instance: &Instance) -> &'f [usize] {
    &all[level * instance.layout.words..][..instance.layout.words]
}

/// Recomputes the cliques of a cover.
fn cover_cliques(instance: &Instance, demands: &[i32], free: &[usize], by: FirstFit) -> Vec<Vec<usize>> {
    let view = &instance.layout.views[by.region];
    let mut uncovered = free[view.first..][..view.words].to_vec();
    let mut candidates = uncovered.clone();
    let mut cliques = Vec::new();
    let mut start = if by.reversed { view.words - 1 } else { 0 };
    for _ in 1..demands[by.region] {
        let mut clique = Vec::new();
        let visit = |x: usize| clique.push(view.region.squares[x] as usize);
        if !view.region.attacks.take_clique(&mut uncovered, &mut start, by.reversed, &mut candidates, visit) {
            break;
        }
        cliques.push(clique);
    }
    cliques
}
