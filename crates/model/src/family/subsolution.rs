use serde::Deserialize;

use super::translates::{TranslateFamily, Translates, subcubes};
use crate::board::Grid;
use crate::facts::UpperBounds;
use crate::orbit::BoxOrbits;

/// Subcube inequalities: at most `alpha(m^d)` queens on each subcube `m^d` with m from 2.
///
/// On a torus, the subcubes wrap around. The bound is then that of the plain cube, which is valid because
/// squares that attack each other there do so on the torus as well. Subcubes whose bound follows from
/// parallel lines are left out.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Subsolution {}

impl TranslateFamily for Subsolution {
    const NAME: &'static str = "subsolution";
    const SUMMARY: &'static str = "at most alpha(m^d) on every subcube m^d";
    const CITATION: &'static str = "Kunt 2023, section 5";

    fn translates<'a>(
        &'a self,
        grid: &'a Grid,
        bounds: &'a dyn UpperBounds,
        _: Option<&'a BoxOrbits>,
    ) -> Box<dyn Iterator<Item = Translates> + 'a> {
        let rows = move |(sides, bound)| Translates::of_lattice(grid, sides, 1, bound);
        Box::new(subcubes(grid, bounds).filter_map(rows))
    }
}
