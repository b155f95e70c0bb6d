//! Subcube cut: a box cut out of a regular solution on a larger board, and of linear sets like it.
//!
//! Drop `k_j` consecutive layers across each axis j of a regular solution on `(N,d)`, cyclically. Shifting a
//! regular solution along an axis changes its constant only, so the layers dropped may be the last ones: what
//! remains is the linear set within the box of sides `m_j = N - k_j`. Let p queens stand in the dropped box
//! of sides `k_j`. Any d-1 coordinates may be chosen freely and determine the last, so by inclusion and
//! exclusion over the sets T of axes there remain exactly
//!
//! ```text
//! sum over T, T not all axes, of (-1)^|T| N^(d-1-|T|) prod_{j in T} k_j  +  (-1)^d p
//!     = (prod m_j - prod (-k_j)) / N  +  (-1)^d p
//! ```
//!
//! queens; for the cube and d = 3 that is `N^2 - 3kN + 3k^2 - p`.
//!
//! The search takes every modulus N that may win and keeps the best coefficients and constant. The mean over
//! the constants is `prod m_j / N`, so small N win: N runs from the longest side, or from `2^d`, below which
//! there are no coefficients, to the second side that has regular solutions. (Measured with all N up to 4n for
//! d = 2, n <= 12 and d = 3, n <= 24, and up to 60n for d = 4, n <= 13: none does better than the first such
//! side.) The moduli below that have no regular solutions count as well: their linear sets attack themselves
//! on `(N,d)`, but not always within the box, as 35 for `5^5`.
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
    /// The set that is cut.
    pub linear: Linear,
    /// The sides of the box that is kept.
    pub sides: Vec<u32>,
    /// The number of queens kept.
    pub size: u32,
}

impl Cut {
    /// The largest cut to the box of these sides that contains the squares `include`, if there is one.
    ///
    /// `work` bounds the elementary steps for each modulus, roughly.
    ///
    /// # Panics
    /// If there is no side or one is 0.
    #[must_use]
    pub fn best(sides: &[u32], include: &[Vec<u32>], work: u64) -> Option<Self> {
        if !fits(sides, work) {
            return None;
        }
        let (longest, least) = (longest(sides), least_modulus(sides));
        let regular: Vec<u32> = regular::sides_from(least, sides.len()).take(2).collect();
        // Permutations and reflections keep the cube, but not the squares to be included.
        let symmetric = include.is_empty() && sides.iter().all(|&m| m == longest);
        let mut best: Option<Self> = None;
        let squares: u64 = sides.iter().map(|&side| u64::from(side)).product();
        for modulus in least..=regular[1] {
            if best.as_ref().is_some_and(|cut| u64::from(cut.size) == squares) {
                break;
            }
            let order = if regular.contains(&modulus) { modulus } else { longest };
            let vectors = Coefficients::new(modulus, sides.len(), order)
                .limited(work / (u64::from(modulus) * sides.len() as u64));
            for coefficients in if symmetric { vectors.ordered() } else { vectors } {
                let counts = counts(modulus, &coefficients, sides);
                let linear = match include {
                    [] => Linear {
                        modulus,
                        coefficients,
                        constant: (0..modulus).rev().max_by_key(|&c| counts[c as usize]).expect("N > 0"),
                    },
                    [first, ..] => Linear::through(modulus, &coefficients, first),
                };
                let through = |square| Linear::through(modulus, &linear.coefficients, square) == linear;
                let size = counts[linear.constant as usize];
                if include.iter().all(|s| through(s)) && best.as_ref().is_none_or(|cut| cut.size < size) {
                    best = Some(Self { linear, sides: sides.to_vec(), size });
                }
            }
        }
        best
    }

    /// The squares kept, in increasing order.
    #[must_use]
    pub fn squares(&self) -> Vec<Vec<u32>> {
        self.linear.squares(&self.sides)
    }

    /// The number p of queens in the dropped box (coordinate j at least `m_j` for every j), from the formula
    /// above; `None` when the set that is cut is not a regular solution.
    #[must_use]
    pub fn dropped(&self) -> Option<i128> {
        let (modulus, d) = (self.linear.modulus, self.sides.len());
        let n = i128::from(modulus);
        let kept: i128 = self.sides.iter().map(|&m| i128::from(m)).product();
        let dropped: i128 = self.sides.iter().map(|&m| i128::from(m) - n).product();
        let difference = i128::from(self.size) - (kept - dropped) / n;
        let regular = regular::sides_from(modulus, d).next() == Some(modulus);
        regular.then_some(if d % 2 == 0 { difference } else { -difference })
    }
}

/// Such as `subcube cut of the regular solution x3 = 2 x1 + 4 x2 + 0 mod 11 to 10^3: k = 1, p = 0`.
impl fmt::Display for Cut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let board = BoardName::queen(&self.sides);
        match (self.dropped(), self.sides.iter().all(|m| *m == self.linear.modulus)) {
            (None, _) => write!(f, "linear set {} within {board}", self.linear),
            (Some(_), true) => write!(f, "regular solution {}", self.linear),
            (Some(p), false) => {
                write!(f, "subcube cut of the regular solution {} to {board}: k =", self.linear)?;
                let mut layers: Vec<u32> = self.sides.iter().map(|m| self.linear.modulus - m).collect();
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

/// The least modulus that is tried.
fn least_modulus(sides: &[u32]) -> u32 {
    let longest = longest(sides);
    if longest == 1 { 1 } else { longest.max(1 << sides.len()) }
}

/// Whether so much work is enough to try anything.
pub(super) fn fits(sides: &[u32], work: u64) -> bool {
    work / (u64::from(least_modulus(sides)) * sides.len() as u64) > 0
}

/// For each constant, the number of squares that the linear set has within the box.
///
/// Counts the values of `x_d - sum a_j x_j` mod N over the box, one axis after the other: each is a sliding
/// sum over `m_j` residues `step` apart. The residues fall into gcd(step, N) cycles.
fn counts(modulus: u32, coefficients: &[u32], sides: &[u32]) -> Vec<u32> {
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
    fn cuts_reach_the_known_sizes() {
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
    fn layers_dropped_at_any_offset_are_a_cut_with_another_constant() {
        let regular = Linear { modulus: 13, coefficients: vec![2, 5], constant: 3 };
        let offset = [4, 12, 9];
        let kept = |x: &Vec<u32>| x.iter().zip(offset).all(|(x, o)| (x + 13 - o) % 13 < 10);
        let elsewhere = regular.squares(&[13; 3]).iter().filter(|x| kept(x)).count();
        let moved = Linear::through(13, &[2, 5], &[0, 0, (2 * 4 + 5 * 12 + 3 + 2 * 13 - 9) % 13]);
        assert_eq!(moved.squares(&[10; 3]).len(), elsewhere);
    }

    proptest! {
        #[test]
        fn a_cut_has_as_many_queens_as_the_formula_says(
            sides in prop::collection::vec(1u32..=11, 2..=3), index in 0usize..24, constant in 0u32..11,
        ) {
            let vectors: Vec<_> = regular::coefficients(11, sides.len()).collect();
            let coefficients = vectors[index % vectors.len()].clone();
            let size = counts(11, &coefficients, &sides)[constant as usize];
            let cut = Cut { linear: Linear { modulus: 11, coefficients, constant }, sides: sides.clone(), size };
            let squares = cut.squares();
            prop_assert_eq!(squares.len(), size as usize);
            let in_dropped = |x: &Vec<u32>| x.iter().zip(&sides).all(|(x, m)| x >= m);
            let dropped = cut.linear.squares(&vec![11; sides.len()]).iter().filter(|x| in_dropped(x)).count();
            prop_assert_eq!(cut.dropped(), Some(dropped as i128));
            assert_independent(&BoardName::queen(&sides), &squares);
        }

        #[test]
        fn the_best_cut_is_independent_and_contains_what_it_must(
            sides in prop::collection::vec(1u32..=8, 1..=4), at in 0usize..1000, must in any::<bool>(),
        ) {
            let include: Vec<Vec<u32>> = must.then(|| sides.iter().map(|&m| at as u32 % m).collect()).into_iter().collect();
            let cut = Cut::best(&sides, &include, WORK).expect("a cut");
            let squares = cut.squares();
            prop_assert_eq!(squares.len(), cut.size as usize);
            prop_assert!(include.iter().all(|square| squares.contains(square)));
            assert_independent(&BoardName::queen(&sides), &squares);
        }
    }
}
