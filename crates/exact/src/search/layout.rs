//! How the free squares of a node are held: once for each region, in numbers of its own. The covers of a layer look at the
//! words of a layer then, and not at those of the whole board.

use std::sync::Arc;

use fixedbitset::FixedBitSet;

use crate::search::attacks::bit;
use crate::search::indexed_board::IndexedBoard;
use crate::search::numbered_region::NumberedRegion;

/// Where a region's copy of the free squares is.
#[derive(Debug)]
pub(crate) struct View {
    /// Its first word.
    pub(crate) first: usize,
    pub(crate) words: usize,
    pub(crate) region: Arc<NumberedRegion>,
}

/// A bit that a square has.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Home {
    pub(crate) region: u32,
    word: u32,
    bit: usize,
}

/// The views of all regions, one behind the other.
#[derive(Debug)]
pub(crate) struct Layout {
    /// Words that the free squares of a node take.
    pub(crate) words: usize,
    pub(crate) views: Vec<View>,
    /// The bits that squares have, one square after the other, and where those of each square begin.
    homes: Vec<Home>,
    begins: Vec<usize>,
    /// For each square what a queen on it leaves free.
    left: Vec<usize>,
}

impl Layout {
    pub(crate) fn new(indexed: &IndexedBoard, regions: &[&FixedBitSet]) -> Self {
        let size = indexed.squares.len();
        let (mut views, mut words) = (Vec::with_capacity(regions.len()), 0);
        let mut begins = vec![0; size + 1];
        for region in indexed.numbered(regions) {
            region.squares.iter().for_each(|&x| begins[x as usize + 1] += 1);
            views.push(View { first: words, words: region.words, region });
            words += views.last().map_or(0, |view| view.words);
        }
        for x in 0..size {
            begins[x + 1] += begins[x];
        }
        let mut homes = vec![Home::default(); begins[size]];
        let mut next = begins.clone();
        for (view, number) in views.iter().zip(0..) {
            for (local, &x) in view.region.squares.iter().enumerate() {
                let (word, bit) = bit(local);
                homes[next[x as usize]] = Home { region: number, word: (view.first + word) as u32, bit };
                next[x as usize] += 1;
            }
        }
        let mut left = Vec::with_capacity(size * words);
        for x in 0..size {
            for View { region, words, .. } in &views {
                left.extend_from_slice(&region.left[x * words..][..*words]);
            }
        }
        Self { words, views, homes, begins, left }
    }

    /// The bits that a square has.
    pub(crate) fn homes(&self, x: usize) -> &[Home] {
        &self.homes[self.begins[x]..self.begins[x + 1]]
    }

    /// The words of a set of free squares.
    pub(crate) fn spread(&self, free: &FixedBitSet) -> Vec<usize> {
        let mut words = vec![0; self.words];
        for home in free.ones().flat_map(|x| self.homes(x)) {
            words[home.word as usize] |= home.bit;
        }
        words
    }

    /// What a queen on a square leaves free.
    pub(crate) fn left_by(&self, x: usize) -> &[usize] {
        &self.left[x * self.words..][..self.words]
    }

    /// Takes a square away.
    pub(crate) fn remove(&self, x: usize, free: &mut [usize]) {
        for home in self.homes(x) {
            free[home.word as usize] &= !home.bit;
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
            let region = |modulus| indexed.set(board.squares().filter(|square| square % modulus == 0));
            let regions = [region(3), region(2), region(1)];
            let layout = Layout::new(&indexed, &regions.each_ref());
            let mut free = regions[2].clone();
            let mut words = layout.spread(&free);
            for x in [4, 7, 30] {
                words.iter_mut().zip(layout.left_by(x)).for_each(|(word, left)| *word &= left);
                free.remove(x);
                indexed.attacked(x).for_each(|y| free.remove(y));
                let gone = (x + 11) % free.len();
                layout.remove(gone, &mut words);
                free.remove(gone);
                for (view, region) in layout.views.iter().zip(&regions) {
                    let held: Vec<usize> = members(&words[view.first..][..view.words]).collect();
                    let held = held.into_iter().map(|local| view.region.squares[local] as usize);
                    assert!(held.eq((&free & region).ones()), "{name}");
                }
            }
            for view in &layout.views {
                for (a, &x) in view.region.squares.iter().enumerate() {
                    let attacked =
                        members(view.region.attacks.of(a)).map(|b| view.region.squares[b] as usize);
                    let inside = |y: &usize| view.region.squares.contains(&(*y as u32));
                    assert!(attacked.eq(indexed.attacked(x as usize).filter(inside)), "{name}");
                }
            }
        }
    }
}
