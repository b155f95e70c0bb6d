use ndqueens_notation::certificate::Problem;
use serde::Deserialize;

use super::symmetry::representatives;
use super::{Family, Inequalities, Inequality, ValidityError, needs_symmetry};
use crate::board::{Board, Extent, Generator, Square, closure};
use crate::facts::UpperBounds;
use crate::ilp::Comparison;
use crate::variant::Variant;

/// Symmetry breaking: no image of a solution is lexicographically larger on a prefix of the squares.
///
/// Let `s_1, ..., s_N` be a fixed order of the squares. The rows are
/// `sum_(i<=p) 2^(p-i) (x_(s_i) - x_(g(s_i))) >= 0` for symmetries g of the board.
///
/// An image of each solution satisfies all rows, for any set of symmetries and any prefix length p: the
/// images of X have the characteristic vectors `(x_(g(s_1)), ..., x_(g(s_N)))` for the symmetries g, solve
/// the same problem and have the same number of squares. Let X be the lexicographically largest of them. Then
/// it is at least as large as each image, also on the first p entries. Since 0/1 vectors of length p are
/// ordered as the binary numbers with these digits, the rows hold.
///
/// The order begins with the representatives of the `symmetry` family. The lexicographically largest image
/// therefore contains the representative of the first orbit that X meets, and satisfies the rows of that
/// family as well. So both families may be in one formulation.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct Lex {
    /// Number p of squares that are compared. The largest coefficient 2^(p-1) must stay well below the
    /// inverse of the tolerance of solvers, which is about 1e-6.
    prefix: usize,
    /// Maximum number of symmetries. Products of fewer generators come first.
    elements: usize,
}

/// Maximum of [`Lex::prefix`].
const LONGEST_PREFIX: usize = 20;

impl Default for Lex {
    fn default() -> Self {
        Self { prefix: 12, elements: 100 }
    }
}

impl Lex {
    /// Returns the squares that are compared, in their order.
    fn prefix_squares(&self, board: &Board) -> Vec<Square> {
        let mut order = representatives(board);
        order.truncate(self.prefix);
        let rest: Vec<Square> = board
            .squares()
            .filter(|square| !order.contains(square))
            .take(self.prefix - order.len())
            .collect();
        order.extend(rest);
        order
    }

    /// Returns the images of the prefix under the symmetries, each once, without the prefix itself.
    ///
    /// They form an orbit of the group, which is enumerated breadth first; symmetries are evaluated on the
    /// prefix only.
    fn images(&self, board: &Board, prefix: &[Square]) -> Vec<Vec<Square>> {
        let image = |squares: &Vec<Square>, generator: &Generator<'_>| {
            squares.iter().map(|&square| generator(square)).collect()
        };
        let mut images = closure(prefix.to_vec(), &board.generators(), self.elements, image);
        images.truncate(self.elements + 1);
        images.split_off(1)
    }
}

impl Family for Lex {
    fn name(&self) -> &'static str {
        "lex"
    }

    fn summary(&self) -> &'static str {
        "no image is lexicographically larger, on a prefix of the squares"
    }

    fn citation(&self) -> &'static str {
        "lexicographic order; E. J. Friedman, Fundamental domains for integer programs with symmetries, 2007"
    }

    fn validity(&self, _: &Board, _: Problem, variant: &Variant) -> Result<(), ValidityError> {
        if !(1..=LONGEST_PREFIX).contains(&self.prefix) {
            return Err(ValidityError::Prefix { prefix: self.prefix, longest: LONGEST_PREFIX });
        }
        needs_symmetry(variant)
    }

    fn breaks_symmetry(&self) -> bool {
        true
    }

    fn extent(&self, board: &Board, bounds: &dyn UpperBounds) -> Extent {
        self.rows(board, bounds)
            .fold(Extent::default(), |sum, row| sum + Extent { rows: 1, nonzeros: row.squares.len() as u128 })
    }

    fn rows<'a>(&'a self, board: &'a Board, _: &'a dyn UpperBounds) -> Inequalities<'a> {
        let prefix = self.prefix_squares(board);
        let images = self.images(board, &prefix);
        Box::new(images.into_iter().map(move |image| {
            let weights = (0..prefix.len()).rev().map(|exponent| 1 << exponent);
            let terms = prefix.iter().zip(&image).zip(weights);
            let terms = terms.flat_map(|((&s, &t), weight)| [(s, weight), (t, -weight)]);
            Inequality::with_weights(terms, Comparison::AtLeast, 0)
        }))
    }
}
