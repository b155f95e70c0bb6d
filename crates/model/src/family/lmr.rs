use ndqueens_notation::certificate::Problem;
use serde::Deserialize;

use super::{Family, Inequalities, Inequality, Property, ValidityError, needs_independence};
use crate::board::{Board, Extent};
use crate::facts::UpperBounds;
use crate::variant::Variant;

/// Line rows, repeated for each square of the line. The duplicates are intended.
///
/// As a set, these are the rows of the family `line`, so the LP relaxation and its bound are those of the
/// formulation `base`. The only difference is that the row of a line with k squares occurs k times, which the
/// presolve of a solver must detect.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Lmr {}

impl Family for Lmr {
    fn name(&self) -> &'static str {
        "lmr"
    }

    fn summary(&self) -> &'static str {
        "the line of every square in every direction, with duplicates"
    }

    fn citation(&self) -> &'static str {
        "a reconstruction after Langlois-Remillard, Muessig, Roldan, whose published code for neighbouring problems does this"
    }

    fn validity(&self, _: &Board, problem: Problem, _: &Variant) -> Result<(), ValidityError> {
        needs_independence(problem)
    }

    fn ensures(&self) -> Option<Property> {
        Some(Property::Independence)
    }

    fn extent(&self, board: &Board, _: &dyn UpperBounds) -> Extent {
        let Some(grid) = board.grid() else {
            let squares = board.lines().map(|line| line.len() as u128);
            return squares.fold(Extent::default(), |sum, n| sum + Extent { rows: n, nonzeros: n * n });
        };
        let lines = board.lines_extent();
        let longest = grid.sides().iter().copied().max().map_or(0, u128::from);
        Extent { rows: lines.nonzeros, nonzeros: lines.nonzeros * longest }
    }

    fn rows<'a>(&'a self, board: &'a Board, _: &'a dyn UpperBounds) -> Inequalities<'a> {
        Box::new(board.lines().flat_map(|line| {
            let times = line.len();
            std::iter::repeat_n(Inequality::clique(line), times)
        }))
    }
}
