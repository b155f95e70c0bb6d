use std::collections::HashMap;
use std::sync::Arc;

use ndqueens_notation::certificate::Problem;
use serde::Deserialize;

use super::{
    Family, Inequalities, Inequality, needs_grid, needs_independence, orbit_lattices, places, positions,
    strides, sub_box,
};
use crate::board::{Board, Extent, Grid};
use crate::facts::{UpperBound, UpperBounds};
use crate::orbit::{BoxOrbits, OrbitRow};
use crate::variant::Variant;

/// At most `alpha(a x b x ...)` queens on every sub-box of any shape, at any one stride on all axes.
///
/// Boxes are left out whose row follows from others: from parallel lines, from the two boxes into which a cut divides it, or
/// from a box one square longer of the same bound. On a torus the boxes wrap round, but not over themselves, and the bound
/// is that of the plain box.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct Cuboid {
    /// The most squares of a box.
    squares: u64,
}

impl Default for Cuboid {
    fn default() -> Self {
        Self { squares: 160 }
    }
}

/// Boxes of a shape and a stride, with their bound and the numbers of positions along each axis.
struct Boxes {
    sides: Vec<u32>,
    stride: u32,
    bound: Arc<UpperBound>,
    places: Vec<u32>,
}

impl Cuboid {
    /// The boxes that are worth a row.
    fn boxes(&self, grid: &Grid, bounds: &dyn UpperBounds) -> Vec<Boxes> {
        self.boxes_of(grid, bounds, |_| true)
    }

    /// The boxes that are worth a row, of some shapes.
    fn boxes_of(
        &self,
        grid: &Grid,
        bounds: &dyn UpperBounds,
        is_wanted: impl Fn(&[u32]) -> bool,
    ) -> Vec<Boxes> {
        let mut known = KnownBoxes { grid, bounds, known: HashMap::new() };
        let mut found = Vec::new();
        for stride in strides(grid) {
            for sides in self.shapes(grid, stride).into_iter().filter(|sides| is_wanted(sides)) {
                if let Some(bound) = self.worth(&sides, stride, &mut known) {
                    let places = places(grid, &sides, stride).expect("the shape fits");
                    found.push(Boxes { sides, stride, bound, places });
                }
            }
        }
        found
    }

    /// The shapes of all boxes that are not too large and fit on the board at this stride.
    fn shapes(&self, grid: &Grid, stride: u32) -> Vec<Vec<u32>> {
        let mut shapes = vec![(Vec::new(), 1)];
        for axis in 0..grid.dimension() {
            let longer = |(sides, squares): (Vec<u32>, u64)| {
                let most = grid.sides()[axis];
                let fits = move |&n: &u32| {
                    squares * u64::from(n) <= self.squares
                        && u64::from(stride) * u64::from(n - 1) < u64::from(most)
                };
                (1..)
                    .take_while(fits)
                    .map(move |n| ([sides.as_slice(), &[n]].concat(), squares * u64::from(n)))
            };
            shapes = shapes.into_iter().flat_map(longer).collect();
        }
        shapes.into_iter().map(|(sides, _)| sides).collect()
    }

    /// The bound of a box, unless its row follows from others. No box follows from itself by a detour: parts of a cut have
    /// smaller bounds, longer boxes no larger ones.
    fn worth(&self, sides: &[u32], stride: u32, known: &mut KnownBoxes<'_>) -> Option<Arc<UpperBound>> {
        let whole = |sides: &[u32]| !known.grid.is_torus() && stride == 1 && sides == known.grid.sides();
        if whole(sides) {
            return None;
        }
        let fits = |sides: &[u32]| {
            let squares: u64 = sides.iter().map(|&n| u64::from(n)).product();
            squares <= self.squares && places(known.grid, sides, stride).is_some() && !whole(sides)
        };
        let with = |axis: usize, n: u32| {
            let mut sides = sides.to_vec();
            sides[axis] = n;
            sides
        };
        let axes = 0..sides.len();
        let longer: Vec<_> =
            axes.clone().map(|axis| with(axis, sides[axis] + 1)).filter(|sides| fits(sides)).collect();
        let (bound, by_lines) = known.upper(sides)?;
        let mut follows = by_lines <= bound.value;
        for axis in axes {
            for width in 1..=sides[axis] / 2 {
                let parts = [width, sides[axis] - width].map(|n| known.value(&with(axis, n)));
                follows |= parts[0].saturating_add(parts[1]) <= bound.value;
            }
        }
        follows |= longer.iter().any(|sides| known.value(sides) <= bound.value);
        (!follows).then_some(bound)
    }
}

/// The bounds of boxes, looked up once.
struct KnownBoxes<'a> {
    grid: &'a Grid,
    bounds: &'a dyn UpperBounds,
    /// By sorted sides: the bound, and the number of parallel lines.
    known: HashMap<Vec<u32>, Option<(Arc<UpperBound>, u64)>>,
}

impl KnownBoxes<'_> {
    fn upper(&mut self, sides: &[u32]) -> Option<(Arc<UpperBound>, u64)> {
        let mut sorted = sides.to_vec();
        sorted.sort_unstable();
        let entry = self.known.entry(sorted);
        let look = |sides: &Vec<u32>| {
            let board = self.grid.part(false, sides);
            let bound = self.bounds.upper(&board)?;
            Some((Arc::new(bound), Board::new(&board).trivial_bound()))
        };
        entry.or_insert_with_key(look).clone()
    }

    fn value(&mut self, sides: &[u32]) -> u64 {
        self.upper(sides).map_or(u64::MAX, |(bound, _)| bound.value)
    }
}

impl Family for Cuboid {
    fn name(&self) -> &'static str {
        "cuboid"
    }

    fn summary(&self) -> &'static str {
        "at most alpha(a x b x ...) on every small sub-box of any shape at any one stride"
    }

    fn citation(&self) -> &'static str {
        "ours"
    }

    fn validity(&self, board: &Board, problem: Problem, _: &Variant) -> Result<(), String> {
        needs_independence(problem)?;
        needs_grid(board).map(drop)
    }

    fn bounds(&self, board: &Board, bounds: &dyn UpperBounds) -> Vec<Arc<UpperBound>> {
        let boxes = self.boxes(board.grid().expect("valid on grids only"), bounds);
        boxes.into_iter().map(|boxes| boxes.bound).collect()
    }

    fn extent(&self, board: &Board, bounds: &dyn UpperBounds) -> Extent {
        let boxes = self.boxes(board.grid().expect("valid on grids only"), bounds);
        boxes.into_iter().fold(Extent::default(), |sum, Boxes { sides, places, .. }| {
            let rows: u128 = places.into_iter().map(u128::from).product();
            sum + Extent { rows, nonzeros: rows * sides.into_iter().map(u128::from).product::<u128>() }
        })
    }

    fn orbit_rows<'a>(
        &'a self,
        grid: &'a Grid,
        orbits: &'a BoxOrbits,
        bounds: &'a dyn UpperBounds,
    ) -> Option<super::OrbitRows<'a>> {
        let is_first = |sides: &[u32]| {
            let later = |(a, b): (usize, usize)| grid.sides()[a] == grid.sides()[b] && sides[a] > sides[b];
            let axes = 0..grid.dimension();
            !axes.clone().any(|a| axes.clone().any(|b| a < b && later((a, b))))
        };
        let of_shape = move |Boxes { sides, stride, bound, places }: Boxes| {
            let lattices = orbit_lattices(orbits, &sides, stride, &places);
            lattices.into_iter().map(move |shape| OrbitRow::bounded(shape, &bound))
        };
        Some(Box::new(self.boxes_of(grid, bounds, is_first).into_iter().flat_map(of_shape)))
    }

    fn rows<'a>(&'a self, board: &'a Board, bounds: &'a dyn UpperBounds) -> Inequalities<'a> {
        let grid = board.grid().expect("valid on grids only");
        let boxes = self.boxes(grid, bounds).into_iter();
        Box::new(boxes.flat_map(move |Boxes { sides, stride, bound, places }| {
            positions(places)
                .map(move |corner| Inequality::bounded(sub_box(grid, &corner, &sides, stride), &bound))
        }))
    }
}
