use std::sync::Arc;

use ndqueens_notation::certificate::Problem;
use ndqueens_notation::name::Piece;
use serde::Deserialize;

use super::{
    Family, Inequalities, Inequality, needs_grid, needs_independence, orbit_lattices, places, positions,
    strides, sub_box,
};
use crate::board::{Board, Extent, Grid};
use crate::facts::{UpperBound, UpperBounds};
use crate::orbit::{BoxOrbits, OrbitRow, Shape};
use crate::variant::Variant;

/// At most `alpha(m^d)` queens on every sublattice `s + h * {0..m-1}^d`, m from 2, at every stride h; with m = 2 and h even, on
/// the centre `s + h/2 * (1, ..., 1)` too.
///
/// Multiples of `h * direction` are multiples of the direction, so squares that attack each other in the cube do so in the
/// sublattice. Stride 1 gives the subsolution rows, side 2 the cube rows. On a torus the sublattices wrap
/// round, but not over themselves, and the bound is that of the plain cube. Those whose bound follows from parallel lines
/// are left out.
///
/// The centre is valid for queens. Two corners of side 2 differ by `h * e` with e in `{-1,0,1}^d`, which is a direction; a corner
/// and the centre differ by `h/2 * e` with e in `{-1,1}^d`, again a direction, and `0 < h/2 < n` on every axis. So all
/// `2^d + 1` squares attack each other, on a torus as well, and at most one holds a queen. Rooks and bishops lack these
/// directions, and a larger sublattice with its centres may hold more than `alpha(m^d)`.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Dilated {}

/// Cubes of a side and a stride, with their bound and the numbers of positions along each axis.
struct Cubes {
    side: u32,
    stride: u32,
    bound: Arc<UpperBound>,
    places: Vec<u32>,
}

/// The cubes at each stride, for each side with a bound worth a row.
fn cubes<'a>(grid: &'a Grid, bounds: &'a dyn UpperBounds) -> impl Iterator<Item = Cubes> + 'a {
    let shortest = *grid.sides().iter().min().expect("a box has sides");
    let proper = |side: &u32| grid.is_torus() || grid.sides().iter().any(|n| n > side);
    (2..=shortest).filter(proper).flat_map(move |side| {
        let cube = grid.part(false, &vec![side; grid.dimension()]);
        let bound = bounds.upper(&cube).filter(|bound| bound.value < Board::new(&cube).trivial_bound());
        let with_bound = bound.map(Arc::new).into_iter();
        with_bound.flat_map(move |bound| {
            strides(grid).map_while(move |stride| {
                let places = places(grid, &vec![side; grid.dimension()], stride)?;
                Some(Cubes { side, stride, bound: Arc::clone(&bound), places })
            })
        })
    })
}

impl Cubes {
    /// Whether the centre of each cube is in its row.
    fn has_centre(&self, grid: &Grid) -> bool {
        self.side == 2 && self.stride.is_multiple_of(2) && grid.piece() == Piece::Queen
    }
}

impl Family for Dilated {
    fn name(&self) -> &'static str {
        "dilated"
    }

    fn summary(&self) -> &'static str {
        "at most alpha(m^d) on every sublattice of m^d squares at any one stride, with the centre for m = 2 at an even one"
    }

    fn citation(&self) -> &'static str {
        "ours; holds subsolution and cube"
    }

    fn validity(&self, board: &Board, problem: Problem, _: &Variant) -> Result<(), String> {
        needs_independence(problem)?;
        needs_grid(board).map(drop)
    }

    fn bounds(&self, board: &Board, bounds: &dyn UpperBounds) -> Vec<Arc<UpperBound>> {
        let grid = board.grid().expect("valid on grids only");
        let first = cubes(grid, bounds).filter(|cubes| cubes.stride == 1);
        first.map(|cubes| cubes.bound).collect()
    }

    fn extent(&self, board: &Board, bounds: &dyn UpperBounds) -> Extent {
        let grid = board.grid().expect("valid on grids only");
        cubes(grid, bounds).fold(Extent::default(), |sum, cubes| {
            let rows: u128 = cubes.places.iter().copied().map(u128::from).product();
            let squares = u128::from(cubes.side).pow(grid.dimension() as u32);
            sum + Extent { rows, nonzeros: rows * (squares + u128::from(cubes.has_centre(grid))) }
        })
    }

    fn orbit_rows<'a>(
        &'a self,
        grid: &'a Grid,
        orbits: &'a BoxOrbits,
        bounds: &'a dyn UpperBounds,
    ) -> Option<super::OrbitRows<'a>> {
        let of_kind = move |cubes: Cubes| {
            let centre = cubes.has_centre(grid);
            let Cubes { side, stride, bound, places } = cubes;
            let lattices = orbit_lattices(orbits, &vec![side; grid.dimension()], stride, &places);
            lattices.into_iter().map(move |shape| match shape {
                Shape::Lattice { corner, .. } if centre => {
                    OrbitRow::clique(Shape::Cube { corner, edge: stride })
                }
                shape => OrbitRow::bounded(shape, &bound),
            })
        };
        Some(Box::new(cubes(grid, bounds).flat_map(of_kind)))
    }

    fn rows<'a>(&'a self, board: &'a Board, bounds: &'a dyn UpperBounds) -> Inequalities<'a> {
        let grid = board.grid().expect("valid on grids only");
        Box::new(cubes(grid, bounds).flat_map(move |cubes| {
            let centre = cubes.has_centre(grid);
            let Cubes { side, stride, bound, places } = cubes;
            let sides = vec![side; grid.dimension()];
            positions(places).map(move |corner| {
                let mut squares = sub_box(grid, &corner, &sides, stride);
                if !centre {
                    return Inequality::bounded(squares, &bound);
                }
                squares.extend(grid.step(&corner, &vec![1; corner.len()], (stride / 2) as i32));
                Inequality::clique(squares)
            })
        }))
    }
}
