//! The symmetry group, element by element, on the squares as the search numbers them.

use ndqueens_model::board::{Board, closure};

/// The most entries (elements times squares) that are listed.
const MOST_ENTRIES: usize = 1 << 24;

/// A permutation group on `0..size`.
#[derive(Debug, Clone)]
pub(super) struct Group {
    size: usize,
    /// The images of all squares under the elements, one element after the other; the identity is the first.
    images: Vec<u32>,
    /// Whether it is all of the board's group.
    whole: bool,
}

impl Group {
    /// The board's symmetry group on positions: `position[square]` is where a square stands. The trivial group when the
    /// board's is too large to be listed.
    pub(super) fn of(board: &Board, position: &[u32]) -> Self {
        let size = board.size();
        let identity: Vec<u32> = (0..size as u32).collect();
        let generators: Vec<Vec<u32>> = board
            .generators()
            .iter()
            .map(|generator| {
                let mut images = vec![0; size];
                for square in board.squares() {
                    images[position[square as usize] as usize] = position[generator(square) as usize];
                }
                images
            })
            .collect();
        let most = MOST_ENTRIES / size;
        let product = |element: &Vec<u32>, generator: &Vec<u32>| -> Vec<u32> {
            element.iter().map(|&x| generator[x as usize]).collect()
        };
        let elements = closure(identity, &generators, most, product);
        if elements.len() > most {
            return Self::trivial(size);
        }
        Self { size, images: elements.concat(), whole: board.symmetry_is_whole() }
    }

    /// The group of the identity alone.
    pub(super) fn trivial(size: usize) -> Self {
        Self { size, images: (0..size as u32).collect(), whole: false }
    }

    /// The number of elements; they are numbered from 0.
    pub(super) fn order(&self) -> u32 {
        (self.images.len() / self.size.max(1)) as u32
    }

    /// The numbers of all elements.
    pub(super) fn elements(&self) -> std::ops::Range<u32> {
        0..self.order()
    }

    /// Whether it is all of the board's group, as far as that is known.
    pub(super) fn is_whole(&self) -> bool {
        self.whole
    }

    /// The image of a position under an element.
    pub(super) fn image(&self, element: u32, x: usize) -> usize {
        self.images[element as usize * self.size + x] as usize
    }
}
