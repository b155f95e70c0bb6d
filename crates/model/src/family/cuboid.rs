use std::collections::HashMap;
use std::sync::Arc;

use serde::Deserialize;

use super::translates::{TranslateFamily, Translates, places, strides};
use crate::board::{Board, Grid};
use crate::facts::{UpperBound, UpperBounds};
use crate::orbit::BoxOrbits;

/// Sub-box inequalities: at most `alpha(a x b x ...)` queens on each sub-box of any shape, at any stride that
/// is the same along all axes.
///
/// Sub-boxes are left out if their row follows from other rows: from parallel lines, from the two boxes into
/// which a cut divides it, or from a box that is one square longer and has the same bound. On a torus, the
/// sub-boxes wrap around without overlapping themselves, and the bound is that of the plain box.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct Cuboid {
    /// Maximum number of squares of a sub-box.
    squares: u64,
}

impl Default for Cuboid {
    fn default() -> Self {
        Self { squares: 160 }
    }
}

impl Cuboid {
    /// Returns the sides of all sub-boxes with at most [`Self::squares`] squares that fit on the board at
    /// this stride.
    fn shapes(&self, grid: &Grid, stride: u32) -> Vec<Vec<u32>> {
        let mut shapes = vec![(Vec::new(), 1)];
        for axis in 0..grid.dimension() {
            let extend = |(sides, squares): (Vec<u32>, u64)| {
                let most = grid.sides()[axis];
                let fits = move |&n: &u32| {
                    squares * u64::from(n) <= self.squares
                        && u64::from(stride) * u64::from(n - 1) < u64::from(most)
                };
                (1..)
                    .take_while(fits)
                    .map(move |n| ([sides.as_slice(), &[n]].concat(), squares * u64::from(n)))
            };
            shapes = shapes.into_iter().flat_map(extend).collect();
        }
        shapes.into_iter().map(|(sides, _)| sides).collect()
    }

    /// Returns the bound of a sub-box, or `None` if its row follows from others.
    ///
    /// The omissions are not circular: the parts of a cut have smaller bounds, and the bound of a longer box
    /// that implies the row is not larger.
    fn undominated_bound(
        &self,
        sides: &[u32],
        stride: u32,
        known: &mut KnownBoxes<'_>,
    ) -> Option<Arc<UpperBound>> {
        let is_whole = |sides: &[u32]| !known.grid.is_torus() && stride == 1 && sides == known.grid.sides();
        if is_whole(sides) {
            return None;
        }
        let fits = |sides: &[u32]| {
            let squares: u64 = sides.iter().map(|&n| u64::from(n)).product();
            squares <= self.squares && places(known.grid, sides, stride).is_some() && !is_whole(sides)
        };
        let with_side = |axis: usize, n: u32| {
            let mut sides = sides.to_vec();
            sides[axis] = n;
            sides
        };
        let axes = 0..sides.len();
        let longer: Vec<_> =
            axes.clone().map(|axis| with_side(axis, sides[axis] + 1)).filter(|sides| fits(sides)).collect();
        let (bound, lines) = known.upper(sides)?;
        let mut is_dominated = lines <= bound.value;
        for axis in axes {
            for width in 1..=sides[axis] / 2 {
                let parts = [width, sides[axis] - width].map(|n| known.value(&with_side(axis, n)));
                is_dominated |= parts[0].saturating_add(parts[1]) <= bound.value;
            }
        }
        is_dominated |= longer.iter().any(|sides| known.value(sides) <= bound.value);
        (!is_dominated).then_some(bound)
    }
}

/// Cache of the bounds of boxes.
struct KnownBoxes<'a> {
    grid: &'a Grid,
    bounds: &'a dyn UpperBounds,
    /// Bound and trivial bound for each box, by sorted sides.
    known: HashMap<Vec<u32>, Option<(Arc<UpperBound>, u64)>>,
}

impl KnownBoxes<'_> {
    /// Returns the bound and the trivial bound of a plain box, if a bound is known.
    fn upper(&mut self, sides: &[u32]) -> Option<(Arc<UpperBound>, u64)> {
        let mut sorted = sides.to_vec();
        sorted.sort_unstable();
        let entry = self.known.entry(sorted);
        let compute = |sides: &Vec<u32>| {
            let board = self.grid.part(false, sides);
            let bound = self.bounds.upper(&board)?;
            Some((Arc::new(bound), Board::new(&board).trivial_bound()))
        };
        entry.or_insert_with_key(compute).clone()
    }

    /// Returns the value of the bound, or [`u64::MAX`] if none is known.
    fn value(&mut self, sides: &[u32]) -> u64 {
        self.upper(sides).map_or(u64::MAX, |(bound, _)| bound.value)
    }
}

/// Returns `true` if the sides are sorted along axes of the same length, which holds for one of each orbit of
/// shapes.
fn is_representative(grid: &Grid, sides: &[u32]) -> bool {
    let is_unsorted = |(a, b): (usize, usize)| grid.sides()[a] == grid.sides()[b] && sides[a] > sides[b];
    let axes = 0..grid.dimension();
    !axes.clone().any(|a| axes.clone().any(|b| a < b && is_unsorted((a, b))))
}

impl TranslateFamily for Cuboid {
    const NAME: &'static str = "cuboid";
    const SUMMARY: &'static str = "at most alpha(a x b x ...) on every sublattice of a small box of any shape with the same stride along all axes";
    const CITATION: &'static str = "ours";

    fn translates<'a>(
        &'a self,
        grid: &'a Grid,
        bounds: &'a dyn UpperBounds,
        orbits: Option<&'a BoxOrbits>,
    ) -> Box<dyn Iterator<Item = Translates> + 'a> {
        let mut known = KnownBoxes { grid, bounds, known: HashMap::new() };
        Box::new(strides(grid).flat_map(move |stride| {
            let mut shapes = self.shapes(grid, stride);
            shapes.retain(|sides| orbits.is_none() || is_representative(grid, sides));
            let rows = |sides: Vec<u32>| {
                let bound = self.undominated_bound(&sides, stride, &mut known)?;
                Translates::of_lattice(grid, sides, stride, bound)
            };
            shapes.into_iter().filter_map(rows).collect::<Vec<_>>()
        }))
    }
}
