//! Sets of candidates as bit vectors: the candidates that cover each square, and those that
//! meet each diagonal.

use num_traits::PrimInt;

use super::candidates::{DiagonalSet, Listed, Quotient, SquareSet};

/// Minimum number of branches of a node for which an index of its candidates is built.
pub(super) const MIN_INDEXED_BRANCHES: u32 = 16;

/// Index of a list of candidates. The candidates are bits, by their positions in the list.
#[derive(Debug)]
pub(super) struct CandidateIndex {
    /// The candidates that cover each orbit of squares.
    covers: Vec<Vec<u64>>,
    /// The candidates that do not meet all diagonals of each orbit.
    misses: Vec<Vec<u64>>,
}

impl CandidateIndex {
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

    /// Returns the candidates of the list that are compatible with the chosen one and meet all diagonals of
    /// the orbits in `needed`.
    pub(super) fn compatible(&self, live: &[u32], chosen: &Listed, needed: DiagonalSet) -> Vec<u32> {
        let mut excluded = vec![0; live.len().div_ceil(64)];
        let covering = members(&chosen.covers).map(|orbit| &self.covers[orbit]);
        let needed = [needed];
        for set in covering.chain(members(&needed).map(|orbit| &self.misses[orbit])) {
            excluded.iter_mut().zip(set).for_each(|(excluded, word)| *excluded |= word);
        }
        excluded.iter_mut().for_each(|word| *word = !*word);
        members(&excluded).take_while(|&k| k < live.len()).map(|k| live[k]).collect()
    }
}

/// Bit vectors for at most 64 W candidates.
#[derive(Debug)]
pub(super) struct CandidateBits<const W: usize> {
    /// Numbers of the candidates.
    pub(super) numbers: Vec<u32>,
    /// The candidates that cover each orbit of squares.
    pub(super) covers: Vec<[u64; W]>,
    /// The candidates that meet all diagonals of each orbit.
    pub(super) meets: Vec<[u64; W]>,
}

/// Number of words of the longer bit vectors; the shorter ones have one word.
pub(super) const WORDS: usize = 4;

impl<const W: usize> CandidateBits<W> {
    pub(super) fn new(quotient: &Quotient, candidates: &[Listed], numbers: Vec<u32>) -> Self {
        let meets = vec![[0; W]; quotient.diagonals.len()];
        let mut bits = Self { covers: vec![[0; W]; quotient.orbits], meets, numbers };
        for (k, &number) in bits.numbers.iter().enumerate() {
            let (word, bit) = (k / 64, 1 << (k % 64));
            let listed = &candidates[number as usize];
            members(&listed.covers).for_each(|orbit| bits.covers[orbit][word] |= bit);
            members(&[listed.meets]).for_each(|orbit| bits.meets[orbit][word] |= bit);
        }
        bits
    }

    /// Returns the set of all candidates.
    pub(super) fn all(&self) -> [u64; W] {
        let mut all = [0; W];
        (0..self.numbers.len()).for_each(|k| all[k / 64] |= 1 << (k % 64));
        all
    }

    /// Returns the live candidates that cover the uncoloured orbit of squares with the fewest of them.
    pub(super) fn branches(&self, live: &[u64; W], coloured: &SquareSet) -> [u64; W] {
        let (mut fewest, mut branches) = (u32::MAX, [0; W]);
        for (orbit, covers) in self.covers.iter().enumerate() {
            if coloured[orbit / 64] >> (orbit % 64) & 1 == 1 {
                continue;
            }
            let here: [u64; W] = std::array::from_fn(|k| covers[k] & live[k]);
            if fewest == 1 {
                // Only an orbit without candidates is better.
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

/// Iterates over the numbers of the set bits in increasing order.
pub(super) fn members<B: PrimInt>(bits: &[B]) -> impl Iterator<Item = usize> + '_ {
    bits.iter().enumerate().flat_map(|(k, &word)| {
        let without_lowest = |w: &B| Some(*w & (*w - B::one())).filter(|w| !w.is_zero());
        std::iter::successors((!word.is_zero()).then_some(word), without_lowest)
            .map(move |w| k * B::zero().count_zeros() as usize + w.trailing_zeros() as usize)
    })
}
