use ndqueens_notation::certificate::Problem;
use ndqueens_notation::name::Piece;
use serde::Deserialize;

use super::{Family, Inequalities, Inequality, Property, ValidityError, needs_independence};
use crate::board::{Board, Extent, Grid};
use crate::facts::UpperBounds;
use crate::orbit::{BoxOrbits, OrbitRow, Shape};
use crate::variant::Variant;

/// Line inequalities: at most one queen on each line. These rows form the base model.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Line {}

impl Family for Line {
    fn name(&self) -> &'static str {
        "line"
    }

    fn summary(&self) -> &'static str {
        "at most one on every line, in every direction"
    }

    fn citation(&self) -> &'static str {
        "definition; Kunt 2023, section 5"
    }

    fn validity(&self, _: &Board, problem: Problem, _: &Variant) -> Result<(), ValidityError> {
        needs_independence(problem)
    }

    fn ensures(&self) -> Option<Property> {
        Some(Property::Independence)
    }

    fn extent(&self, board: &Board, _: &dyn UpperBounds) -> Extent {
        board.lines_extent()
    }

    fn orbit_rows<'a>(
        &'a self,
        grid: &'a Grid,
        orbits: &'a BoxOrbits,
        _: &'a dyn UpperBounds,
    ) -> Option<super::OrbitRows<'a>> {
        let moves = move |line: &Shape| {
            let Shape::Line { direction, .. } = line else { return false };
            let axes = direction.iter().filter(|&&e| e != 0).count();
            match grid.piece() {
                Piece::Queen => true,
                Piece::Rook => axes == 1,
                Piece::Bishop => axes > 1,
            }
        };
        Some(Box::new(orbits.lines().into_iter().filter(moves).map(OrbitRow::clique)))
    }

    fn rows<'a>(&'a self, board: &'a Board, _: &'a dyn UpperBounds) -> Inequalities<'a> {
        Box::new(board.lines().map(Inequality::clique))
    }
}
