use ndqueens_notation::certificate::Problem;
use serde::Deserialize;

use super::{Family, Inequalities, Inequality, ValidityError, needs_independence, positions, sub_box};
use crate::board::{Board, Extent};
use crate::facts::UpperBounds;
use crate::ilp::Comparison;
use crate::variant::{Goal, Variant, full_size};

/// Equations of full solutions: exactly one queen on each line along an axis.
///
/// The `n^(d-1)` lines along one axis partition the board and hold at most one queen each, so each holds one
/// of the `n^(d-1)` queens of a full solution.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Equality {}

impl Family for Equality {
    fn name(&self) -> &'static str {
        "equality"
    }

    fn summary(&self) -> &'static str {
        "exactly one on every line along an axis"
    }

    fn citation(&self) -> &'static str {
        "Kunt 2023, section 5; by counting"
    }

    fn validity(&self, board: &Board, problem: Problem, variant: &Variant) -> Result<(), ValidityError> {
        needs_independence(problem)?;
        let full = full_size(board)?;
        match variant.goal {
            Goal::AtLeast(k) | Goal::Exactly(k) if k == full => Ok(()),
            goal => Err(ValidityError::NotFull { full, goal }),
        }
    }

    fn extent(&self, board: &Board, _: &dyn UpperBounds) -> Extent {
        let grid = board.grid().expect("valid on grids only");
        let nonzeros = (board.size() * grid.dimension()) as u128;
        Extent { rows: nonzeros / u128::from(grid.sides()[0]), nonzeros }
    }

    fn rows<'a>(&'a self, board: &'a Board, _: &'a dyn UpperBounds) -> Inequalities<'a> {
        let grid = board.grid().expect("valid on grids only");
        Box::new((0..grid.dimension()).flat_map(move |axis| {
            let mut starts = grid.sides().to_vec();
            let mut line = vec![1; grid.dimension()];
            std::mem::swap(&mut starts[axis], &mut line[axis]);
            positions(starts).map(move |start| Inequality {
                comparison: Comparison::Equal,
                ..Inequality::clique(sub_box(grid, &start, &line, 1))
            })
        }))
    }
}
