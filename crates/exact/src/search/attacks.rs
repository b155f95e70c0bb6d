//! Bitsets of squares and the attack relation between squares.

/// Number of squares per word.
pub(crate) const WORD: usize = usize::BITS as usize;

/// Returns the number of words that hold a bitset of `size` elements: at least one.
pub(crate) fn words_for(size: usize) -> usize {
    size.div_ceil(WORD).max(1)
}

/// Returns the word index of element `x` and its mask within that word.
pub(crate) fn bit(x: usize) -> (usize, usize) {
    (x / WORD, 1 << (x % WORD))
}

/// Returns the number of elements of a bitset.
pub(crate) fn count(set: &[usize]) -> u32 {
    set.iter().map(|word| word.count_ones()).sum()
}

/// Iterates over the elements of a bitset in increasing order.
pub(crate) fn members(set: &[usize]) -> impl Iterator<Item = usize> + '_ {
    set.iter().enumerate().flat_map(|(k, &word)| {
        std::iter::successors((word != 0).then_some(word), |w| Some(w & (w - 1)).filter(|&w| w != 0))
            .map(move |w| k * WORD + w.trailing_zeros() as usize)
    })
}

/// Attack relation on the squares 0, 1, ...: one bitset of `words` words per square.
#[derive(Debug, PartialEq, Eq, Hash)]
pub(crate) struct Attacks {
    words: usize,
    sets: Vec<usize>,
}

impl Attacks {
    /// Creates the relation on `size` squares; `visit(x, f)` must call `f` with each square that `x` attacks.
    pub(crate) fn new(size: usize, visit: impl Fn(usize, &mut dyn FnMut(usize))) -> Self {
        let words = words_for(size);
        let mut sets = vec![0; size * words];
        for (x, set) in sets.chunks_exact_mut(words).enumerate() {
            visit(x, &mut |y| {
                let (word, bit) = bit(y);
                set[word] |= bit;
            });
        }
        Self { words, sets }
    }

    /// Creates the relation on `size` squares from their neighbourhoods, concatenated in the
    /// order of the squares.
    pub(crate) fn from_sets(size: usize, sets: Vec<usize>) -> Self {
        Self { words: words_for(size), sets }
    }

    /// Returns the squares that `x` attacks.
    pub(crate) fn neighbours(&self, x: usize) -> &[usize] {
        &self.sets[x * self.words..][..self.words]
    }

    /// Removes a maximal clique from `set`: first its least element, then repeatedly the least element that
    /// attacks all elements of the clique; if `reversed`, the greatest element each time. Calls `visit` with
    /// each element removed.
    ///
    /// Returns `false` if `set` is empty. The search for the first element starts at word `start`, which is
    /// set to the word where it was found. `candidates` is working memory.
    pub(crate) fn take_clique(
        &self,
        set: &mut [usize],
        start: &mut usize,
        reversed: bool,
        candidates: &mut [usize],
        mut visit: impl FnMut(usize),
    ) -> bool {
        let words = set.len();
        let candidates = &mut candidates[..words];
        let mut k = *start;
        while set[k] == 0 {
            if reversed && k == 0 || !reversed && k + 1 == words {
                return false;
            }
            k = if reversed { k - 1 } else { k + 1 };
        }
        *start = k;
        candidates.copy_from_slice(set);
        loop {
            let word = candidates[k];
            if word == 0 {
                if reversed && k == 0 || !reversed && k + 1 == words {
                    return true;
                }
                k = if reversed { k - 1 } else { k + 1 };
                continue;
            }
            let position = if reversed {
                WORD - 1 - word.leading_zeros() as usize
            } else {
                word.trailing_zeros() as usize
            };
            let x = k * WORD + position;
            set[k] &= !(1 << position);
            visit(x);
            let neighbours = &self.sets[x * words..][..words];
            let range = if reversed { 0..k + 1 } else { k..words };
            for (candidates, neighbours) in candidates[range.clone()].iter_mut().zip(&neighbours[range]) {
                *candidates &= neighbours;
            }
        }
    }

    /// Removes up to `number` cliques from `set`, each as [`Self::take_clique`] does.
    pub(crate) fn take_cliques(
        &self,
        set: &mut [usize],
        number: i32,
        reversed: bool,
        candidates: &mut [usize],
    ) {
        /// Dispatches on the number of words, so that short sets are kept in registers.
        macro_rules! by_words {
            ($($words:literal)*) => {
                match self.words {
                    $($words => match reversed {
                        true => self.take_cliques_in_words::<$words, true>(set, number),
                        false => self.take_cliques_in_words::<$words, false>(set, number),
                    })*
                    _ => {
                        let mut start = if reversed { self.words - 1 } else { 0 };
                        for _ in 0..number {
                            if !self.take_clique(set, &mut start, reversed, candidates, |_| {}) {
                                break;
                            }
                        }
                    }
                }
            };
        }
        by_words!(1 2 3 4 5 6 7 8);
    }

    /// Implements [`Self::take_cliques`] for bitsets of `W` words.
    fn take_cliques_in_words<const W: usize, const REVERSED: bool>(&self, set: &mut [usize], number: i32) {
        let set: &mut [usize; W] = set.try_into().expect("bitsets of one relation have the same length");
        let (sets, _) = self.sets.as_chunks::<W>();
        for _ in 0..number {
            let mut candidates = *set;
            let mut any = 0;
            for step in 0..W {
                let k = if REVERSED { W - 1 - step } else { step };
                any |= candidates[k];
                while candidates[k] != 0 {
                    let position = match REVERSED {
                        true => WORD - 1 - candidates[k].leading_zeros() as usize,
                        false => candidates[k].trailing_zeros() as usize,
                    };
                    set[k] &= !(1 << position);
                    let neighbours = &sets[k * WORD + position];
                    for (candidates, neighbours) in candidates.iter_mut().zip(neighbours) {
                        *candidates &= neighbours;
                    }
                }
            }
            if any == 0 {
                return;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(members: &[usize]) -> [usize; 2] {
        let mut set = [0; 2];
        for &x in members {
            let (word, bit) = bit(x);
            set[word] |= bit;
        }
        set
    }

    #[test]
    fn lists_and_counts_elements() {
        let set = set(&[0, 63, 64, 127]);
        assert!(members(&set).eq([0, 63, 64, 127]));
        assert_eq!((count(&set), count(&[]), words_for(64), words_for(65)), (4, 0, 1, 2));
        assert_eq!(words_for(0), 1);
    }

    #[test]
    fn takes_cliques_from_either_end() {
        let clique = [1, 2, 70];
        let others = |x, visit: &mut dyn FnMut(usize)| {
            clique.into_iter().filter(|&y| clique.contains(&x) && y != x).for_each(visit);
        };
        let attacks = Attacks::new(128, others);
        assert_eq!(attacks.neighbours(2), set(&[1, 70]));
        for (reversed, (first, second)) in [(false, (vec![1, 2, 70], 90)), (true, (vec![90], 70))] {
            let (mut rest, mut candidates) = (set(&[1, 2, 70, 90]), [0; 2]);
            let (mut taken, mut start) = (Vec::new(), usize::from(reversed));
            assert!(attacks.take_clique(&mut rest, &mut start, reversed, &mut candidates, |x| taken.push(x)));
            assert_eq!((taken, start), (first, usize::from(reversed)));
            assert!(members(&rest).any(|x| x == second));
            attacks.take_cliques(&mut rest, 1, reversed, &mut candidates);
            assert_eq!(rest, [0; 2]);
            attacks.take_cliques(&mut rest, 1, reversed, &mut candidates);
            assert_eq!(rest, [0; 2]);
        }
    }
}
