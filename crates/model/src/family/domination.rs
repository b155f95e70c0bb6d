use ndqueens_notation::certificate::Problem;
use serde::Deserialize;

use super::{Family, Inequalities, Inequality, Property, ValidityError, attack_count};
use crate::board::{Board, Extent};
use crate::facts::UpperBounds;
use crate::ilp::Comparison;
use crate::variant::Variant;

/// Domination inequalities: at least one queen on each square or on a square that attacks it.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Domination {}

impl Family for Domination {
    fn name(&self) -> &'static str {
        "domination"
    }

    fn summary(&self) -> &'static str {
        "at least one on every square and the squares that attack it"
    }

    fn citation(&self) -> &'static str {
        "definition"
    }

    fn validity(&self, _: &Board, problem: Problem, _: &Variant) -> Result<(), ValidityError> {
        match problem {
            Problem::DominatingSet | Problem::IndependentDominatingSet => Ok(()),
            Problem::IndependentSet | Problem::NoThreeInLine => Err(ValidityError::NotDominating(problem)),
        }
    }

    fn ensures(&self) -> Option<Property> {
        Some(Property::Domination)
    }

    fn extent(&self, board: &Board, _: &dyn UpperBounds) -> Extent {
        let rows = board.size() as u128;
        Extent { rows, nonzeros: rows + attack_count(board) }
    }

    fn rows<'a>(&'a self, board: &'a Board, _: &'a dyn UpperBounds) -> Inequalities<'a> {
        Box::new(board.squares().map(|square| {
            let mut squares = board.neighbours(square);
            squares.push(square);
            Inequality { comparison: Comparison::AtLeast, ..Inequality::clique(squares) }
        }))
    }
}
