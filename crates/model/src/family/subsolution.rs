use std::sync::Arc;

use ndqueens_notation::certificate::Problem;
use serde::Deserialize;

use super::{
    Family, Inequalities, Inequality, needs_grid, needs_independence, orbit_lattices, places, positions,
    sub_box,
};
use crate::board::{Board, Extent, Grid};
use crate::facts::{UpperBound, UpperBounds};
use crate::orbit::{BoxOrbits, OrbitRow};
use crate::variant::Variant;

/// At most `alpha(m^d)` queens on every subcube `m^d`, m from 2.
///
/// On a torus the subcubes wrap round, and the bound is that of the plain cube: fewer pairs attack each other there.
/// Subcubes whose bound follows from parallel lines are left out.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Subsolution {}

/// For each side m with a bound worth a row: the bound and the numbers of positions along each axis.
fn subcubes<'a>(
    grid: &'a Grid,
    bounds: &'a dyn UpperBounds,
) -> impl Iterator<Item = (u32, Arc<UpperBound>, Vec<u32>)> + 'a {
    let (shortest, longest) = grid.sides().iter().fold((u32::MAX, 0), |(a, b), &n| (a.min(n), b.max(n)));
    (2..=shortest).filter_map(move |m| {
        let cube = grid.part(false, &vec![m; grid.dimension()]);
        let bound = bounds.upper(&cube)?;
        let proper = m < longest || grid.is_torus();
        let useful = proper && bound.value < Board::new(&cube).trivial_bound();
        let places = places(grid, &vec![m; grid.dimension()], 1).filter(|_| useful)?;
        Some((m, Arc::new(bound), places))
    })
}

impl Family for Subsolution {
    fn name(&self) -> &'static str {
        "subsolution"
    }

    fn summary(&self) -> &'static str {
        "at most alpha(m^d) on every subcube m^d"
    }

    fn citation(&self) -> &'static str {
        "Kunt 2023, section 5"
    }

    fn validity(&self, board: &Board, problem: Problem, _: &Variant) -> Result<(), String> {
        needs_independence(problem)?;
        needs_grid(board).map(drop)
    }

    fn bounds(&self, board: &Board, bounds: &dyn UpperBounds) -> Vec<Arc<UpperBound>> {
        subcubes(board.grid().expect("valid on grids only"), bounds).map(|(_, bound, _)| bound).collect()
    }

    fn extent(&self, board: &Board, bounds: &dyn UpperBounds) -> Extent {
        let dimension = board.grid().map_or(0, |grid| grid.dimension() as u32);
        subcubes(board.grid().expect("valid on grids only"), bounds).fold(
            Extent::default(),
            |sum, (m, _, extents)| {
                let rows: u128 = extents.into_iter().map(u128::from).product();
                sum + Extent { rows, nonzeros: rows * u128::from(m).pow(dimension) }
            },
        )
    }

    fn orbit_rows<'a>(
        &'a self,
        grid: &'a Grid,
        orbits: &'a BoxOrbits,
        bounds: &'a dyn UpperBounds,
    ) -> Option<super::OrbitRows<'a>> {
        let of_side = move |(m, bound, places): (u32, Arc<UpperBound>, Vec<u32>)| {
            let cubes = orbit_lattices(orbits, &vec![m; grid.dimension()], 1, &places);
            cubes.into_iter().map(move |shape| OrbitRow::bounded(shape, &bound))
        };
        Some(Box::new(subcubes(grid, bounds).flat_map(of_side)))
    }

    fn rows<'a>(&'a self, board: &'a Board, bounds: &'a dyn UpperBounds) -> Inequalities<'a> {
        let grid = board.grid().expect("valid on grids only");
        Box::new(subcubes(board.grid().expect("valid on grids only"), bounds).flat_map(
            move |(m, bound, extents)| {
                let sides = vec![m; grid.dimension()];
                positions(extents)
                    .map(move |corner| Inequality::bounded(sub_box(grid, &corner, &sides, 1), &bound))
            },
        ))
    }
}
