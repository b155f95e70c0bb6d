use ndqueens_notation::certificate::Problem;
use serde::Deserialize;

use super::symmetry::representatives;
use super::{Family, Inequalities, Inequality, needs_symmetry};
use crate::board::{Board, Extent, Generator, Square, closure};
use crate::facts::UpperBounds;
use crate::ilp::Comparison;
use crate::variant::Variant;

/// A solution comes lexicographically before none of its images, on a prefix of the squares.
///
/// Let `s_1, ..., s_N` be one fixed order of the squares. The rows are `sum_(i<=p) 2^(p-i) (x_(s_i) - x_(g(s_i))) >= 0` for
/// symmetries g of the board.
///
/// Some image of every solution satisfies all of them at once, for any set of symmetries and any prefix length p: the
/// images of X have the characteristic vectors `(x_(g(s_1)), ..., x_(g(s_N)))` for the symmetries g, they solve the same
/// problem and have as many squares. Take for X the lexicographically largest of them. It is at least every image, hence
/// at least every image on the first p entries; and 0/1 vectors of length p compare like the binary numbers they write,
/// which is the row.
///
/// The order begins with the representatives of the `symmetry` family. The lexicographically largest image therefore
/// holds the representative of the first orbit that X meets, and satisfies the rows of that family too: the two may stand
/// in one formulation.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct Lex {
    /// The number of squares compared, p. Solvers work with tolerances of about 1e-6, to which 2^(p-1) must not come near.
    prefix: usize,
    /// At most this many symmetries, those that take the fewest generators first.
    elements: usize,
}

const LONGEST_PREFIX: usize = 20;

impl Default for Lex {
    fn default() -> Self {
        Self { prefix: 12, elements: 100 }
    }
}

impl Lex {
    /// The squares compared, in their order.
    fn squares(&self, board: &Board) -> Vec<Square> {
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

    /// The images of the prefix under the symmetries, each once, without the prefix itself. They are an orbit of the
    /// group, found breadth first; no symmetry is ever listed on the whole board.
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

    fn validity(&self, _: &Board, _: Problem, variant: &Variant) -> Result<(), String> {
        if !(1..=LONGEST_PREFIX).contains(&self.prefix) {
            return Err(format!("its prefix is {}; 1 to {LONGEST_PREFIX} are allowed", self.prefix));
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
        let prefix = self.squares(board);
        let images = self.images(board, &prefix);
        Box::new(images.into_iter().map(move |image| {
            let weights = (0..prefix.len()).rev().map(|exponent| 1 << exponent);
            let terms = prefix.iter().zip(&image).zip(weights);
            let terms = terms.flat_map(|((&s, &t), weight)| [(s, weight), (t, -weight)]);
            Inequality::weighted(terms, Comparison::AtLeast, 0)
        }))
    }
}
