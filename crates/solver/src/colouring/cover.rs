//! The complete algorithm: every colouring with a given symmetry.
//!
//! All orbits of solutions that can be classes together are listed. A node of the search is a choice of some of them; it
//! branches on the uncoloured square that the fewest of the others cover, the first such square row by row, and takes
//! those that cover it in lexicographic order. Solutions that share a square with a chosen one go. With the *clique
//! filter*, so do those that miss a diagonal which has as many uncoloured squares as there are classes to come: each of
//! these must meet it. A node with a diagonal of more uncoloured squares is left. (Rows and columns are met by every
//! solution.) Colours are not named, so permutations of them are not visited; a class is known by its queen on row 0.
//!
//! While many candidates are left they are a list. As soon as there are few, sets of them are bit vectors: for every square
//! those that cover it, and for every diagonal those that meet it.
//!
//! # References
//! M. Vasquez, D. Habet, *Complete and Incomplete Algorithms for the Queen Graph Coloring Problem*, ECAI 2004, sections 3
//! and 5.

use std::ops::ControlFlow;

use super::candidates::{Candidate, Quotient, numbers};
use super::operator::{Misfit, Operator};
use crate::construct::rows::visit_solutions;
use ndqueens_control::Control;

/// A colouring: the classes as solutions, each the column of every row's queen, in the order of their queens on row 0.
pub type Classes = Vec<Vec<u8>>;

/// The search for all colourings of a board with a symmetry.
#[derive(Debug)]
pub struct Cover {
    quotient: Quotient,
    filter: bool,
    candidates: Vec<Listed>,
    solutions: u64,
}

/// A candidate with what it covers and meets.
#[derive(Debug)]
pub(super) struct Listed {
    candidate: Candidate,
    /// The orbits of squares that it covers.
    covers: Set,
    /// The orbits of diagonals that it meets in full.
    meets: u64,
}

/// A set of orbits of squares.
pub(super) type Set = [u64; 8];

/// A place in the tree.
#[derive(Debug, Clone, PartialEq)]
pub struct Subproblem {
    chosen: Vec<u32>,
    /// Its share of the tree, from 0 to 1, as if the branches of a node were alike.
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
    /// Lists the candidates; `None` when the control was stopped before the last one.
    ///
    /// # Errors
    /// When no colouring has the symmetry.
    ///
    /// # Panics
    /// If the side is 0 or above [`LONGEST`].
    pub fn new(
        side: usize,
        operator: Operator,
        filter: bool,
        control: &Control,
    ) -> Result<Option<Self>, Misfit> {
        assert!((1..=LONGEST).contains(&side), "solutions that can be listed");
        operator.fits(side)?;
        let quotient = Quotient::new(side, operator);
        let (mut candidates, mut count) = (Vec::new(), 0);
        let listed = visit_solutions(&vec![(1 << side) - 1; side], &mut |solution: &[u8]| {
            if !filter || Quotient::meets_main_diagonals(solution) {
                count += 1;
                candidates.extend(quotient.candidate(solution).map(|candidate| quotient.listed(candidate)));
            }
            !control.is_stopped()
        });
        Ok(listed.then_some(Self { quotient, filter, candidates, solutions: count }))
    }

    /// The number of solutions of n queens; with the filter, of those that meet both main diagonals.
    #[must_use]
    pub fn solutions(&self) -> u64 {
        self.solutions
    }

    /// The number of orbits of solutions that can be classes together.
    #[must_use]
    pub fn candidates(&self) -> usize {
        self.candidates.len()
    }

    /// Cuts the tree at the nodes of this depth: these, and what is found above them. The same at every call; `None` when the
    /// control was stopped before the end.
    #[must_use]
    pub fn parts(&self, depth: usize, control: &Control) -> Option<(Vec<Subproblem>, Tally, Vec<Classes>)> {
        let (mut parts, mut found) = (Vec::new(), Vec::new());
        let mut tell = |end: End| {
            match end {
                End::Cut(part) => parts.push(part),
                End::Colouring(classes) => found.push(classes),
            }
            ControlFlow::Continue(())
        };
        let mut walk = Walk::new(self, control, Some(depth), &mut tell);
        let all: Vec<u32> = (0..self.candidates.len() as u32).collect();
        walk.long(&all, &self.root(), 1.0);
        let tally = walk.tally;
        (!control.is_stopped()).then_some((parts, tally, found))
    }

    /// Searches a part. The tally is of no use when the control was stopped before its end.
    pub fn search(&self, part: &Subproblem, control: &Control, tell: &mut dyn FnMut(Classes)) -> Tally {
        let mut tell = |end: End| {
            if let End::Colouring(classes) = end {
                tell(classes);
            }
            ControlFlow::Continue(())
        };
        let mut walk = Walk::new(self, control, None, &mut tell);
        let (mut live, mut state): (Vec<u32>, _) = ((0..self.candidates.len() as u32).collect(), self.root());
        for &number in &part.chosen {
            let need = self.step(&mut state, number).expect("a part is a place in the tree");
            live.retain(|&k| self.stays(k, number, need));
            walk.chosen.push(number);
        }
        walk.long(&live, &state, 0.0);
        let tally = walk.tally;
        control.count(tally.nodes % NODES_AT_A_TIME, part.share);
        tally
    }

    fn root(&self) -> State {
        State::root(&self.quotient)
    }

    /// The first colouring that has some classes and others among the given candidates. `None` also when stopped.
    pub(super) fn complete(
        quotient: &Quotient,
        candidates: Vec<Candidate>,
        state: &State,
        control: &Control,
    ) -> Option<Classes> {
        let candidates = candidates.into_iter().map(|candidate| quotient.listed(candidate)).collect();
        let cover = Self { quotient: quotient.clone(), filter: true, candidates, solutions: 0 };
        let mut first = None;
        let mut tell = |end: End| {
            if let End::Colouring(classes) = end {
                first = Some(classes);
            }
            ControlFlow::Break(())
        };
        let mut walk = Walk::new(&cover, control, None, &mut tell);
        let all: Vec<u32> = (0..cover.candidates.len() as u32).collect();
        walk.long(&all, state, 0.0);
        control.count(walk.tally.nodes % NODES_AT_A_TIME, 0.0);
        first
    }

    /// Takes a candidate; gives the orbits of diagonals that the others must meet, or `None` when it is seen that this leads
    /// nowhere.
    fn step(&self, state: &mut State, number: u32) -> Option<u64> {
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
    fn stays(&self, k: u32, after: u32, need: u64) -> bool {
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

impl Quotient {
    pub(super) fn listed(&self, candidate: Candidate) -> Listed {
        let (mut covers, mut meets) = ([0; 8], 0);
        let mut hits = [0; 64];
        for (row, &column) in candidate.solution.iter().enumerate() {
            let orbit = self.orbit_of[row * self.side + column as usize];
            covers[orbit / 64] |= 1 << (orbit % 64);
            for (direction, number) in numbers(self.side, (row, column as usize)).into_iter().enumerate() {
                hits[self.diagonal_of[direction][number]] += 1;
            }
        }
        for (orbit, diagonals) in self.diagonals.iter().enumerate() {
            if hits[orbit] == diagonals.count {
                meets |= 1 << orbit;
            }
        }
        Listed { candidate, covers, meets }
    }
}

/// A node, but for the candidates that are left.
#[derive(Debug, Clone)]
pub(super) struct State {
    /// The orbits of squares that are coloured.
    pub(super) coloured: Set,
    /// The uncoloured squares of each diagonal of an orbit.
    pub(super) uncoloured: [u8; 64],
    /// Classes to come.
    pub(super) left: u8,
}

impl State {
    pub(super) fn root(quotient: &Quotient) -> Self {
        let mut state = Self { coloured: [0; 8], uncoloured: [0; 64], left: quotient.side as u8 };
        for (uncoloured, diagonals) in state.uncoloured.iter_mut().zip(&quotient.diagonals) {
            *uncoloured = diagonals.length as u8;
        }
        state
    }

    pub(super) fn cover(&mut self, quotient: &Quotient, listed: &Listed) {
        let Listed { candidate: Candidate { solution, classes }, covers, .. } = listed;
        self.left -= *classes as u8;
        self.coloured.iter_mut().zip(covers).for_each(|(coloured, covers)| *coloured |= covers);
        let mut hits = [0u8; 64];
        for (row, &column) in solution.iter().enumerate() {
            for (direction, number) in numbers(quotient.side, (row, column as usize)).into_iter().enumerate()
            {
                hits[quotient.diagonal_of[direction][number]] += 1;
            }
        }
        for ((uncoloured, hits), diagonals) in self.uncoloured.iter_mut().zip(hits).zip(&quotient.diagonals) {
            // Every image of the solution hits as many of these diagonals, and every one of them is hit as often.
            *uncoloured -= hits * *classes as u8 / diagonals.count as u8;
        }
    }
}

/// A node with so many branches has an index of its candidates.
const WORTH_AN_INDEX: u32 = 16;

/// Many candidates, as bits by their place in a list.
struct Index {
    /// For every orbit of squares, which of them cover it.
    covers: Vec<Vec<u64>>,
    /// For every orbit of diagonals, which of them do not meet all of it.
    misses: Vec<Vec<u64>>,
}

impl Index {
    fn new(cover: &Cover, live: &[u32]) -> Self {
        let words = live.len().div_ceil(64);
        let diagonals = cover.quotient.diagonals.len();
        let mut index = Self {
            covers: vec![vec![0; words]; cover.quotient.orbits],
            misses: vec![vec![0; words]; diagonals],
        };
        for (k, &number) in live.iter().enumerate() {
            let (word, bit) = (k / 64, 1 << (k % 64));
            let Listed { covers, meets, .. } = &cover.candidates[number as usize];
            members(covers).for_each(|orbit| index.covers[orbit][word] |= bit);
            members(&[!meets])
                .take_while(|&orbit| orbit < diagonals)
                .for_each(|orbit| index.misses[orbit][word] |= bit);
        }
        index
    }

    /// Those of the list that may be chosen after one of them, when these orbits of diagonals must be met.
    fn stay(&self, cover: &Cover, live: &[u32], after: u32, need: u64) -> Vec<u32> {
        let mut gone = vec![0; live.len().div_ceil(64)];
        let covered = members(&cover.candidates[after as usize].covers).map(|orbit| &self.covers[orbit]);
        let need = [need];
        for more in covered.chain(members(&need).map(|orbit| &self.misses[orbit])) {
            gone.iter_mut().zip(more).for_each(|(gone, more)| *gone |= more);
        }
        gone.iter_mut().for_each(|gone| *gone = !*gone);
        members(&gone).take_while(|&k| k < live.len()).map(|k| live[k]).collect()
    }
}

/// A few candidates, at most 64 W.
struct Few<const W: usize> {
    /// Their numbers.
    numbers: Vec<u32>,
    /// For every orbit of squares, which of them cover it.
    covers: Vec<[u64; W]>,
    /// For every orbit of diagonals, which of them meet all of it.
    meets: [[u64; W]; 64],
}

/// The length of bit vectors over candidates, in words, when they are not short.
const WORDS: usize = 4;

impl<const W: usize> Few<W> {
    fn new(cover: &Cover, numbers: Vec<u32>) -> Self {
        let mut few = Self { covers: vec![[0; W]; cover.quotient.orbits], meets: [[0; W]; 64], numbers };
        for (k, &number) in few.numbers.iter().enumerate() {
            let (word, bit) = (k / 64, 1 << (k % 64));
            let listed = &cover.candidates[number as usize];
            members(&listed.covers).for_each(|orbit| few.covers[orbit][word] |= bit);
            members(&[listed.meets]).for_each(|orbit| few.meets[orbit][word] |= bit);
        }
        few
    }

    fn all(&self) -> [u64; W] {
        let mut all = [0; W];
        (0..self.numbers.len()).for_each(|k| all[k / 64] |= 1 << (k % 64));
        all
    }

    /// The live candidates on the uncoloured orbit of squares that the fewest cover, and how many these are.
    fn branches(&self, live: &[u64; W], coloured: &Set) -> (u32, [u64; W]) {
        let (mut fewest, mut branches) = (u32::MAX, [0; W]);
        for (orbit, covers) in self.covers.iter().enumerate() {
            if coloured[orbit / 64] >> (orbit % 64) & 1 == 1 {
                continue;
            }
            let here: [u64; W] = std::array::from_fn(|k| covers[k] & live[k]);
            if fewest == 1 {
                // Only none are fewer than one.
                if here.iter().all(|&word| word == 0) {
                    return (0, here);
                }
                continue;
            }
            let count = here.iter().map(|word| word.count_ones()).sum();
            if count < fewest {
                (fewest, branches) = (count, here);
                if count == 0 {
                    break;
                }
            }
        }
        (fewest, branches)
    }
}

/// The numbers of the bits that are set.
fn members(bits: &[u64]) -> impl Iterator<Item = usize> + '_ {
    bits.iter().enumerate().flat_map(|(k, &word)| {
        std::iter::successors((word != 0).then_some(word), |w| Some(w & (w - 1)).filter(|&w| w != 0))
            .map(move |w| k * 64 + w.trailing_zeros() as usize)
    })
}

enum End {
    Cut(Subproblem),
    Colouring(Classes),
}

struct Walk<'a> {
    cover: &'a Cover,
    control: &'a Control,
    /// The depth at which the tree is cut.
    cut: Option<usize>,
    chosen: Vec<u32>,
    tally: Tally,
    /// Hears of the ends; whether the walk goes on.
    tell: &'a mut Tell<'a>,
    broken: bool,
}

type Tell<'a> = dyn FnMut(End) -> ControlFlow<()> + 'a;

impl<'a> Walk<'a> {
    fn new(cover: &'a Cover, control: &'a Control, cut: Option<usize>, tell: &'a mut Tell<'a>) -> Self {
        Self { cover, control, cut, chosen: Vec::new(), tally: Tally::default(), tell, broken: false }
    }

    /// Whether the walk ends at a node: all is coloured, or it is to be cut there.
    fn ends(&mut self, state: &State, share: f64) -> bool {
        if state.left == 0 {
            self.tally.colourings += 1;
            self.broken |= (self.tell)(End::Colouring(self.cover.classes(&self.chosen))).is_break();
            return true;
        }
        if self.cut == Some(self.chosen.len()) {
            self.broken |=
                (self.tell)(End::Cut(Subproblem { chosen: self.chosen.clone(), share })).is_break();
            return true;
        }
        false
    }

    /// Whether to go on, after a node has been counted.
    fn goes_on(&mut self) -> bool {
        self.tally.nodes += 1;
        if self.tally.nodes.is_multiple_of(NODES_AT_A_TIME) {
            self.control.count(NODES_AT_A_TIME, 0.0);
        }
        !self.broken && !self.control.is_stopped()
    }

    /// A node with a list of candidates.
    fn long(&mut self, live: &[u32], state: &State, share: f64) {
        if self.ends(state, share) {
            return;
        }
        if live.len() <= 64 * WORDS {
            let few = Few::<WORDS>::new(self.cover, live.to_vec());
            return self.short(&few, &few.all(), state, share);
        }
        let mut counts = [0u32; 512];
        for &k in live {
            members(&self.cover.candidates[k as usize].covers).for_each(|orbit| counts[orbit] += 1);
        }
        let uncoloured = |orbit: &usize| state.coloured[orbit / 64] >> (orbit % 64) & 1 == 0;
        let square = (0..self.cover.quotient.orbits).filter(uncoloured).min_by_key(|&orbit| counts[orbit]);
        let square = square.expect("there are classes to come");
        let share = share / f64::from(counts[square]);
        let index = (counts[square] >= WORTH_AN_INDEX).then(|| Index::new(self.cover, live));
        for &number in live {
            if self.cover.candidates[number as usize].covers[square / 64] >> (square % 64) & 1 == 0 {
                continue;
            }
            if !self.goes_on() {
                return;
            }
            let mut state = state.clone();
            if let Some(need) = self.cover.step(&mut state, number) {
                let live: Vec<u32> = match &index {
                    Some(index) => index.stay(self.cover, live, number, need),
                    None => live.iter().copied().filter(|&k| self.cover.stays(k, number, need)).collect(),
                };
                self.chosen.push(number);
                self.long(&live, &state, share);
                self.chosen.pop();
            }
        }
    }

    /// A node with few candidates; vectors of one word are made where that is enough.
    fn short<const W: usize>(&mut self, few: &Few<W>, live: &[u64; W], state: &State, share: f64) {
        if self.ends(state, share) {
            return;
        }
        if W > 1 && live.iter().map(|word| word.count_ones()).sum::<u32>() <= 64 {
            let few = Few::<1>::new(self.cover, members(live).map(|k| few.numbers[k]).collect());
            return self.short(&few, &few.all(), state, share);
        }
        let (fewest, branches) = few.branches(live, &state.coloured);
        for k in members(&branches) {
            if !self.goes_on() {
                return;
            }
            let (mut live, mut state, number) = (*live, state.clone(), few.numbers[k]);
            if let Some(need) = self.cover.step(&mut state, number) {
                for orbit in members(&self.cover.candidates[number as usize].covers) {
                    live.iter_mut().zip(&few.covers[orbit]).for_each(|(live, covers)| *live &= !covers);
                }
                for orbit in members(&[need]) {
                    live.iter_mut().zip(&few.meets[orbit]).for_each(|(live, meets)| *live &= meets);
                }
                self.chosen.push(number);
                self.short(few, &live, &state, share / f64::from(fewest));
                self.chosen.pop();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn listing_and_cutting_end_when_stopped() {
        let (control, stopped) = (Control::new(), Control::new());
        stopped.stop();
        let cover = |control| Cover::new(8, Operator::None, true, control).expect("every board has it");
        assert!(cover(&stopped).is_none());
        let cover = cover(&control).expect("it was not stopped");
        assert!(cover.parts(2, &stopped).is_none() && cover.parts(2, &control).is_some());
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
