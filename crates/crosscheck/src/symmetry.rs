//! Symmetry group of a board, listed element by element.

use std::collections::{HashMap, HashSet};

use fixedbitset::FixedBitSet;

use crate::boards::Definition;

/// Largest group that is listed, in elements times squares.
pub const MAX_ENTRIES: usize = 10_000_000;

/// Group of permutations of the squares of a board.
///
/// # Examples
/// ```
/// use ndqueens_crosscheck::boards::definition;
/// use ndqueens_crosscheck::symmetry::SymmetryGroup;
///
/// let board = definition(&"3^2".parse()?);
/// let squares: Vec<Vec<u32>> = board.squares().collect();
/// let group = SymmetryGroup::new(&*board, &squares).expect("known");
/// assert_eq!((group.order(), group.least_image(&[2, 8])), (8, vec![0, 2]));
/// # Ok::<(), ndqueens_notation::name::NameError>(())
/// ```
#[derive(Debug, Clone)]
pub struct SymmetryGroup {
    elements: Vec<Vec<usize>>,
    squares: usize,
}

impl SymmetryGroup {
    /// Computes the symmetry group of a board whose squares are numbered by their positions in `squares`.
    /// Returns `None` if the group is not known, or if its list would have more than [`MAX_ENTRIES`] entries.
    ///
    /// # Panics
    /// Panics if a generator of the definition takes a square off the board.
    #[must_use]
    pub fn new(definition: &dyn Definition, squares: &[Vec<u32>]) -> Option<Self> {
        let number: HashMap<&[u32], usize> = squares.iter().map(Vec::as_slice).zip(0..).collect();
        let identity: Vec<usize> = (0..squares.len()).collect();
        let mut known = HashSet::from([identity.clone()]);
        let mut elements = vec![identity];
        let mut generators: Vec<Vec<usize>> = Vec::new();
        for generator in definition.generators()? {
            let mut images = squares.to_vec();
            images.iter_mut().for_each(|square| generator(square));
            let generator: Vec<usize> = images.iter().map(|image| number[image.as_slice()]).collect();
            if known.contains(&generator) {
                continue;
            }
            generators.push(generator);
            let mut done = 0;
            while done < elements.len() {
                for generator in &generators {
                    let product: Vec<usize> =
                        elements[done].iter().map(|&square| generator[square]).collect();
                    if known.insert(product.clone()) {
                        elements.push(product);
                    }
                }
                if elements.len() * squares.len() > MAX_ENTRIES {
                    return None;
                }
                done += 1;
            }
        }
        Some(Self { elements, squares: squares.len() })
    }

    /// Returns the number of elements.
    #[must_use]
    pub fn order(&self) -> usize {
        self.elements.len()
    }

    /// Returns the lexicographically least image of a set of squares. Squares are given by their numbers;
    /// those of the image are in increasing order.
    #[must_use]
    pub fn least_image(&self, set: &[usize]) -> Vec<usize> {
        let image = |element: &Vec<usize>| {
            let mut image: Vec<usize> = set.iter().map(|&square| element[square]).collect();
            image.sort_unstable();
            image
        };
        self.elements.iter().map(image).min().expect("a group has an element")
    }

    /// Returns the number of elements that map a set of squares, given by their numbers, onto itself.
    #[must_use]
    pub fn stabiliser_size(&self, set: &[usize]) -> usize {
        let mut members = FixedBitSet::with_capacity(self.squares);
        members.extend(set.iter().copied());
        let fixes_set = |element: &&Vec<usize>| set.iter().all(|&square| members.contains(element[square]));
        self.elements.iter().filter(fixes_set).count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::boards::definition;

    #[test]
    fn computes_known_group_orders() {
        for (board, order) in [
            ("1^3", Some(1)),
            ("7^1", Some(2)),
            ("8^2", Some(8)),
            ("3x4", Some(4)),
            ("1x4x4", Some(8)),
            ("4^3", Some(48)),
            ("4^4", Some(384)),
            ("torus:5^2", Some(200)),
            ("torus:2^2", Some(8)),
            ("3^6", None),
            ("torus:9^3", None),
            ("hex:1", Some(1)),
            ("hex:2", Some(12)),
            ("hex:9", Some(12)),
            ("three:2", Some(12)),
            ("three:8", Some(12)),
            ("sudoku:1", Some(1)),
            // 4! for the values, (2! * 2!^2)^2 for the rows and columns, 2 for their exchange.
            ("sudoku:2", Some(24 * 64 * 2)),
            ("sudoku:3", None),
        ] {
            let definition = definition(&board.parse().expect(board));
            let squares: Vec<_> = definition.squares().collect();
            let group = SymmetryGroup::new(&*definition, &squares);
            assert_eq!(group.map(|group| group.order()), order, "{board}");
        }
    }
}
