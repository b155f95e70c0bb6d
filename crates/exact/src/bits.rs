//! Sets of squares as fixed-size bit arrays.

use std::ops::{BitAnd, BitAndAssign, BitOr, Not};

/// Does something with the least constant number of words, of those listed, that a set of numbers below a size needs.
macro_rules! with_words {
    ($size:expr, $words:ident in [$($listed:literal)*] => $done:block else $other:block) => {
        match $size.div_ceil(64) {
            $(needed if needed <= $listed => {
                const $words: usize = $listed;
                $done
            })*
            _ => $other,
        }
    };
}
pub(super) use with_words;

/// A set of numbers below `64 * W`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Bits<const W: usize>([u64; W]);

impl<const W: usize> Bits<W> {
    pub(super) const EMPTY: Self = Self([0; W]);

    pub(super) fn insert(&mut self, x: usize) {
        self.0[x / 64] |= 1 << (x % 64);
    }

    pub(super) fn remove(&mut self, x: usize) {
        self.0[x / 64] &= !(1 << (x % 64));
    }

    pub(super) fn contains(&self, x: usize) -> bool {
        self.0[x / 64] >> (x % 64) & 1 == 1
    }

    pub(super) fn len(&self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    /// The members, in increasing order.
    pub(super) fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        self.0.iter().enumerate().flat_map(|(k, &word)| {
            std::iter::successors((word != 0).then_some(word), |w| Some(w & (w - 1)).filter(|&w| w != 0))
                .map(move |w| k * 64 + w.trailing_zeros() as usize)
        })
    }

    /// Takes a clique out of the set: the least member, then again and again the least one that attacks all so far.
    #[inline]
    pub(super) fn take_clique(&mut self, attacks: &[Self], mut tell: impl FnMut(usize)) -> bool {
        let mut candidates = *self;
        let mut k = 0;
        let mut any = false;
        while k < W {
            let word = candidates.0[k];
            if word == 0 {
                k += 1;
                continue;
            }
            any = true;
            let x = k * 64 + word.trailing_zeros() as usize;
            self.0[k] &= !(word & word.wrapping_neg());
            tell(x);
            let mask = &attacks[x].0;
            for (word, mask) in candidates.0[k..].iter_mut().zip(&mask[k..]) {
                *word &= mask;
            }
        }
        any
    }

    /// The same from the other end: greatest members first.
    #[inline]
    pub(super) fn take_clique_reversed(&mut self, attacks: &[Self], mut tell: impl FnMut(usize)) -> bool {
        let mut candidates = *self;
        let mut k = W;
        let mut any = false;
        while k > 0 {
            let word = candidates.0[k - 1];
            if word == 0 {
                k -= 1;
                continue;
            }
            any = true;
            let bit = 63 - word.leading_zeros() as usize;
            let x = (k - 1) * 64 + bit;
            self.0[k - 1] &= !(1 << bit);
            tell(x);
            let mask = &attacks[x].0;
            for (word, mask) in candidates.0[..k].iter_mut().zip(&mask[..k]) {
                *word &= mask;
            }
        }
        any
    }
}

impl<const W: usize> BitAnd for Bits<W> {
    type Output = Self;

    fn bitand(mut self, other: Self) -> Self {
        self &= other;
        self
    }
}

impl<const W: usize> BitAndAssign for Bits<W> {
    fn bitand_assign(&mut self, other: Self) {
        for (a, b) in self.0.iter_mut().zip(other.0) {
            *a &= b;
        }
    }
}

impl<const W: usize> BitOr for Bits<W> {
    type Output = Self;

    fn bitor(mut self, other: Self) -> Self {
        for (a, b) in self.0.iter_mut().zip(other.0) {
            *a |= b;
        }
        self
    }
}

impl<const W: usize> Not for Bits<W> {
    type Output = Self;

    fn not(mut self) -> Self {
        for a in &mut self.0 {
            *a = !*a;
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(members: &[usize]) -> Bits<2> {
        let mut bits = Bits::EMPTY;
        members.iter().for_each(|&x| bits.insert(x));
        bits
    }

    #[test]
    fn sets_behave_like_sets() {
        let bits = set(&[0, 63, 64, 127]);
        assert!(bits.iter().eq([0, 63, 64, 127]));
        assert_eq!((bits.len(), bits.contains(64), bits.contains(65)), (4, true, false));
        assert_eq!(bits & !bits, Bits::EMPTY);
        assert_eq!((bits & set(&[63, 100])) | set(&[5]), set(&[5, 63]));
    }

    #[test]
    fn cliques_are_taken_from_either_end() {
        let clique = set(&[1, 2, 70]);
        let neighbours = |x| if clique.contains(x) { clique & !set(&[x]) } else { Bits::EMPTY };
        let attacks: Vec<Bits<2>> = (0..128).map(neighbours).collect();
        for reversed in [false, true] {
            let mut rest = set(&[1, 2, 70, 90]);
            let mut clique = Vec::new();
            let tell = |x| clique.push(x);
            let any = if reversed {
                rest.take_clique_reversed(&attacks, tell)
            } else {
                rest.take_clique(&attacks, tell)
            };
            assert!(any);
            if reversed {
                assert_eq!((clique, rest), (vec![90], set(&[1, 2, 70])));
            } else {
                assert_eq!((clique, rest), (vec![1, 2, 70], set(&[90])));
            }
        }
        assert!(!Bits::<2>::EMPTY.clone().take_clique(&attacks, |_| {}));
    }
}
