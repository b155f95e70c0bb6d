//! Regions whose squares have a numbering of their own.

use std::sync::Arc;

use fixedbitset::FixedBitSet;

use crate::search::attacks::{Attacks, WORD, bit, members, words_for};

/// Region whose squares are numbered 0, 1, ... in increasing order.
#[derive(Debug)]
pub(crate) struct NumberedRegion {
    /// Squares of the region.
    pub(crate) squares: Vec<u32>,
    /// Attack relation on the squares of the region.
    pub(crate) attacks: Arc<Attacks>,
    /// Mask for each square of the board, `words` words each: the squares of the region that a queen on it does not
    /// attack.
    pub(crate) unattacked: Vec<usize>,
    /// Number of words of a bitset of the region.
    pub(crate) words: usize,
}

/// Typical number of squares that a square attacks.
const ATTACKED: usize = 100;

/// Consecutive squares of a region within a word.
struct BitRun {
    word: usize,
    mask: usize,
    /// Bit of the first square in the word.
    first: u32,
    /// Number of the first square in the region.
    number: usize,
}

/// Splits a region into runs of consecutive squares.
fn bit_runs(region: &FixedBitSet) -> Vec<BitRun> {
    let (mut runs, mut number) = (Vec::new(), 0);
    for (word, &squares) in region.as_slice().iter().enumerate() {
        let mut rest = squares;
        while rest != 0 {
            let first = rest.trailing_zeros();
            let length = (!(rest >> first)).trailing_zeros();
            let mask = (usize::MAX >> (WORD as u32 - length)) << first;
            runs.push(BitRun { word, mask, first, number });
            number += length as usize;
            rest &= !mask;
        }
    }
    runs
}

impl NumberedRegion {
    /// Numbers the squares of a region on a board with the given attack relation.
    pub(crate) fn new(attacks: &Attacks, region: &FixedBitSet) -> Self {
        let size = region.len();
        let squares: Vec<u32> = region.ones().map(|x| x as u32).collect();
        let words = words_for(squares.len());
        let mut left = vec![usize::MAX; size * words];
        let runs = bit_runs(region);
        // Choose the method with fewer word operations.
        if runs.len() * size <= squares.len() * ATTACKED {
            for (x, left) in left.chunks_exact_mut(words).enumerate() {
                let attacked = attacks.neighbours(x);
                for &BitRun { word, mask, first, number } in &runs {
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
                for x in members(attacks.neighbours(y as usize)) {
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
        Self { attacks: Arc::new(Attacks::from_sets(squares.len(), sets)), squares, unattacked: left, words }
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
                let slabs = (0..board.grid().expect("a box").dimension())
                    .map(|axis| indexed.layers_between(axis, 0..=0));
                let scattered = (1..5).map(|step| (0..size).step_by(step).collect::<FixedBitSet>());
                for mut region in slabs.chain(scattered) {
                    region.grow(size);
                    let numbered = NumberedRegion::new(&indexed.attacks, &region);
                    for x in 0..size {
                        let left = &numbered.unattacked[x * numbered.words..][..numbered.words];
                        for (number, y) in region.ones().enumerate() {
                            let (word, bit) = bit(number);
                            let attacks = x == y || indexed.neighbours(x).any(|attacked| attacked == y);
                            assert_eq!(left[word] & bit == 0, attacks, "{name} {x} {y}");
                        }
                    }
                }
            }
        }
    }
}
