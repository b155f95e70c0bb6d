//! Integer multipliers of rows: a sum of rows that shows that a node has no solution.
//!
//! The dual solution of the LP, multiplied by a denominator and rounded, is the first guess. Squares that are
//! then counted too seldom are repaired by raising rows, and multipliers that are not needed are lowered. If
//! no denominator does, the dual solution of the basis is computed exactly, modulo a prime. Only the check at
//! the end, in integers, decides.
//!
//! # References
//! - P. Wang, M. Guy, J. Davenport, *P-adic reconstruction of rational numbers*, SIGSAM Bull. 16 (1982).
//! - A. Neumaier, O. Shcherbina, *Safe bounds in linear and mixed-integer linear programming*, Math.
//!   Program. 99 (2004).

use std::collections::BTreeMap;
use std::iter;

use num_integer::Integer as _;

use super::relaxation::{NodeSquares, Relaxation, TightBasis};

/// Sum of rows that shows that a node has no solution: the rows count every free square at least
/// `denominator` times, and they allow less than `denominator` times the number of missing queens.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Combination {
    pub(super) denominator: u64,
    /// Numbers of rows with their multipliers, which are positive, in increasing order.
    pub(super) rows: Vec<(usize, u64)>,
}

/// Returns the denominators that are tried, in increasing order: all small ones, and then those that
/// grow by a quarter.
pub(super) fn denominators() -> impl Iterator<Item = i64> {
    const SMALL: i64 = 120;
    const LARGEST: i64 = 1_000_000;
    let next = |&denominator: &i64| Some(denominator + if denominator < SMALL { 1 } else { denominator / 4 });
    iter::successors(Some(1), next).take_while(|&denominator| denominator <= LARGEST)
}

/// Returns a combination that shows that fewer than `missing` queens fit on the free squares, if
/// rounding finds one.
pub(super) fn round(
    relaxation: &Relaxation<'_>,
    duals: &[f64],
    node: NodeSquares<'_>,
    missing: u64,
) -> Option<Combination> {
    let support: Vec<(usize, f64)> = relaxation.support(duals).collect();
    let round = |denominator| Rounding::new(relaxation, &support, node, denominator);
    denominators().find_map(|denominator| round(denominator).combination(missing))
}

/// Prime modulo which a basis is solved; 2^61 − 1.
const PRIME: u64 = (1 << 61) - 1;

/// Largest numerator and denominator of a dual value; such fractions are determined by their residues.
const LARGEST_FRACTION: u64 = 1 << 29;

/// Returns a combination that shows that fewer than `missing` queens fit on the free squares, by the exact
/// dual solution of a basis, if its values are fractions of small numbers.
pub(super) fn solve(
    relaxation: &Relaxation<'_>,
    basis: &TightBasis,
    node: NodeSquares<'_>,
    missing: u64,
) -> Option<Combination> {
    let TightBasis { basic_squares, tight_rows } = basis;
    // Each basic square is counted once by the tight rows.
    let equations: Vec<Vec<u64>> = basic_squares
        .iter()
        .map(|&square| {
            let counts = |row: &usize| u64::from(relaxation.row(*row).weight(square));
            tight_rows.iter().map(counts).chain([1]).collect()
        })
        .collect();
    let residues = solve_modulo_prime(equations, tight_rows.len())?;
    let fractions: Vec<(i64, u64)> = residues.into_iter().map(fraction).collect::<Option<_>>()?;
    let mut denominator: u64 = 1;
    for &(_, other) in &fractions {
        denominator = denominator.checked_mul(other / denominator.gcd(&other))?;
        if denominator > 1 << 40 {
            return None;
        }
    }
    let multiple = |(numerator, other): (i64, u64)| (numerator as f64) * (denominator / other) as f64;
    let duals = fractions.into_iter().map(|fraction| multiple(fraction) / denominator as f64);
    let support: Vec<(usize, f64)> =
        tight_rows.iter().copied().zip(duals).filter(|(_, dual)| *dual > 0.0).collect();
    Rounding::new(relaxation, &support, node, denominator as i64).combination(missing)
}

/// Solves linear equations modulo [`PRIME`], whose last entries are their right-hand sides; unknowns that are
/// not determined are 0. Returns `None` if there is no solution.
fn solve_modulo_prime(mut equations: Vec<Vec<u64>>, unknowns: usize) -> Option<Vec<u64>> {
    let times = |a: u64, b: u64| (u128::from(a) * u128::from(b) % u128::from(PRIME)) as u64;
    let mut pivots: Vec<usize> = Vec::new();
    for column in 0..unknowns {
        let first = pivots.len();
        let Some(at) = (first..equations.len()).find(|&at| equations[at][column] != 0) else { continue };
        equations.swap(first, at);
        let inverse = inverse(equations[first][column]);
        equations[first].iter_mut().for_each(|entry| *entry = times(*entry, inverse));
        let pivot = equations[first].clone();
        for (at, equation) in equations.iter_mut().enumerate() {
            let factor = equation[column];
            if at == first || factor == 0 {
                continue;
            }
            for (entry, &other) in equation.iter_mut().zip(&pivot).filter(|(_, other)| **other != 0) {
                *entry = (*entry + PRIME - times(factor, other)) % PRIME;
            }
        }
        pivots.push(column);
    }
    if equations[pivots.len()..].iter().any(|equation| equation[unknowns] != 0) {
        return None;
    }
    let mut values = vec![0; unknowns];
    pivots.iter().zip(&equations).for_each(|(&column, equation)| values[column] = equation[unknowns]);
    Some(values)
}

/// Returns the inverse of a number modulo [`PRIME`].
fn inverse(number: u64) -> u64 {
    let euclid = i128::from(number).extended_gcd(&i128::from(PRIME));
    euclid.x.rem_euclid(i128::from(PRIME)) as u64
}

/// Returns the fraction with numerator and denominator up to [`LARGEST_FRACTION`] that has this
/// residue, if there is one.
fn fraction(residue: u64) -> Option<(i64, u64)> {
    let (mut rest, mut next) = (i128::from(PRIME), i128::from(residue));
    let (mut before, mut factor) = (0_i128, 1_i128);
    while next > i128::from(LARGEST_FRACTION) {
        let quotient = rest / next;
        (rest, next) = (next, rest - quotient * next);
        (before, factor) = (factor, before - quotient * factor);
    }
    let denominator = u64::try_from(factor.unsigned_abs()).ok().filter(|&one| one <= LARGEST_FRACTION)?;
    let numerator = i64::try_from(if factor < 0 { -next } else { next }).ok()?;
    (denominator > 0 && numerator.unsigned_abs().gcd(&denominator) == 1).then_some((numerator, denominator))
}

/// Multiplier of a row and the multiple of the dual value that it was rounded from.
#[derive(Debug, Clone, Copy, Default)]
struct Multiplier {
    times: i64,
    wanted: f64,
}

impl Multiplier {
    /// Returns by how much the multiplier was rounded down.
    fn residual(self) -> f64 {
        self.wanted - self.times as f64
    }
}

/// Multipliers for one denominator.
struct Rounding<'a> {
    relaxation: &'a Relaxation<'a>,
    node: NodeSquares<'a>,
    denominator: i64,
    /// Multipliers by the numbers of rows; a `BTreeMap`, so that they are visited in the order of the rows.
    multipliers: BTreeMap<usize, Multiplier>,
    /// Number of times that each square is counted, less the denominator.
    surplus: Vec<i64>,
}

impl<'a> Rounding<'a> {
    fn new(
        relaxation: &'a Relaxation<'a>,
        support: &[(usize, f64)],
        node: NodeSquares<'a>,
        denominator: i64,
    ) -> Self {
        let mut multipliers = BTreeMap::new();
        let mut surplus = vec![-denominator; node.free.len()];
        for &(row, dual) in support {
            let wanted = dual * denominator as f64;
            let times = wanted.round() as i64;
            multipliers.insert(row, Multiplier { times, wanted });
            for (square, weight) in relaxation.row(row).terms() {
                surplus[square] += times * i64::from(weight);
            }
        }
        Self { relaxation, node, denominator, multipliers, surplus }
    }

    /// Adds `by` to the multiplier of a row.
    fn change(&mut self, row: usize, by: i64) {
        self.multipliers.entry(row).or_default().times += by;
        for (square, weight) in self.relaxation.row(row).terms() {
            self.surplus[square] += by * i64::from(weight);
        }
    }

    fn multiplier(&self, row: usize) -> Multiplier {
        self.multipliers.get(&row).copied().unwrap_or_default()
    }

    /// Returns the weight of further queens that a row allows.
    fn allowance(&self, row: usize) -> i64 {
        let row = self.relaxation.row(row);
        let placed = row.terms().filter(|&(square, _)| self.node.placed.contains(square));
        let weight: i64 = placed.map(|(_, weight)| i64::from(weight)).sum();
        (i64::from(row.rhs) - weight).max(0)
    }

    /// Repairs and trims the multipliers. Returns them if they show that fewer than `missing` queens fit.
    fn combination(mut self, missing: u64) -> Option<Combination> {
        self.repair()?;
        self.trim();
        let rows: Vec<(usize, u64)> = self
            .multipliers
            .iter()
            .filter(|(_, multiplier)| multiplier.times > 0)
            .map(|(&row, multiplier)| (row, multiplier.times as u64))
            .collect();
        let counts_all = self.node.free.ones().all(|square| self.surplus[square] >= 0);
        let sum: i128 =
            rows.iter().map(|&(row, times)| i128::from(times) * i128::from(self.allowance(row))).sum();
        let shows = counts_all && sum < i128::from(self.denominator) * i128::from(missing);
        shows.then_some(Combination { denominator: self.denominator as u64, rows })
    }

    /// Raises rows until each free square is counted often enough. Returns `None` if a square is on no row.
    fn repair(&mut self) -> Option<()> {
        for square in self.node.free.ones() {
            while self.surplus[square] < 0 {
                let (best, weight) = self.best_row(square)?;
                let residual = self.multiplier(best).residual();
                // Number of times that the row must be added.
                let lacking = (-self.surplus[square] + i64::from(weight) - 1) / i64::from(weight);
                // A row is raised up to its dual value first, and then as far as is needed.
                let by = if residual > 0.0 { (residual.floor() as i64).clamp(1, lacking) } else { lacking };
                self.change(best, by);
            }
        }
        Some(())
    }

    /// Returns the row of a square that was rounded down most, with the weight of the square; of such rows
    /// one that has the largest weight of squares that lack something in proportion to its right-hand side.
    fn best_row(&self, square: usize) -> Option<(usize, u32)> {
        let mut best: Option<(f64, f64, usize)> = None;
        for &row in self.relaxation.rows_of(square) {
            let residual = self.multiplier(row).residual();
            if best.is_some_and(|(largest, ..)| residual < largest) {
                continue;
            }
            let held = self.relaxation.row(row);
            let lacks =
                |&(square, _): &(usize, u32)| self.node.free.contains(square) && self.surplus[square] < 0;
            let weight: u64 = held.terms().filter(lacks).map(|(_, weight)| u64::from(weight)).sum();
            let lacking = weight as f64 / f64::from(held.rhs);
            if best.is_none_or(|(largest, most, _)| residual > largest || lacking > most) {
                best = Some((residual, lacking, row));
            }
        }
        best.map(|(.., row)| (row, self.relaxation.row(row).weight(square)))
    }

    /// Lowers multipliers that count each of their squares more often than is needed, those that were
    /// rounded up most first.
    fn trim(&mut self) {
        let mut rows: Vec<(usize, Multiplier)> =
            self.multipliers.iter().map(|(&row, &multiplier)| (row, multiplier)).collect();
        rows.retain(|(_, multiplier)| multiplier.times > 0);
        rows.sort_by(|(a, x), (b, y)| x.residual().total_cmp(&y.residual()).then(a.cmp(b)));
        for (row, Multiplier { times, .. }) in rows {
            let free =
                self.relaxation.row(row).terms().filter(|&(square, _)| self.node.free.contains(square));
            let too_often = free.map(|(square, weight)| self.surplus[square].div_euclid(weight.into()));
            let unneeded = too_often.min().unwrap_or(times).min(times);
            if unneeded > 0 {
                self.change(row, -unneeded);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use fixedbitset::FixedBitSet;
    use ndqueens_system::cancel::Control;
    use rand::rngs::ChaCha8Rng;
    use rand::{RngExt as _, SeedableRng as _};

    use super::super::relaxation::{Pool, Row};
    use super::*;

    #[test]
    fn recovers_fractions_from_residues() {
        let mut random = ChaCha8Rng::seed_from_u64(1);
        for _ in 0..1000 {
            let numerator = random.random_range(-1_000_000..1_000_000_i64);
            let denominator = random.random_range(1..1_000_000_u64);
            let residue = i128::from(numerator) * i128::from(inverse(denominator));
            let divisor = numerator.unsigned_abs().gcd(&denominator);
            let expected = (numerator / divisor as i64, denominator / divisor);
            assert_eq!(fraction(residue.rem_euclid(i128::from(PRIME)) as u64), Some(expected));
        }
    }

    #[test]
    fn detects_equations_without_solution() {
        assert_eq!(solve_modulo_prime(vec![vec![1, 1, 1], vec![2, 2, 2]], 2), Some(vec![1, 0]));
        assert_eq!(solve_modulo_prime(vec![vec![1, 1, 1], vec![2, 2, 3]], 2), None);
    }

    #[test]
    fn solves_bases_exactly() {
        // On a cycle whose edges are the rows, the bound is half its length.
        let length = 7_usize;
        let edges: Vec<Row> =
            (0..length).map(|a| Row::clique(vec![a as u32, ((a + 1) % length) as u32])).collect();
        let control = Control::new();
        let pool = Pool::new(length, edges);
        let relaxation = Relaxation::new(length, &pool, None, 0, &control).expect("a program");
        let placed = FixedBitSet::with_capacity(length);
        let mut free = placed.clone();
        free.insert_range(..);
        let node = NodeSquares { placed: &placed, free: &free };
        let all = TightBasis { basic_squares: (0..length).collect(), tight_rows: (0..length).collect() };
        let found = solve(&relaxation, &all, node, 4).expect("4 do not fit");
        assert_eq!(found.denominator, 2);
        assert!(found.rows.iter().all(|&(_, times)| times == 1) && found.rows.len() == length);
        assert_eq!(solve(&relaxation, &all, node, 3), None, "7/2 is not less than 3");
    }
}
