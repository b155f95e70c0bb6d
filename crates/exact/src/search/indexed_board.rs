//! Board with its squares numbered along an order, with their attacks and symmetries.

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

/// Largest number of squares that the search supports.
pub const MOST_SQUARES: usize = 4096;

/// Checks that the board is small enough for the search.
///
/// # Errors
/// Returns an error if the board has more than [`MOST_SQUARES`] squares.
pub(crate) fn ensure_size(board: &Board) -> io::Result<()> {
    if board.size() <= MOST_SQUARES {
        return Ok(());
    }
    let message = format!(
        "{} has more than {MOST_SQUARES} squares, the most that the exact engine takes",
        board.name()
    );
    Err(io::Error::new(io::ErrorKind::InvalidInput, message))
}

/// Order in which the search numbers the squares.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Order {
    /// Lexicographic order of the coordinates, as in [`Board`].
    Lexicographic,
    /// Order along the Morton curve, which interleaves the bits of the coordinates.
    Morton,
}

impl Order {
    /// Returns the keyword for the order in proofs.
    pub(crate) fn keyword(self) -> &'static str {
        match self {
            Self::Lexicographic => "lexicographic",
            Self::Morton => "morton",
        }
    }

    /// All orders, in the order in which they are tried.
    pub const ALL: [Self; 2] = [Self::Lexicographic, Self::Morton];
}

/// Returns the sort key of a square on the Morton curve: the interleaved bits of its coordinates, most
/// significant first.
fn morton(coordinates: &[u32]) -> Vec<bool> {
    let bits = |bit| coordinates.iter().map(move |&c| c >> bit & 1 == 1);
    (0..u32::BITS).rev().flat_map(bits).collect()
}

/// Board whose squares are numbered along an order. The number of a square is its *place*.
#[derive(Debug)]
pub(crate) struct IndexedBoard {
    /// Square at each place.
    pub(crate) squares: Vec<Square>,
    /// Place of each square.
    pub(crate) places: Vec<u32>,
    /// Attack relation on places.
    pub(crate) attacks: Arc<Attacks>,
    /// Symmetry group, acting on places.
    pub(crate) group: Group,
    /// For each axis of a grid, the places in each of its layers; empty for other boards.
    layers: Vec<Vec<FixedBitSet>>,
    /// Regions numbered so far.
    numbered: Mutex<HashMap<FixedBitSet, Arc<NumberedRegion>>>,
}

/// Lazily built indexed boards, one per order.
pub(crate) type BoardsByOrder = [OnceLock<Arc<IndexedBoard>>; Order::ALL.len()];

/// Source of the indexed boards of one board; each is built when it is first requested.
#[derive(Debug)]
pub(crate) struct IndexedBoards<'b> {
    pub(crate) board: &'b Board,
    symmetry: bool,
    cache: &'b BoardsByOrder,
}

impl<'b> IndexedBoards<'b> {
    /// Creates the source; `symmetry` selects whether the boards have their symmetry group or
    /// the trivial group.
    pub(crate) fn new(board: &'b Board, symmetry: bool, cache: &'b BoardsByOrder) -> Self {
        Self { board, symmetry, cache }
    }

    /// Returns the board in the given order.
    pub(crate) fn get(&self, order: Order) -> Arc<IndexedBoard> {
        let make = || Arc::new(IndexedBoard::new(self.board, order, self.symmetry));
        Arc::clone(self.cache[order as usize].get_or_init(make))
    }
}

impl IndexedBoard {
    /// Numbers the squares of a board; without `symmetry`, the group is trivial.
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
        let visit_neighbours = |place: usize, visit: &mut dyn FnMut(usize)| {
            board.visit_neighbours(squares[place], &mut |square| visit(places[square as usize] as usize));
        };
        let attacks = Arc::new(Attacks::new(squares.len(), visit_neighbours));
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

    /// Returns the places of a grid whose coordinate along `axis` is in `range`.
    pub(crate) fn layers_between(&self, axis: usize, range: RangeInclusive<usize>) -> FixedBitSet {
        let mut set = FixedBitSet::with_capacity(self.squares.len());
        self.layers[axis][range].iter().for_each(|layer| set.union_with(layer));
        set
    }

    /// Returns each of the regions with its squares numbered from 0.
    pub(crate) fn number_regions(&self, regions: &[&FixedBitSet]) -> Vec<Arc<NumberedRegion>> {
        let lock = || self.numbered.lock();
        let mut missing: Vec<&FixedBitSet> = regions.to_vec();
        {
            let known = lock();
            missing.retain(|region| !known.contains_key(*region));
        }
        let new: Vec<NumberedRegion> =
            missing.par_iter().map(|region| NumberedRegion::new(&self.attacks, region)).collect();
        let mut known = lock();
        for (region, mut numbered) in missing.into_iter().zip(new) {
            // Share equal tables, to make better use of the processor's cache.
            let is_equal = |table: &&Arc<Attacks>| **table == numbered.attacks;
            let table =
                known.values().map(|known| &known.attacks).chain([&self.attacks]).find(is_equal).cloned();
            numbered.attacks = table.unwrap_or(numbered.attacks);
            known.entry(region.clone()).or_insert_with(|| Arc::new(numbered));
        }
        regions.iter().map(|&region| Arc::clone(&known[region])).collect()
    }

    /// Returns the places that place `x` attacks, in increasing order.
    pub(crate) fn neighbours(&self, x: usize) -> impl Iterator<Item = usize> + '_ {
        members(self.attacks.neighbours(x))
    }

    /// Extends a clique to a maximal one by repeatedly appending the first place that attacks all of it.
    pub(crate) fn complete_clique(&self, clique: &[usize]) -> Vec<usize> {
        let mut completed = clique.to_vec();
        let mut common = vec![usize::MAX; words_for(self.squares.len())];
        let restrict = |common: &mut [usize], x| {
            common
                .iter_mut()
                .zip(self.attacks.neighbours(x))
                .for_each(|(common, neighbours)| *common &= neighbours);
        };
        clique.iter().for_each(|&x| restrict(&mut common, x));
        loop {
            let Some(x) = members(&common).next() else { return completed };
            completed.push(x);
            restrict(&mut common, x);
        }
    }

    /// Returns the places of the given squares.
    pub(crate) fn place_set(&self, squares: impl IntoIterator<Item = Square>) -> FixedBitSet {
        let mut set = FixedBitSet::with_capacity(self.squares.len());
        squares.into_iter().for_each(|square| set.insert(self.places[square as usize] as usize));
        set
    }

    /// Returns the image of a square under an element of the symmetry group.
    pub(crate) fn image(&self, element: u32, square: Square) -> Square {
        self.squares[self.group.image(element, self.places[square as usize] as usize)]
    }

    /// Returns the images of place `x` under `elements`, each with the first element that maps `x` to it.
    pub(crate) fn orbit(&self, x: usize, elements: &[u32]) -> Vec<(usize, u32)> {
        self.group.orbit(x, elements)
    }
}
