//! Sets of squares as words, and which squares attack which.

/// Squares in a word.
pub(crate) const WORD: usize = usize::BITS as usize;

/// The words that a set of numbers below a size takes, one at least.
pub(crate) fn words_for(size: usize) -> usize {
    size.div_ceil(WORD).max(1)
}

/// The word of a number, and its bit there.
pub(crate) fn bit(x: usize) -> (usize, usize) {
    (x / WORD, 1 << (x % WORD))
}

pub(crate) fn count(set: &[usize]) -> u32 {
    set.iter().map(|word| word.count_ones()).sum()
}

/// The members, in increasing order.
pub(crate) fn members(set: &[usize]) -> impl Iterator<Item = usize> + '_ {
    set.iter().enumerate().flat_map(|(k, &word)| {
        std::iter::successors((word != 0).then_some(word), |w| Some(w & (w - 1)).filter(|&w| w != 0))
            .map(move |w| k * WORD + w.trailing_zeros() as usize)
    })
}

/// Which of some squares attack which: a set for each, of so many words.
#[derive(Debug, PartialEq, Eq, Hash)]
pub(crate) struct Attacks {
    words: usize,
    sets: Vec<usize>,
}

impl Attacks {
    /// Of so many squares, numbered from 0, of which each attacks those that are visited.
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

    /// The same from the sets, one behind the other.
    pub(crate) fn of_sets(size: usize, sets: Vec<usize>) -> Self {
        Self { words: words_for(size), sets }
    }

    /// The squares that a square attacks.
    pub(crate) fn of(&self, x: usize) -> &[usize] {
        &self.sets[x * self.words..][..self.words]
    }

    /// Takes a clique out of a set: the least member, then again and again the least one that attacks all so far; or, reversed, the
    /// same with the greatest. `left` is working memory. Whether there was any member; `end` is the word at which to look for the
    /// first one, and becomes its word.
    pub(crate) fn take_clique(
        &self,
        set: &mut [usize],
        end: &mut usize,
        reversed: bool,
        left: &mut [usize],
        mut tell: impl FnMut(usize),
    ) -> bool {
        let words = set.len();
        let left = &mut left[..words];
        let mut k = *end;
        while set[k] == 0 {
            if reversed && k == 0 || !reversed && k + 1 == words {
                return false;
            }
            k = if reversed { k - 1 } else { k + 1 };
        }
        *end = k;
        left.copy_from_slice(set);
        loop {
            let word = left[k];
            if word == 0 {
                if reversed && k == 0 || !reversed && k + 1 == words {
                    return true;
                }
                k = if reversed { k - 1 } else { k + 1 };
                continue;
            }
            let place = if reversed {
                WORD - 1 - word.leading_zeros() as usize
            } else {
                word.trailing_zeros() as usize
            };
            let x = k * WORD + place;
            set[k] &= !(1 << place);
            tell(x);
            let attacked = &self.sets[x * words..][..words];
            let range = if reversed { 0..k + 1 } else { k..words };
            for (left, attacked) in left[range.clone()].iter_mut().zip(&attacked[range]) {
                *left &= attacked;
            }
        }
    }

    /// Takes so many cliques out of a set, or all that there are, as [`Self::take_clique`] does.
    pub(crate) fn take_cliques(&self, set: &mut [usize], number: i32, reversed: bool, left: &mut [usize]) {
        /// Short sets are held in registers: compiled once for each number of words.
        macro_rules! by_words {
            ($($words:literal)*) => {
                match self.words {
                    $($words => match reversed {
                        true => self.take_short::<$words, true>(set, number),
                        false => self.take_short::<$words, false>(set, number),
                    })*
                    _ => {
                        let mut end = if reversed { self.words - 1 } else { 0 };
                        for _ in 0..number {
                            if !self.take_clique(set, &mut end, reversed, left, |_| {}) {
                                break;
                            }
                        }
                    }
                }
            };
        }
        by_words!(1 2 3 4 5 6 7 8);
    }

    fn take_short<const W: usize, const REVERSED: bool>(&self, set: &mut [usize], number: i32) {
        const SHORT: &str = "a set of so many words";
        let set: &mut [usize; W] = set.try_into().expect(SHORT);
        let (sets, _) = self.sets.as_chunks::<W>();
        for _ in 0..number {
            let mut left = *set;
            let mut any = 0;
            for step in 0..W {
                let k = if REVERSED { W - 1 - step } else { step };
                any |= left[k];
                while left[k] != 0 {
                    let place = match REVERSED {
                        true => WORD - 1 - left[k].leading_zeros() as usize,
                        false => left[k].trailing_zeros() as usize,
                    };
                    set[k] &= !(1 << place);
                    let attacked = &sets[k * WORD + place];
                    for (left, attacked) in left.iter_mut().zip(attacked) {
                        *left &= attacked;
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
    fn sets_behave_like_sets() {
        let set = set(&[0, 63, 64, 127]);
        assert!(members(&set).eq([0, 63, 64, 127]));
        assert_eq!((count(&set), count(&[]), words_for(64), words_for(65)), (4, 0, 1, 2));
        assert_eq!(words_for(0), 1);
    }

    #[test]
    fn cliques_are_taken_from_either_end() {
        let clique = [1, 2, 70];
        let others = |x, visit: &mut dyn FnMut(usize)| {
            clique.into_iter().filter(|&y| clique.contains(&x) && y != x).for_each(visit);
        };
        let attacks = Attacks::new(128, others);
        assert_eq!(attacks.of(2), set(&[1, 70]));
        for (reversed, (first, second)) in [(false, (vec![1, 2, 70], 90)), (true, (vec![90], 70))] {
            let (mut rest, mut left) = (set(&[1, 2, 70, 90]), [0; 2]);
            let (mut taken, mut end) = (Vec::new(), usize::from(reversed));
            assert!(attacks.take_clique(&mut rest, &mut end, reversed, &mut left, |x| taken.push(x)));
            assert_eq!((taken, end), (first, usize::from(reversed)));
            assert!(members(&rest).any(|x| x == second));
            attacks.take_cliques(&mut rest, 1, reversed, &mut left);
            assert_eq!(rest, [0; 2]);
            attacks.take_cliques(&mut rest, 1, reversed, &mut left);
            assert_eq!(rest, [0; 2]);
        }
    }
}
