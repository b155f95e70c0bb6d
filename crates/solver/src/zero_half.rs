//! Separation of zero-half cuts: Chvátal-Gomory cuts with multipliers 0 and 1/2.
//!
//! Half the sum of some rows `a x <= b` and of some bounds `x_j <= 1` is valid for all `0 <= x <= 1` that satisfy
//! them. At a nonnegative integral point the left-hand side does not increase if the coefficients are rounded
//! down, and is an integer then, so that the right-hand side can be rounded down, too. The sum is violated by
//! half of `1 - loss` if its right-hand side is odd. The loss is the sum of the slacks of the rows, of `x_j` for
//! each odd coefficient that is rounded down, and of `1 - x_j` for each one to which a bound `x_j <= 1` is added.
//!
//! Sums of rows with few odd coefficients are found by Gaussian elimination modulo 2, on columns in several
//! orders. This is a heuristic: cuts may be violated although none is found. Every cut is computed in exact
//! integers from the rows. If the rows are edges of a graph, the cuts of tight rows are odd-cycle inequalities.
//!
//! # References
//! A. Caprara, M. Fischetti, *{0, 1/2}-Chvátal-Gomory cuts*, Math. Program. 74 (1996) 221-235; A. M. C. A. Koster,
//! A. Zymolka, M. Kutschka, *Algorithms to separate {0, 1/2}-Chvátal-Gomory cuts*, Algorithmica 55 (2009) 375-391.

use std::collections::{BTreeMap, BTreeSet};

use fixedbitset::FixedBitSet;
use ndqueens_model::ilp::{Comparison, Row};
use rand::rngs::ChaCha8Rng;
use rand::{RngExt as _, SeedableRng as _};

/// Least violation of a returned cut.
pub const MIN_VIOLATION: f64 = 0.01;
/// Loss up to which a cut has this violation.
const MAX_LOSS: f64 = 1.0 - 2.0 * MIN_VIOLATION;
/// Distance from 0 or 1 up to which a value counts as integral.
const INTEGRALITY_TOLERANCE: f64 = 1e-7;
/// Maximum number of rows, those with the least slack.
const MAX_ROWS: usize = 20_000;
/// Number of orders of the columns.
const ORDERS: u64 = 8;
/// Largest random factor of the loss of a column in the orders after the first one.
const MAX_FACTOR: f64 = 3.0;
/// Maximum number of cuts that are returned.
const MAX_CUTS: usize = 20;
/// Largest absolute value of the numbers of a cut, the limit of files with inequalities.
const MAX_NUMBER: i64 = 1_000_000_000;

/// Inequality: the sum of the terms is at most the right-hand side.
///
/// # Examples
/// ```
/// use ndqueens_solver::zero_half::{IntegerRow, violated_cuts};
///
/// let edge = |a, b| IntegerRow { terms: vec![(a, 1), (b, 1)], rhs: 1 };
/// let triangle = [edge(0, 1), edge(1, 2), edge(0, 2)];
/// let cuts = violated_cuts(&triangle, &[0.5; 3], &mut || true);
/// assert_eq!(cuts, [IntegerRow { terms: vec![(0, 1), (1, 1), (2, 1)], rhs: 1 }]);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct IntegerRow {
    /// Columns, strictly increasing, with coefficients other than 0.
    pub terms: Vec<(u32, i64)>,
    /// Right-hand side.
    pub rhs: i64,
}

impl IntegerRow {
    /// Returns the rows that together are equivalent to a row of a program: one, or two for an equality.
    #[must_use]
    pub fn of(row: &Row) -> Vec<Self> {
        let signs: &[i64] = match row.comparison {
            Comparison::AtMost => &[1],
            Comparison::AtLeast => &[-1],
            Comparison::Equal => &[1, -1],
        };
        let with_sign = |&sign: &i64| Self {
            terms: row.terms().map(|(column, coefficient)| (column, sign * coefficient)).collect(),
            rhs: sign * row.rhs,
        };
        signs.iter().map(with_sign).collect()
    }

    /// Returns the amount by which the right-hand side exceeds the left-hand side at a point.
    fn slack(&self, point: &[f64]) -> f64 {
        self.rhs as f64 - self.terms.iter().map(|&(j, a)| a as f64 * point[j as usize]).sum::<f64>()
    }

    /// Returns half the sum of rows and of the bounds `x_j <= 1` of some columns, rounded down. Returns `None` if
    /// a number is too large, or if no coefficient is left.
    fn half_sum<'a>(rows: impl Iterator<Item = &'a Self>, bounds: &[u32]) -> Option<Self> {
        let (mut sum, mut rhs): (BTreeMap<u32, i64>, i64) = (BTreeMap::new(), 0);
        let mut add = |terms: &[(u32, i64)], right: i64| {
            for &(column, coefficient) in terms {
                let total = sum.entry(column).or_default();
                *total = total.checked_add(coefficient)?;
            }
            rhs = rhs.checked_add(right)?;
            Some(())
        };
        for row in rows {
            add(&row.terms, row.rhs)?;
        }
        for &column in bounds {
            add(&[(column, 1)], 1)?;
        }
        let halves = sum.into_iter().map(|(column, total)| (column, total.div_euclid(2)));
        let terms: Vec<(u32, i64)> = halves.filter(|(_, coefficient)| *coefficient != 0).collect();
        let half = Self { terms, rhs: rhs.div_euclid(2) };
        let is_small = |value: i64| (-MAX_NUMBER..=MAX_NUMBER).contains(&value);
        let are_small =
            is_small(half.rhs) && half.terms.iter().all(|&(_, coefficient)| is_small(coefficient));
        (are_small && !half.terms.is_empty()).then_some(half)
    }
}

/// Returns zero-half cuts of rows that a point violates by at least [`MIN_VIOLATION`], the most violated ones
/// relative to the norm of their coefficients first. The variables are integers from 0 to 1.
///
/// The search ends with the cuts found so far if `keep_going`, which is called often, returns `false`.
#[must_use]
pub fn violated_cuts(
    rows: &[IntegerRow],
    point: &[f64],
    keep_going: &mut dyn FnMut() -> bool,
) -> Vec<IntegerRow> {
    let mut tight: Vec<(f64, &IntegerRow)> = rows
        .iter()
        .map(|row| (row.slack(point).max(0.0), row))
        .filter(|(slack, _)| *slack <= MAX_LOSS)
        .collect();
    tight.sort_by(|a, b| a.0.total_cmp(&b.0));
    tight.truncate(MAX_ROWS);
    let mut found = BTreeSet::new();
    for seed in 0..ORDERS {
        let columns = ordered_columns(point, seed);
        let mut elimination = Elimination::new(&tight, point, &columns);
        for row in 0..tight.len() {
            if !keep_going() {
                break;
            }
            elimination.add(row, &mut found);
        }
    }
    let efficacy = |cut: &IntegerRow| {
        let norm = cut.terms.iter().map(|(_, a)| (*a as f64).powi(2)).sum::<f64>().sqrt();
        -cut.slack(point) / norm
    };
    let mut cuts: Vec<IntegerRow> = found.into_iter().collect();
    cuts.sort_by(|a, b| efficacy(b).total_cmp(&efficacy(a)));
    cuts.truncate(MAX_CUTS);
    cuts
}

/// Returns the columns with fractional values, those with the largest losses first. In orders after the first
/// one, the losses are multiplied by random factors.
fn ordered_columns(point: &[f64], seed: u64) -> Vec<u32> {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut columns: Vec<(f64, u32)> = Vec::new();
    for (column, &x) in (0..).zip(point) {
        if loss(x) > INTEGRALITY_TOLERANCE {
            let factor = if seed == 0 { 1.0 } else { random.random_range(1.0..MAX_FACTOR) };
            columns.push((loss(x) * factor, column));
        }
    }
    columns.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    columns.into_iter().map(|(_, column)| column).collect()
}

/// Returns the loss of an odd coefficient of a variable with this value, by the cheaper of its two bounds.
fn loss(x: f64) -> f64 {
    x.min(1.0 - x).max(0.0)
}

/// Gaussian elimination modulo 2 on rows that are added one at a time.
struct Elimination<'a> {
    /// Rows with their slacks.
    rows: &'a [(f64, &'a IntegerRow)],
    point: &'a [f64],
    /// Place of each column in the order; `None` if its value is integral.
    place_of: Vec<Option<usize>>,
    /// Losses of the columns in the order.
    losses: Vec<f64>,
    /// Sum of rows whose first odd column has this place.
    pivots: Vec<Option<RowSum>>,
}

/// Sum of rows modulo 2.
#[derive(Debug, Clone)]
struct RowSum {
    /// Places of the odd columns.
    odd: FixedBitSet,
    /// Numbers of the rows.
    rows: BTreeSet<usize>,
}

impl<'a> Elimination<'a> {
    fn new(rows: &'a [(f64, &'a IntegerRow)], point: &'a [f64], columns: &[u32]) -> Self {
        let mut place_of = vec![None; point.len()];
        columns.iter().enumerate().for_each(|(place, &column)| place_of[column as usize] = Some(place));
        let losses = columns.iter().map(|&column| loss(point[column as usize])).collect();
        Self { rows, point, place_of, losses, pivots: vec![None; columns.len()] }
    }

    /// Adds pivots to a row until its first odd column has none, and inserts the violated cuts of all these sums
    /// into `found`. The last sum becomes a pivot.
    fn add(&mut self, row: usize, found: &mut BTreeSet<IntegerRow>) {
        let mut odd = FixedBitSet::with_capacity(self.losses.len());
        for &(column, coefficient) in &self.rows[row].1.terms {
            if let Some(place) = self.place_of[column as usize].filter(|_| coefficient % 2 != 0) {
                odd.insert(place);
            }
        }
        let mut sum = RowSum { odd, rows: BTreeSet::from([row]) };
        loop {
            let slack: f64 = sum.rows.iter().map(|&row| self.rows[row].0).sum();
            if slack > MAX_LOSS {
                return;
            }
            let losses: f64 = sum.odd.ones().map(|place| self.losses[place]).sum();
            if slack + losses <= MAX_LOSS {
                found.extend(self.violated_cut(&sum));
            }
            let Some(first) = sum.odd.ones().next() else { return };
            let Some(pivot) = &self.pivots[first] else {
                self.pivots[first] = Some(sum);
                return;
            };
            sum.odd.symmetric_difference_with(&pivot.odd);
            sum.rows = sum.rows.symmetric_difference(&pivot.rows).copied().collect();
        }
    }

    /// Returns the most violated cut of a sum of rows, or `None` if it is not violated. Each odd coefficient is
    /// made even by the cheaper bound of its column, except possibly one, so that the right-hand side is odd.
    fn violated_cut(&self, sum: &RowSum) -> Option<IntegerRow> {
        let rows = || sum.rows.iter().map(|&row| self.rows[row].1);
        let mut parity: BTreeMap<u32, bool> = BTreeMap::new();
        for &(column, coefficient) in rows().flat_map(|row| &row.terms) {
            *parity.entry(column).or_default() ^= coefficient % 2 != 0;
        }
        let odd: Vec<u32> =
            parity.into_iter().filter_map(|(column, is_odd)| is_odd.then_some(column)).collect();
        let value = |column: &u32| self.point[*column as usize];
        let mut bounds: Vec<u32> = odd.iter().copied().filter(|column| value(column) > 0.5).collect();
        let is_rhs_odd = rows().fold(bounds.len() % 2 == 1, |is_odd, row| is_odd ^ (row.rhs % 2 != 0));
        if !is_rhs_odd {
            // Exchange of the two bounds of the column for which the difference is least.
            let difference = |column: &u32| (1.0 - 2.0 * value(column)).abs();
            let exchanged = odd.iter().min_by(|a, b| difference(a).total_cmp(&difference(b)))?;
            match bounds.iter().position(|column| column == exchanged) {
                Some(place) => drop(bounds.remove(place)),
                None => bounds.push(*exchanged),
            }
        }
        let cut = IntegerRow::half_sum(rows(), &bounds)?;
        (cut.slack(self.point) <= -MIN_VIOLATION).then_some(cut)
    }
}

#[cfg(all(test, feature = "backends"))]
mod tests {
    use ndqueens_exact::lp::LinearProgram as _;
    use ndqueens_model::board::{Board, Square};
    use ndqueens_notation::name::BoardName;
    use ndqueens_notation::name::file::{BoardFile, Reading};

    use super::*;
    use crate::lp::SimplexProgram;
    use crate::odd_cycle;

    fn optimum(rows: &[IntegerRow], objective: &[f64]) -> Vec<f64> {
        let mut lp = SimplexProgram::new(objective).expect("HiGHS runs");
        for row in rows {
            let terms = row.terms.iter().map(|&(j, a)| (j as usize, a as f64));
            lp.add_weighted_row(terms, row.rhs as f64).expect("added");
        }
        lp.solve().expect("0 is feasible").primal
    }

    fn holds(row: &IntegerRow, set: u32) -> bool {
        let left: i64 = row.terms.iter().filter(|(j, _)| set >> j & 1 == 1).map(|(_, a)| a).sum();
        left <= row.rhs
    }

    /// Checks that the cuts at the optimum are violated, and that no integral point of the rows violates one.
    /// Returns their number and the point.
    fn check(rows: &[IntegerRow], objective: &[f64]) -> (usize, Vec<f64>) {
        let point = optimum(rows, objective);
        let cuts = violated_cuts(rows, &point, &mut || true);
        for cut in &cuts {
            assert!(cut.slack(&point) <= -MIN_VIOLATION, "{cut:?} at {point:?}");
            for set in 0..1 << objective.len() {
                let is_solution = rows.iter().all(|row| holds(row, set));
                assert!(!is_solution || holds(cut, set), "{cut:?} cuts off {set:b} of {rows:?}");
            }
        }
        (cuts.len(), point)
    }

    fn objective(random: &mut ChaCha8Rng, columns: usize) -> Vec<f64> {
        (0..columns).map(|_| f64::from(random.random_range(1..4))).collect()
    }

    /// On edges of graphs, a cut is found if and only if an odd cycle is violated: the vertices of the LP are
    /// half-integral, so all edges of a violated cycle are tight.
    #[test]
    fn finds_odd_cycles_of_graphs() {
        let mut random = ChaCha8Rng::seed_from_u64(1);
        let (mut violated, mut others) = (0, 0);
        for _ in 0..300 {
            let vertices = random.random_range(3..10);
            let all = (0..vertices).flat_map(|b| (0..b).map(move |a| (a, b)));
            let edges: Vec<(u32, u32)> = all.filter(|_| random.random_bool(0.4)).collect();
            let edge = |&(a, b): &(u32, u32)| IntegerRow { terms: vec![(a, 1), (b, 1)], rhs: 1 };
            let rows: Vec<IntegerRow> = edges.iter().map(edge).collect();
            let (found, point) = check(&rows, &objective(&mut random, vertices as usize));
            let lines: String = edges.iter().map(|(a, b)| format!("e {} {}\n", a + 1, b + 1)).collect();
            let text = format!("p edge {vertices} {}\n{lines}", edges.len());
            let file = BoardFile::new("graph", text, Reading::default()).expect("a graph");
            let board = Board::new(&BoardName::File(file));
            let starts: Vec<Square> = board.squares().collect();
            let cycles = odd_cycle::violated_cycles(&board, &point, &starts, &mut || true);
            assert_eq!(found == 0, cycles.expect("not stopped").is_empty(), "{edges:?} at {point:?}");
            if found > 0 { violated += 1 } else { others += 1 }
        }
        assert!(violated > 20 && others > 20, "{violated} violated, {others} not");
    }

    /// Rows with coefficients of either sign, so that both bounds of columns and signs are rounded.
    #[test]
    fn cuts_hold_at_integral_points() {
        let mut random = ChaCha8Rng::seed_from_u64(2);
        let (mut cuts, mut weighted) = (0, 0);
        for _ in 0..400 {
            let columns = random.random_range(3..9);
            let rows: Vec<IntegerRow> = (0..random.random_range(2..10))
                .map(|_| {
                    let terms = (0..columns).map(|j| (j, random.random_range(-1..4)));
                    let terms: Vec<(u32, i64)> = terms.filter(|(_, a)| *a != 0).collect();
                    IntegerRow { terms, rhs: random.random_range(0..6) }
                })
                .collect();
            let (found, _) = check(&rows, &objective(&mut random, columns as usize));
            cuts += found;
            weighted += usize::from(found > 0);
        }
        assert!(cuts > 200 && weighted > 50, "{cuts} cuts of {weighted} programs");
    }

    #[test]
    fn rounds_down_and_rejects_overflow() {
        let row = |terms: &[(u32, i64)], rhs| IntegerRow { terms: terms.to_vec(), rhs };
        let rows = [row(&[(0, 3), (1, -1)], -3), row(&[(2, 1)], 2)];
        let cut = IntegerRow::half_sum(rows.iter(), &[2]).expect("small");
        assert_eq!(cut, row(&[(0, 1), (1, -1), (2, 1)], 0));
        assert_eq!(IntegerRow::half_sum([row(&[(0, 1)], 1)].iter(), &[]), None);
        let large = [row(&[(0, i64::MAX)], 1), row(&[(0, 1)], 1)];
        assert_eq!(IntegerRow::half_sum(large.iter(), &[]), None);
    }

    #[test]
    fn equality_gives_two_rows() {
        let row = Row {
            tag: ndqueens_model::ilp::Tag { family: "equality", number: 0 },
            columns: vec![1, 4],
            coefficients: Some(vec![2, -1]),
            comparison: Comparison::Equal,
            rhs: 3,
        };
        let rows = IntegerRow::of(&row);
        assert_eq!(rows[0], IntegerRow { terms: vec![(1, 2), (4, -1)], rhs: 3 });
        assert_eq!(rows[1], IntegerRow { terms: vec![(1, -2), (4, 1)], rhs: -3 });
    }
}
