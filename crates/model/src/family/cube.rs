use ndqueens_notation::certificate::Problem;
use serde::Deserialize;

use super::{Family, Inequalities, Inequality, needs_independence, needs_queens, positions};
use crate::board::{Board, Extent, Grid};
use crate::facts::UpperBounds;
use crate::orbit::{BoxOrbits, OrbitRow, Shape};
use crate::variant::Variant;

/// At most one queen on the corners of every cube `s + {0,h}^d`, and on its centre when h is even.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Cube {}

/// For each edge length h the numbers of positions along each axis.
fn placements(board: &Board) -> impl Iterator<Item = (u32, Vec<u32>)> + '_ {
    let grid = board.grid().expect("valid on grids only");
    let shortest = *grid.sides().iter().min().expect("a box has sides");
    (1..shortest).map(move |h| {
        let free = |&n: &u32| if grid.is_torus() { n } else { n - h };
        (h, grid.sides().iter().map(free).collect())
    })
}

impl Family for Cube {
    fn name(&self) -> &'static str {
        "cube"
    }

    fn summary(&self) -> &'static str {
        "at most one on the corners of every cube, with its centre when the edge is even"
    }

    fn citation(&self) -> &'static str {
        "Kunt 2023, section 5"
    }

    fn validity(&self, board: &Board, problem: Problem, _: &Variant) -> Result<(), String> {
        needs_independence(problem)?;
        needs_queens(board)
    }

    fn extent(&self, board: &Board, _: &dyn UpperBounds) -> Extent {
        let corners = 1u128 << board.grid().map_or(0, |grid| grid.dimension());
        placements(board).fold(Extent::default(), |sum, (h, extents)| {
            let rows: u128 = extents.into_iter().map(u128::from).product();
            sum + Extent { rows, nonzeros: rows * (corners + u128::from(h % 2 == 0)) }
        })
    }

    fn orbit_rows<'a>(
        &'a self,
        grid: &'a Grid,
        orbits: &'a BoxOrbits,
        _: &'a dyn UpperBounds,
    ) -> Option<super::OrbitRows<'a>> {
        let shortest = *grid.sides().iter().min().expect("a box has sides");
        let of_edge = move |edge: u32| {
            let corners = orbits.positions(|axis| grid.sides()[axis] - edge, |_| 0);
            corners.into_iter().map(move |corner| OrbitRow::clique(Shape::Cube { corner, edge }))
        };
        Some(Box::new((1..shortest).flat_map(of_edge)))
    }

    fn rows<'a>(&'a self, board: &'a Board, _: &'a dyn UpperBounds) -> Inequalities<'a> {
        let grid = board.grid().expect("valid on grids only");
        let dimension = grid.dimension();
        Box::new(placements(board).flat_map(move |(h, extents)| {
            positions(extents).map(move |corner| {
                let step = |offset: &[i32], length: u32| grid.step(&corner, offset, length as i32);
                let mut squares: Vec<_> = positions(vec![2; dimension])
                    .filter_map(|end| step(&end.into_iter().map(|x| x as i32).collect::<Vec<_>>(), h))
                    .collect();
                if h % 2 == 0 {
                    squares.extend(step(&vec![1; dimension], h / 2));
                }
                Inequality::clique(squares)
            })
        }))
    }
}
