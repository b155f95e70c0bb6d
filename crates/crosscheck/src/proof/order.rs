//! Squares of a board, numbered along an order.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use fixedbitset::FixedBitSet;

use crate::boards::Definition;
use crate::fault::Reason;
use crate::graph::{Graph, TooManySquares};

/// Order of squares.
#[derive(Debug, Clone, Copy)]
pub(super) enum Order {
    /// Order by the coordinates, the first of them first.
    Lexicographic,
    /// Order by the bits of the coordinates, the highest bit of all coordinates first.
    Morton,
}

impl Order {
    /// Returns the order with this name in proofs.
    pub(super) fn from_name(name: &str) -> Option<Self> {
        match name {
            "lexicographic" => Some(Self::Lexicographic),
            "morton" => Some(Self::Morton),
            _ => None,
        }
    }
}

/// Returns the bits of the coordinates, the highest bit of each first.
fn morton_key(square: &[u32]) -> Vec<u32> {
    (0..u32::BITS).rev().flat_map(|bit| square.iter().map(move |x| x >> bit & 1)).collect()
}

/// Squares of a board. A square is identified by its place in the order; proofs identify it by its number,
/// its place in lexicographic order.
#[derive(Debug)]
pub(super) struct Squares {
    /// Coordinates of all squares, one square after the other, by place.
    coordinates: Vec<u32>,
    /// Squares attacked by each square, by place.
    neighbours: Vec<FixedBitSet>,
    /// Place of each square, by number.
    places: Vec<usize>,
    /// Number of each square, by place.
    numbers: Vec<usize>,
    /// Images of all squares under the symmetries computed so far, by name.
    images: Mutex<HashMap<String, Arc<[usize]>>>,
}

impl Squares {
    pub(super) fn new(definition: &dyn Definition, order: Order) -> Result<Self, TooManySquares> {
        let graph = Graph::new(definition)?;
        let squares = graph.squares();
        let mut numbers: Vec<usize> = (0..squares.len()).collect();
        if let Order::Morton = order {
            numbers.sort_by_cached_key(|&number| morton_key(&squares[number]));
        }
        let mut places = vec![0; numbers.len()];
        for (place, &number) in numbers.iter().enumerate() {
            places[number] = place;
        }
        let neighbours = |&number: &usize| {
            let mut moved = FixedBitSet::with_capacity(squares.len());
            moved.extend(graph.neighbours(number).ones().map(|neighbour| places[neighbour]));
            moved
        };
        let neighbours = numbers.iter().map(neighbours).collect();
        let coordinates = numbers.iter().flat_map(|&number| squares[number].iter().copied()).collect();
        Ok(Self { coordinates, neighbours, places, numbers, images: Mutex::default() })
    }

    pub(super) fn len(&self) -> usize {
        self.places.len()
    }

    /// Returns the place of the square with this number.
    pub(super) fn place(&self, number: usize) -> Option<usize> {
        self.places.get(number).copied()
    }

    /// Returns the number of the square at a place.
    pub(super) fn number(&self, place: usize) -> usize {
        self.numbers[place]
    }

    /// Returns the coordinates of the square at a place.
    pub(super) fn coordinates(&self, place: usize) -> &[u32] {
        let dimension = self.coordinates.len() / self.len();
        &self.coordinates[place * dimension..(place + 1) * dimension]
    }

    /// Returns the place of the square with these coordinates, if there is one.
    pub(super) fn find(&self, coordinates: &[u32]) -> Option<usize> {
        let has = |&place: &usize| self.coordinates(place) == coordinates;
        if let Some(place) = self.number_in_box(coordinates).and_then(|number| self.place(number)).filter(has)
        {
            return Some(place);
        }
        let number = self.places.binary_search_by(|&place| self.coordinates(place).cmp(coordinates)).ok()?;
        Some(self.places[number])
    }

    /// Returns the number that the square with these coordinates has if no square before it is missing, as in
    /// a box.
    fn number_in_box(&self, coordinates: &[u32]) -> Option<usize> {
        coordinates.iter().zip(self.last()).try_fold(0usize, |number, (&x, &last)| {
            number
                .checked_mul(usize::try_from(last).ok()?.checked_add(1)?)?
                .checked_add(usize::try_from(x).ok()?)
        })
    }

    /// Returns the coordinates of the last square in lexicographic order, which are the largest on a box.
    pub(super) fn last(&self) -> &[u32] {
        self.places.last().map_or(&[][..], |&place| self.coordinates(place))
    }

    /// Returns the squares that the square at a place attacks.
    pub(super) fn neighbours(&self, place: usize) -> &FixedBitSet {
        &self.neighbours[place]
    }

    /// Returns the images of all squares under the symmetry with this name. Calls `find` only if they are not
    /// stored yet.
    pub(super) fn cached_images(
        &self,
        name: &str,
        find: impl FnOnce() -> Result<Vec<usize>, Reason>,
    ) -> Result<Arc<[usize]>, Reason> {
        let cache = || self.images.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(images) = cache().get(name) {
            return Ok(images.clone());
        }
        let images: Arc<[usize]> = find()?.into();
        cache().insert(name.to_owned(), images.clone());
        Ok(images)
    }

    /// Returns the set of all squares.
    pub(super) fn all(&self) -> FixedBitSet {
        let mut all = FixedBitSet::with_capacity(self.len());
        all.insert_range(..);
        all
    }

    /// Returns the places of the squares whose coordinates satisfy a condition, in increasing order.
    pub(super) fn filter_places(&self, condition: impl Fn(&[u32]) -> bool) -> impl Iterator<Item = usize> {
        (0..self.len()).filter(move |&place| condition(self.coordinates(place)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::boards::definition;

    #[test]
    fn finds_squares_by_their_coordinates() {
        for board in [
            "4^3",
            "2x3x5",
            "1^2",
            "7^1",
            "torus:4^2",
            "hex:4",
            "three:4",
            "sudoku:2",
            "knight:4x5",
            "klein:4x5",
        ] {
            let definition = definition(&board.parse().expect("a board"));
            for order in [Order::Lexicographic, Order::Morton] {
                let squares = Squares::new(&*definition, order).expect("small");
                let mut found = 0;
                let dimension = squares.last().len();
                let most = (0..squares.len()).flat_map(|place| squares.coordinates(place)).max();
                let side = most.expect("squares") + 3;
                for number in 0..side.pow(dimension as u32) {
                    let coordinates: Vec<u32> =
                        (0..dimension).map(|axis| number / side.pow(axis as u32) % side).collect();
                    let place = squares.find(&coordinates);
                    assert!(place.is_none_or(|place| squares.coordinates(place) == coordinates));
                    found += usize::from(place.is_some());
                }
                assert_eq!(found, squares.len(), "{board}");
                assert_eq!(squares.find(&vec![u32::MAX; dimension]), None);
            }
        }
    }
}
