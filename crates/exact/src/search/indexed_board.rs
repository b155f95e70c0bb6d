//! A board as the search sees it: squares numbered along an order, their attacks and symmetries.

use std::collections::HashMap;
use std::io;
use std::ops::RangeInclusive;
use std::sync::{Arc, OnceLock};

use fixedbitset::FixedBitSet;
use ndqueens_model::board::{Board, Grid, Group, Square};
use parking_lot::Mutex;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::search::attacks::{Attacks, members, words_for};
use crate::search::numbered_region::NumberedRegion;

/// The largest board that the search can hold.
pub const MOST_SQUARES: usize = 4096;

/// Refuses a larger one.
pub(crate) fn ensure_size(board: &Board) -> io::Result<()> {
    if board.size() <= MOST_SQUARES {
        return Ok(());
    }
    let words = format!(
        "{} has more than {MOST_SQUARES} squares, the most that the exact engine takes",
        board.name()
    );
    Err(io::Error::new(io::ErrorKind::InvalidInput, words))
}

/// The order in which the search numbers the squares.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Order {
    /// As the board does.
    Lexicographic,
    /// Along the Morton curve: the bits of the coordinates interleaved.
    Morton,
}

impl Order {
    /// As proofs write it.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Lexicographic => "lexicographic",
            Self::Morton => "morton",
        }
    }

    /// Every order, in which they are tried.
    pub const ALL: [Self; 2] = [Self::Lexicographic, Self::Morton];
}

/// The place of a square on the Morton curve: the bits of its coordinates, highest first.
fn morton(coordinates: &[u32]) -> Vec<bool> {
    let bits = |bit| coordinates.iter().map(move |&c| c >> bit & 1 == 1);
    (0..u32::BITS).rev().flat_map(bits).collect()
}

/// A board whose squares are numbered by their places in an order.
#[derive(Debug)]
pub(crate) struct IndexedBoard {
    /// By place, the square.
    pub(crate) squares: Vec<Square>,
    /// By square, its place.
    pub(crate) places: Vec<u32>,
    pub(crate) attacks: Arc<Attacks>,
    pub(crate) group: Group,
    /// For each axis of a grid the places of each of its layers.
    layers: Vec<Vec<FixedBitSet>>,
    /// Regions that were numbered before.
    numbered: Mutex<HashMap<FixedBitSet, Arc<NumberedRegion>>>,
}

/// The orders in which a board was asked for.
pub(crate) type InOrders = [OnceLock<Arc<IndexedBoard>>; Order::ALL.len()];

/// A board in each order, as soon as it is asked for.
#[derive(Debug)]
pub(crate) struct IndexedBoards<'b> {
    pub(crate) board: &'b Board,
    symmetry: bool,
    made: &'b InOrders,
}

impl<'b> IndexedBoards<'b> {
    /// With its symmetries, or without them.
    pub(crate) fn new(board: &'b Board, symmetry: bool, made: &'b InOrders) -> Self {
        Self { board, symmetry, made }
    }

    pub(crate) fn in_order(&self, order: Order) -> Arc<IndexedBoard> {
        let make = || Arc::new(IndexedBoard::new(self.board, order, self.symmetry));
        Arc::clone(self.made[order as usize].get_or_init(make))
    }
}

impl IndexedBoard {
    /// The board with its symmetries, or without them.
    pub(crate) fn new(board: &Board, order: Order, symmetry: bool) -> Self {
        let mut squares: Vec<Square> = board.squares().collect();
        if order == Order::Morton {
            squares.sort_by_cached_key(|&square| morton(&board.coordinates(square)));
        }
        let mut places = vec![0; squares.len()];
        for (place, &square) in (0..).zip(&squares) {
            places[square as usize] = place;
        }
        let group = if symmetry { Group::of(board, &places) } else { Group::trivial(board.size()) };
        let attacked = |place: usize, visit: &mut dyn FnMut(usize)| {
            board.visit_neighbours(squares[place], &mut |square| visit(places[square as usize] as usize));
        };
        let attacks = Arc::new(Attacks::new(squares.len(), attacked));
        let empty = FixedBitSet::with_capacity(squares.len());
        let sides = board.grid().map_or(&[][..], Grid::sides);
        let mut layers: Vec<Vec<FixedBitSet>> =
            sides.iter().map(|&side| vec![empty.clone(); side as usize]).collect();
        for (place, &square) in squares.iter().enumerate().filter(|_| !sides.is_empty()) {
            for (layers, c) in layers.iter_mut().zip(board.coordinates(square)) {
                layers[c as usize].insert(place);
            }
        }
        Self { squares, places, attacks, group, layers, numbered: Mutex::default() }
    }

    /// The places of a grid whose coordinates along an axis are in this range.
    pub(crate) fn between(&self, axis: usize, range: RangeInclusive<usize>) -> FixedBitSet {
        let mut set = FixedBitSet::with_capacity(self.squares.len());
        self.layers[axis][range].iter().for_each(|layer| set.union_with(layer));
        set
    }

    /// Regions in numbers of their own.
    pub(crate) fn numbered(&self, regions: &[&FixedBitSet]) -> Vec<Arc<NumberedRegion>> {
        let known = || self.numbered.lock();
        let mut missing: Vec<&FixedBitSet> = regions.to_vec();
        {
            let known = known();
            missing.retain(|region| !known.contains_key(*region));
        }
        let new: Vec<NumberedRegion> =
            missing.par_iter().map(|region| NumberedRegion::new(&self.attacks, region)).collect();
        let mut known = known();
        for (region, mut numbered) in missing.into_iter().zip(new) {
            // Tables that are equal are held once, for the processor's cache.
            let same = |table: &&Arc<Attacks>| **table == numbered.attacks;
            let table = known.values().map(|known| &known.attacks).chain([&self.attacks]).find(same).cloned();
            numbered.attacks = table.unwrap_or(numbered.attacks);
            known.entry(region.clone()).or_insert_with(|| Arc::new(numbered));
        }
        regions.iter().map(|&region| Arc::clone(&known[region])).collect()
    }

    /// The places that a place attacks, in increasing order.
    pub(crate) fn attacked(&self, x: usize) -> impl Iterator<Item = usize> + '_ {
        members(self.attacks.of(x))
    }

    /// A clique with the first places that can be added to it, one after the other.
    pub(crate) fn completed(&self, clique: &[usize]) -> Vec<usize> {
        let mut completed = clique.to_vec();
        let mut common = vec![usize::MAX; words_for(self.squares.len())];
        let restrict = |common: &mut [usize], x| {
            common.iter_mut().zip(self.attacks.of(x)).for_each(|(common, attacked)| *common &= attacked);
        };
        clique.iter().for_each(|&x| restrict(&mut common, x));
        loop {
            let Some(x) = members(&common).next() else { return completed };
            completed.push(x);
            restrict(&mut common, x);
        }
    }

    /// The places of some squares.
    pub(crate) fn set(&self, squares: impl IntoIterator<Item = Square>) -> FixedBitSet {
        let mut set = FixedBitSet::with_capacity(self.squares.len());
        squares.into_iter().for_each(|square| set.insert(self.places[square as usize] as usize));
        set
    }

    /// The image of a square of the board.
    pub(crate) fn image(&self, element: u32, square: Square) -> Square {
        self.squares[self.group.image(element, self.places[square as usize] as usize)]
    }

    /// The images of a place under some elements, with the first of them that leads to each.
    pub(crate) fn orbit(&self, x: usize, elements: &[u32]) -> Vec<(usize, u32)> {
        self.group.orbit(x, elements)
    }
}
