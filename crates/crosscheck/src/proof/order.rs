//! The squares of a board, numbered along an order.

use fixedbitset::FixedBitSet;

use crate::boards::Definition;
use crate::graph::{Graph, TooManySquares};

/// An order of squares.
#[derive(Debug, Clone, Copy)]
pub(super) enum Order {
    /// By the coordinates, the first of them first.
    Lexicographic,
    /// By the bits of the coordinates: the highest bit of all of them first.
    Morton,
}

impl Order {
    /// The order that a proof calls so.
    pub(super) fn named(name: &str) -> Option<Self> {
        match name {
            "lexicographic" => Some(Self::Lexicographic),
            "morton" => Some(Self::Morton),
            _ => None,
        }
    }
}

/// The bits of the coordinates, the highest of each first.
fn morton(square: &[u32]) -> Vec<u32> {
    (0..u32::BITS).rev().flat_map(|bit| square.iter().map(move |x| x >> bit & 1)).collect()
}

/// The squares of a board. A square is called by its place in the order; proofs call it by its number, its place in
/// lexicographic order.
pub(super) struct Squares {
    /// The coordinates of one square after the other, by place.
    coordinates: Vec<u32>,
    /// By place, the squares that it attacks.
    neighbours: Vec<FixedBitSet>,
    /// By number, the place.
    places: Vec<usize>,
    /// By place, the number.
    numbers: Vec<usize>,
}

impl Squares {
    pub(super) fn new(definition: &dyn Definition, order: Order) -> Result<Self, TooManySquares> {
        let graph = Graph::new(definition)?;
        let squares = graph.squares();
        let mut numbers: Vec<usize> = (0..squares.len()).collect();
        if let Order::Morton = order {
            numbers.sort_by_cached_key(|&number| morton(&squares[number]));
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
        Ok(Self { coordinates, neighbours, places, numbers })
    }

    pub(super) fn len(&self) -> usize {
        self.places.len()
    }

    /// The place of the square of a number.
    pub(super) fn place(&self, number: usize) -> Option<usize> {
        self.places.get(number).copied()
    }

    /// The number of the square at a place.
    pub(super) fn number(&self, place: usize) -> usize {
        self.numbers[place]
    }

    /// The coordinates of the square at a place.
    pub(super) fn coordinates(&self, place: usize) -> &[u32] {
        let dimension = self.coordinates.len() / self.len();
        &self.coordinates[place * dimension..(place + 1) * dimension]
    }

    /// The square with these coordinates.
    pub(super) fn at(&self, coordinates: &[u32]) -> Option<usize> {
        let number = self.places.binary_search_by(|&place| self.coordinates(place).cmp(coordinates)).ok()?;
        Some(self.places[number])
    }

    /// The largest coordinates, those of the last square in lexicographic order.
    pub(super) fn last(&self) -> &[u32] {
        self.places.last().map_or(&[][..], |&place| self.coordinates(place))
    }

    /// The squares that the square at a place attacks.
    pub(super) fn neighbours(&self, place: usize) -> &FixedBitSet {
        &self.neighbours[place]
    }

    /// All of them.
    pub(super) fn all(&self) -> FixedBitSet {
        let mut all = FixedBitSet::with_capacity(self.len());
        all.insert_range(..);
        all
    }

    /// The squares whose coordinates are such, in increasing order.
    pub(super) fn such_that(&self, is_such: impl Fn(&[u32]) -> bool) -> impl Iterator<Item = usize> {
        (0..self.len()).filter(move |&place| is_such(self.coordinates(place)))
    }
}
