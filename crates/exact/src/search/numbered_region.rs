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
    /// Mask for each square of the board, `words` words each: the squares of the region that a queen on
    /// it does not attack.
    pub(crate) unattacked: Vec<usize>,
    /// Number of words of a bitset of the region.
    pub(crate) words: usize,
}

/// Typical number of squares that a square attacks.
const TYPICAL_DEGREE: usize = 100;

/// Consecutive squares of a region within a word.
struct BitRun {
    /// Index of the word.
    word: usize,
    /// Mask of the squares within the word.
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
        let mut unattacked = vec![usize::MAX; size * words];
        let runs = bit_runs(region);
        // Choose the method with fewer word operations.
        if runs.len() * size <= squares.len() * TYPICAL_DEGREE {
            for (x, unattacked) in unattacked.chunks_exact_mut(words).enumerate() {
                let neighbours = attacks.neighbours(x);
                for &BitRun { word, mask, first, number } in &runs {
                    let attacked_run = (neighbours[word] & mask) >> first;
                    let (target, shift) = (number / WORD, number % WORD);
                    unattacked[target] &= !(attacked_run << shift);
                    if shift > 0 && attacked_run >> (WORD - shift) != 0 {
                        unattacked[target + 1] &= !(attacked_run >> (WORD - shift));
                    }
                }
            }
        } else {
            for (number, &y) in squares.iter().enumerate() {
                let (word, bit) = bit(number);
                for x in members(attacks.neighbours(y as usize)) {
                    unattacked[x * words + word] &= !bit;
                }
            }
        }
        let mut sets = Vec::with_capacity(squares.len() * words);
        for (number, &x) in squares.iter().enumerate() {
            let unattacked = &mut unattacked[x as usize * words..][..words];
            sets.extend(unattacked.iter().map(|mask| !mask));
            let (word, bit) = bit(number);
            unattacked[word] &= !bit;
        }
        Self { attacks: Arc::new(Attacks::from_sets(squares.len(), sets)), squares, unattacked, words }
    }
}

#[cfg(test)]
mod tests {
    use ndqueens_model::board::Board;

    use super::*;
    use crate::search::indexed_board::{IndexedBoard, Order};

    #[test]
    fn masks_match_the_attack_relation() {
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
                        let unattacked = &numbered.unattacked[x * numbered.words..][..numbered.words];
                        for (number, y) in region.ones().enumerate() {
                            let (word, bit) = bit(number);
                            let attacks = x == y || indexed.neighbours(x).any(|attacked| attacked == y);
                            assert_eq!(unattacked[word] & bit == 0, attacks, "{name} {x} {y}");
                        }
                    }
                }
            }
        }
    }
}
