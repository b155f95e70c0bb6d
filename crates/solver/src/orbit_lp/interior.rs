//! Interior-point method for packing LPs with few columns and many rows, in floating point.
//!
//! The LP maximises `c x` subject to `A x <= b` and `0 <= x <= 1`, with `A >= 0`. Each step of Mehrotra's
//! predictor-corrector method solves two systems with the matrix `A' D A + E`, where `D` and `E` are
//! diagonal. The matrix is dense and has one row for each column of the LP, so the time of a step is cubic in
//! the number of columns, but linear in the number of rows. The first primal point and the first dual point
//! are both feasible.
//!
//! # References
//! S. Mehrotra, *On the implementation of a primal-dual interior point method*, SIAM J. Optim. 2 (1992).

use rayon::ThreadPool;

use super::cholesky::{NotFactored, Triangle, dot};
use super::rounding::SparseRow;

/// Gap between the primal and the dual value, relative to the value, at which the method ends.
const GAP: f64 = 1e-10;
/// Maximum number of steps; far fewer are needed.
const MAX_STEPS: u32 = 300;
/// Number of steps without a smaller gap after which the method ends.
const PATIENCE: u32 = 5;
/// Length of a step, relative to the longest step that stays feasible.
const SHORT_OF_BOUNDARY: f64 = 0.9995;
/// Relative amounts that are added to the diagonal: the first one and the largest one.
const REGULARISATION: (f64, f64) = (1e-15, 1e-4);
/// Number of times that the solution of a system is refined.
const REFINEMENTS: usize = 2;

/// A point near the optimum.
#[derive(Debug, Clone)]
pub(super) struct NearOptimum {
    /// Dual value.
    pub(super) value: f64,
    /// Value of each column.
    pub(super) point: Vec<f64>,
    /// Dual value of each row.
    pub(super) duals: Vec<f64>,
    /// Amount by which the left-hand side of each row is below the right-hand side.
    pub(super) slacks: Vec<f64>,
    /// Number of steps.
    pub(super) steps: u64,
}

/// The state of a run, which `poll` receives.
#[derive(Debug, Clone, Copy)]
pub(super) struct State {
    pub(super) steps: u64,
    /// Dual value.
    pub(super) value: f64,
}

/// Rows in floating point, those of the upper bounds included, and the costs of the columns.
struct Packing {
    starts: Vec<usize>,
    entries: Vec<(u32, f64)>,
    rhs: Vec<f64>,
    costs: Vec<f64>,
}

impl Packing {
    fn new(costs: Vec<f64>, rows: &[SparseRow<'_>]) -> Self {
        let (mut starts, mut entries, mut rhs) = (vec![0], Vec::new(), Vec::new());
        for row in rows {
            entries.extend(row.entries.iter().map(|&(column, squares)| (column, squares as f64)));
            starts.push(entries.len());
            rhs.push(row.rhs as f64);
        }
        for column in 0..costs.len() as u32 {
            entries.push((column, 1.0));
            starts.push(entries.len());
            rhs.push(1.0);
        }
        Self { starts, entries, rhs, costs }
    }

    fn row(&self, number: usize) -> &[(u32, f64)] {
        &self.entries[self.starts[number]..self.starts[number + 1]]
    }

    /// Returns the product of each row with `x`.
    fn times(&self, x: &[f64]) -> Vec<f64> {
        let product =
            |row: usize| self.row(row).iter().map(|&(column, value)| value * x[column as usize]).sum();
        (0..self.rhs.len()).map(product).collect()
    }

    /// Returns the sum of the rows, each taken `y` times.
    fn sum(&self, y: &[f64]) -> Vec<f64> {
        let mut sum = vec![0.0; self.costs.len()];
        for (row, &times) in y.iter().enumerate() {
            for &(column, value) in self.row(row) {
                sum[column as usize] += value * times;
            }
        }
        sum
    }
}

/// A point, or the direction of a step.
#[derive(Debug, Clone)]
struct Vectors {
    /// Columns.
    x: Vec<f64>,
    /// Slacks of the rows.
    s: Vec<f64>,
    /// Duals of the rows.
    y: Vec<f64>,
    /// Reduced costs of the columns.
    w: Vec<f64>,
}

impl Vectors {
    /// Returns a primal and a dual feasible point with all entries above 0.
    fn first(lp: &Packing) -> Self {
        let columns = lp.costs.len();
        let fits = lp.times(&vec![1.0; columns]).into_iter().zip(&lp.rhs);
        let least = fits.filter(|(_, rhs)| **rhs > 0.0).map(|(sum, rhs)| rhs / sum).fold(1.0, f64::min);
        let x = vec![least / 2.0; columns];
        let s =
            lp.times(&x).into_iter().zip(&lp.rhs).map(|(sum, rhs)| (rhs - sum).max(least / 2.0)).collect();
        let counts = lp.sum(&vec![1.0; lp.rhs.len()]);
        let most = lp.costs.iter().zip(&counts).map(|(cost, count)| cost / count).fold(0.0, f64::max);
        let y = vec![1.5 * most; lp.rhs.len()];
        let w = counts.iter().zip(&lp.costs).map(|(count, cost)| 1.5 * most * count - cost).collect();
        Self { x, s, y, w }
    }

    /// Returns the complementarity gap after a step of these lengths.
    fn gap_after(&self, step: &Self, primal: f64, dual: f64) -> f64 {
        let product = |a: &[f64], da: &[f64], b: &[f64], db: &[f64]| -> f64 {
            let terms = a.iter().zip(da).zip(b.iter().zip(db));
            terms.map(|((a, da), (b, db))| (a + primal * da) * (b + dual * db)).sum()
        };
        product(&self.s, &step.s, &self.y, &step.y) + product(&self.x, &step.x, &self.w, &step.w)
    }

    fn gap(&self) -> f64 {
        dot(&self.s, &self.y) + dot(&self.x, &self.w)
    }

    /// Returns the lengths of the longest primal and dual steps in a direction that keep all entries at 0
    /// or above, at most 1.
    fn longest(&self, step: &Self) -> (f64, f64) {
        let longest = |at: &[f64], by: &[f64]| {
            let ends = at.iter().zip(by).filter(|(_, by)| **by < 0.0).map(|(at, by)| -at / by);
            ends.fold(f64::INFINITY, f64::min)
        };
        (
            longest(&self.x, &step.x).min(longest(&self.s, &step.s)),
            longest(&self.y, &step.y).min(longest(&self.w, &step.w)),
        )
    }

    fn add(&mut self, step: &Self, primal: f64, dual: f64) {
        let add = |to: &mut [f64], by: &[f64], length: f64| {
            to.iter_mut().zip(by).for_each(|(to, by)| *to += length * by);
        };
        add(&mut self.x, &step.x, primal);
        add(&mut self.s, &step.s, primal);
        add(&mut self.y, &step.y, dual);
        add(&mut self.w, &step.w, dual);
    }
}

/// Solves an LP. `poll` is called often and stops the work by returning a reason.
///
/// # Errors
/// Returns the reason of `poll`.
pub(super) fn solve<S>(
    costs: Vec<f64>,
    rows: &[SparseRow<'_>],
    pool: Option<&ThreadPool>,
    poll: &mut dyn FnMut(State) -> Option<S>,
) -> Result<NearOptimum, S> {
    let lp = Packing::new(costs, rows);
    let mut at = Vectors::first(&lp);
    let mut matrix = Triangle::zero(lp.costs.len());
    let mut regularisation = REGULARISATION.0;
    let (mut best, mut since_best) = (at.clone(), 0);
    let mut steps = 0;
    while steps < MAX_STEPS && since_best < PATIENCE {
        let gap = at.gap();
        let value = dot(&lp.rhs, &at.y);
        let is_less = gap < best.gap() || steps == 0;
        if is_less {
            (best, since_best) = (at.clone(), 0);
        } else {
            since_best += 1;
        }
        if gap <= GAP * value {
            break;
        }
        let state = State { steps: steps.into(), value };
        loop {
            assemble(&mut matrix, &lp, &at, regularisation);
            match matrix.factor(pool, &mut || poll(state)) {
                Ok(()) => break,
                Err(NotFactored::Stopped(reason)) => return Err(reason),
                Err(NotFactored::Indefinite) => regularisation *= 10.0,
            }
            if regularisation > REGULARISATION.1 {
                return Ok(near_optimum(&lp, best, rows.len(), steps));
            }
        }
        let step = direction(&lp, &at, &matrix);
        let (primal, dual) = at.longest(&step);
        let (primal, dual) = ((SHORT_OF_BOUNDARY * primal).min(1.0), (SHORT_OF_BOUNDARY * dual).min(1.0));
        at.add(&step, primal, dual);
        steps += 1;
    }
    Ok(near_optimum(&lp, best, rows.len(), steps))
}

fn near_optimum(lp: &Packing, at: Vectors, rows: usize, steps: u32) -> NearOptimum {
    let value = dot(&lp.rhs, &at.y);
    let Vectors { x, mut s, mut y, .. } = at;
    s.truncate(rows);
    y.truncate(rows);
    NearOptimum { value, point: x, duals: y, slacks: s, steps: steps.into() }
}

/// Computes the matrix of the systems of a step, with its diagonal made larger by a relative amount.
fn assemble(matrix: &mut Triangle, lp: &Packing, at: &Vectors, regularisation: f64) {
    matrix.clear();
    for (row, (y, s)) in at.y.iter().zip(&at.s).enumerate() {
        matrix.add_square(lp.row(row), y / s);
    }
    for (column, (w, x)) in at.w.iter().zip(&at.x).enumerate() {
        let diagonal = matrix.diagonal(column);
        *diagonal = (*diagonal + w / x) * (1.0 + regularisation);
    }
}

/// Returns Mehrotra's direction, with the factor of the matrix of the step.
fn direction(lp: &Packing, at: &Vectors, factor: &Triangle) -> Vectors {
    let products = |a: &[f64], b: &[f64]| -> Vec<f64> { a.iter().zip(b).map(|(a, b)| -a * b).collect() };
    let (of_rows, of_columns) = (products(&at.s, &at.y), products(&at.x, &at.w));
    let residuals = Residuals::of(lp, at);
    let predicted = newton(lp, at, factor, &residuals, &of_rows, &of_columns);
    let (primal, dual) = at.longest(&predicted);
    let (gap, pairs) = (at.gap(), (at.y.len() + at.x.len()) as f64);
    let left = at.gap_after(&predicted, primal.min(1.0), dual.min(1.0)) / gap;
    let centre = left.powi(3) * gap / pairs;
    let corrected = |base: Vec<f64>, a: &[f64], b: &[f64]| -> Vec<f64> {
        base.iter().zip(a.iter().zip(b)).map(|(base, (a, b))| base + centre - a * b).collect()
    };
    let of_rows = corrected(of_rows, &predicted.s, &predicted.y);
    let of_columns = corrected(of_columns, &predicted.x, &predicted.w);
    newton(lp, at, factor, &residuals, &of_rows, &of_columns)
}

/// Amounts by which a point violates the equations of both programs.
struct Residuals {
    primal: Vec<f64>,
    dual: Vec<f64>,
}

impl Residuals {
    fn of(lp: &Packing, at: &Vectors) -> Self {
        let (product, sum) = (lp.times(&at.x), lp.sum(&at.y));
        let primal = (0..lp.rhs.len()).map(|k| lp.rhs[k] - product[k] - at.s[k]).collect();
        let dual = (0..lp.costs.len()).map(|k| lp.costs[k] - sum[k] + at.w[k]).collect();
        Self { primal, dual }
    }
}

/// Returns the step that, to first order, makes both residuals 0, changes the products of slacks and duals by
/// `of_rows`, and changes the products of columns and reduced costs by `of_columns`.
fn newton(
    lp: &Packing,
    at: &Vectors,
    factor: &Triangle,
    Residuals { primal, dual }: &Residuals,
    of_rows: &[f64],
    of_columns: &[f64],
) -> Vectors {
    let Vectors { x, s, y, w } = at;
    let pulled: Vec<f64> = (0..s.len()).map(|k| (of_rows[k] - y[k] * primal[k]) / s[k]).collect();
    let pulled = lp.sum(&pulled);
    let rhs: Vec<f64> = (0..x.len()).map(|k| dual[k] - pulled[k] + of_columns[k] / x[k]).collect();
    let mut dx = factor.solve(&rhs);
    for _ in 0..REFINEMENTS {
        let mut weighted = lp.times(&dx);
        weighted.iter_mut().zip(y.iter().zip(s)).for_each(|(value, (y, s))| *value *= y / s);
        let product = lp.sum(&weighted);
        let missing: Vec<f64> = (0..x.len()).map(|k| rhs[k] - product[k] - w[k] / x[k] * dx[k]).collect();
        dx.iter_mut().zip(factor.solve(&missing)).for_each(|(dx, more)| *dx += more);
    }
    let ds: Vec<f64> = lp.times(&dx).into_iter().zip(primal).map(|(change, rest)| rest - change).collect();
    let dy = (0..s.len()).map(|k| (of_rows[k] - y[k] * ds[k]) / s[k]).collect();
    let dw = (0..x.len()).map(|k| (of_columns[k] - w[k] * dx[k]) / x[k]).collect();
    Vectors { x: dx, s: ds, y: dy, w: dw }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use rand::rngs::ChaCha8Rng;
    use rand::{RngExt as _, SeedableRng as _};

    use super::*;

    type Rows = Vec<(Vec<(u32, u64)>, u64)>;

    /// Solves an LP and checks that both points are feasible and that their values agree.
    fn solve_and_check(costs: &[f64], rows: &Rows) -> NearOptimum {
        let lines: Vec<SparseRow<'_>> =
            rows.iter().map(|(entries, rhs)| SparseRow { entries, rhs: *rhs }).collect();
        let found = solve(costs.to_vec(), &lines, None, &mut |_| None::<()>).expect("not stopped");
        let mut covered = vec![0.0; costs.len()];
        for ((entries, rhs), (dual, slack)) in rows.iter().zip(found.duals.iter().zip(&found.slacks)) {
            let sum: f64 = entries.iter().map(|&(column, n)| n as f64 * found.point[column as usize]).sum();
            assert!((sum + slack - *rhs as f64).abs() < 1e-7 && *slack >= 0.0 && *dual >= 0.0);
            entries.iter().for_each(|&(column, n)| covered[column as usize] += n as f64 * dual);
        }
        assert!(found.point.iter().all(|x| (0.0..1.0 + 1e-7).contains(x)));
        // The upper bounds of the columns cover the rest, at a cost of 1 each.
        let bound: f64 = rows.iter().zip(&found.duals).map(|((_, rhs), dual)| *rhs as f64 * dual).sum();
        let bound = bound + costs.iter().zip(&covered).map(|(cost, sum)| (cost - sum).max(0.0)).sum::<f64>();
        let value = dot(costs, &found.point);
        let close = 1e-6 * value.max(1.0);
        assert!((bound - value).abs() < close && (found.value - value).abs() < close, "{bound} and {value}");
        found
    }

    #[test]
    fn finds_known_optima() {
        // A cycle of length 5, without and with a row of all columns.
        let mut cycle: Rows = (0..4u32).map(|k| (vec![(k, 1), (k + 1, 1)], 1)).collect();
        cycle.push((vec![(0, 1), (4, 1)], 1));
        assert!((solve_and_check(&[1.0; 5], &cycle).value - 2.5).abs() < 1e-8);
        cycle.push(((0..5).map(|k| (k, 1)).collect(), 2));
        assert!((solve_and_check(&[1.0; 5], &cycle).value - 2.0).abs() < 1e-8);
        // Upper bounds only, and a column that a row fixes to 0.
        assert!((solve_and_check(&[3.0, 5.0], &Vec::new()).value - 8.0).abs() < 1e-8);
        assert!((solve_and_check(&[3.0, 5.0], &vec![(vec![(1, 1)], 0)]).value - 3.0).abs() < 1e-6);
    }

    #[test]
    fn closes_the_gap_of_random_lps() {
        let mut random = ChaCha8Rng::seed_from_u64(7);
        for _ in 0..200 {
            let columns = random.random_range(1..20u32);
            let costs: Vec<f64> = (0..columns).map(|_| f64::from(random.random_range(1..400u32))).collect();
            let mut row = || {
                let entries: BTreeMap<u32, u64> = (0..random.random_range(1..8))
                    .map(|_| (random.random_range(0..columns), random.random_range(1..5)))
                    .collect();
                (entries.into_iter().collect(), random.random_range(1..6))
            };
            let rows: Rows = (0..60).map(|_| row()).collect();
            solve_and_check(&costs, &rows);
        }
    }

    #[test]
    fn stops_if_poll_returns_a_reason() {
        let rows: Rows = vec![(vec![(0, 1), (1, 1)], 1)];
        let lines: Vec<SparseRow<'_>> =
            rows.iter().map(|(entries, rhs)| SparseRow { entries, rhs: *rhs }).collect();
        let after_three = &mut |state: State| (state.steps == 3).then_some("late");
        assert_eq!(solve(vec![1.0, 2.0], &lines, None, after_three).err(), Some("late"));
    }
}
