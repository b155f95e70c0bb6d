//! The complete algorithm: enumerates all colourings with a given symmetry.
//!
//! All orbits of disjoint solutions are listed as candidates. A node of the search is a set of chosen
//! candidates. It branches on the uncoloured square that the fewest remaining candidates cover, the first
//! such square row by row, and takes the candidates that cover it in lexicographic order. Candidates that
//! share a square with a chosen one are removed. With the *clique filter*, a diagonal with as many uncoloured
//! squares as there are remaining classes must be met by each of these classes, so candidates that miss it
//! are removed, and a node with a diagonal of more uncoloured squares is pruned. (Every solution meets all
//! rows and columns.) Permutations of colours are not visited, because colours have no names; a class is
//! identified by its queen on row 0.
//!
//! The first candidate is on a corner. Of the colourings that differ by a symmetry of the board, one is
//! found; see the module `corners`.
//!
//! While many candidates remain they are a list. When few remain, sets of candidates are bit vectors: the
//! candidates that cover each square, and those that meet each diagonal.
//!
//! # References
//! M. Vasquez, D. Habet, *Complete and Incomplete Algorithms for the Queen Graph Coloring Problem*, ECAI
//! 2004, sections 3 and 5.

use std::ops::ControlFlow;

use super::bits::{CandidateBits, CandidateIndex, MIN_INDEXED_BRANCHES, WORDS, members};
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
    /// Number of candidates: orbits of disjoint solutions under the operator; with the filter, of
    /// those that meet both.
    pub candidates: u64,
    /// Number of solutions in these orbits.
    pub in_candidates: u64,
}

/// The solutions of n queens, listed for a search.
#[derive(Debug)]
pub struct SolutionList {
    /// Numbers of solutions; incomplete if the control was stopped.
    pub counts: SolutionCounts,
    /// The search; `None` if the control was stopped.
    pub cover: Option<Cover>,
}

/// A part of the search: the colourings in which a candidate has the least rank on a corner.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Subproblem {
    candidate: u32,
    /// Estimated share of the part in the search, from 0 to 1.
    pub share: f64,
}

/// Numbers of nodes and colourings of a search.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Tally {
    /// Number of nodes: choices of a candidate.
    pub nodes: u64,
    /// Number of colourings.
    pub colourings: u64,
}

impl std::ops::AddAssign for Tally {
    fn add_assign(&mut self, other: Self) {
        self.nodes += other.nodes;
        self.colourings += other.colourings;
    }
}

/// Maximum side for which all solutions are listed.
pub const MAX_SIDE: usize = 16;

/// Number of nodes between two reports to the control.
const NODES_PER_REPORT: u64 = 1 << 10;

impl Cover {
    /// Lists the candidates.
    ///
    /// # Errors
    /// Returns an error if no colouring has the symmetry.
    ///
    /// # Panics
    /// Panics if the side is 0 or above [`MAX_SIDE`].
    pub fn list(
        side: usize,
        operator: Operator,
        filter: bool,
        control: &Control,
    ) -> Result<SolutionList, Misfit> {
        assert!((1..=MAX_SIDE).contains(&side), "the side is from 1 to {MAX_SIDE}");
        operator.ensure_possible(side)?;
        let quotient = Quotient::new(side, operator);
        let (mut candidates, mut counts) = (Vec::new(), SolutionCounts::default());
        let is_complete = visit_solutions(&vec![(1 << side) - 1; side], &mut |solution: &[u8]| {
            let meets = Quotient::meets_main_diagonals(solution);
            counts.all += 1;
            counts.meeting += u64::from(meets);
            if let Some(candidate) = quotient.candidate(solution).filter(|_| meets || !filter) {
                counts.candidates += 1;
                counts.in_candidates += candidate.classes as u64;
                candidates.push(quotient.list(candidate));
            }
            !control.is_stopped()
        });
        let cover = is_complete.then(|| Self::new(quotient, filter, candidates));
        Ok(SolutionList { counts, cover })
    }

    fn new(quotient: Quotient, filter: bool, candidates: Vec<Listed>) -> Self {
        let corners = Corners::new(&quotient, &candidates);
        Self { quotient, filter, candidates, corners }
    }

    /// Returns the parts of the search. The result is deterministic.
    #[must_use]
    pub fn parts(&self) -> Vec<Subproblem> {
        self.corners.first().map(|(candidate, share)| Subproblem { candidate, share }).collect()
    }

    /// Searches a part and calls `report` with each colouring found. The tally is incomplete if the control
    /// was stopped. The images of the colourings of all parts are all colourings; see [`Cover::images`].
    pub fn search(&self, part: &Subproblem, control: &Control, report: &mut dyn FnMut(Classes)) -> Tally {
        let mut report = |classes| {
            report(classes);
            ControlFlow::Continue(())
        };
        let mut walk = Walk::new(self, control, &mut report);
        walk.search_part(part.candidate);
        let tally = walk.tally;
        control.count(tally.nodes % NODES_PER_REPORT, part.share);
        tally
    }

    /// Returns `true` if a colouring has the symmetry and the candidate of a part.
    #[must_use]
    pub fn belongs(&self, part: &Subproblem, classes: &Classes) -> bool {
        let Candidate { solution, .. } = &self.candidates[part.candidate as usize].candidate;
        classes.contains(solution) && symmetry::symmetry(classes).contains(self.quotient.operator)
    }

    /// Returns the images of colourings under the normaliser of the operator in the symmetries of the board,
    /// sorted and without duplicates.
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

    /// Returns the first completion of a partial colouring by the given candidates; `None` if there is no
    /// completion or the control is stopped.
    pub(super) fn complete(
        quotient: &Quotient,
        candidates: Vec<Candidate>,
        state: &State,
        control: &Control,
    ) -> Option<Classes> {
        let candidates = candidates.into_iter().map(|candidate| quotient.list(candidate)).collect();
        let cover =
            Self { quotient: quotient.clone(), filter: true, candidates, corners: Corners::default() };
        let mut first = None;
        let mut report = |classes| {
            first = Some(classes);
            ControlFlow::Break(())
        };
        let mut walk = Walk::new(&cover, control, &mut report);
        let all: Vec<u32> = (0..cover.candidates.len() as u32).collect();
        walk.branch_on_list(&all, state);
        control.count(walk.tally.nodes % NODES_PER_REPORT, 0.0);
        first
    }

    /// Chooses a candidate. Returns the orbits of diagonals that all remaining classes must meet, or `None`
    /// if the node is pruned.
    fn choose(&self, state: &mut State, number: u32) -> Option<DiagonalSet> {
        state.cover(&self.quotient, &self.candidates[number as usize]);
        let mut needed = 0;
        for orbit in 0..self.quotient.diagonals.len() {
            if self.filter && state.uncoloured[orbit] >= state.left && state.left > 0 {
                if state.uncoloured[orbit] > state.left {
                    return None;
                }
                needed |= 1 << orbit;
            }
        }
        Some(needed)
    }

    /// Returns `true` if a candidate is disjoint from the chosen one and meets all diagonals of the
    /// orbits in `needed`.
    fn is_compatible(&self, candidate: u32, chosen: u32, needed: DiagonalSet) -> bool {
        let [candidate, chosen] = [candidate, chosen].map(|number| &self.candidates[number as usize]);
        let words = self.quotient.orbits.div_ceil(64);
        candidate.meets & needed == needed
            && candidate.covers[..words].iter().zip(&chosen.covers).all(|(a, b)| a & b == 0)
    }

    fn classes(&self, chosen: &[u32]) -> Classes {
        let orbit = |&number: &u32| {
            self.quotient.operator.orbit(&self.candidates[number as usize].candidate.solution)
        };
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
    /// Called with each colouring.
    report: &'a mut Report<'a>,
    is_broken: bool,
}

type Report<'a> = dyn FnMut(Classes) -> ControlFlow<()> + 'a;

impl<'a> Walk<'a> {
    fn new(cover: &'a Cover, control: &'a Control, report: &'a mut Report<'a>) -> Self {
        Self { cover, control, chosen: Vec::new(), tally: Tally::default(), report, is_broken: false }
    }

    /// Reports the colouring and returns `true` if all squares are coloured.
    fn report_if_complete(&mut self, state: &State) -> bool {
        if state.left == 0 {
            self.tally.colourings += 1;
            self.is_broken |= (self.report)(self.cover.classes(&self.chosen)).is_break();
        }
        state.left == 0
    }

    /// Counts a node. Returns `false` if the walk must end.
    fn enter_node(&mut self) -> bool {
        self.tally.nodes += 1;
        if self.tally.nodes.is_multiple_of(NODES_PER_REPORT) {
            self.control.count(NODES_PER_REPORT, 0.0);
        }
        !self.is_broken && !self.control.is_stopped()
    }

    /// Searches the subtree of a candidate on a corner.
    fn search_part(&mut self, first: u32) {
        let (cover, mut state) = (self.cover, State::root(&self.cover.quotient));
        if !self.enter_node() {
            return;
        }
        if let Some(needed) = cover.choose(&mut state, first) {
            let is_live = |&number: &u32| {
                cover.corners.allow(number, first) && cover.is_compatible(number, first, needed)
            };
            let live: Vec<u32> = (0..cover.candidates.len() as u32).filter(is_live).collect();
            self.chosen.push(first);
            self.branch_on_list(&live, &state);
            self.chosen.pop();
        }
    }

    /// Searches the subtree of a node whose live candidates are a list.
    fn branch_on_list(&mut self, live: &[u32], state: &State) {
        if self.report_if_complete(state) {
            return;
        }
        let Cover { quotient, candidates, .. } = self.cover;
        if live.len() <= 64 * WORDS {
            let bits = CandidateBits::<WORDS>::new(quotient, candidates, live.to_vec());
            return self.branch_on_bits(&bits, &bits.all(), state);
        }
        let mut counts = [0u32; candidates::MAX_SIDE * candidates::MAX_SIDE / 2];
        for &number in live {
            members(&candidates[number as usize].covers).for_each(|orbit| counts[orbit] += 1);
        }
        let is_uncoloured = |orbit: &usize| state.coloured[orbit / 64] >> (orbit % 64) & 1 == 0;
        let orbit = (0..quotient.orbits).filter(is_uncoloured).min_by_key(|&orbit| counts[orbit]);
        let orbit = orbit.expect("a square is uncoloured");
        let index =
            (counts[orbit] >= MIN_INDEXED_BRANCHES).then(|| CandidateIndex::new(quotient, candidates, live));
        for &number in live {
            if candidates[number as usize].covers[orbit / 64] >> (orbit % 64) & 1 == 0 {
                continue;
            }
            if !self.enter_node() {
                return;
            }
            let mut state = state.clone();
            if let Some(needed) = self.cover.choose(&mut state, number) {
                let is_compatible = |&other: &u32| self.cover.is_compatible(other, number, needed);
                let live: Vec<u32> = match &index {
                    Some(index) => index.compatible(live, &candidates[number as usize], needed),
                    None => live.iter().copied().filter(is_compatible).collect(),
                };
                self.chosen.push(number);
                self.branch_on_list(&live, &state);
                self.chosen.pop();
            }
        }
    }

    /// Searches the subtree of a node whose live candidates are bits. Switches to bit vectors of one word
    /// if that is enough.
    fn branch_on_bits<const W: usize>(&mut self, bits: &CandidateBits<W>, live: &[u64; W], state: &State) {
        if self.report_if_complete(state) {
            return;
        }
        let Cover { quotient, candidates, .. } = self.cover;
        if W > 1 && live.iter().map(|word| word.count_ones()).sum::<u32>() <= 64 {
            let numbers = members(live).map(|k| bits.numbers[k]).collect();
            let bits = CandidateBits::<1>::new(quotient, candidates, numbers);
            return self.branch_on_bits(&bits, &bits.all(), state);
        }
        for k in members(&bits.branches(live, &state.coloured)) {
            if !self.enter_node() {
                return;
            }
            let (mut live, mut state, number) = (*live, state.clone(), bits.numbers[k]);
            if let Some(needed) = self.cover.choose(&mut state, number) {
                for orbit in members(&candidates[number as usize].covers) {
                    live.iter_mut().zip(&bits.covers[orbit]).for_each(|(live, covers)| *live &= !covers);
                }
                for orbit in members(&[needed]) {
                    live.iter_mut().zip(&bits.meets[orbit]).for_each(|(live, meets)| *live &= meets);
                }
                self.chosen.push(number);
                self.branch_on_bits(bits, &live, &state);
                self.chosen.pop();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn listing_and_search_stop_with_the_control() {
        let (control, stopped) = (Control::new(), Control::new());
        stopped.stop();
        let list = |control| Cover::list(8, Operator::None, true, control).expect("every board has it");
        let (part, whole) = (list(&stopped), list(&control));
        assert!(part.cover.is_none() && part.counts.all < whole.counts.all && whole.counts.all == 92);
        let cover = whole.cover.expect("it was not stopped");
        let tally = cover.search(&cover.parts()[0], &stopped, &mut |_| ());
        assert_eq!(tally, Tally { nodes: 1, colourings: 0 });
    }

    /// Compares the search with a walk from the root, which has no symmetry breaking.
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
            let mut report = |classes| {
                found.push(classes);
                ControlFlow::Continue(())
            };
            let all: Vec<u32> = (0..cover.candidates.len() as u32).collect();
            Walk::new(&cover, &control, &mut report).branch_on_list(&all, &State::root(&cover.quotient));
            found.sort_unstable();
            assert_eq!(cover.all(&control), found, "{side} {operator} {filter}");
        }
    }

    #[test]
    fn completion_ends_at_the_first_colouring_or_a_stop() {
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
