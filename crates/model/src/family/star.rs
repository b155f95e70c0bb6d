use ndqueens_notation::certificate::Problem;
use serde::Deserialize;

use super::{Family, Inequalities, Inequality, needs_independence, needs_queens, positions};
use crate::board::{Board, Extent, Grid};
use crate::facts::UpperBounds;
use crate::orbit::{BoxOrbits, OrbitRow, Shape};
use crate::variant::Variant;

/// At most one queen on every star: a centre s and the squares `s +- h*e_i` on all axes.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Star {}

/// For each arm length h the numbers of centres along each axis; centres begin at h, or anywhere on a torus, where arms
/// longer than half the side are the same stars again.
fn placements(board: &Board) -> impl Iterator<Item = (u32, Vec<u32>)> + '_ {
    let grid = board.grid().expect("valid on grids only");
    let shortest = *grid.sides().iter().min().expect("a box has sides");
    let longest_arm = if grid.is_torus() { shortest / 2 } else { (shortest - 1) / 2 };
    (1..=longest_arm).map(move |h| {
        let free = |&n: &u32| if grid.is_torus() { n } else { n - 2 * h };
        (h, grid.sides().iter().map(free).collect())
    })
}

impl Family for Star {
    fn name(&self) -> &'static str {
        "star"
    }

    fn summary(&self) -> &'static str {
        "at most one on a centre and the squares at one distance from it along all axes"
    }

    fn citation(&self) -> &'static str {
        "Kunt 2023, section 5, with the range s_i - h >= 1"
    }

    fn validity(&self, board: &Board, problem: Problem, _: &Variant) -> Result<(), String> {
        needs_independence(problem)?;
        needs_queens(board)
    }

    fn extent(&self, board: &Board, _: &dyn UpperBounds) -> Extent {
        let squares = 1 + 2 * board.grid().map_or(0, |grid| grid.dimension() as u128);
        placements(board).fold(Extent::default(), |sum, (_, extents)| {
            let rows: u128 = extents.into_iter().map(u128::from).product();
            sum + Extent { rows, nonzeros: rows * squares }
        })
    }

    fn orbit_rows<'a>(
        &'a self,
        grid: &'a Grid,
        orbits: &'a BoxOrbits,
        _: &'a dyn UpperBounds,
    ) -> Option<super::OrbitRows<'a>> {
        let shortest = *grid.sides().iter().min().expect("a box has sides");
        let of_arm = move |arm: u32| {
            let positions = orbits.positions(|axis| grid.sides()[axis] - 2 * arm, |_| 0);
            positions.into_iter().map(move |position| {
                let centre = position.into_iter().map(|x| x + arm).collect();
                OrbitRow::clique(Shape::Star { centre, arm })
            })
        };
        Some(Box::new((1..=(shortest - 1) / 2).flat_map(of_arm)))
    }

    fn rows<'a>(&'a self, board: &'a Board, _: &'a dyn UpperBounds) -> Inequalities<'a> {
        let grid = board.grid().expect("valid on grids only");
        Box::new(placements(board).flat_map(move |(h, extents)| {
            positions(extents).map(move |position| {
                let first = if grid.is_torus() { 0 } else { h };
                let centre: Vec<u32> = position.iter().map(|x| x + first).collect();
                let mut squares = Vec::from_iter(board.square(&centre));
                for axis in 0..grid.dimension() {
                    let mut arm = vec![0; grid.dimension()];
                    arm[axis] = h as i32;
                    squares.extend(grid.step(&centre, &arm, 1));
                    squares.extend(grid.step(&centre, &arm, -1));
                }
                Inequality::clique(squares)
            })
        }))
    }
}
