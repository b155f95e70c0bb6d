//! The complete algorithm: every colouring with a given symmetry.
//!
//! All orbits of solutions that can be classes together are listed. A node of the search is a choice of some of them; it
//! branches on the uncoloured square that the fewest of the others cover, the first such square row by row, and takes
//! those that cover it in lexicographic order. Solutions that share a square with a chosen one go. With the *clique
//! filter*, so do those that miss a diagonal which has as many uncoloured squares as there are classes to come: each of
//! these must meet it. A node with a diagonal of more uncoloured squares is left. (Rows and columns are met by every
//! solution.) Colours are not named, so permutations of them are not visited; a class is known by its queen on row 0.
//!
//! The first candidate is one on a corner, and the module `corners` leaves one of colourings that differ by a symmetry of the
//! board.
//!
//! While many candidates are left they are a list. As soon as there are few, sets of them are bit vectors: for every square
//! those that cover it, and for every diagonal those that meet it.
//!
//! # References
//! M. Vasquez, D. Habet, *Complete and Incomplete Algorithms for the Queen Graph Coloring Problem*, ECAI 2004, sections 3
//! and 5.

use std::ops::ControlFlow;

use super::bits::{Few, Index, WORDS, WORTH_AN_INDEX, members};
use super::candidates::{self, Candidate, DiagonalSet, Listed, Quotient, State};
use super::corners::Corners;
use super::operator::{Misfit, Operator};
use super::symmetry;
pub use super::symmetry::Classes;
use crate::construct::rows::visit_solutions;
use ndqueens_system::cancel::Control;

/// The search for all colourings of a board with a symmetry.
#[derive(Debug)]
pub struct Cover {
    quotient: Quotient,
    filter: bool,
    candidates: Vec<Listed>,
    corners: Corners,
}

/// Numbers of solutions of n queens.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct SolutionCounts {
    /// Number of solutions.
    pub all: u64,
    /// Number of solutions that meet both main diagonals.
    pub meeting: u64,
    /// Number of orbits under the operator that can be classes together; with the filter, of solutions that meet both.
    pub candidates: u64,
    /// Number of solutions in these orbits.
    pub in_candidates: u64,
}

/// The solutions of n queens that are listed for a search.
#[derive(Debug)]
pub struct SolutionList {
    /// Their numbers; those so far if the control was stopped before the last one.
    pub counts: SolutionCounts,
    /// The search, if all are listed.
    pub cover: Option<Cover>,
}

/// A part of the search: the colourings in which a candidate has the least rank on a corner.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Subproblem {
    candidate: u32,
    /// Its share of the tree, from 0 to 1: an estimate.
    pub share: f64,
}

/// How much a search did and found.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Tally {
    /// Nodes: choices of an orbit of solutions.
    pub nodes: u64,
    /// Colourings.
    pub colourings: u64,
}

impl std::ops::AddAssign for Tally {
    fn add_assign(&mut self, other: Self) {
        self.nodes += other.nodes;
        self.colourings += other.colourings;
    }
}

/// The longest side for which all solutions are listed.
pub const LONGEST: usize = 16;

/// Nodes between two looks at whether to go on.
const NODES_AT_A_TIME: u64 = 1 << 10;

impl Cover {
    /// Lists the candidates.
    ///
    /// # Errors
    /// When no colouring has the symmetry.
    ///
    /// # Panics
    /// If the side is 0 or above [`LONGEST`].
    pub fn list(
        side: usize,
        operator: Operator,
        filter: bool,
        control: &Control,
    ) -> Result<SolutionList, Misfit> {
        assert!((1..=LONGEST).contains(&side), "solutions that can be listed");
        operator.fits(side)?;
        let quotient = Quotient::new(side, operator);
        let (mut candidates, mut counts) = (Vec::new(), SolutionCounts::default());
        let listed = visit_solutions(&vec![(1 << side) - 1; side], &mut |solution: &[u8]| {
            let meets = Quotient::meets_main_diagonals(solution);
            counts.all += 1;
            counts.meeting += u64::from(meets);
            if let Some(candidate) = quotient.candidate(solution).filter(|_| meets || !filter) {
                counts.candidates += 1;
                counts.in_candidates += candidate.classes as u64;
                candidates.push(quotient.listed(candidate));
            }
            !control.is_stopped()
        });
        let cover = listed.then(|| Self::new(quotient, filter, candidates));
        Ok(SolutionList { counts, cover })
    }

    fn new(quotient: Quotient, filter: bool, candidates: Vec<Listed>) -> Self {
        let corners = Corners::new(&quotient, &candidates);
        Self { quotient, filter, candidates, corners }
    }

    /// Returns the parts of the search, the same at every call.
    #[must_use]
    pub fn parts(&self) -> Vec<Subproblem> {
        self.corners.first().map(|(candidate, share)| Subproblem { candidate, share }).collect()
    }

    /// Searches a part. The tally is incomplete if the control was stopped before its end. The images of the colourings found
    /// in all parts are all colourings: see [`Cover::images`].
    pub fn search(&self, part: &Subproblem, control: &Control, tell: &mut dyn FnMut(Classes)) -> Tally {
        let mut tell = |classes| {
            tell(classes);
            ControlFlow::Continue(())
        };
        let mut walk = Walk::new(self, control, &mut tell);
        walk.part(part.candidate);
        let tally = walk.tally;
        control.count(tally.nodes % NODES_AT_A_TIME, part.share);
        tally
    }

    /// Returns `true` if a colouring has the symmetry and the candidate of a part.
    #[must_use]
    pub fn belongs(&self, part: &Subproblem, classes: &Classes) -> bool {
        let Candidate { solution, .. } = &self.candidates[part.candidate as usize].candidate;
        classes.contains(solution) && symmetry::symmetry(classes).contains(self.quotient.operator)
    }

    /// Returns the images of colourings under the symmetries of the board that keep the operator, sorted and without
    /// duplicates.
    #[must_use]
    pub fn images(&self, found: &[Classes]) -> Vec<Classes> {
        let symmetries = || self.quotient.operator.normalizer();
        let images = |classes| symmetries().map(move |symmetry| symmetry::image(classes, symmetry));
        let mut all: Vec<Classes> = found.iter().flat_map(images).collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    /// Returns all colourings.
    #[cfg(test)]
    pub(super) fn all(&self, control: &Control) -> Vec<Classes> {
        let mut found = Vec::new();
        for part in self.parts() {
            self.search(&part, control, &mut |classes| found.push(classes));
        }
        self.images(&found)
    }

    /// The first colouring that has some classes and others among the given candidates. `None` also when stopped.
    pub(super) fn complete(
        quotient: &Quotient,
        candidates: Vec<Candidate>,
        state: &State,
        control: &Control,
    ) -> Option<Classes> {
        let candidates = candidates.into_iter().map(|candidate| quotient.listed(candidate)).collect();
        let cover =
            Self { quotient: quotient.clone(), filter: true, candidates, corners: Corners::default() };
        let mut first = None;
        let mut tell = |classes| {
            first = Some(classes);
            ControlFlow::Break(())
        };
        let mut walk = Walk::new(&cover, control, &mut tell);
        let all: Vec<u32> = (0..cover.candidates.len() as u32).collect();
        walk.long(&all, state);
        control.count(walk.tally.nodes % NODES_AT_A_TIME, 0.0);
        first
    }

    /// Takes a candidate; gives the orbits of diagonals that the others must meet, or `None` when it is seen that this leads
    /// nowhere.
    fn step(&self, state: &mut State, number: u32) -> Option<DiagonalSet> {
        state.cover(&self.quotient, &self.candidates[number as usize]);
        let mut need = 0;
        for orbit in 0..self.quotient.diagonals.len() {
            if self.filter && state.uncoloured[orbit] >= state.left && state.left > 0 {
                if state.uncoloured[orbit] > state.left {
                    return None;
                }
                need |= 1 << orbit;
            }
        }
        Some(need)
    }

    /// Whether a candidate may be chosen after another, when these orbits of diagonals must be met.
    fn stays(&self, k: u32, after: u32, need: DiagonalSet) -> bool {
        let [one, other] = [k, after].map(|k| &self.candidates[k as usize]);
        let words = self.quotient.orbits.div_ceil(64);
        one.meets & need == need && one.covers[..words].iter().zip(&other.covers).all(|(a, b)| a & b == 0)
    }

    fn classes(&self, chosen: &[u32]) -> Classes {
        let orbit = |&k: &u32| self.quotient.operator.orbit(&self.candidates[k as usize].candidate.solution);
        let mut classes: Classes = chosen.iter().flat_map(orbit).collect();
        classes.sort_unstable();
        classes
    }
}

struct Walk<'a> {
    cover: &'a Cover,
    control: &'a Control,
    chosen: Vec<u32>,
    tally: Tally,
    /// Receives the colourings, and returns whether the walk continues.
    tell: &'a mut Tell<'a>,
    broken: bool,
}

type Tell<'a> = dyn FnMut(Classes) -> ControlFlow<()> + 'a;

impl<'a> Walk<'a> {
    fn new(cover: &'a Cover, control: &'a Control, tell: &'a mut Tell<'a>) -> Self {
        Self { cover, control, chosen: Vec::new(), tally: Tally::default(), tell, broken: false }
    }

    /// Returns `true`, and reports the colouring, if all squares are coloured.
    fn ends(&mut self, state: &State) -> bool {
        if state.left == 0 {
            self.tally.colourings += 1;
            self.broken |= (self.tell)(self.cover.classes(&self.chosen)).is_break();
        }
        state.left == 0
    }

    /// Counts a node, and returns `true` if the walk continues.
    fn goes_on(&mut self) -> bool {
        self.tally.nodes += 1;
        if self.tally.nodes.is_multiple_of(NODES_AT_A_TIME) {
            self.control.count(NODES_AT_A_TIME, 0.0);
        }
        !self.broken && !self.control.is_stopped()
    }

    /// The node below the root that takes a candidate on a corner.
    fn part(&mut self, first: u32) {
        let (cover, mut state) = (self.cover, State::root(&self.cover.quotient));
        if !self.goes_on() {
            return;
        }
        if let Some(need) = cover.step(&mut state, first) {
            let stays = |&k: &u32| cover.corners.allow(k, first) && cover.stays(k, first, need);
            let live: Vec<u32> = (0..cover.candidates.len() as u32).filter(stays).collect();
            self.chosen.push(first);
            self.long(&live, &state);
            self.chosen.pop();
        }
    }

    /// A node with a list of candidates.
    fn long(&mut self, live: &[u32], state: &State) {
        if self.ends(state) {
            return;
        }
        let Cover { quotient, candidates, .. } = self.cover;
        if live.len() <= 64 * WORDS {
            let few = Few::<WORDS>::new(quotient, candidates, live.to_vec());
            return self.short(&few, &few.all(), state);
        }
        let mut counts = [0u32; candidates::LONGEST * candidates::LONGEST / 2];
        for &k in live {
            members(&candidates[k as usize].covers).for_each(|orbit| counts[orbit] += 1);
        }
        let uncoloured = |orbit: &usize| state.coloured[orbit / 64] >> (orbit % 64) & 1 == 0;
        let square = (0..quotient.orbits).filter(uncoloured).min_by_key(|&orbit| counts[orbit]);
        let square = square.expect("there are classes to come");
        let index = (counts[square] >= WORTH_AN_INDEX).then(|| Index::new(quotient, candidates, live));
        for &number in live {
            if candidates[number as usize].covers[square / 64] >> (square % 64) & 1 == 0 {
                continue;
            }
            if !self.goes_on() {
                return;
            }
            let mut state = state.clone();
            if let Some(need) = self.cover.step(&mut state, number) {
                let live: Vec<u32> = match &index {
                    Some(index) => index.stay(live, &candidates[number as usize], need),
                    None => live.iter().copied().filter(|&k| self.cover.stays(k, number, need)).collect(),
                };
                self.chosen.push(number);
                self.long(&live, &state);
                self.chosen.pop();
            }
        }
    }

    /// A node with few candidates; vectors of one word are made where that is enough.
    fn short<const W: usize>(&mut self, few: &Few<W>, live: &[u64; W], state: &State) {
        if self.ends(state) {
            return;
        }
        let Cover { quotient, candidates, .. } = self.cover;
        if W > 1 && live.iter().map(|word| word.count_ones()).sum::<u32>() <= 64 {
            let numbers = members(live).map(|k| few.numbers[k]).collect();
            let few = Few::<1>::new(quotient, candidates, numbers);
            return self.short(&few, &few.all(), state);
        }
        for k in members(&few.branches(live, &state.coloured)) {
            if !self.goes_on() {
                return;
            }
            let (mut live, mut state, number) = (*live, state.clone(), few.numbers[k]);
            if let Some(need) = self.cover.step(&mut state, number) {
                for orbit in members(&candidates[number as usize].covers) {
                    live.iter_mut().zip(&few.covers[orbit]).for_each(|(live, covers)| *live &= !covers);
                }
                for orbit in members(&[need]) {
                    live.iter_mut().zip(&few.meets[orbit]).for_each(|(live, meets)| *live &= meets);
                }
                self.chosen.push(number);
                self.short(few, &live, &state);
                self.chosen.pop();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn listing_and_searching_end_when_stopped() {
        let (control, stopped) = (Control::new(), Control::new());
        stopped.stop();
        let list = |control| Cover::list(8, Operator::None, true, control).expect("every board has it");
        let (part, whole) = (list(&stopped), list(&control));
        assert!(part.cover.is_none() && part.counts.all < whole.counts.all && whole.counts.all == 92);
        let cover = whole.cover.expect("it was not stopped");
        let tally = cover.search(&cover.parts()[0], &stopped, &mut |_| ());
        assert_eq!(tally, Tally { nodes: 1, colourings: 0 });
    }

    /// The walk from the root, which branches on the square that the fewest solutions cover, visits every colouring.
    #[test]
    fn symmetry_breaking_loses_no_colouring() {
        let control = Control::new();
        for (side, operator, filter) in (1..=11)
            .flat_map(|side| Operator::ALL.map(|operator| (side, operator, side % 2 == 1)))
            .chain([(12, Operator::H, true), (12, Operator::Hv, true), (12, Operator::Hv, false)])
        {
            let Ok(list) = Cover::list(side, operator, filter, &control) else { continue };
            let cover = list.cover.expect("not stopped");
            let mut found = Vec::new();
            let mut tell = |classes| {
                found.push(classes);
                ControlFlow::Continue(())
            };
            let all: Vec<u32> = (0..cover.candidates.len() as u32).collect();
            Walk::new(&cover, &control, &mut tell).long(&all, &State::root(&cover.quotient));
            found.sort_unstable();
            assert_eq!(cover.all(&control), found, "{side} {operator} {filter}");
        }
    }

    #[test]
    fn a_completion_ends_at_the_first_colouring_or_when_stopped() {
        let quotient = Quotient::new(12, Operator::Hv);
        let complete = |control: &Control| {
            let mut candidates = Vec::new();
            visit_solutions(&[(1 << 12) - 1; 12], &mut |solution: &[u8]| {
                candidates.extend(quotient.candidate(solution));
                true
            });
            Cover::complete(&quotient, candidates, &State::root(&quotient), control)
        };
        let control = Control::new();
        let classes = complete(&control).expect("there is one");
        assert_eq!(classes.len(), 12);
        assert!(control.nodes() > 12 && !control.is_stopped());
        let stopped = Control::new();
        stopped.stop();
        assert_eq!(complete(&stopped), None);
        assert_eq!(stopped.nodes(), 1);
    }
}
