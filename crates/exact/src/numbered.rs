//! Regions in numbers of their own.

use std::sync::Arc;

use fixedbitset::FixedBitSet;

use super::attacks::{Attacks, bit, members, words_for};

/// A region whose squares have numbers of their own: 0, 1, ..., in increasing order.
#[derive(Debug)]
pub(super) struct NumberedRegion {
    pub(super) squares: Vec<u32>,
    /// Which of them attack which.
    pub(super) attacks: Arc<Attacks>,
    /// For each square of the board what a queen on it leaves free of them.
    pub(super) left: Vec<usize>,
    /// Words that a set of them takes.
    pub(super) words: usize,
}

impl NumberedRegion {
    /// On a board with these attacks.
    pub(super) fn new(attacks: &Attacks, region: &FixedBitSet) -> Self {
        let size = region.len();
        let squares: Vec<u32> = region.ones().map(|x| x as u32).collect();
        let words = words_for(squares.len());
        let mut left = vec![usize::MAX; size * words];
        for (number, &y) in squares.iter().enumerate() {
            let (word, bit) = bit(number);
            for x in members(attacks.of(y as usize)).chain([y as usize]) {
                left[x * words + word] &= !bit;
            }
        }
        let mut sets = Vec::with_capacity(squares.len() * words);
        for (number, &x) in squares.iter().enumerate() {
            let begin = sets.len();
            sets.extend(left[x as usize * words..][..words].iter().map(|left| !left));
            let (word, bit) = bit(number);
            sets[begin + word] &= !bit;
        }
        Self { attacks: Arc::new(Attacks::of_sets(squares.len(), sets)), squares, left, words }
    }
}
