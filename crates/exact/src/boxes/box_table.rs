//! Table of bounds on the independence numbers of boxes.

use std::collections::{HashMap, HashSet};

use ndqueens_notation::name::Piece;

use crate::boxes::box_result::BoxResult;
pub use crate::boxes::box_result::{Entry, Justification};

/// Bounds on the independence numbers of boxes for one piece, keyed by sorted sides.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BoxTable {
    /// Piece of all boxes.
    pub(crate) piece: Piece,
    entries: HashMap<Vec<u32>, Entry>,
    /// Placement of `lower` queens for each entry, as coordinates.
    placements: HashMap<Vec<u32>, Vec<Vec<u32>>>,
}

impl BoxTable {
    /// Creates an empty table.
    #[must_use]
    pub fn new(piece: Piece) -> Self {
        Self { piece, entries: HashMap::new(), placements: HashMap::new() }
    }

    /// Returns the bounds of a box, if they are known.
    #[must_use]
    pub fn get(&self, sides: &[u32]) -> Option<&Entry> {
        self.entries.get(&sorted_sides(sides))
    }

    /// Returns a placement of `lower` queens on a box in the table, as coordinates in the order of `sides`.
    #[must_use]
    pub fn placement(&self, sides: &[u32]) -> Option<Vec<Vec<u32>>> {
        Some(restore_axis_order(sides, self.placements.get(&sorted_sides(sides))?))
    }

    /// Returns all entries, smallest box first.
    #[must_use]
    pub fn entries(&self) -> Vec<(&[u32], &Entry)> {
        let mut all: Vec<_> = self.entries.iter().map(|(sides, entry)| (sides.as_slice(), entry)).collect();
        all.sort_by_key(|(sides, _)| (volume(sides), *sides));
        all
    }

    /// Returns the number of search nodes spent on all boxes.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.entries.values().map(|entry| entry.nodes).sum()
    }

    /// Inserts the result for a box with these sorted sides.
    pub(crate) fn insert(&mut self, sides: &[u32], result: &BoxResult) {
        self.entries.insert(sides.to_vec(), result.entry);
        self.placements.insert(sides.to_vec(), result.placement.clone());
    }

    /// Removes all boxes except the given ones.
    pub(crate) fn retain(&mut self, boxes: &HashSet<Vec<u32>>) {
        self.entries.retain(|sides, _| boxes.contains(sides));
        self.placements.retain(|sides, _| boxes.contains(sides));
    }

    /// Returns the upper bound of a box, if it is in the table.
    pub(crate) fn upper_bound(&self, sides: &[u32]) -> Option<u64> {
        self.get(sides).map(|entry| entry.upper)
    }

    /// Returns all upper bounds, smallest box first.
    pub(crate) fn upper_bounds(&self) -> Vec<(Vec<u32>, u64)> {
        self.entries().into_iter().map(|(sides, entry)| (sides.to_vec(), entry.upper)).collect()
    }
}

/// Reorders coordinates along the sorted sides to the order of `sides`.
#[must_use]
pub fn restore_axis_order(sides: &[u32], squares: &[Vec<u32>]) -> Vec<Vec<u32>> {
    let mut axes: Vec<usize> = (0..sides.len()).collect();
    axes.sort_by_key(|&axis| sides[axis]);
    let reorder = |square: &Vec<u32>| {
        let mut coordinates = vec![0; sides.len()];
        axes.iter().zip(square).for_each(|(&axis, &c)| coordinates[axis] = c);
        coordinates
    };
    squares.iter().map(reorder).collect()
}

/// Returns the sides in increasing order.
fn sorted_sides(sides: &[u32]) -> Vec<u32> {
    let mut key = sides.to_vec();
    key.sort_unstable();
    key
}

/// Returns the number of squares of a box.
pub(crate) fn volume(sides: &[u32]) -> u64 {
    sides.iter().map(|&n| u64::from(n)).product()
}

/// Returns the sorted sides of a box after some of its sides are replaced.
pub(crate) fn replace_sides(sides: &[u32], changed: &[(usize, u32)]) -> Vec<u32> {
    let mut part = sides.to_vec();
    changed.iter().for_each(|&(axis, width)| part[axis] = width);
    part.sort_unstable();
    part
}

/// Returns the boxes whose bounds a search without an LP relaxation uses: the demands of slabs and layers
/// follow from bounds of slabs, and the demands of the rows of a layer from bounds of parts of the layer.
pub(crate) fn search_prerequisites(sides: &[u32]) -> Vec<Vec<u32>> {
    let mut prerequisites = Vec::new();
    for (axis, &side) in sides.iter().enumerate() {
        prerequisites.extend((1..side).map(|width| replace_sides(sides, &[(axis, width)])));
        for layer in (0..sides.len()).filter(|&layer| layer != axis) {
            prerequisites.extend((1..side).map(|width| replace_sides(sides, &[(layer, 1), (axis, width)])));
        }
    }
    prerequisites
}

/// Returns the sorted sides of all boxes inside a box, itself included, ordered by the sum of their sides.
pub(crate) fn sub_boxes(sides: &[u32]) -> Vec<Vec<u32>> {
    let mut all = vec![Vec::new()];
    for &side in sides {
        let extend = |part: Vec<u32>| (1..=side).map(move |n| part.iter().copied().chain([n]).collect());
        all = all.into_iter().flat_map(extend).collect();
    }
    for part in &mut all {
        part.sort_unstable();
    }
    all.sort_by_key(|part| (part.iter().sum::<u32>(), volume(part), part.clone()));
    all.dedup();
    all
}
