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
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;

use ndqueens_control::{Control, stack};
use rand::{Rng, RngExt as _};

use super::bits::Bits;
use super::instance::{Instance, OrbitalBranching, Subproblem};
use super::log::{FirstFit, Log, Share};
use super::settings::Components;

/// How many nodes several searches may take together.
#[derive(Debug)]
pub(super) struct Budget(AtomicU64);

impl Budget {
    pub(super) const fn new(nodes: u64) -> Self {
        Self(AtomicU64::new(nodes))
    }

    /// Leaves nothing to anybody.
    pub(super) fn exhaust(&self) {
        self.0.store(0, Relaxed);
    }

    /// How many are left.
    pub(super) fn left(&self) -> u64 {
        self.0.load(Relaxed)
    }

    /// Takes nodes away; false when there are not as many.
    pub(super) fn spend(&self, nodes: u64) -> bool {
        self.0.fetch_update(Relaxed, Relaxed, |left| left.checked_sub(nodes)).is_ok()
    }
}

/// Why a search ended before its tree was done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum End {
    /// `k` queens on these squares.
    Found(Vec<usize>),
    /// The limit on nodes, or the user.
    Stopped,
}

/// What came of a search.
#[derive(Debug)]
pub(super) struct Run<const W: usize> {
    /// `Ok` components that `k` queens do not fit, if they do not below the parts.
    pub(super) end: Result<(), End>,
    /// Nodes, but for those at which the parts begin.
    pub(super) nodes: u64,
    /// The part of the tree that is done, from 0 to the weight of the part searched.
    pub(super) done: f64,
    /// What was cut off, in the order of the tree.
    pub(super) parts: Vec<Subproblem<W>>,
}

/// One search.
pub(super) struct Search<'a, const W: usize, L> {
    instance: &'a Instance<W>,
    demands: Vec<i32>,
    placed: Vec<usize>,
    /// The orbits that the tree branched on, of which a queen was placed.
    orbits: Vec<Bits<W>>,
    nodes: u64,
    done: f64,
    /// What of nodes and done the control has been told.
    told: (u64, f64),
    /// The decisions after which the tree is cut off.
    depth_limit: u32,
    parts: Vec<Subproblem<W>>,
    budget: &'a Budget,
    control: &'a Control,
    log: L,
}

/// How many nodes pass between two looks at the control.
const POLL: u64 = 1024;

/// The depth at which no tree is cut off.
pub(super) const NO_DEPTH_LIMIT: u32 = u32::MAX;

/// What the covers say of a node.
enum Cover<const W: usize> {
    Refuted(FirstFit),
    Left { by: FirstFit, uncovered: Bits<W> },
}

impl<'a, const W: usize, L: Log> Search<'a, W, L> {
    pub(super) fn new(
        instance: &'a Instance<W>,
        depth_limit: u32,
        budget: &'a Budget,
        control: &'a Control,
        log: L,
    ) -> Self {
        let demands = instance.regions.iter().map(|region| region.demand).collect();
        let (placed, orbits, parts) = (Vec::new(), Vec::new(), Vec::new());
        Self {
            instance,
            demands,
            placed,
            orbits,
            nodes: 0,
            done: 0.0,
            told: (0, 0.0),
            depth_limit,
            parts,
            budget,
            control,
            log,
        }
    }

    /// Searches the tree below a part. Gives back the log as well.
    pub(super) fn run(mut self, part: &Subproblem<W>) -> (Run<W>, L) {
        for &x in &part.placed {
            self.change_demands(x, -1);
        }
        self.placed.clone_from(&part.placed);
        self.orbits.clone_from(&part.orbits);
        let end = self.top(part.free, &part.elements, part.weight, 0);
        self.report();
        let nodes = self.nodes - self.parts.len() as u64;
        (Run { end, nodes, done: self.done, parts: self.parts }, self.log)
    }

    /// A node that symmetry still acts on: `elements` fix the squares placed, and map free squares to free squares.
    fn top(
        &mut self,
        mut free: Bits<W>,
        elements: &[u32],
        mut weight: f64,
        mut depth: u32,
    ) -> Result<(), End> {
        let most = match self.instance.orbital {
            OrbitalBranching::Throughout => NO_DEPTH_LIMIT,
            OrbitalBranching::AtRoot { orbits } => orbits,
        };
        while elements.len() > 1 && depth < most {
            if self.enter(weight)?.is_break() {
                return Ok(());
            }
            let uncovered = match self.best_branching_region(&free) {
                Cover::Refuted(by) => {
                    self.refuted(&free, by, weight);
                    return Ok(());
                }
                Cover::Left { .. } if depth == self.depth_limit => {
                    self.cut_off(free, elements, weight);
                    return Ok(());
                }
                Cover::Left { uncovered, .. } => uncovered,
            };
            let square = self.most_attacked(&uncovered, &free);
            let orbit = self.instance.orbit(square, elements);
            self.log.orbit(square, elements);
            let fixing = self.instance.stabiliser(square, elements);
            weight /= 2.0;
            depth += 1;
            self.orbits.push(orbit);
            self.place(square, &free, |search, below| search.top(below, &fixing, weight, depth))?;
            self.orbits.pop();
            free &= !orbit;
        }
        self.node(free, weight, depth)
    }

    fn node(&mut self, mut free: Bits<W>, weight: f64, depth: u32) -> Result<(), End> {
        if self.enter(weight)?.is_break() {
            return Ok(());
        }
        match self.best_branching_region(&free) {
            Cover::Refuted(by) => self.refuted(&free, by, weight),
            Cover::Left { .. } if depth == self.depth_limit => self.cut_off(free, &[], weight),
            Cover::Left { by, uncovered } => {
                let cliques = || cliques(self.instance, &self.demands, &free, by);
                self.log.covered(by, cliques, || uncovered.iter().collect());
                let share = weight / f64::from(uncovered.len());
                for x in uncovered.iter() {
                    self.place(x, &free, |search, below| search.node(below, share, depth + 1))?;
                    free.remove(x);
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
    pub(super) fn probe(&mut self, random: &mut impl Rng) -> Result<f64, End> {
        let mut part = self.instance.root();
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
            let Subproblem { free, elements, .. } = &mut part;
            let uncovered = match self.best_branching_region(free) {
                Cover::Refuted(_) => break Ok(nodes),
                Cover::Left { uncovered, .. } => uncovered,
            };
            let chosen = if elements.len() > 1 {
                let square = self.most_attacked(&uncovered, free);
                weight *= 2.0;
                if random.random() {
                    *free &= !self.instance.orbit(square, elements);
                    continue;
                }
                *elements = self.instance.stabiliser(square, elements);
                square
            } else {
                weight *= f64::from(uncovered.len());
                let place = random.random_range(0..uncovered.len() as usize);
                uncovered.iter().take(place).for_each(|x| free.remove(x));
                uncovered.iter().nth(place).expect("a place among them")
            };
            *free &= !self.instance.indexed.attacks[chosen];
            free.remove(chosen);
            self.change_demands(chosen, -1);
            self.placed.push(chosen);
        };
        self.report();
        while let Some(x) = self.placed.pop() {
            self.change_demands(x, 1);
        }
        end
    }

    /// The square of `uncovered` that attacks most of the free squares.
    fn most_attacked(&self, uncovered: &Bits<W>, free: &Bits<W>) -> usize {
        let attacked = |x: &usize| ((*free & self.instance.indexed.attacks[*x]).len(), usize::MAX - x);
        uncovered.iter().max_by_key(attacked).expect("something is uncovered")
    }

    fn cut_off(&mut self, free: Bits<W>, elements: &[u32], weight: f64) {
        self.log.part(self.parts.len());
        let (placed, orbits, elements) = (self.placed.clone(), self.orbits.clone(), elements.to_vec());
        self.parts.push(Subproblem { placed, free, elements, orbits, weight });
    }

    /// Whether the tree goes on at this node; it does not at a solution that was told.
    fn enter(&mut self, weight: f64) -> Result<ControlFlow<()>, End> {
        if self.demands.last() == Some(&0) {
            let mut share = Share { numerator: 1, denominator: 1 };
            for orbit in &self.orbits {
                share.numerator *= u64::from(orbit.len());
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
            if self.control.is_stopped() || self.log.is_broken() || !self.budget.spend(POLL) {
                return Err(End::Stopped);
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    fn report(&mut self) {
        self.control.count(self.nodes - self.told.0, self.done - self.told.1);
        self.told = (self.nodes, self.done);
    }

    /// Puts a queen on a free square, goes on below, and takes it away again.
    fn place(
        &mut self,
        x: usize,
        free: &Bits<W>,
        below: impl FnOnce(&mut Self, Bits<W>) -> Result<(), End>,
    ) -> Result<(), End> {
        let instance = self.instance;
        let mut remaining = *free & !instance.indexed.attacks[x];
        remaining.remove(x);
        self.change_demands(x, -1);
        self.placed.push(x);
        let result = stack::level(|| below(self, remaining));
        self.placed.pop();
        self.change_demands(x, 1);
        result
    }

    fn change_demands(&mut self, x: usize, by: i32) {
        for &region in &self.instance.regions_of[x] {
            self.demands[region as usize] += by;
        }
    }

    /// The row to branch on, if there are rows: the one with the fewest squares, of the first layer that is not filled. Whether
    /// nothing else need be looked at: in the first layer, or where a row has a square at most.
    fn best_row(&self, free: &Bits<W>) -> Option<(Cover<W>, u32, bool)> {
        let mut best: Option<(usize, Bits<W>, u32)> = None;
        for (number, (&layer, region)) in self.instance.rows.iter().zip(&self.instance.regions).enumerate() {
            if self.demands[number] <= 0 {
                continue;
            }
            let by = FirstFit { region: number, reversed: false };
            let uncovered = self.uncovered_by(*free & region.squares, self.demands[number] - 1, false);
            match uncovered.len() {
                0 => return Some((Cover::Refuted(by), 0, true)),
                1 => return Some((Cover::Left { by, uncovered }, 1, true)),
                size if best
                    .as_ref()
                    .is_none_or(|&(row, _, fewest)| self.instance.rows[row] == layer && size < fewest) =>
                {
                    best = Some((number, uncovered, size));
                }
                _ => {}
            }
        }
        let (region, uncovered, size) = best?;
        let by = FirstFit { region, reversed: false };
        Some((Cover::Left { by, uncovered }, size, self.instance.rows[region] == 0))
    }

    /// The region with the fewest uncovered squares, among those that may be branched on.
    fn best_branching_region(&self, free: &Bits<W>) -> Cover<W> {
        let Components { second_cover, narrowest, .. } = self.instance.components;
        let whole = self.instance.regions.len() - 1;
        let mut fewest = u32::MAX;
        let mut best = None;
        if narrowest && let Some((cover, size, at_once)) = self.best_row(free) {
            if at_once {
                return cover;
            }
            (best, fewest) = (Some(cover), size);
        }
        for (number, region) in self.instance.regions.iter().enumerate().skip(self.instance.rows.len()) {
            let demand = self.demands[number];
            if demand <= 0 {
                continue;
            }
            let inside = *free & region.squares;
            for reversed in [false, true] {
                let uncovered = self.uncovered_by(inside, demand - 1, reversed);
                let (by, size) = (FirstFit { region: number, reversed }, uncovered.len());
                if size == 0 {
                    return Cover::Refuted(by);
                }
                let promising = second_cover && size < fewest.saturating_mul(2);
                if size < fewest && (narrowest || number == whole) {
                    fewest = size;
                    best = Some(Cover::Left { by, uncovered });
                }
                if !promising {
                    break;
                }
            }
        }
        best.expect("the whole has a demand")
    }

    /// What `cliques` first-fit cliques leave uncovered of a set.
    fn uncovered_by(&self, mut uncovered: Bits<W>, cliques: i32, reversed: bool) -> Bits<W> {
        let attacks = &self.instance.indexed.attacks;
        for _ in 0..cliques {
            let any = if reversed {
                uncovered.take_clique_reversed(attacks, |_| {})
            } else {
                uncovered.take_clique(attacks, |_| {})
            };
            if !any {
                break;
            }
        }
        uncovered
    }

    fn refuted(&mut self, free: &Bits<W>, by: FirstFit, weight: f64) {
        self.done += weight;
        self.log.covered(by, || cliques(self.instance, &self.demands, free, by), Vec::new);
    }
}

/// The cliques of a cover, again.
fn cliques<const W: usize>(
    instance: &Instance<W>,
    demands: &[i32],
    free: &Bits<W>,
    by: FirstFit,
) -> Vec<Vec<usize>> {
    let attacks = &instance.indexed.attacks;
    let mut uncovered = *free & instance.regions[by.region].squares;
    let mut cliques = Vec::new();
    for _ in 1..demands[by.region] {
        let mut clique = Vec::new();
        let tell = |x| clique.push(x);
        let any = if by.reversed {
            uncovered.take_clique_reversed(attacks, tell)
        } else {
            uncovered.take_clique(attacks, tell)
        };
        if !any {
            break;
        }
        cliques.push(clique);
    }
    cliques
}
