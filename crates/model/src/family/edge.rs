use ndqueens_notation::certificate::Problem;
use serde::Deserialize;

use super::{Family, Inequalities, Inequality, Property, ValidityError, attack_count, needs_independence};
use crate::board::{Board, Extent};
use crate::facts::UpperBounds;
use crate::variant::Variant;

/// Edge inequalities: at most one queen on each pair of squares that attack each other. This is the weakest
/// baseline.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Edge {}

impl Family for Edge {
    fn name(&self) -> &'static str {
        "edge"
    }

    fn summary(&self) -> &'static str {
        "at most one on every two squares that attack each other"
    }

    fn citation(&self) -> &'static str {
        "definition"
    }

    fn validity(&self, _: &Board, problem: Problem, _: &Variant) -> Result<(), ValidityError> {
        needs_independence(problem)
    }

    fn ensures(&self) -> Option<Property> {
        Some(Property::Independence)
    }

    fn extent(&self, board: &Board, _: &dyn UpperBounds) -> Extent {
        let nonzeros = attack_count(board);
        Extent { rows: nonzeros / 2, nonzeros }
    }

    fn rows<'a>(&'a self, board: &'a Board, _: &'a dyn UpperBounds) -> Inequalities<'a> {
        Box::new(board.squares().flat_map(|s| {
            let later = board.neighbours(s).into_iter().filter(move |&t| t > s);
            later.map(move |t| Inequality::clique(vec![s, t]))
        }))
    }
}
