//! Bitset layout of the free squares of a node: one bitset per region, in the region's own numbering. A cover
//! of a small region then reads only the words of that region, not those of the whole board.

use std::sync::Arc;

use fixedbitset::FixedBitSet;

use crate::search::attacks::bit;
use crate::search::indexed_board::IndexedBoard;
use crate::search::numbered_region::NumberedRegion;

/// Position of a region's bitset in the words of a node.
#[derive(Debug)]
pub(crate) struct View {
    /// Index of its first word.
    pub(crate) first: usize,
    /// Number of words.
    pub(crate) words: usize,
    pub(crate) region: Arc<NumberedRegion>,
}

/// Bit that represents a square in the bitset of one region.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct BitPosition {
    /// Number of the region.
    pub(crate) region: u32,
    /// Index of the word in the words of a node.
    word: u32,
    /// Mask of the bit within the word.
    bit: usize,
}

/// Bitsets of all regions, concatenated.
#[derive(Debug)]
pub(crate) struct Layout {
    /// Number of words per node.
    pub(crate) words: usize,
    /// Bitset of each region.
    pub(crate) views: Vec<View>,
    /// Bits that represent each square, grouped by square; `starts` gives the first index of each group.
    positions: Vec<BitPosition>,
    starts: Vec<usize>,
    /// Mask for each square, `words` words each: the squares that a queen on it does not attack.
    unattacked: Vec<usize>,
}

impl Layout {
    /// Creates the layout for the given regions.
    pub(crate) fn new(indexed: &IndexedBoard, regions: &[&FixedBitSet]) -> Self {
        let size = indexed.squares.len();
        let (mut views, mut words) = (Vec::with_capacity(regions.len()), 0);
        let mut starts = vec![0; size + 1];
        for region in indexed.number_regions(regions) {
            region.squares.iter().for_each(|&x| starts[x as usize + 1] += 1);
            views.push(View { first: words, words: region.words, region });
            words += views.last().map_or(0, |view| view.words);
        }
        for x in 0..size {
            starts[x + 1] += starts[x];
        }
        let mut positions = vec![BitPosition::default(); starts[size]];
        let mut next = starts.clone();
        for (view, number) in views.iter().zip(0..) {
            for (local, &x) in view.region.squares.iter().enumerate() {
                let (word, bit) = bit(local);
                positions[next[x as usize]] =
                    BitPosition { region: number, word: (view.first + word) as u32, bit };
                next[x as usize] += 1;
            }
        }
        let mut unattacked = Vec::with_capacity(size * words);
        for x in 0..size {
            for View { region, words, .. } in &views {
                unattacked.extend_from_slice(&region.unattacked[x * words..][..*words]);
            }
        }
        Self { words, views, positions, starts, unattacked }
    }

    /// Returns the bits that represent square `x`, one for each region that contains it.
    pub(crate) fn positions(&self, x: usize) -> &[BitPosition] {
        &self.positions[self.starts[x]..self.starts[x + 1]]
    }

    /// Converts a set of free squares to the words of a node.
    pub(crate) fn to_words(&self, free: &FixedBitSet) -> Vec<usize> {
        let mut words = vec![0; self.words];
        for position in free.ones().flat_map(|x| self.positions(x)) {
            words[position.word as usize] |= position.bit;
        }
        words
    }

    /// Returns the mask of the squares that a queen on `x` neither occupies nor attacks.
    pub(crate) fn unattacked_mask(&self, x: usize) -> &[usize] {
        &self.unattacked[x * self.words..][..self.words]
    }

    /// Removes square `x` from the free squares of a node.
    pub(crate) fn remove(&self, x: usize, free: &mut [usize]) {
        for position in self.positions(x) {
            free[position.word as usize] &= !position.bit;
        }
    }
}

#[cfg(test)]
mod tests {
    use ndqueens_model::board::Board;

    use super::*;
    use crate::Order;
    use crate::search::attacks::members;

    #[test]
    fn views_agree_with_the_board() {
        for (name, order) in [("5^3", Order::Morton), ("2x3x7", Order::Lexicographic), ("9^2", Order::Morton)]
        {
            let board = Board::new(&name.parse().expect("a board"));
            let indexed = IndexedBoard::new(&board, order, true);
            let region = |modulus| indexed.place_set(board.squares().filter(|square| square % modulus == 0));
            let regions = [region(3), region(2), region(1)];
            let layout = Layout::new(&indexed, &regions.each_ref());
            let mut free = regions[2].clone();
            let mut words = layout.to_words(&free);
            for x in [4, 7, 30] {
                words
                    .iter_mut()
                    .zip(layout.unattacked_mask(x))
                    .for_each(|(word, unattacked)| *word &= unattacked);
                free.remove(x);
                indexed.neighbours(x).for_each(|y| free.remove(y));
                let removed = (x + 11) % free.len();
                layout.remove(removed, &mut words);
                free.remove(removed);
                for (view, region) in layout.views.iter().zip(&regions) {
                    let found: Vec<usize> = members(&words[view.first..][..view.words]).collect();
                    let found = found.into_iter().map(|local| view.region.squares[local] as usize);
                    assert!(found.eq((&free & region).ones()), "{name}");
                }
            }
            for view in &layout.views {
                for (a, &x) in view.region.squares.iter().enumerate() {
                    let attacked =
                        members(view.region.attacks.neighbours(a)).map(|b| view.region.squares[b] as usize);
                    let inside = |y: &usize| view.region.squares.contains(&(*y as u32));
                    assert!(attacked.eq(indexed.neighbours(x as usize).filter(inside)), "{name}");
                }
            }
        }
    }
}
