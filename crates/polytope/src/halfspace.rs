//! Inequalities with a coefficient for every square.

use ndqueens_model::board::{Board, Square};
use ndqueens_model::family::Inequality;
use ndqueens_model::ilp::Comparison;
use num_integer::Integer as _;

/// Largest absolute value of a coefficient or a right-hand side, so that no sum of them overflows.
pub const LARGEST_NUMBER: i64 = 1 << 40;

/// Inequality `sum a_s x_s <= b` on the squares of a board.
///
/// # Examples
/// ```
/// use ndqueens_polytope::halfspace::Halfspace;
///
/// let line = Halfspace { coefficients: vec![1, 1, 0], rhs: 1 };
/// assert_eq!((line.left(&[0, 2]), line.support()), (1, vec![0, 1]));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Halfspace {
    /// Coefficient of every square.
    pub coefficients: Vec<i64>,
    /// Right-hand side.
    pub rhs: i64,
}

impl Halfspace {
    /// Returns the inequality `-x_s <= 0`.
    #[must_use]
    pub fn nonnegativity(size: usize, square: Square) -> Self {
        let coefficients = (0..size).map(|s| if s == square as usize { -1 } else { 0 }).collect();
        Self { coefficients, rhs: 0 }
    }

    /// Returns the inequality on a board of `size` squares with its relation turned to "at most"; an equation
    /// as if it were "at most".
    #[must_use]
    pub fn of(inequality: &Inequality, size: usize) -> Self {
        let Inequality { squares, coefficients, comparison, rhs, .. } = inequality;
        let sign = if *comparison == Comparison::AtLeast { -1 } else { 1 };
        let mut dense = vec![0; size];
        for (k, &square) in squares.iter().enumerate() {
            dense[square as usize] = sign * coefficients.as_ref().map_or(1, |all| all[k]);
        }
        Self { coefficients: dense, rhs: sign * rhs }
    }

    /// Returns the value of the left-hand side for a set of squares.
    #[must_use]
    pub fn left(&self, set: &[Square]) -> i64 {
        set.iter().map(|&square| self.coefficients[square as usize]).sum()
    }

    /// Returns the squares with a coefficient other than 0.
    #[must_use]
    pub fn support(&self) -> Vec<Square> {
        (0..).zip(&self.coefficients).filter(|(_, a)| **a != 0).map(|(square, _)| square).collect()
    }

    /// Returns the inequality divided by the greatest common divisor of its numbers.
    #[must_use]
    pub fn primitive(&self) -> Self {
        let common = self.coefficients.iter().fold(self.rhs, |common, a| common.gcd(a)).max(1);
        Self { coefficients: self.coefficients.iter().map(|a| a / common).collect(), rhs: self.rhs / common }
    }

    /// Returns the image under a permutation of the squares.
    #[must_use]
    pub fn image(&self, images: &[Square]) -> Self {
        let mut coefficients = vec![0; self.coefficients.len()];
        for (&image, &a) in images.iter().zip(&self.coefficients) {
            coefficients[image as usize] = a;
        }
        Self { coefficients, rhs: self.rhs }
    }

    /// Formats the inequality with the variables `x_0_1_2` of a board; if all coefficients are negative or 0,
    /// as "at least".
    #[must_use]
    pub fn format(&self, board: &Board) -> String {
        let is_turned = self.coefficients.iter().all(|&a| a <= 0) && self.rhs <= 0;
        self.format_as(board, if is_turned { Comparison::AtLeast } else { Comparison::AtMost })
    }

    /// Formats the inequality, or its equation, with a relation. With "at least", all signs are reversed.
    #[must_use]
    pub fn format_as(&self, board: &Board, comparison: Comparison) -> String {
        let (sign, relation) = match comparison {
            Comparison::AtMost => (1, "<="),
            Comparison::AtLeast => (-1, ">="),
            Comparison::Equal => (1, "="),
        };
        let terms = (0..).zip(&self.coefficients).map(|(square, &a)| (square, i128::from(sign * a)));
        format!("{} {relation} {}", format_sum(board, terms), sign * self.rhs)
    }
}

/// Formats a sum of variables with coefficients, such as `x_0_0 + 2 x_0_1 - x_1_0`; `0` if it is empty.
#[must_use]
pub fn format_sum(board: &Board, terms: impl IntoIterator<Item = (Square, i128)>) -> String {
    let mut text = String::new();
    for (square, a) in terms.into_iter().filter(|&(_, a)| a != 0) {
        let sign = match (text.is_empty(), a < 0) {
            (true, true) => "-",
            (true, false) => "",
            (false, true) => " - ",
            (false, false) => " + ",
        };
        let factor = if a.abs() == 1 { String::new() } else { format!("{} ", a.abs()) };
        text += &format!("{sign}{factor}{}", variable(board, square));
    }
    if text.is_empty() { "0".to_owned() } else { text }
}

/// Returns the name of the variable of a square, as in the files of `ndq model`.
#[must_use]
pub fn variable(board: &Board, square: Square) -> String {
    let coordinates: Vec<String> = board.coordinates(square).iter().map(u32::to_string).collect();
    format!("x_{}", coordinates.join("_"))
}
