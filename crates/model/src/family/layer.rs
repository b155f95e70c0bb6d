use std::sync::Arc;

use ndqueens_notation::name::Piece;
use serde::Deserialize;

use super::translates::{TranslateFamily, Translates, axis_sets};
use crate::board::{Board, Grid};
use crate::facts::{UpperBound, UpperBounds};
use crate::orbit::BoxOrbits;

/// Layer inequalities: at most `alpha(layer)` queens on each axis-parallel layer with 2 to d - 1 dimensions.
///
/// A layer is a board with fewer than d dimensions. Layers whose bound follows from parallel lines are left
/// out; planar layers remain for side 3 only.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Layer {}

/// Returns the bound of the layers along the axes in `free`; `None` if their rows follow from lines.
fn layer_bound(grid: &Grid, free: &[bool], bounds: &dyn UpperBounds) -> Option<Arc<UpperBound>> {
    let sides: Vec<u32> = grid.sides().iter().zip(free).filter(|(_, free)| **free).map(|(&n, _)| n).collect();
    if sides.len() < 2 || sides.len() == grid.dimension() {
        return None;
    }
    // A layer with a single side above 1 is a line, whose bound is the trivial one.
    if grid.piece() != Piece::Bishop && sides.iter().filter(|&&side| side > 1).count() < 2 {
        return None;
    }
    let layer = grid.part(grid.is_torus(), &sides);
    let bound = bounds.upper(&layer)?;
    (bound.value < Board::new(&layer).trivial_bound()).then(|| Arc::new(bound))
}

impl TranslateFamily for Layer {
    const NAME: &'static str = "layer";
    const SUMMARY: &'static str = "at most alpha(layer) on every axis-parallel layer, recursively";
    const CITATION: &'static str = "Kunt 2023, section 5";

    fn translates<'a>(
        &'a self,
        grid: &'a Grid,
        bounds: &'a dyn UpperBounds,
        orbits: Option<&'a BoxOrbits>,
    ) -> Box<dyn Iterator<Item = Translates> + 'a> {
        Box::new(axis_sets(grid.dimension(), orbits).filter_map(move |free| {
            let bound = layer_bound(grid, &free, bounds)?;
            let side = |(&n, &is_free): (&u32, &bool)| if is_free { n } else { 1 };
            let sides = grid.sides().iter().zip(&free).map(side).collect();
            Translates::of_lattice(grid, sides, 1, bound)
        }))
    }
}
