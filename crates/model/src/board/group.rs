//! Permutation groups on the squares of a board, element by element.

use super::{Board, closure};

/// Largest number of entries (elements times squares) of a list.
const MAX_ENTRIES: usize = 1 << 24;

/// A permutation group on `0..size`, as the list of its elements.
///
/// # Examples
/// ```
/// use ndqueens_model::board::{Board, Group};
///
/// let board = Board::new(&"3^2".parse()?);
/// let group = Group::of(&board, &[0, 1, 2, 3, 4, 5, 6, 7, 8]);
/// assert_eq!(group.order(), 8);
/// assert!(group.elements().all(|element| group.image(element, 4) == 4));
/// # Ok::<(), ndqueens_notation::name::NameError>(())
/// ```
#[derive(Debug, Clone)]
pub struct Group {
    size: usize,
    /// Images of all positions under the elements, one element after the other; the identity is the first.
    images: Vec<u32>,
    /// `true` if this is the board's whole symmetry group.
    whole: bool,
}

impl Group {
    /// Creates the list of the board's symmetry group on positions, where `position[square]` is the position
    /// of a square. Returns the trivial group if the group of the board is too large to be listed.
    #[must_use]
    pub fn of(board: &Board, position: &[u32]) -> Self {
        Self::with_at_most(MAX_ENTRIES / board.size(), board, position)
    }

    /// Creates the same list as [`Group::of`], but the trivial group if there are more than `most` elements.
    #[must_use]
    pub fn with_at_most(most: usize, board: &Board, position: &[u32]) -> Self {
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
        let most = most.min(MAX_ENTRIES / size);
        let product = |element: &Vec<u32>, generator: &Vec<u32>| -> Vec<u32> {
            element.iter().map(|&x| generator[x as usize]).collect()
        };
        let elements = closure(identity, &generators, most, product);
        if elements.len() > most {
            return Self::trivial(size);
        }
        Self { size, images: elements.concat(), whole: board.symmetry_is_whole() }
    }

    /// Creates the group with the identity as its only element.
    #[must_use]
    pub fn trivial(size: usize) -> Self {
        Self { size, images: (0..size as u32).collect(), whole: false }
    }

    /// Returns the number of elements, which are numbered from 0; the identity is element 0.
    #[must_use]
    pub fn order(&self) -> u32 {
        (self.images.len() / self.size.max(1)) as u32
    }

    /// Returns the numbers of all elements.
    #[must_use]
    pub fn elements(&self) -> std::ops::Range<u32> {
        0..self.order()
    }

    /// Returns `true` if this is known to be the board's whole symmetry group.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        self.whole
    }

    /// Returns the image of a position under an element.
    #[must_use]
    pub fn image(&self, element: u32, x: usize) -> usize {
        self.images[element as usize * self.size + x] as usize
    }

    /// Returns the distinct images of a position under `elements`, each with the first element that maps to
    /// it.
    #[must_use]
    pub fn orbit(&self, x: usize, elements: &[u32]) -> Vec<(usize, u32)> {
        let mut orbit: Vec<(usize, u32)> = Vec::new();
        for &element in elements {
            let image = self.image(element, x);
            if orbit.iter().all(|&(known, _)| known != image) {
                orbit.push((image, element));
            }
        }
        orbit
    }
}
