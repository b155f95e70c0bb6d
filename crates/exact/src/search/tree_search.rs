//! The search: do `k` queens fit? Bit-parallel branch and bound on clique covers.
//!
//! A *region* is a set of squares that must hold at least `demand` queens: the whole board with `demand = k`, and the outer
//! slabs of a box, whose complements are too small to hold the rest. At a node `demand - 1` cliques are taken out of the
//! free squares of a region; at most `demand - 1` queens stand on them, so a solution has a queen on one of the
//! *uncovered* squares. When there is none the node is refuted; else it branches over the uncovered squares of the region
//! that has the fewest. At the top, while the stabiliser of what was decided is not trivial, it branches on a square's orbit
//! instead: a queen on the square, or none on the whole orbit.
//!
//! A search may cut its tree off at a depth. The nodes there become *parts*, which other searches take up.
//!
//! # References
//! E. Balas, C. S. Yu, *Finding a maximum clique in an arbitrary graph*, SIAM J. Comput. 15 (1986), for branching on what a
//! cover leaves over; J. Ostrowski, J. Linderoth, F. Rossi, S. Smriglio, *Orbital branching*, Math. Program. 126 (2011);
//! P. R. J. Östergård, *A fast algorithm for the maximum clique problem*, Discrete Appl. Math. 120 (2002), for Russian dolls.

use std::ops::ControlFlow;

use fixedbitset::FixedBitSet;
use ndqueens_system::cancel::Control;
use ndqueens_system::stack;
use rand::{Rng, RngExt as _};

use crate::search::attacks::{count, members};
use crate::search::budget::Budget;
use crate::search::instance::{Instance, OrbitalBranching, Subproblem};
use crate::search::layout::Home;
use crate::search::log::{FirstFit, Log, Share};
use crate::settings::Components;

/// Why a search ended before its tree was done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum End {
    /// `k` queens on these squares.
    Found(Vec<usize>),
    /// The limit on nodes, or the user.
    Stopped,
}

/// What came of a search.
#[derive(Debug)]
pub(crate) struct Run {
    /// `Ok` components that `k` queens do not fit, if they do not below the parts.
    pub(crate) end: Result<(), End>,
    /// Nodes, but for those at which the parts begin.
    pub(crate) nodes: u64,
    /// The part of the tree that is done, from 0 to the weight of the part searched.
    pub(crate) done: f64,
    /// What was cut off, in the order of the tree.
    pub(crate) parts: Vec<Subproblem>,
}

/// One search.
pub(crate) struct Search<'a, L> {
    instance: &'a Instance,
    demands: Vec<i32>,
    placed: Vec<usize>,
    /// The orbits that the tree branched on, of which a queen was placed.
    orbits: Vec<FixedBitSet>,
    /// The free squares of the nodes on the way down, as the layout holds them, and how far down this is.
    free: Vec<usize>,
    level: usize,
    estimates: Estimates,
    memory: Memory,
    nodes: u64,
    done: f64,
    /// What of nodes and done the control has been told.
    reported: (u64, f64),
    /// What of nodes the budget has been told.
    spent: u64,
    cut_off: CutOff,
    parts: Vec<Subproblem>,
    /// How many children of the nodes on the way down were not entered yet.
    open: usize,
    budget: &'a Budget<'a>,
    control: &'a Control,
    log: L,
}

/// Working memory for covers: each as long as the longest set.
#[derive(Debug)]
struct Memory {
    /// What the last cover left over.
    last: Vec<usize>,
    /// What the best cover left over.
    best: Vec<usize>,
    /// For cliques.
    left: Vec<usize>,
}

/// About how many squares the covers of each region leave over at the nodes on the way down, or fewer. A cover that leaves over
/// many does so further down as well, so that only those need be looked at that do not.
#[derive(Debug, Default)]
struct Estimates {
    /// By level, the free squares of the whole.
    free: Vec<u32>,
    /// By level and region.
    left_over: Vec<u32>,
}

impl Estimates {
    /// Of a root with so many free squares, of whose covers nothing is known.
    fn of_root(free: u32, regions: usize) -> Self {
        Self { free: vec![free], left_over: vec![0; regions] }
    }

    /// Begins a node at this level with so many free squares: its covers leave over the same part of them as those above.
    fn go_down(&mut self, level: usize, free: u32, regions: usize) {
        const BITS: u32 = 16;
        self.free.resize(level + 1, 0);
        self.left_over.resize((level + 1) * regions, 0);
        let ratio = (u64::from(free) << BITS) / u64::from(self.free[level - 1].max(1));
        let (above, own) = self.left_over.split_at_mut(level * regions);
        for (own, above) in own.iter_mut().zip(&above[(level - 1) * regions..]) {
            *own = ((u64::from(*above) * ratio) >> BITS) as u32;
        }
        self.free[level] = free;
    }

    /// The node at the first level is the root now.
    fn drop_root(&mut self, regions: usize) {
        self.free.remove(0);
        self.left_over.drain(..regions);
    }

    /// Takes away a square that may have been left over in each of its regions.
    fn remove(&mut self, level: usize, homes: &[Home], regions: usize) {
        self.free[level] = self.free[level].saturating_sub(1);
        for home in homes {
            let left_over = &mut self.left_over[level * regions + home.region as usize];
            *left_over = left_over.saturating_sub(1);
        }
    }
}

/// A cover that is taken to leave over so many times the fewest squares is not looked at.
const FAR_MORE: u32 = 4;

/// How many nodes pass between two looks at the control.
const POLL: u64 = 1024;

/// How many words the parts of a tree may take, about. One that would leave more, for it has paths of thousands of nodes with hundreds
/// of children, is cut off later.
const MOST_WORDS: usize = 1 << 22;

/// Where a tree is cut off.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CutOff {
    /// Nowhere.
    Never,
    /// After so many decisions.
    AtDepth(u32),
    /// At all nodes that are open after so many, if they are not too many to be kept.
    AfterNodes(u64),
}

/// What the covers say of a node.
enum Cover {
    Refuted(FirstFit),
    Left { by: FirstFit, uncovered: Vec<usize> },
}

impl<'a, L: Log> Search<'a, L> {
    pub(crate) fn new(
        instance: &'a Instance,
        cut_off: CutOff,
        budget: &'a Budget<'a>,
        control: &'a Control,
        log: L,
    ) -> Self {
        let demands = instance.regions.iter().map(|region| region.demand).collect();
        let longest = vec![0; instance.layout.views.iter().map(|view| view.words).max().unwrap_or(0)];
        let memory = Memory { last: longest.clone(), best: longest.clone(), left: longest };
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

    /// Searches the tree below a part. Gives back the log as well.
    pub(crate) fn run(mut self, part: &Subproblem) -> (Run, L) {
        for &x in &part.placed {
            self.change_demands(x, -1);
        }
        self.placed.clone_from(&part.placed);
        self.orbits.clone_from(&part.orbits);
        self.free = self.instance.layout.spread(&part.free);
        self.estimates = Estimates::of_root(count(self.free_squares()), self.instance.regions.len());
        if !part.left_over.is_empty() {
            self.estimates.left_over.clone_from(&part.left_over);
        }
        let end = self.top(&part.elements, part.weight, 0);
        self.report();
        let nodes = self.nodes - self.parts.len() as u64;
        self.spend(nodes);
        (Run { end, nodes, done: self.done, parts: self.parts }, self.log)
    }

    /// A node that symmetry still acts on: `elements` fix the squares placed, and map free squares to free squares.
    fn top(&mut self, elements: &[u32], mut weight: f64, mut depth: u32) -> Result<(), End> {
        let most = match self.instance.orbital {
            OrbitalBranching::Throughout => u32::MAX,
            OrbitalBranching::AtRoot { orbits } => orbits,
        };
        while elements.len() > 1 && depth < most {
            if self.enter(weight)?.is_break() {
                return Ok(());
            }
            let estimates = self.estimates_of_part(depth);
            let uncovered = match (self.best_branching_region(), estimates) {
                (Cover::Refuted(by), _) => {
                    self.refuted(by, weight);
                    return Ok(());
                }
                (Cover::Left { .. }, Some(left_over)) => {
                    self.cut_off(elements, weight, left_over);
                    return Ok(());
                }
                (Cover::Left { uncovered, .. }, None) => uncovered,
            };
            let square = self.most_attacked(&uncovered);
            let orbit = self.instance.orbit(square, elements);
            self.log.orbit(square, elements);
            let fixing = self.instance.stabiliser(square, elements);
            weight /= 2.0;
            depth += 1;
            self.orbits.push(orbit.clone());
            self.place(square, |search| search.top(&fixing, weight, depth))?;
            self.orbits.pop();
            orbit.ones().for_each(|x| self.remove(x));
        }
        self.node(weight, depth)
    }

    fn node(&mut self, weight: f64, depth: u32) -> Result<(), End> {
        if self.enter(weight)?.is_break() {
            return Ok(());
        }
        let estimates = self.estimates_of_part(depth);
        match (self.best_branching_region(), estimates) {
            (Cover::Refuted(by), _) => self.refuted(by, weight),
            (Cover::Left { .. }, Some(left_over)) => self.cut_off(&[], weight, left_over),
            (Cover::Left { by, uncovered }, None) => {
                let free = free(&self.free, self.level, self.instance);
                let cliques = || cliques(self.instance, &self.demands, free, by);
                self.log.covered(by, cliques, || uncovered.clone());
                let share = weight / uncovered.len() as f64;
                self.open += uncovered.len();
                for x in uncovered {
                    self.open -= 1;
                    self.place(x, |search| search.node(share, depth + 1))?;
                    self.remove(x);
                }
            }
        }
        Ok(())
    }

    /// Goes down from the root at random, each child of a node being as likely, and gives the size that the tree has if all
    /// its nodes at a depth are like the one met there.
    ///
    /// # References
    /// D. E. Knuth, *Estimating the efficiency of backtrack programs*, Mathematics of Computation 29 (1975).
    pub(crate) fn probe(&mut self, random: &mut impl Rng) -> Result<f64, End> {
        let Subproblem { free, mut elements, .. } = self.instance.root();
        self.free = self.instance.layout.spread(&free);
        let regions = self.instance.regions.len();
        self.estimates = Estimates::of_root(count(self.free_squares()), regions);
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
                Cover::Refuted(_) => break Ok(nodes),
                Cover::Left { uncovered, .. } => uncovered,
            };
            let chosen = if elements.len() > 1 {
                let square = self.most_attacked(&uncovered);
                weight *= 2.0;
                if random.random() {
                    self.instance.orbit(square, &elements).ones().for_each(|x| self.remove(x));
                    continue;
                }
                elements = self.instance.stabiliser(square, &elements);
                square
            } else {
                weight *= uncovered.len() as f64;
                let place = random.random_range(0..uncovered.len());
                uncovered[..place].iter().for_each(|&x| self.remove(x));
                uncovered[place]
            };
            for (free, left) in self.free.iter_mut().zip(self.instance.layout.left_by(chosen)) {
                *free &= left;
            }
            self.estimates.go_down(1, count(self.free_squares()), regions);
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

    /// The free squares of the whole.
    fn free_squares(&self) -> &[usize] {
        let view = self.instance.layout.views.last().expect("the whole is a region");
        &free(&self.free, self.level, self.instance)[view.first..][..view.words]
    }

    /// Takes a square away from the free ones.
    fn remove(&mut self, x: usize) {
        let layout = &self.instance.layout;
        layout.remove(x, &mut self.free[self.level * layout.words..][..layout.words]);
        self.estimates.remove(self.level, layout.homes(x), self.instance.regions.len());
    }

    /// The square of `uncovered` that attacks most of the free squares.
    fn most_attacked(&self, uncovered: &[usize]) -> usize {
        let both = |(free, attacked): (&usize, &usize)| (free & attacked).count_ones();
        let attacked = |&&x: &&usize| {
            let attacks = self.instance.indexed.attacks.of(x);
            (self.free_squares().iter().zip(attacks).map(both).sum::<u32>(), usize::MAX - x)
        };
        *uncovered.iter().max_by_key(attacked).expect("something is uncovered")
    }

    /// The estimates of this node, where the tree is to be cut off.
    fn estimates_of_part(&self, depth: u32) -> Option<Vec<u32>> {
        let is_part = match self.cut_off {
            CutOff::Never => false,
            CutOff::AtDepth(most) => depth == most,
            CutOff::AfterNodes(most) => self.nodes > most && self.words_of_parts() <= MOST_WORDS,
        };
        let regions = self.instance.regions.len();
        is_part.then(|| self.estimates.left_over[self.level * regions..][..regions].to_vec())
    }

    /// About how many words the parts take if the tree is cut off here.
    fn words_of_parts(&self) -> usize {
        self.open * (self.placed.len() + self.free_squares().len())
    }

    fn cut_off(&mut self, elements: &[u32], weight: f64, left_over: Vec<u32>) {
        self.log.part(self.parts.len());
        let (placed, orbits, elements) = (self.placed.clone(), self.orbits.clone(), elements.to_vec());
        let words = self.free_squares().iter().copied();
        let free = FixedBitSet::with_capacity_and_blocks(self.instance.indexed.squares.len(), words);
        self.parts.push(Subproblem { placed, free, elements, orbits, weight, left_over });
    }

    /// Whether the tree goes on at this node; it does not at a solution that was told.
    fn enter(&mut self, weight: f64) -> Result<ControlFlow<()>, End> {
        if self.demands.last() == Some(&0) {
            let mut share = Share { numerator: 1, denominator: 1 };
            for orbit in &self.orbits {
                share.numerator *= orbit.count_ones(..) as u64;
                share.denominator *= self.placed.iter().filter(|&&x| orbit.contains(x)).count() as u64;
            }
            if self.log.found(&self.placed, share).is_break() {
                return Err(End::Found(self.placed.clone()));
            }
            self.done += weight;
            return Ok(ControlFlow::Break(()));
        }
        self.nodes += 1;
        if self.nodes.is_multiple_of(POLL) {
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

    /// Spends what was not spent before of so many nodes.
    fn spend(&mut self, nodes: u64) -> bool {
        let more = nodes - self.spent;
        self.spent = nodes;
        self.budget.spend(more)
    }

    fn report(&mut self) {
        self.control.count(self.nodes - self.reported.0, self.done - self.reported.1);
        self.reported = (self.nodes, self.done);
    }

    /// Puts a queen on a free square, goes on below, and takes it away again.
    fn place(&mut self, x: usize, below: impl FnOnce(&mut Self) -> Result<(), End>) -> Result<(), End> {
        let layout = &self.instance.layout;
        let next = (self.level + 1) * layout.words;
        if self.free.len() < next + layout.words {
            self.free.resize(next + layout.words, 0);
        }
        let (above, remaining) = self.free.split_at_mut(next);
        let above = &above[next - layout.words..];
        for ((remaining, free), left) in remaining.iter_mut().zip(above).zip(layout.left_by(x)) {
            *remaining = free & left;
        }
        self.change_demands(x, -1);
        self.placed.push(x);
        self.level += 1;
        self.estimates.go_down(self.level, count(self.free_squares()), self.instance.regions.len());
        let result = stack::level(|| below(self));
        self.level -= 1;
        self.placed.pop();
        self.change_demands(x, 1);
        result
    }

    fn change_demands(&mut self, x: usize, by: i32) {
        for home in self.instance.layout.homes(x) {
            self.demands[home.region as usize] += by;
        }
    }

    /// The row to branch on, if there are rows, and what its cover leaves over: the one with the fewest squares, of the first
    /// layer that is not filled. Whether nothing else need be looked at: in the first layer, or where a row has a square at most.
    fn best_row(&mut self) -> Option<(FirstFit, u32, bool)> {
        let rows = &self.instance.rows;
        let mut best: Option<(usize, u32)> = None;
        for (number, &layer) in rows.iter().enumerate() {
            if self.demands[number] <= 0 {
                continue;
            }
            let by = FirstFit { region: number, reversed: false };
            let size = self.cover(by);
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
        Some((FirstFit { region, reversed: false }, size, size <= 1 || rows[region] == 0))
    }

    /// The region with the fewest uncovered squares, among those that may be branched on.
    fn best_branching_region(&mut self) -> Cover {
        let Components { second_cover, narrowest, .. } = self.instance.components;
        let whole = self.instance.regions.len() - 1;
        let own = self.level * (whole + 1);
        let mut fewest = u32::MAX;
        let mut best = None;
        if narrowest && let Some((by, size, at_once)) = self.best_row() {
            if at_once {
                return self.covered(by, size);
            }
            (best, fewest) = (Some(by), size);
        }
        let wanting = (self.instance.rows.len()..=whole).filter(|&region| self.demands[region] > 0);
        let first = wanting.min_by_key(|&region| self.estimates.left_over[own + region]);
        let first = first.expect("the whole has a demand");
        let others = (self.instance.rows.len()..=whole).filter(|&region| region != first);
        for region in std::iter::once(first).chain(others) {
            let is_below = |size: u32, times: u32, fewest: u32| size < fewest.saturating_mul(times);
            if self.demands[region] <= 0
                || !is_below(self.estimates.left_over[own + region], FAR_MORE, fewest)
            {
                continue;
            }
            for reversed in [false, true] {
                let by = FirstFit { region, reversed };
                let size = self.cover(by);
                if size == 0 {
                    return Cover::Refuted(by);
                }
                let estimate = &mut self.estimates.left_over[own + region];
                *estimate = if reversed { size.min(*estimate) } else { size };
                let second = second_cover && is_below(size, 2, fewest);
                if size < fewest && (narrowest || region == whole) {
                    self.keep_cover();
                    (best, fewest) = (Some(by), size);
                }
                if !second {
                    break;
                }
            }
        }
        self.covered(best.expect("the whole has a demand"), fewest)
    }

    /// Covers a region by fewer first-fit cliques than its demand: how many squares are left over.
    fn cover(&mut self, by: FirstFit) -> u32 {
        let view = &self.instance.layout.views[by.region];
        let free = &free(&self.free, self.level, self.instance)[view.first..][..view.words];
        let Memory { last, left, .. } = &mut self.memory;
        let (last, left) = (&mut last[..view.words], &mut left[..view.words]);
        last.copy_from_slice(free);
        view.region.attacks.take_cliques(last, self.demands[by.region] - 1, by.reversed, left);
        count(last)
    }

    /// The last cover is the best.
    fn keep_cover(&mut self) {
        std::mem::swap(&mut self.memory.last, &mut self.memory.best);
    }

    /// What the best cover says.
    fn covered(&self, by: FirstFit, size: u32) -> Cover {
        if size == 0 {
            return Cover::Refuted(by);
        }
        let view = &self.instance.layout.views[by.region];
        let uncovered = members(&self.memory.best[..view.words]);
        Cover::Left { by, uncovered: uncovered.map(|x| view.region.squares[x] as usize).collect() }
    }

    fn refuted(&mut self, by: FirstFit, weight: f64) {
        self.done += weight;
        let free = free(&self.free, self.level, self.instance);
        self.log.covered(by, || cliques(self.instance, &self.demands, free, by), Vec::new);
    }
}

/// The free squares of a level.
fn free<'f>(all: &'f [usize], level: usize, instance: &Instance) -> &'f [usize] {
    &all[level * instance.layout.words..][..instance.layout.words]
}

/// The cliques of a cover, again.
fn cliques(instance: &Instance, demands: &[i32], free: &[usize], by: FirstFit) -> Vec<Vec<usize>> {
    let view = &instance.layout.views[by.region];
    let mut uncovered = free[view.first..][..view.words].to_vec();
    let mut left = uncovered.clone();
    let mut cliques = Vec::new();
    let mut end = if by.reversed { view.words - 1 } else { 0 };
    for _ in 1..demands[by.region] {
        let mut clique = Vec::new();
        let tell = |x: usize| clique.push(view.region.squares[x] as usize);
        if !view.region.attacks.take_clique(&mut uncovered, &mut end, by.reversed, &mut left, tell) {
            break;
        }
        cliques.push(clique);
    }
    cliques
}
