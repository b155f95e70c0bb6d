//! Subcube cut: a box cut out of a regular solution on a larger board, and of linear sets like it.
//!
//! Drop `k_j` consecutive layers across each axis j of a regular solution on `(N,d)`, cyclically. Shifting a
//! regular solution along an axis only changes its constant, so the dropped layers may be the last ones; the
//! linear set within the box of sides `m_j = N - k_j` remains. Let p be the number of queens in the dropped
//! box of sides `k_j`. Any d-1 coordinates may be chosen freely and determine the last, so by inclusion and
//! exclusion over the sets T of axes exactly
//!
//! ```text
//! sum over T, T not all axes, of (-1)^|T| N^(d-1-|T|) prod_{j in T} k_j  +  (-1)^d p
//!     = (prod m_j - prod (-k_j)) / N  +  (-1)^d p
//! ```
//!
//! queens remain; for the cube and d = 3 this is `N^2 - 3kN + 3k^2 - p`.
//!
//! The search tries every modulus N that may be best and keeps the best coefficients and constant. The mean
//! over the constants is `prod m_j / N`, so small N are best: N runs from the longest side, or from `2^d`,
//! below which there are no coefficients, to the second side that has regular solutions. (Measured with all N
//! up to 4n for d = 2, n <= 12 and d = 3, n <= 24, and up to 60n for d = 4, n <= 13: no N is better than the
//! first such side.) Moduli without regular solutions are tried as well: their linear sets contain attacks on
//! `(N,d)`, but not always within the box, such as 35 for `5^5`.
//!
//! # References
//! T. Kunt, *The n-Queens Problem in Higher Dimensions*, 2023, Theorem 8, generalised to every d, to boxes
//! and to other moduli, and with `-p` for the printed `-2p`.

use std::fmt;

use ndqueens_notation::name::BoardName;

use super::linear::{Coefficients, Linear, regular};

/// A linear set within a box.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cut {
    /// The linear set.
    pub linear: Linear,
    /// The sides of the box.
    pub sides: Vec<u32>,
    /// The number of queens within the box.
    pub size: u32,
}

impl Cut {
    /// Returns the largest cut to the box of these sides that contains the squares `include`, or `None`
    /// if none was found.
    ///
    /// `work` is an approximate limit on the elementary steps for each modulus.
    ///
    /// # Panics
    /// Panics if there is no side or a side is 0.
    #[must_use]
    pub fn best(sides: &[u32], include: &[Vec<u32>], work: u64) -> Option<Self> {
        if !fits(sides, work) {
            return None;
        }
        let (longest, least) = (longest(sides), least_modulus(sides));
        let regular_sides: Vec<u32> = regular::sides_from(least, sides.len()).take(2).collect();
        // Permutations and reflections map the cube to itself, but not the squares to be included.
        let is_symmetric = include.is_empty() && sides.iter().all(|&side| side == longest);
        let mut best: Option<Self> = None;
        let squares: u64 = sides.iter().map(|&side| u64::from(side)).product();
        for modulus in least..=regular_sides[1] {
            if best.as_ref().is_some_and(|cut| u64::from(cut.size) == squares) {
                break;
            }
            let order = if regular_sides.contains(&modulus) { modulus } else { longest };
            let vectors = Coefficients::new(modulus, sides.len(), order)
                .with_trial_limit(work / (u64::from(modulus) * sides.len() as u64));
            for coefficients in if is_symmetric { vectors.up_to_symmetry() } else { vectors } {
                let counts = count_by_constant(modulus, &coefficients, sides);
                let linear = match include {
                    [] => Linear {
                        modulus,
                        coefficients,
                        constant: (0..modulus)
                            .rev()
                            .max_by_key(|&constant| counts[constant as usize])
                            .expect("N > 0"),
                    },
                    [first, ..] => Linear::through(modulus, &coefficients, first),
                };
                let contains =
                    |square: &Vec<u32>| Linear::through(modulus, &linear.coefficients, square) == linear;
                let size = counts[linear.constant as usize];
                if include.iter().all(contains) && best.as_ref().is_none_or(|cut| cut.size < size) {
                    best = Some(Self { linear, sides: sides.to_vec(), size });
                }
            }
        }
        best
    }

    /// Returns the squares within the box, in increasing order.
    #[must_use]
    pub fn squares(&self) -> Vec<Vec<u32>> {
        self.linear.squares(&self.sides)
    }

    /// Returns the number p of queens in the dropped box, whose squares have coordinate j at least
    /// `m_j` for every j, by the formula of the module documentation; `None` if the linear set is not
    /// a regular solution.
    #[must_use]
    pub fn dropped_queens(&self) -> Option<i128> {
        let (modulus, dimension) = (self.linear.modulus, self.sides.len());
        let n = i128::from(modulus);
        let kept: i128 = self.sides.iter().map(|&side| i128::from(side)).product();
        let dropped: i128 = self.sides.iter().map(|&side| i128::from(side) - n).product();
        let difference = i128::from(self.size) - (kept - dropped) / n;
        let is_regular = regular::sides_from(modulus, dimension).next() == Some(modulus);
        is_regular.then_some(if dimension.is_multiple_of(2) { difference } else { -difference })
    }
}

/// Writes the linear set, for example `subcube cut of the regular solution x3 = 2 x1 + 4 x2 + 0 mod 11 to
/// 10^3: k = 1, p = 0`.
impl fmt::Display for Cut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let board = BoardName::queen(&self.sides);
        match (self.dropped_queens(), self.sides.iter().all(|side| *side == self.linear.modulus)) {
            (None, _) => write!(f, "linear set {} within {board}", self.linear),
            (Some(_), true) => write!(f, "regular solution {}", self.linear),
            (Some(p), false) => {
                write!(f, "subcube cut of the regular solution {} to {board}: k =", self.linear)?;
                let mut layers: Vec<u32> = self.sides.iter().map(|side| self.linear.modulus - side).collect();
                layers.dedup();
                layers.iter().try_for_each(|k| write!(f, " {k}"))?;
                write!(f, ", p = {p}")
            }
        }
    }
}

fn longest(sides: &[u32]) -> u32 {
    *sides.iter().max().expect("a box has sides")
}

/// Returns the least modulus that is tried.
fn least_modulus(sides: &[u32]) -> u32 {
    let longest = longest(sides);
    if longest == 1 { 1 } else { longest.max(1 << sides.len()) }
}

/// Returns `true` if `work` allows at least one trial.
pub(super) fn fits(sides: &[u32], work: u64) -> bool {
    work / (u64::from(least_modulus(sides)) * sides.len() as u64) > 0
}

/// Returns, for each constant, the number of squares that the linear set has within the box.
///
/// Counts the values of `x_d - sum a_j x_j` mod N over the box, one axis at a time: each axis is a sliding
/// sum over `m_j` residues that are `step` apart. The residues form gcd(step, N) cycles.
fn count_by_constant(modulus: u32, coefficients: &[u32], sides: &[u32]) -> Vec<u32> {
    let n = modulus as usize;
    let mut counts = vec![0; n];
    counts[0] = 1;
    let steps = coefficients.iter().map(|a| modulus - a).chain([1]);
    for (step, &side) in steps.zip(sides) {
        let (step, side) = (step as usize % n, side as usize);
        let mut sums = vec![0; n];
        let mut seen = vec![false; n];
        for start in 0..n {
            if seen[start] {
                continue;
            }
            let mut residue = start;
            let mut leaving = (start + n - side * step % n) % n;
            let mut sum: u32 = (0..side).map(|t| counts[(start + n - t * step % n) % n]).sum();
            while !std::mem::replace(&mut seen[residue], true) {
                sums[residue] = sum;
                residue = (residue + step) % n;
                leaving = (leaving + step) % n;
                sum = sum + counts[residue] - counts[leaving];
            }
        }
        counts = sums;
    }
    counts
}

#[cfg(test)]
mod tests {
    use super::super::tests::assert_independent;
    use super::*;
    use proptest::prelude::*;

    const WORK: u64 = 1_000_000;

    #[test]
    fn cuts_reach_known_sizes() {
        let known = [
            (
                3,
                vec![(4, 7), (7, 32), (8, 48), (9, 67), (10, 91), (11, 121), (12, 133), (15, 199), (21, 403)],
            ),
            (4, vec![(3, 6), (4, 16), (5, 38), (6, 80), (7, 145), (17, 4913)]),
            (5, vec![(3, 11), (5, 94)]),
        ];
        for (dimension, rows) in known {
            for (side, size) in rows {
                let cut = Cut::best(&vec![side; dimension], &[], WORK).expect("a cut");
                assert_eq!(cut.size, size, "{cut}");
            }
        }
    }

    #[test]
    fn dropping_other_layers_only_changes_the_constant() {
        let regular = Linear { modulus: 13, coefficients: vec![2, 5], constant: 3 };
        let offset = [4, 12, 9];
        let kept = |x: &Vec<u32>| x.iter().zip(offset).all(|(x, o)| (x + 13 - o) % 13 < 10);
        let elsewhere = regular.squares(&[13; 3]).iter().filter(|x| kept(x)).count();
        let moved = Linear::through(13, &[2, 5], &[0, 0, (2 * 4 + 5 * 12 + 3 + 2 * 13 - 9) % 13]);
        assert_eq!(moved.squares(&[10; 3]).len(), elsewhere);
    }

    proptest! {
        #[test]
        fn size_satisfies_the_formula(
            sides in prop::collection::vec(1u32..=11, 2..=3), index in 0usize..24, constant in 0u32..11,
        ) {
            let vectors: Vec<_> = regular::coefficients(11, sides.len()).collect();
            let coefficients = vectors[index % vectors.len()].clone();
            let size = count_by_constant(11, &coefficients, &sides)[constant as usize];
            let cut = Cut { linear: Linear { modulus: 11, coefficients, constant }, sides: sides.clone(), size };
            let squares = cut.squares();
            prop_assert_eq!(squares.len(), size as usize);
            let in_dropped = |x: &Vec<u32>| x.iter().zip(&sides).all(|(x, m)| x >= m);
            let dropped = cut.linear.squares(&vec![11; sides.len()]).iter().filter(|x| in_dropped(x)).count();
            prop_assert_eq!(cut.dropped_queens(), Some(dropped as i128));
            assert_independent(&BoardName::queen(&sides), &squares);
        }

        #[test]
        fn best_cut_is_independent_with_included_squares(
            sides in prop::collection::vec(1u32..=8, 1..=4), at in 0usize..1000, includes in any::<bool>(),
        ) {
            let include: Vec<Vec<u32>> = includes.then(|| sides.iter().map(|&m| at as u32 % m).collect()).into_iter().collect();
            let cut = Cut::best(&sides, &include, WORK).expect("a cut");
            let squares = cut.squares();
            prop_assert_eq!(squares.len(), cut.size as usize);
            prop_assert!(include.iter().all(|square| squares.contains(square)));
            assert_independent(&BoardName::queen(&sides), &squares);
        }
    }
}
