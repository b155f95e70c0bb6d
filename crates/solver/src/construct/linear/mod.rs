//! Linear sets: sets of squares whose last coordinate is a linear function of the others, modulo some N.
//!
//! For coefficients `a` and a constant `c` these are the squares of a box with
//!
//! ```text
//! x_d = a_1 x_1 + ... + a_{d-1} x_{d-1} + c   (mod N).
//! ```
//!
//! For `e` in `{-1,0,1}^d`, not all 0, write `S(e) = e_d - a_1 e_1 - ... - a_{d-1} e_{d-1}`. If two of the
//! squares attack each other, they differ by `t e` with `0 < t < m`, where m is the longest side of the box,
//! and by the equation N divides `t S(e)`. So the set is independent if **every `S(e)` has order at least
//! m** in the integers mod N, that is `N / gcd(S(e), N) >= m`. For `m <= N < 2m` this means that every
//! `S(e)` is prime to N.
//!
//! If m >= 2, no `S(e)` is 0 mod N. The differences of subset sums of `1, a_1, ..., a_{d-1}` are the `S(e)`
//! (up to signs of the `a_j`, which do not change the set of all `S(e)`), so the `2^d` subset sums are
//! distinct and N is at least `2^d`.

pub mod regular;

use std::fmt;

use num_integer::Integer as _;

/// A linear set: `x_d = a_1 x_1 + ... + a_{d-1} x_{d-1} + c` mod N.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Linear {
    /// The modulus N.
    pub modulus: u32,
    /// `a_1, ..., a_{d-1}`, each below N.
    pub coefficients: Vec<u32>,
    /// The constant c, below N.
    pub constant: u32,
}

impl Linear {
    /// Returns the set with these coefficients that contains a square.
    #[must_use]
    pub fn through(modulus: u32, coefficients: &[u32], square: &[u32]) -> Self {
        let n = u64::from(modulus);
        let sum =
            coefficients.iter().zip(square).fold(0, |sum, (&a, &x)| (sum + u64::from(a) * u64::from(x)) % n);
        let last = square.last().expect("a square has a coordinate");
        Self {
            modulus,
            coefficients: coefficients.to_vec(),
            constant: ((u64::from(*last) % n + n - sum) % n) as u32,
        }
    }

    /// Returns the squares within the box of these d sides, in increasing order. If the last side is longer
    /// than N, only squares whose last coordinate is below N are returned.
    ///
    /// # Panics
    /// Panics if the number of sides is not the number of coordinates of the equation.
    #[must_use]
    pub fn squares(&self, sides: &[u32]) -> Vec<Vec<u32>> {
        let (&last, base) = sides.split_last().expect("a box has a side");
        assert_eq!(base.len(), self.coefficients.len(), "one side for each coordinate");
        let mut squares = Vec::new();
        let mut square = vec![0; sides.len()];
        loop {
            let value = self
                .coefficients
                .iter()
                .zip(&square)
                .fold(u64::from(self.constant), |sum, (&a, &x)| sum + u64::from(a) * u64::from(x));
            square[base.len()] = (value % u64::from(self.modulus)) as u32;
            if square[base.len()] < last {
                squares.push(square.clone());
            }
            let Some(axis) = (0..base.len()).rfind(|&axis| square[axis] + 1 < base[axis]) else {
                return squares;
            };
            square[axis] += 1;
            square[axis + 1..].fill(0);
        }
    }
}

/// Writes the equation, such as `x3 = 3 x1 + 5 x2 + 4 mod 11`.
impl fmt::Display for Linear {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "x{} = ", self.coefficients.len() + 1)?;
        for (axis, coefficient) in self.coefficients.iter().enumerate() {
            write!(f, "{coefficient} x{} + ", axis + 1)?;
        }
        write!(f, "{} mod {}", self.constant, self.modulus)
    }
}

/// Iterator over the coefficient vectors for which every `S(e)` has at least a given order mod N, in
/// lexicographic order.
///
/// A vector is extended one coefficient at a time, and only if every signed sum of its coefficients has the
/// order, so branches are pruned early.
#[derive(Debug, Clone)]
pub struct Coefficients {
    modulus: u32,
    /// Number of coefficients of a vector.
    length: usize,
    /// `true` if only one vector of each symmetry class is returned.
    is_up_to_symmetry: bool,
    /// Remaining number of values that may be tried.
    trials: u64,
    /// For each residue, `true` if its order is large enough.
    has_order: Vec<bool>,
    chosen: Vec<u32>,
    /// `sums[t]` holds the residues `e_0 + e_1 a_1 + ... + e_t a_t` for all e in `{-1,0,1}`, including 0.
    sums: Vec<Vec<u32>>,
    /// The next value to try after the chosen ones; `None` at the end.
    candidate: Option<u32>,
}

impl Coefficients {
    /// Creates an iterator over the coefficient vectors mod `modulus` in this dimension for which every
    /// `S(e)` has at least the order `order`.
    ///
    /// # Panics
    /// Panics if the modulus or the dimension is 0.
    #[must_use]
    pub fn new(modulus: u32, dimension: usize, order: u32) -> Self {
        assert!(modulus > 0 && dimension > 0, "modulus and dimension are positive");
        let mut first = vec![0, 1 % modulus, modulus - 1];
        first.dedup();
        Self {
            modulus,
            length: dimension - 1,
            is_up_to_symmetry: false,
            trials: u64::MAX,
            has_order: (0..modulus).map(|s| modulus / s.gcd(&modulus) >= order).collect(),
            chosen: Vec::new(),
            sums: vec![first],
            candidate: (modulus >= order).then_some(0),
        }
    }

    /// Restricts the iterator to increasing vectors with entries up to N/2. Reflections of the board (`a_j`
    /// to `-a_j`) and permutations of the first d-1 axes map every coefficient vector to one of them.
    #[must_use]
    pub fn up_to_symmetry(self) -> Self {
        Self { is_up_to_symmetry: true, ..self }
    }

    /// Ends the iterator after `trials` values have been tried as coefficients.
    #[must_use]
    pub fn with_trial_limit(self, trials: u64) -> Self {
        Self { trials, ..self }
    }

    fn fits(&self, value: u32) -> bool {
        let sums = self.sums.last().expect("the sums of the empty vector are always there");
        sums.iter().all(|s| self.has_order[((s + value) % self.modulus) as usize])
    }

    fn extend(&mut self, value: u32) {
        let sums = self.sums.last().expect("the sums of the empty vector are always there");
        let modulus = self.modulus;
        let mut longer: Vec<u32> = [0, value, modulus - value]
            .iter()
            .flat_map(|step| sums.iter().map(move |s| (s + step) % modulus))
            .collect();
        longer.sort_unstable();
        longer.dedup();
        self.sums.push(longer);
        self.chosen.push(value);
        self.candidate = Some(if self.is_up_to_symmetry { value } else { 0 });
    }

    fn retreat(&mut self) {
        self.candidate = self.chosen.pop().map(|value| value + 1);
        self.sums.pop();
    }
}

impl Iterator for Coefficients {
    type Item = Vec<u32>;

    fn next(&mut self) -> Option<Vec<u32>> {
        let last = if self.is_up_to_symmetry { self.modulus / 2 } else { self.modulus - 1 };
        loop {
            let candidate = self.candidate?;
            if self.chosen.len() == self.length {
                let found = self.chosen.clone();
                self.retreat();
                return Some(found);
            }
            if candidate > last {
                self.retreat();
                continue;
            }
            self.trials = self.trials.checked_sub(1)?;
            if self.fits(candidate) {
                self.extend(candidate);
            } else {
                self.candidate = Some(candidate + 1);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::construct::tests::assert_independent;
    use ndqueens_notation::name::BoardName;

    #[test]
    fn sets_of_large_order_are_independent() {
        for (modulus, sides) in
            [(9, vec![3; 3]), (25, vec![4; 4]), (35, vec![5, 4, 3, 2, 5]), (21, vec![3, 2, 3, 3])]
        {
            let order = *sides.iter().max().expect("a side");
            let mut is_empty = true;
            for coefficients in Coefficients::new(modulus, sides.len(), order).take(50) {
                is_empty = false;
                let linear = Linear { modulus, coefficients, constant: modulus / 3 };
                assert_independent(&BoardName::queen(&sides), &linear.squares(&sides));
            }
            assert!(!is_empty, "mod {modulus}");
        }
    }

    #[test]
    fn moduli_below_2_to_the_d_have_no_coefficients() {
        for (dimension, least) in [(2, 4), (3, 8), (4, 16)] {
            assert!((1..least).all(|modulus| Coefficients::new(modulus, dimension, 2).next().is_none()));
        }
    }

    #[test]
    fn symmetry_reduces_vectors_by_the_group_order() {
        for (modulus, dimension, order) in
            [(7, 2, 7), (11, 3, 11), (35, 3, 5), (121, 3, 121), (17, 4, 17), (19, 4, 4)]
        {
            let permutations_and_signs: usize = (1..dimension).map(|j| 2 * j).product();
            let all = Coefficients::new(modulus, dimension, order);
            assert_eq!(all.clone().count(), permutations_and_signs * all.up_to_symmetry().count());
        }
    }

    #[test]
    fn trial_limit_ends_the_iterator() {
        assert_eq!(Coefficients::new(521, 9, 3).with_trial_limit(20).next(), None);
    }
}
