use serde::Deserialize;

use super::translates::{Pattern, TranslateFamily, Translates};
use super::{ValidityError, needs_queens};
use crate::board::{Board, Grid};
use crate::facts::UpperBounds;
use crate::orbit::BoxOrbits;

/// Cube inequalities: at most one queen on the corners of each cube `s + {0,h}^d` and, if h is even, its
/// centre.
///
/// On a torus, the cubes wrap around. A cube may then occur in several rows.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Cube {}

impl TranslateFamily for Cube {
    const NAME: &'static str = "cube";
    const SUMMARY: &'static str =
        "at most one on the corners of every cube, with its centre when the edge is even";
    const CITATION: &'static str = "Kunt 2023, section 5";

    fn board_validity(board: &Board) -> Result<(), ValidityError> {
        needs_queens(board)
    }

    fn translates<'a>(
        &'a self,
        grid: &'a Grid,
        _: &'a dyn UpperBounds,
        _: Option<&'a BoxOrbits>,
    ) -> Box<dyn Iterator<Item = Translates> + 'a> {
        let shortest = *grid.sides().iter().min().expect("a box has sides");
        Box::new((1..shortest).map(move |edge| {
            let places = |&n: &u32| if grid.is_torus() { n } else { n - edge };
            Translates { pattern: Pattern::Cube { edge }, places: grid.sides().iter().map(places).collect() }
        }))
    }
}
