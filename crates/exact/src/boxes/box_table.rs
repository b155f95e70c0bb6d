//! The box table: what is known of the independence number of every box, smallest first.

use std::collections::{HashMap, HashSet};

use ndqueens_notation::name::Piece;

use crate::boxes::box_result::BoxResult;
pub use crate::boxes::box_result::{Entry, How};

/// Independence numbers of boxes of one piece, keyed by sorted sides.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BoxTable {
    pub(crate) piece: Piece,
    entries: HashMap<Vec<u32>, Entry>,
    /// For each entry a placement of `lower` queens, as coordinates.
    placements: HashMap<Vec<u32>, Vec<Vec<u32>>>,
}

impl BoxTable {
    /// An empty table.
    #[must_use]
    pub fn new(piece: Piece) -> Self {
        Self { piece, entries: HashMap::new(), placements: HashMap::new() }
    }

    /// What is known of a box, if anything.
    #[must_use]
    pub fn get(&self, sides: &[u32]) -> Option<&Entry> {
        self.entries.get(&sorted(sides))
    }

    /// A placement of `lower` queens on a box in the table, as coordinates along the sides in this order.
    #[must_use]
    pub fn placement(&self, sides: &[u32]) -> Option<Vec<Vec<u32>>> {
        Some(along(sides, self.placements.get(&sorted(sides))?))
    }

    /// All entries, smallest box first.
    #[must_use]
    pub fn entries(&self) -> Vec<(&[u32], &Entry)> {
        let mut all: Vec<_> = self.entries.iter().map(|(sides, entry)| (sides.as_slice(), entry)).collect();
        all.sort_by_key(|(sides, _)| (squares(sides), *sides));
        all
    }

    /// Nodes of all searches so far.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.entries.values().map(|entry| entry.nodes).sum()
    }

    /// Takes in what is known of a box of these sorted sides.
    pub(crate) fn insert(&mut self, sides: &[u32], result: &BoxResult) {
        self.entries.insert(sides.to_vec(), result.entry);
        self.placements.insert(sides.to_vec(), result.placement.clone());
    }

    /// Forgets all boxes but these.
    pub(crate) fn retain(&mut self, boxes: &HashSet<Vec<u32>>) {
        self.entries.retain(|sides, _| boxes.contains(sides));
        self.placements.retain(|sides, _| boxes.contains(sides));
    }

    /// The upper bound of a box that is in the table.
    pub(crate) fn upper(&self, sides: &[u32]) -> Option<u64> {
        self.get(sides).map(|entry| entry.upper)
    }

    /// All upper bounds, smallest box first.
    pub(crate) fn uppers(&self) -> Vec<(Vec<u32>, u64)> {
        self.entries().into_iter().map(|(sides, entry)| (sides.to_vec(), entry.upper)).collect()
    }
}

/// Squares along the sorted sides, as coordinates along the sides in this order.
#[must_use]
pub fn along(sides: &[u32], squares: &[Vec<u32>]) -> Vec<Vec<u32>> {
    let mut axes: Vec<usize> = (0..sides.len()).collect();
    axes.sort_by_key(|&axis| sides[axis]);
    let in_this_order = |square: &Vec<u32>| {
        let mut coordinates = vec![0; sides.len()];
        axes.iter().zip(square).for_each(|(&axis, &c)| coordinates[axis] = c);
        coordinates
    };
    squares.iter().map(in_this_order).collect()
}

fn sorted(sides: &[u32]) -> Vec<u32> {
    let mut key = sides.to_vec();
    key.sort_unstable();
    key
}

pub(crate) fn squares(sides: &[u32]) -> u64 {
    sides.iter().map(|&n| u64::from(n)).product()
}

/// A box with some sides changed, sorted.
pub(crate) fn with(sides: &[u32], changed: &[(usize, u32)]) -> Vec<u32> {
    let mut part = sides.to_vec();
    changed.iter().for_each(|&(axis, width)| part[axis] = width);
    part.sort_unstable();
    part
}

/// The boxes whose bounds a search without a relaxation rests on: the demands of slabs and of layers rest on slabs, those of rows of a
/// layer on parts of the layer.
pub(crate) fn below_a_search(sides: &[u32]) -> Vec<Vec<u32>> {
    let mut below = Vec::new();
    for (axis, &side) in sides.iter().enumerate() {
        below.extend((1..side).map(|width| with(sides, &[(axis, width)])));
        for layer in (0..sides.len()).filter(|&layer| layer != axis) {
            below.extend((1..side).map(|width| with(sides, &[(layer, 1), (axis, width)])));
        }
    }
    below
}

/// The sorted sides of all boxes that lie in a box, itself included, by the sum of their sides.
pub(crate) fn parts(sides: &[u32]) -> Vec<Vec<u32>> {
    let mut all = vec![Vec::new()];
    for &side in sides {
        let longer = |part: Vec<u32>| (1..=side).map(move |n| part.iter().copied().chain([n]).collect());
        all = all.into_iter().flat_map(longer).collect();
    }
    for part in &mut all {
        part.sort_unstable();
    }
    all.sort_by_key(|part| (part.iter().sum::<u32>(), squares(part), part.clone()));
    all.dedup();
    all
}
