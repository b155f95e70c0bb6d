//! Regions in numbers of their own.

use std::sync::Arc;

use fixedbitset::FixedBitSet;

use crate::search::attacks::{Attacks, WORD, bit, members, words_for};

/// A region whose squares have numbers of their own: 0, 1, ..., in increasing order.
#[derive(Debug)]
pub(crate) struct NumberedRegion {
    pub(crate) squares: Vec<u32>,
    /// Which of them attack which.
    pub(crate) attacks: Arc<Attacks>,
    /// For each square of the board what a queen on it leaves free of them.
    pub(crate) left: Vec<usize>,
    /// Words that a set of them takes.
    pub(crate) words: usize,
}

/// About how many squares a square attacks.
const ATTACKED: usize = 100;

/// Squares of a region that stand next to each other in a word.
struct Run {
    word: usize,
    mask: usize,
    /// The place of the first one in the word, and its number.
    first: u32,
    number: usize,
}

fn runs(region: &FixedBitSet) -> Vec<Run> {
    let (mut runs, mut number) = (Vec::new(), 0);
    for (word, &squares) in region.as_slice().iter().enumerate() {
        let mut rest = squares;
        while rest != 0 {
            let first = rest.trailing_zeros();
            let length = (!(rest >> first)).trailing_zeros();
            let mask = (usize::MAX >> (WORD as u32 - length)) << first;
            runs.push(Run { word, mask, first, number });
            number += length as usize;
            rest &= !mask;
        }
    }
    runs
}

impl NumberedRegion {
    /// On a board with these attacks.
    pub(crate) fn new(attacks: &Attacks, region: &FixedBitSet) -> Self {
        let size = region.len();
        let squares: Vec<u32> = region.ones().map(|x| x as u32).collect();
        let words = words_for(squares.len());
        let mut left = vec![usize::MAX; size * words];
        let runs = runs(region);
        // Either way a step is one operation on words.
        if runs.len() * size <= squares.len() * ATTACKED {
            for (x, left) in left.chunks_exact_mut(words).enumerate() {
                let attacked = attacks.of(x);
                for &Run { word, mask, first, number } in &runs {
                    let taken = (attacked[word] & mask) >> first;
                    let (at, shift) = (number / WORD, number % WORD);
                    left[at] &= !(taken << shift);
                    if shift > 0 && taken >> (WORD - shift) != 0 {
                        left[at + 1] &= !(taken >> (WORD - shift));
                    }
                }
            }
        } else {
            for (number, &y) in squares.iter().enumerate() {
                let (word, bit) = bit(number);
                for x in members(attacks.of(y as usize)) {
                    left[x * words + word] &= !bit;
                }
            }
        }
        let mut sets = Vec::with_capacity(squares.len() * words);
        for (number, &x) in squares.iter().enumerate() {
            let left = &mut left[x as usize * words..][..words];
            sets.extend(left.iter().map(|left| !left));
            let (word, bit) = bit(number);
            left[word] &= !bit;
        }
        Self { attacks: Arc::new(Attacks::of_sets(squares.len(), sets)), squares, left, words }
    }
}

#[cfg(test)]
mod tests {
    use ndqueens_model::board::Board;

    use super::*;
    use crate::search::indexed_board::{IndexedBoard, Order};

    #[test]
    fn what_a_queen_leaves_free_is_what_it_does_not_attack() {
        for name in ["1x2", "4x5x6", "9^2", "3^4", "8x8x2", "2x11x3"] {
            let board = Board::new(&name.parse().expect("a board"));
            for order in Order::ALL {
                let indexed = IndexedBoard::new(&board, order, false);
                let size = indexed.squares.len();
                let slabs =
                    (0..board.grid().expect("a box").dimension()).map(|axis| indexed.between(axis, 0..=0));
                let scattered = (1..5).map(|step| (0..size).step_by(step).collect::<FixedBitSet>());
                for mut region in slabs.chain(scattered) {
                    region.grow(size);
                    let numbered = NumberedRegion::new(&indexed.attacks, &region);
                    for x in 0..size {
                        let left = &numbered.left[x * numbered.words..][..numbered.words];
                        for (number, y) in region.ones().enumerate() {
                            let (word, bit) = bit(number);
                            let attacks = x == y || indexed.attacked(x).any(|attacked| attacked == y);
                            assert_eq!(left[word] & bit == 0, attacks, "{name} {x} {y}");
                        }
                    }
                }
            }
        }
    }
}
