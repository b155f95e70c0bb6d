//! Integer multipliers of rows: a sum of rows that shows that a node has no solution.
//!
//! The dual solution of the LP, multiplied by a denominator and rounded, is the first guess. Squares that are then counted
//! too seldom are repaired by raising rows, and multipliers that are not needed are lowered. Only the check at the end, in
//! integers, decides.
//!
//! # References
//! A. Neumaier, O. Shcherbina, *Safe bounds in linear and mixed-integer linear programming*, Math. Program. 99 (2004).

use std::collections::BTreeMap;

use fixedbitset::FixedBitSet;

use super::relaxation::Relaxation;

/// Every free square is counted at least `denominator` times by the rows, and the rows allow less than `denominator` times
/// the number of queens that are missing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Combination {
    pub(super) denominator: u64,
    /// Numbers of rows with their multipliers, which are positive, in increasing order.
    pub(super) rows: Vec<(usize, u64)>,
}

/// Denominators that are tried one by one; larger ones grow by a quarter.
const SMALL: u64 = 120;
const LARGEST: u64 = 1_000_000;

/// Returns a combination that shows that fewer than `missing` queens fit on the free squares, if rounding finds one.
pub(super) fn round(
    relaxation: &Relaxation<'_>,
    duals: &[f64],
    placed: &FixedBitSet,
    free: &FixedBitSet,
    missing: u64,
) -> Option<Combination> {
    let support: Vec<(usize, f64)> = relaxation.support(duals).collect();
    let mut denominator = 1;
    while denominator <= LARGEST {
        let rounding = Rounding::new(relaxation, &support, (placed, free), denominator as i64);
        if let Some(found) = rounding.combination(missing) {
            return Some(found);
        }
        denominator += if denominator < SMALL { 1 } else { denominator / 4 };
    }
    None
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

struct Rounding<'a> {
    relaxation: &'a Relaxation<'a>,
    placed: &'a FixedBitSet,
    free: &'a FixedBitSet,
    denominator: i64,
    /// By the numbers of rows; a `BTreeMap`, so that the order is that of the rows.
    multipliers: BTreeMap<usize, Multiplier>,
    /// Number of times that each square is counted, less the denominator.
    surplus: Vec<i64>,
}

impl<'a> Rounding<'a> {
    fn new(
        relaxation: &'a Relaxation<'a>,
        support: &[(usize, f64)],
        (placed, free): (&'a FixedBitSet, &'a FixedBitSet),
        denominator: i64,
    ) -> Self {
        let mut multipliers = BTreeMap::new();
        let mut surplus = vec![-denominator; free.len()];
        for &(row, dual) in support {
            let wanted = dual * denominator as f64;
            let times = wanted.round() as i64;
            multipliers.insert(row, Multiplier { times, wanted });
            for (square, weight) in relaxation.row(row).row.terms() {
                surplus[square] += times * i64::from(weight);
            }
        }
        Self { relaxation, placed, free, denominator, multipliers, surplus }
    }

    fn change(&mut self, row: usize, by: i64) {
        self.multipliers.entry(row).or_default().times += by;
        for (square, weight) in self.relaxation.row(row).row.terms() {
            self.surplus[square] += by * i64::from(weight);
        }
    }

    fn multiplier(&self, row: usize) -> Multiplier {
        self.multipliers.get(&row).copied().unwrap_or_default()
    }

    /// Returns the weight of further queens that a row allows.
    fn allowance(&self, row: usize) -> i64 {
        let row = &self.relaxation.row(row).row;
        let placed = row.terms().filter(|&(square, _)| self.placed.contains(square));
        let weight: i64 = placed.map(|(_, weight)| i64::from(weight)).sum();
        (i64::from(row.rhs) - weight).max(0)
    }

    /// Repairs, trims and checks the multipliers.
    fn combination(mut self, missing: u64) -> Option<Combination> {
        self.repair()?;
        self.trim();
        let rows: Vec<(usize, u64)> = self
            .multipliers
            .iter()
            .filter(|(_, multiplier)| multiplier.times > 0)
            .map(|(&row, multiplier)| (row, multiplier.times as u64))
            .collect();
        let counts_all = self.free.ones().all(|square| self.surplus[square] >= 0);
        let sum: i128 =
            rows.iter().map(|&(row, times)| i128::from(times) * i128::from(self.allowance(row))).sum();
        let shows = counts_all && sum < i128::from(self.denominator) * i128::from(missing);
        shows.then_some(Combination { denominator: self.denominator as u64, rows })
    }

    /// Raises rows until each free square is counted often enough. `None` if a square is on no row.
    fn repair(&mut self) -> Option<()> {
        for square in self.free.ones() {
            while self.surplus[square] < 0 {
                let (best, weight) = self.best_row(square)?;
                let residual = self.multiplier(best).residual();
                // Number of times that the row must be added.
                let lacking = (-self.surplus[square] + i64::from(weight) - 1) / i64::from(weight);
                // A row is raised up to its dual value; beyond, as far as is needed.
                let by = if residual > 0.0 { (residual.floor() as i64).clamp(1, lacking) } else { lacking };
                self.change(best, by);
            }
        }
        Some(())
    }

    /// Returns the row of a square that was rounded down most, with the weight of the square; of such rows one that has the largest
    /// weight of squares that lack something in proportion to its right-hand side.
    fn best_row(&self, square: usize) -> Option<(usize, u32)> {
        let mut best: Option<(f64, f64, usize)> = None;
        for &row in self.relaxation.rows_of(square) {
            let residual = self.multiplier(row).residual();
            if best.is_some_and(|(largest, ..)| residual < largest) {
                continue;
            }
            let held = &self.relaxation.row(row).row;
            let lacks = |&(square, _): &(usize, u32)| self.free.contains(square) && self.surplus[square] < 0;
            let weight: u64 = held.terms().filter(lacks).map(|(_, weight)| u64::from(weight)).sum();
            let lacking = weight as f64 / f64::from(held.rhs);
            if best.is_none_or(|(largest, most, _)| residual > largest || lacking > most) {
                best = Some((residual, lacking, row));
            }
        }
        let (.., row) = best?;
        let mut terms = self.relaxation.row(row).row.terms();
        terms.find(|&(held, _)| held == square).map(|(_, weight)| (row, weight))
    }

    /// Lowers multipliers that count each of their squares more often than is needed, those that were rounded up most first.
    fn trim(&mut self) {
        let mut rows: Vec<(usize, Multiplier)> =
            self.multipliers.iter().map(|(&row, &multiplier)| (row, multiplier)).collect();
        rows.retain(|(_, multiplier)| multiplier.times > 0);
        rows.sort_by(|(a, x), (b, y)| x.residual().total_cmp(&y.residual()).then(a.cmp(b)));
        for (row, Multiplier { times, .. }) in rows {
            let free = self.relaxation.row(row).row.terms().filter(|&(square, _)| self.free.contains(square));
            let too_often = free.map(|(square, weight)| self.surplus[square].div_euclid(weight.into()));
            let unneeded = too_often.min().unwrap_or(times).min(times);
            if unneeded > 0 {
                self.change(row, -unneeded);
            }
        }
    }
}
