//! How the free squares of a node are held: once for each region, in numbers of its own. The covers of a layer look at the
//! words of a layer then, and not at those of the whole board.

use std::collections::HashSet;
use std::sync::Arc;

use fixedbitset::FixedBitSet;

use super::attacks::{Attacks, bit, words_for};
use super::indexed::IndexedBoard;

/// Where a region's copy of the free squares is, and how it numbers its squares.
#[derive(Debug)]
pub(super) struct View {
    /// Its first word.
    pub(super) first: usize,
    pub(super) words: usize,
    /// Its squares, in increasing order: those with the numbers 0, 1, ...
    pub(super) squares: Vec<u32>,
    /// Which of them attack which.
    pub(super) attacks: Arc<Attacks>,
}

/// A bit that a square has.
#[derive(Debug, Clone, Copy)]
pub(super) struct Home {
    pub(super) region: u32,
    word: u32,
    bit: usize,
}

/// The views of all regions, one behind the other.
#[derive(Debug)]
pub(super) struct Layout {
    /// Words that the free squares of a node take.
    pub(super) words: usize,
    pub(super) views: Vec<View>,
    /// For each square the bits that it has.
    pub(super) homes: Vec<Vec<Home>>,
    /// For each square what a queen on it leaves free.
    left: Vec<usize>,
}

impl Layout {
    pub(super) fn new(indexed: &IndexedBoard, regions: &[&FixedBitSet]) -> Self {
        let size = indexed.squares.len();
        let mut homes = vec![Vec::new(); size];
        let (mut views, mut words) = (Vec::new(), 0);
        let mut tables: HashSet<Arc<Attacks>> = HashSet::from([Arc::clone(&indexed.attacks)]);
        for (&region, number) in regions.iter().zip(0..) {
            let squares: Vec<u32> = region.ones().map(|x| x as u32).collect();
            let mut numbers = vec![0; size];
            for (local, &x) in squares.iter().enumerate() {
                numbers[x as usize] = local;
                let (word, bit) = bit(local);
                homes[x as usize].push(Home { region: number, word: (words + word) as u32, bit });
            }
            let attacked = |local: usize| {
                let inside = |x: &usize| region.contains(*x);
                indexed.attacked(squares[local] as usize).filter(inside).map(|x| numbers[x])
            };
            let attacks = Arc::new(Attacks::new(squares.len(), attacked));
            let attacks = tables.get(&attacks).cloned().unwrap_or(attacks);
            tables.insert(Arc::clone(&attacks));
            let taken = words_for(squares.len());
            views.push(View { first: words, words: taken, squares, attacks });
            words += taken;
        }
        let mut left = vec![usize::MAX; size * words];
        for (x, left) in left.chunks_exact_mut(words).enumerate() {
            for y in indexed.attacked(x).chain([x]) {
                homes[y].iter().for_each(|home: &Home| left[home.word as usize] &= !home.bit);
            }
        }
        Self { words, views, homes, left }
    }

    /// The words of a set of free squares.
    pub(super) fn spread(&self, free: &FixedBitSet) -> Vec<usize> {
        let mut words = vec![0; self.words];
        for home in free.ones().flat_map(|x| &self.homes[x]) {
            words[home.word as usize] |= home.bit;
        }
        words
    }

    /// What a queen on a square leaves free.
    pub(super) fn left_by(&self, x: usize) -> &[usize] {
        &self.left[x * self.words..][..self.words]
    }

    /// Takes a square away.
    pub(super) fn remove(&self, x: usize, free: &mut [usize]) {
        for home in &self.homes[x] {
            free[home.word as usize] &= !home.bit;
        }
    }
}

#[cfg(test)]
mod tests {
    use ndqueens_model::board::Board;

    use super::super::attacks::members;
    use super::*;
    use crate::Order;

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
                    let held = held.into_iter().map(|local| view.squares[local] as usize);
                    assert!(held.eq((&free & region).ones()), "{name}");
                }
            }
            for view in &layout.views {
                for (a, &x) in view.squares.iter().enumerate() {
                    let attacked = members(view.attacks.of(a)).map(|b| view.squares[b] as usize);
                    let inside = |y: &usize| view.squares.contains(&(*y as u32));
                    assert!(attacked.eq(indexed.attacked(x as usize).filter(inside)), "{name}");
                }
            }
        }
    }
}
