use serde::Deserialize;

use super::translates::{Pattern, TranslateFamily, Translates};
use super::{ValidityError, needs_queens};
use crate::board::{Board, Grid};
use crate::facts::UpperBounds;
use crate::orbit::BoxOrbits;

/// Star inequalities: at most one queen on each star, which is a centre s with the squares `s +- h*e_i` along
/// all axes.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Star {}

impl TranslateFamily for Star {
    const NAME: &'static str = "star";
    const SUMMARY: &'static str =
        "at most one on a centre and the squares at one distance from it along all axes";
    const CITATION: &'static str = "Kunt 2023, section 5, with the range s_i - h >= 1";

    fn board_validity(board: &Board) -> Result<(), ValidityError> {
        needs_queens(board)
    }

    /// Returns the stars of each arm length. On a torus, arms of more than half of the side give the same
    /// stars as shorter ones.
    fn translates<'a>(
        &'a self,
        grid: &'a Grid,
        _: &'a dyn UpperBounds,
        _: Option<&'a BoxOrbits>,
    ) -> Box<dyn Iterator<Item = Translates> + 'a> {
        let shortest = *grid.sides().iter().min().expect("a box has sides");
        let is_torus = grid.is_torus();
        let longest_arm = if is_torus { shortest / 2 } else { (shortest - 1) / 2 };
        Box::new((1..=longest_arm).map(move |arm| {
            let places = |&n: &u32| if is_torus { n } else { n - 2 * arm };
            Translates {
                pattern: Pattern::Star { arm, is_inside: !is_torus },
                places: grid.sides().iter().map(places).collect(),
            }
        }))
    }
}
