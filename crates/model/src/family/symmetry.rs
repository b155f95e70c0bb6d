use std::cmp::Reverse;

use ndqueens_notation::certificate::Problem;
use serde::Deserialize;

use super::{Family, Inequalities, Inequality, ValidityError, needs_symmetry};
use crate::board::{Board, Extent, Square};
use crate::facts::UpperBounds;
use crate::ilp::Comparison;
use crate::variant::Variant;

/// Symmetry breaking: a queen in an orbit requires a queen on the representative of that orbit or of an
/// earlier one.
///
/// Let `r_1, ..., r_m` be the representatives of the orbits of squares, in the order of [`representatives`].
/// The rows are `x_u <= x_(r_1) + ... + x_(r_i)` for every other square `u` of the orbit of `r_i`.
///
/// An image of each solution X satisfies all rows. The empty set does. Otherwise, let i be the first orbit
/// that X meets, and g a symmetry that maps a square of X in this orbit to `r_i`. The image gX solves the
/// same problem, has the same number of squares and contains `r_i`. Since orbits are invariant, gX meets no
/// orbit before the i-th. The left-hand sides of the rows of these orbits are 0, and the right-hand sides of
/// all other rows contain `x_(r_i) = 1`.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Symmetry {}

/// Returns the representatives of the orbits of squares, sorted by decreasing number of attacked squares.
pub(super) fn representatives(board: &Board) -> Vec<Square> {
    let mut representatives = board.orbits().representatives().to_vec();
    representatives.sort_by_cached_key(|&square| Reverse(board.neighbours(square).len()));
    representatives
}

impl Family for Symmetry {
    fn name(&self) -> &'static str {
        "symmetry"
    }

    fn summary(&self) -> &'static str {
        "a queen in an orbit asks for one on its representative or that of an earlier orbit"
    }

    fn citation(&self) -> &'static str {
        "orbit representatives; F. Margot, Symmetry in integer linear programming, 2010"
    }

    fn validity(&self, _: &Board, _: Problem, variant: &Variant) -> Result<(), ValidityError> {
        needs_symmetry(variant)
    }

    fn breaks_symmetry(&self) -> bool {
        true
    }

    fn extent(&self, board: &Board, _: &dyn UpperBounds) -> Extent {
        let orbits = board.orbits();
        representatives(board).into_iter().zip(2..).fold(Extent::default(), |sum, (representative, terms)| {
            let rows = orbits.sizes()[orbits.of(representative)] as u128 - 1;
            sum + Extent { rows, nonzeros: rows * terms }
        })
    }

    fn rows<'a>(&'a self, board: &'a Board, _: &'a dyn UpperBounds) -> Inequalities<'a> {
        let representatives = representatives(board);
        let orbits = board.orbits();
        let mut place = vec![0; orbits.count()];
        for (i, &representative) in representatives.iter().enumerate() {
            place[orbits.of(representative)] = i;
        }
        let others = board.squares().map(move |square| (square, place[orbits.of(square)]));
        Box::new(others.filter_map(move |(square, i)| {
            let supporters = &representatives[..=i];
            let terms = supporters.iter().map(|&r| (r, 1)).chain([(square, -1)]);
            (supporters[i] != square).then(|| Inequality::with_weights(terms, Comparison::AtLeast, 0))
        }))
    }
}
