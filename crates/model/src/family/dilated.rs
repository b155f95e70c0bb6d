use std::sync::Arc;

use ndqueens_notation::name::Piece;
use serde::Deserialize;

use super::translates::{Pattern, TranslateFamily, Translates, strides, subcubes};
use crate::board::Grid;
use crate::facts::UpperBounds;
use crate::orbit::BoxOrbits;

/// Sublattice inequalities: at most `alpha(m^d)` queens on each sublattice `s + h * {0..m-1}^d` with m from
/// 2, for every stride h; if m = 2 and h is even, also counting the centre `s + h/2 * (1, ..., 1)`.
///
/// Multiples of `h * direction` are multiples of the direction, so squares that attack each other in the cube
/// do so in the sublattice. Stride 1 gives the subsolution rows, side 2 the cube rows. On a torus, the
/// sublattices wrap around without overlapping themselves, and the bound is that of the plain cube.
/// Sublattices whose bound follows from parallel lines are left out.
///
/// The centre is valid for queens. Two corners of side 2 differ by `h * e` with e in `{-1,0,1}^d`, which is a
/// direction; a corner and the centre differ by `h/2 * e` with e in `{-1,1}^d`, again a direction, and
/// `0 < h/2 < n` on every axis. So all `2^d + 1` squares attack each other, on a torus as well, and at most
/// one holds a queen. Rooks and bishops lack these directions, and a larger sublattice with its centres may
/// hold more than `alpha(m^d)`.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Dilated {}

impl TranslateFamily for Dilated {
    const NAME: &'static str = "dilated";
    const SUMMARY: &'static str = "at most alpha(m^d) on every sublattice of m^d squares with the same stride along \
         all axes, also with its centre if m = 2 and the stride is even";
    const CITATION: &'static str = "ours; contains subsolution and cube";

    fn translates<'a>(
        &'a self,
        grid: &'a Grid,
        bounds: &'a dyn UpperBounds,
        _: Option<&'a BoxOrbits>,
    ) -> Box<dyn Iterator<Item = Translates> + 'a> {
        Box::new(subcubes(grid, bounds).flat_map(move |(sides, bound)| {
            strides(grid).map_while(move |stride| {
                let has_centre = sides[0] == 2 && stride.is_multiple_of(2) && grid.piece() == Piece::Queen;
                let rows = Translates::of_lattice(grid, sides.clone(), stride, Arc::clone(&bound))?;
                Some(match has_centre {
                    true => Translates { pattern: Pattern::Cube { edge: stride }, ..rows },
                    false => rows,
                })
            })
        }))
    }
}
