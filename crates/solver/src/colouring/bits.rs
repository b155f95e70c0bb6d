//! Sets of candidates as bit vectors: for every square those that cover it, and for every diagonal those that meet it.

use num_traits::PrimInt;

use super::candidates::{DiagonalSet, Listed, Quotient, Set};

/// Least number of branches of a node that has an index of its candidates.
pub(super) const WORTH_AN_INDEX: u32 = 16;

/// Many candidates, as bits by their place in a list.
#[derive(Debug)]
pub(super) struct Index {
    /// For every orbit of squares, which of them cover it.
    covers: Vec<Vec<u64>>,
    /// For every orbit of diagonals, which of them do not meet all of it.
    misses: Vec<Vec<u64>>,
}

impl Index {
    pub(super) fn new(quotient: &Quotient, candidates: &[Listed], live: &[u32]) -> Self {
        let words = live.len().div_ceil(64);
        let diagonals = quotient.diagonals.len();
        let mut index =
            Self { covers: vec![vec![0; words]; quotient.orbits], misses: vec![vec![0; words]; diagonals] };
        for (k, &number) in live.iter().enumerate() {
            let (word, bit) = (k / 64, 1 << (k % 64));
            let Listed { covers, meets, .. } = &candidates[number as usize];
            members(covers).for_each(|orbit| index.covers[orbit][word] |= bit);
            members(&[!meets])
                .take_while(|&orbit| orbit < diagonals)
                .for_each(|orbit| index.misses[orbit][word] |= bit);
        }
        index
    }

    /// Those of the list that may be chosen after one of them, when these orbits of diagonals must be met.
    pub(super) fn stay(&self, live: &[u32], after: &Listed, need: DiagonalSet) -> Vec<u32> {
        let mut gone = vec![0; live.len().div_ceil(64)];
        let covered = members(&after.covers).map(|orbit| &self.covers[orbit]);
        let need = [need];
        for more in covered.chain(members(&need).map(|orbit| &self.misses[orbit])) {
            gone.iter_mut().zip(more).for_each(|(gone, more)| *gone |= more);
        }
        gone.iter_mut().for_each(|gone| *gone = !*gone);
        members(&gone).take_while(|&k| k < live.len()).map(|k| live[k]).collect()
    }
}

/// A few candidates, at most 64 W.
#[derive(Debug)]
pub(super) struct Few<const W: usize> {
    /// Their numbers.
    pub(super) numbers: Vec<u32>,
    /// For every orbit of squares, which of them cover it.
    pub(super) covers: Vec<[u64; W]>,
    /// For every orbit of diagonals, which of them meet all of it.
    pub(super) meets: Vec<[u64; W]>,
}

/// The length of bit vectors over candidates, in words, when they are not short.
pub(super) const WORDS: usize = 4;

impl<const W: usize> Few<W> {
    pub(super) fn new(quotient: &Quotient, candidates: &[Listed], numbers: Vec<u32>) -> Self {
        let meets = vec![[0; W]; quotient.diagonals.len()];
        let mut few = Self { covers: vec![[0; W]; quotient.orbits], meets, numbers };
        for (k, &number) in few.numbers.iter().enumerate() {
            let (word, bit) = (k / 64, 1 << (k % 64));
            let listed = &candidates[number as usize];
            members(&listed.covers).for_each(|orbit| few.covers[orbit][word] |= bit);
            members(&[listed.meets]).for_each(|orbit| few.meets[orbit][word] |= bit);
        }
        few
    }

    pub(super) fn all(&self) -> [u64; W] {
        let mut all = [0; W];
        (0..self.numbers.len()).for_each(|k| all[k / 64] |= 1 << (k % 64));
        all
    }

    /// Returns the live candidates on the uncoloured orbit of squares that the fewest cover.
    pub(super) fn branches(&self, live: &[u64; W], coloured: &Set) -> [u64; W] {
        let (mut fewest, mut branches) = (u32::MAX, [0; W]);
        for (orbit, covers) in self.covers.iter().enumerate() {
            if coloured[orbit / 64] >> (orbit % 64) & 1 == 1 {
                continue;
            }
            let here: [u64; W] = std::array::from_fn(|k| covers[k] & live[k]);
            if fewest == 1 {
                // Only none are fewer than one.
                if here.iter().all(|&word| word == 0) {
                    return here;
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
        branches
    }
}

/// The numbers of the bits that are set.
pub(super) fn members<B: PrimInt>(bits: &[B]) -> impl Iterator<Item = usize> + '_ {
    bits.iter().enumerate().flat_map(|(k, &word)| {
        let rest = |w: &B| Some(*w & (*w - B::one())).filter(|w| !w.is_zero());
        std::iter::successors((!word.is_zero()).then_some(word), rest)
            .map(move |w| k * B::zero().count_zeros() as usize + w.trailing_zeros() as usize)
    })
}
