//! Cliques: sets of squares that attack each other pairwise.

use std::ops::Range;

use fixedbitset::FixedBitSet;

use super::order::Squares;

/// Removes at most `most` first-fit cliques from a set. A clique starts with the first square that is left,
/// and repeatedly takes the first square that attacks all its squares; with `reversed`, the last one instead.
/// `candidates` is working memory.
pub(super) fn take_first_fit(
    set: &mut FixedBitSet,
    candidates: &mut FixedBitSet,
    squares: &Squares,
    most: u64,
    reversed: bool,
) {
    candidates.clone_from(set);
    let (left, candidates) = (set.as_mut_slice(), candidates.as_mut_slice());
    // Range of words from the first to the last nonzero one.
    let mut words = 0..left.len();
    for _ in 0..most {
        while !words.is_empty() && left[words.start] == 0 {
            words.start += 1;
        }
        while !words.is_empty() && left[words.end - 1] == 0 {
            words.end -= 1;
        }
        if words.is_empty() {
            return;
        }
        candidates[words.clone()].copy_from_slice(&left[words.clone()]);
        let take = |square: usize| left[square / WORD] &= !(1 << (square % WORD));
        if reversed {
            last_fit(candidates, words.clone(), squares, take);
        } else {
            first_fit(candidates, words.clone(), squares, take);
        }
    }
}

/// Returns the clique of these squares, which attack each other, extended greedily: it repeatedly takes the
/// first square of the board that attacks all its squares.
pub(super) fn complete(mut clique: Vec<usize>, squares: &Squares) -> Vec<usize> {
    let mut candidates =
        clique.first().map_or_else(|| squares.all(), |&first| squares.neighbours(first).clone());
    clique.iter().skip(1).for_each(|&square| candidates.intersect_with(squares.neighbours(square)));
    let candidates = candidates.as_mut_slice();
    first_fit(candidates, 0..candidates.len(), squares, |square| clique.push(square));
    clique
}

const WORD: usize = usize::BITS as usize;

/// Takes the first candidate in these words and keeps only the candidates there that it attacks, until no
/// candidate remains.
fn first_fit(candidates: &mut [usize], words: Range<usize>, squares: &Squares, mut take: impl FnMut(usize)) {
    for k in words.clone() {
        while candidates[k] != 0 {
            let square = k * WORD + candidates[k].trailing_zeros() as usize;
            take(square);
            keep_attacked(candidates, k..words.end, squares.neighbours(square));
        }
    }
}

/// Does the same as [`first_fit`] from the other end.
fn last_fit(candidates: &mut [usize], words: Range<usize>, squares: &Squares, mut take: impl FnMut(usize)) {
    for k in words.clone().rev() {
        while candidates[k] != 0 {
            let square = k * WORD + (WORD - 1 - candidates[k].leading_zeros() as usize);
            take(square);
            keep_attacked(candidates, words.start..k + 1, squares.neighbours(square));
        }
    }
}

fn keep_attacked(candidates: &mut [usize], words: Range<usize>, attacked: &FixedBitSet) {
    let attacked = &attacked.as_slice()[words.clone()];
    candidates[words].iter_mut().zip(attacked).for_each(|(word, attacked)| *word &= attacked);
}

#[cfg(test)]
mod tests {
    use super::super::order::Order;
    use super::*;
    use crate::boards::definition;

    /// Computes the result of [`take_first_fit`] square by square.
    fn take_one_by_one(set: &FixedBitSet, squares: &Squares, most: u64, reversed: bool) -> FixedBitSet {
        let mut left: Vec<usize> = set.ones().collect();
        if reversed {
            left.reverse();
        }
        for _ in 0..most {
            let mut clique: Vec<usize> = Vec::new();
            for &square in &left {
                if clique.iter().all(|&other| squares.neighbours(other).contains(square)) {
                    clique.push(square);
                }
            }
            left.retain(|square| !clique.contains(square));
        }
        let mut rest = FixedBitSet::with_capacity(set.len());
        rest.extend(left);
        rest
    }

    #[test]
    fn first_fit_cliques_agree_with_simple_search() {
        for (name, order) in
            [("6^3", Order::Lexicographic), ("6^3", Order::Morton), ("13^2", Order::Lexicographic)]
        {
            let definition = definition(&name.parse().expect("a board"));
            let squares = Squares::new(&*definition, order).expect("small");
            let mut candidates = FixedBitSet::new();
            for seed in 0..40 {
                // Sets are ranges of squares with gaps.
                let (from, to) = (seed * 3 % 50, squares.len() - seed * 7 % 90);
                let mut set = FixedBitSet::with_capacity(squares.len());
                set.extend((from..to).filter(|square| square * square % 11 != seed % 11));
                for (most, reversed) in (0..12).flat_map(|most| [(most, false), (most, true)]) {
                    let mut taken = set.clone();
                    take_first_fit(&mut taken, &mut candidates, &squares, most, reversed);
                    assert_eq!(
                        taken,
                        take_one_by_one(&set, &squares, most, reversed),
                        "{name} {seed} {most} {reversed}"
                    );
                }
            }
        }
    }
}
