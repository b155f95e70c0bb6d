use std::sync::Arc;

use ndqueens_notation::certificate::Problem;
use ndqueens_notation::name::Piece;
use serde::Deserialize;

use super::{
    Family, Inequalities, Inequality, needs_grid, needs_independence, orbit_lattices, positions, sub_box,
};
use crate::board::{Board, Extent, Grid};
use crate::facts::{UpperBound, UpperBounds};
use crate::orbit::{BoxOrbits, OrbitRow};
use crate::variant::Variant;

/// At most `alpha(layer)` queens on every axis-parallel layer, recursively on layers of layers.
///
/// A layer of fewer than d dimensions is a board of its own. Layers whose bound follows from parallel lines add nothing
/// and are left out; planar layers bind for side 3 only.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Layer {}

/// For each set of free axes whose layers have a bound worth a row: which axes are free, and the bound.
fn layers<'a>(
    board: &'a Board,
    bounds: &'a dyn UpperBounds,
) -> impl Iterator<Item = (Vec<bool>, Arc<UpperBound>)> + 'a {
    let grid = board.grid().expect("valid on grids only");
    let dimension = grid.dimension();
    positions(vec![2; dimension]).filter_map(move |choice| {
        let free: Vec<bool> = choice.into_iter().map(|x| x == 1).collect();
        let bound = worth(grid, &free, bounds)?;
        Some((free, bound))
    })
}

/// The bound of the layers with these axes free, when it is worth a row.
fn worth(grid: &Grid, free: &[bool], bounds: &dyn UpperBounds) -> Option<Arc<UpperBound>> {
    let sides: Vec<u32> = grid.sides().iter().zip(free).filter(|(_, free)| **free).map(|(&n, _)| n).collect();
    if sides.len() < 2 || sides.len() == grid.dimension() {
        return None;
    }
    // On a line the bound is the trivial one.
    if grid.piece() != Piece::Bishop && sides.iter().filter(|&&side| side > 1).count() < 2 {
        return None;
    }
    let layer = grid.part(grid.is_torus(), &sides);
    let bound = bounds.upper(&layer)?;
    (bound.value < Board::new(&layer).trivial_bound()).then(|| Arc::new(bound))
}

impl Family for Layer {
    fn name(&self) -> &'static str {
        "layer"
    }

    fn summary(&self) -> &'static str {
        "at most alpha(layer) on every axis-parallel layer, recursively"
    }

    fn citation(&self) -> &'static str {
        "Kunt 2023, section 5"
    }

    fn validity(&self, board: &Board, problem: Problem, _: &Variant) -> Result<(), String> {
        needs_independence(problem)?;
        needs_grid(board).map(drop)
    }

    fn bounds(&self, board: &Board, bounds: &dyn UpperBounds) -> Vec<Arc<UpperBound>> {
        layers(board, bounds).map(|(_, bound)| bound).collect()
    }

    fn extent(&self, board: &Board, bounds: &dyn UpperBounds) -> Extent {
        let grid = board.grid().expect("valid on grids only");
        layers(board, bounds).fold(Extent::default(), |sum, (free, _)| {
            let fixed = grid.sides().iter().zip(free).filter(|(_, free)| !free);
            let rows = fixed.map(|(&n, _)| u128::from(n)).product();
            sum + Extent { rows, nonzeros: board.size() as u128 }
        })
    }

    fn orbit_rows<'a>(
        &'a self,
        grid: &'a Grid,
        orbits: &'a BoxOrbits,
        bounds: &'a dyn UpperBounds,
    ) -> Option<super::OrbitRows<'a>> {
        let of_choice = move |free: Vec<bool>| {
            let bound = worth(grid, &free, bounds)?;
            let sides: Vec<u32> =
                grid.sides().iter().zip(&free).map(|(&n, &free)| if free { n } else { 1 }).collect();
            let places: Vec<u32> = grid.sides().iter().zip(&sides).map(|(n, side)| n - side + 1).collect();
            let layers = orbit_lattices(orbits, &sides, 1, &places);
            Some(layers.into_iter().map(move |shape| OrbitRow::bounded(shape, &bound)))
        };
        Some(Box::new(orbits.choices().into_iter().filter_map(of_choice).flatten()))
    }

    fn rows<'a>(&'a self, board: &'a Board, bounds: &'a dyn UpperBounds) -> Inequalities<'a> {
        let grid = board.grid().expect("valid on grids only");
        Box::new(layers(board, bounds).flat_map(move |(free, bound)| {
            let pick = |when: bool| -> Vec<u32> {
                grid.sides().iter().zip(&free).map(|(&n, &free)| if free == when { n } else { 1 }).collect()
            };
            let sides = pick(true);
            positions(pick(false))
                .map(move |corner| Inequality::bounded(sub_box(grid, &corner, &sides, 1), &bound))
        }))
    }
}
