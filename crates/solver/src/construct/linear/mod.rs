//! Linear sets: the squares whose last coordinate is a linear function of the others, modulo some N.
//!
//! For coefficients `a` and a constant `c` these are the squares of a box with
//!
//! ```text
//! x_d = a_1 x_1 + ... + a_{d-1} x_{d-1} + c   (mod N).
//! ```
//!
//! For `e` in `{-1,0,1}^d`, not all 0, write `S(e) = e_d - a_1 e_1 - ... - a_{d-1} e_{d-1}`. Two of the
//! squares that attack each other differ by `t e` with `0 < t < m`, m the longest side of the box, and the
//! equation makes N divide `t S(e)`. So the set is independent if **every `S(e)` has order at least m** in
//! the integers mod N, that is `N / gcd(S(e), N) >= m`. For `m <= N < 2m` this says that every `S(e)` is
//! prime to N.
//!
//! If m >= 2, no `S(e)` is 0 mod N. The differences of subset sums of `1, a_1, ..., a_{d-1}` are the `S(e)`
//! (up to signs of the `a_j`, which the set of all e does not notice), so the `2^d` subset sums are distinct:
//! N is at least `2^d`.

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
    /// The set with these coefficients that contains a square.
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

    /// The squares within the box of these d sides, in increasing order. Where the last side is longer than N, they are those
    /// whose last coordinate is below N.
    ///
    /// # Panics
    /// If the box has not as many sides as the equation has coordinates.
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

/// The equation, such as `x3 = 3 x1 + 5 x2 + 4 mod 11`.
impl fmt::Display for Linear {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "x{} = ", self.coefficients.len() + 1)?;
        for (axis, coefficient) in self.coefficients.iter().enumerate() {
            write!(f, "{coefficient} x{} + ", axis + 1)?;
        }
        write!(f, "{} mod {}", self.constant, self.modulus)
    }
}

/// The coefficient vectors, in lexicographic order, that make every `S(e)` have at least a given order mod N.
///
/// A vector is extended one coefficient at a time, as long as every signed sum so far has the order, so whole
/// branches are cut early.
#[derive(Debug, Clone)]
pub struct Coefficients {
    modulus: u32,
    length: usize,
    ordered: bool,
    trials: u64,
    /// For each residue, whether its order is large enough.
    long: Vec<bool>,
    chosen: Vec<u32>,
    /// `sums[t]`: the residues `e_0 + e_1 a_1 + ... + e_t a_t`, e in `{-1,0,1}`, not all 0; then 0.
    sums: Vec<Vec<u32>>,
    /// The next value to try after those chosen; `None` when all is done.
    candidate: Option<u32>,
}

impl Coefficients {
    /// Every coefficient vector mod `modulus` in this dimension for which every `S(e)` has order `order` or
    /// more.
    ///
    /// # Panics
    /// If the modulus or the dimension is 0.
    #[must_use]
    pub fn new(modulus: u32, dimension: usize, order: u32) -> Self {
        assert!(modulus > 0 && dimension > 0, "there is a modulus and a dimension");
        let mut first = vec![0, 1 % modulus, modulus - 1];
        first.dedup();
        Self {
            modulus,
            length: dimension - 1,
            ordered: false,
            trials: u64::MAX,
            long: (0..modulus).map(|s| modulus / s.gcd(&modulus) >= order).collect(),
            chosen: Vec::new(),
            sums: vec![first],
            candidate: (modulus >= order).then_some(0),
        }
    }

    /// Only the increasing vectors with entries up to N/2. Every coefficient vector becomes one of them by
    /// reflections of the board (`a_j` to `-a_j`) and permutations of the first d-1 axes.
    #[must_use]
    pub fn ordered(self) -> Self {
        Self { ordered: true, ..self }
    }

    /// Stops after this many values have been tried for a coefficient.
    #[must_use]
    pub fn limited(self, trials: u64) -> Self {
        Self { trials, ..self }
    }

    fn fits(&self, value: u32) -> bool {
        let sums = self.sums.last().expect("the sums of the empty vector at least");
        sums.iter().all(|s| self.long[((s + value) % self.modulus) as usize])
    }

    fn extend(&mut self, value: u32) {
        let sums = self.sums.last().expect("the sums of the empty vector at least");
        let modulus = self.modulus;
        let mut longer: Vec<u32> = [0, value, modulus - value]
            .iter()
            .flat_map(|step| sums.iter().map(move |s| (s + step) % modulus))
            .collect();
        longer.sort_unstable();
        longer.dedup();
        self.sums.push(longer);
        self.chosen.push(value);
        self.candidate = Some(if self.ordered { value } else { 0 });
    }

    fn retreat(&mut self) {
        self.candidate = self.chosen.pop().map(|value| value + 1);
        self.sums.pop();
    }
}

impl Iterator for Coefficients {
    type Item = Vec<u32>;

    fn next(&mut self) -> Option<Vec<u32>> {
        let last = if self.ordered { self.modulus / 2 } else { self.modulus - 1 };
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
            let mut some = false;
            for coefficients in Coefficients::new(modulus, sides.len(), order).take(50) {
                some = true;
                let linear = Linear { modulus, coefficients, constant: modulus / 3 };
                assert_independent(&BoardName::queen(&sides), &linear.squares(&sides));
            }
            assert!(some, "mod {modulus}");
        }
    }

    #[test]
    fn no_modulus_below_2_to_the_d_will_do() {
        for (dimension, least) in [(2, 4), (3, 8), (4, 16)] {
            assert!((1..least).all(|modulus| Coefficients::new(modulus, dimension, 2).next().is_none()));
        }
    }

    #[test]
    fn ordered_vectors_stand_for_all() {
        for (modulus, dimension, order) in
            [(7, 2, 7), (11, 3, 11), (35, 3, 5), (121, 3, 121), (17, 4, 17), (19, 4, 4)]
        {
            let permutations_and_signs: usize = (1..dimension).map(|j| 2 * j).product();
            let all = Coefficients::new(modulus, dimension, order);
            assert_eq!(all.clone().count(), permutations_and_signs * all.ordered().count());
        }
    }

    #[test]
    fn a_limit_on_trials_ends_the_search() {
        assert_eq!(Coefficients::new(521, 9, 3).limited(20).next(), None);
    }
}
