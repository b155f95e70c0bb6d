//! Rounding of a floating-point dual solution to a feasible one in fractions.

use num_bigint::BigInt;
use num_integer::Integer as _;
use num_rational::BigRational;
use num_traits::{Signed, Zero as _};

/// Nonzeros of a row, as columns with their numbers of squares, and its right-hand side.
#[derive(Debug, Clone, Copy)]
pub(super) struct SparseRow<'a> {
    pub(super) entries: &'a [(u32, u64)],
    pub(super) rhs: u64,
}

/// Maximum number of bits of a denominator that is preferred because it is readable.
const READABLE_BITS: u64 = 32;
/// Maximum number of bits of a common denominator; with more, sums of fractions take too long.
const MAX_COMMON_BITS: u64 = 128;

/// Multipliers that count every column at least as often as it has squares.
#[derive(Debug, Clone)]
pub(super) struct Multipliers {
    /// Positive multipliers of rows, with the numbers of the rows.
    pub(super) of_rows: Vec<(usize, BigRational)>,
    /// Positive multipliers of columns, with the numbers of the columns. They belong to the rows that allow
    /// at most one queen on a square.
    pub(super) of_columns: Vec<(usize, BigRational)>,
    /// Weighted sum of the right-hand sides.
    pub(super) value: BigRational,
}

/// Rounding of a dual to a fraction.
#[derive(Debug, Clone, Copy)]
enum Precision {
    /// Rounding to the nearest fraction with at most this denominator. Optimal duals often have
    /// small denominators.
    UpTo(i64),
    /// Rounding up to the next fraction with this denominator.
    Of(i64),
}

impl Precision {
    /// Rounds a positive dual.
    fn round(self, dual: f64) -> BigRational {
        match self {
            Self::UpTo(max_denominator) => nearest(dual, max_denominator),
            Self::Of(denominator) => {
                let numerator = (dual * denominator as f64).ceil() as i128;
                BigRational::new(BigInt::from(numerator), BigInt::from(denominator))
            }
        }
    }

    /// Rounds a fraction up to the common denominator, if there is one, so that sums stay short.
    fn round_up(self, fraction: BigRational) -> BigRational {
        match self {
            Self::UpTo(_) => fraction,
            Self::Of(denominator) => {
                (fraction * BigInt::from(denominator)).ceil() / BigInt::from(denominator)
            }
        }
    }
}

/// Precisions that are tried, those with the shortest fractions first.
const PRECISIONS: [Precision; 7] = [
    Precision::UpTo(24),
    Precision::UpTo(360),
    Precision::UpTo(5_040),
    Precision::UpTo(100_000),
    Precision::Of(10_000),
    Precision::Of(1_000_000),
    Precision::Of(1_000_000_000),
];

/// Largest dual that is rounded to 0.
const NOISE: f64 = 1e-9;

/// Rounds the duals of the rows to fractions and raises multipliers until every column is counted as often
/// as `sizes` requires. Returns the shortest fractions whose value is near the least one and rounds down
/// to the same integer.
pub(super) fn round(sizes: &[BigRational], rows: &[SparseRow<'_>], duals: &[f64]) -> Multipliers {
    let candidates: Vec<Multipliers> = PRECISIONS
        .into_iter()
        .filter_map(|precision| round_to_feasible(sizes, rows, duals, precision))
        .collect();
    let least = candidates.iter().map(|candidate| candidate.value.clone()).min();
    let least = least.expect("fixed denominators always succeed");
    let near_least = &least + BigRational::new(BigInt::from(1), BigInt::from(100_000));
    let is_good =
        |candidate: &&Multipliers| candidate.value.floor() == least.floor() && candidate.value <= near_least;
    let is_readable = |candidate: &&Multipliers| candidate.value.denom().bits() <= READABLE_BITS;
    let good = || candidates.iter().filter(is_good);
    good().find(is_readable).or_else(|| good().next()).expect("the least value is good").clone()
}

/// Returns feasible multipliers of one precision, or `None` if their common denominator has more than
/// [`MAX_COMMON_BITS`] bits.
fn round_to_feasible(
    sizes: &[BigRational],
    rows: &[SparseRow<'_>],
    duals: &[f64],
    precision: Precision,
) -> Option<Multipliers> {
    let mut multipliers: Vec<BigRational> = duals
        .iter()
        .map(|&dual| if dual > NOISE { precision.round(dual) } else { BigRational::zero() })
        .collect();
    multipliers.resize(rows.len(), BigRational::zero());
    let mut common = BigInt::from(1);
    for denominator in multipliers.iter().map(BigRational::denom) {
        common = common.lcm(denominator);
        if common.bits() > MAX_COMMON_BITS {
            return None;
        }
    }
    let of_columns = repair(sizes, rows, &mut multipliers, precision);
    let of_rows: Vec<(usize, BigRational)> =
        multipliers.into_iter().enumerate().filter(|(_, times)| !times.is_zero()).collect();
    let value =
        of_rows.iter().map(|(number, times)| times * BigInt::from(rows[*number].rhs)).sum::<BigRational>()
            + of_columns.iter().map(|(_, times)| times).sum::<BigRational>();
    Some(Multipliers { of_rows, of_columns, value })
}

/// Raises multipliers of rows so that every column is counted as often as `sizes` requires. Returns the
/// multipliers of the columns that no row counts at a cost below 1 for each square.
fn repair(
    sizes: &[BigRational],
    rows: &[SparseRow<'_>],
    multipliers: &mut [BigRational],
    precision: Precision,
) -> Vec<(usize, BigRational)> {
    let mut missing = sizes.to_vec();
    for (row, times) in rows.iter().zip(&*multipliers).filter(|(_, times)| !times.is_zero()) {
        for &(column, squares) in row.entries {
            missing[column as usize] -= times * BigInt::from(squares);
        }
    }
    let mut of_columns = Vec::new();
    if !missing.iter().any(Signed::is_positive) {
        return of_columns;
    }
    let cheapest = cheapest_rows(sizes.len(), rows);
    for column in 0..sizes.len() {
        if !missing[column].is_positive() {
            continue;
        }
        let lack = missing[column].clone();
        match cheapest[column] {
            Some(CheapestRow { number, squares, .. }) => {
                let more = precision.round_up(lack / BigInt::from(squares));
                for &(other, squares) in rows[number].entries {
                    missing[other as usize] -= &more * BigInt::from(squares);
                }
                multipliers[number] += more;
            }
            None => of_columns.push((column, precision.round_up(lack))),
        }
    }
    of_columns
}

/// The row that counts a column at the least cost.
#[derive(Debug, Clone, Copy)]
struct CheapestRow {
    /// Right-hand side divided by the number of squares of the column.
    cost: f64,
    number: usize,
    /// Number of squares of the column on the row.
    squares: u64,
}

/// Returns the cheapest row of each column, or `None` where no row costs less than 1, the cost of a row
/// for a single square.
fn cheapest_rows(columns: usize, rows: &[SparseRow<'_>]) -> Vec<Option<CheapestRow>> {
    let mut cheapest: Vec<Option<CheapestRow>> = vec![None; columns];
    for (number, row) in rows.iter().enumerate() {
        for &(column, squares) in row.entries {
            let cost = row.rhs as f64 / squares as f64;
            let best = &mut cheapest[column as usize];
            if cost < 1.0 && best.is_none_or(|best| cost < best.cost) {
                *best = Some(CheapestRow { cost, number, squares });
            }
        }
    }
    cheapest
}

/// Returns the last convergent of the continued fraction of a positive number whose denominator is at most
/// `max_denominator`.
pub(super) fn nearest(number: f64, max_denominator: i64) -> BigRational {
    // Numerators and denominators of the last two convergents.
    let (mut before, mut last) = ((0i64, 1i64), (1i64, 0i64));
    let mut rest = number;
    for _ in 0..64 {
        let whole = rest.floor();
        if whole > 1e15 {
            break;
        }
        let next = |before: i64, last: i64| (whole as i64).checked_mul(last)?.checked_add(before);
        let (Some(numerator), Some(denominator)) = (next(before.0, last.0), next(before.1, last.1)) else {
            break;
        };
        if denominator > max_denominator {
            break;
        }
        (before, last) = (last, (numerator, denominator));
        let fraction = rest - whole;
        if fraction < 1e-12 {
            break;
        }
        rest = 1.0 / fraction;
    }
    BigRational::new(BigInt::from(last.0), BigInt::from(last.1))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fraction(numerator: i64, denominator: i64) -> BigRational {
        BigRational::new(BigInt::from(numerator), BigInt::from(denominator))
    }

    #[test]
    fn recovers_small_fractions_from_floats() {
        for (numerator, denominator) in [(1, 3), (736, 3), (22, 7), (1, 360), (5, 1)] {
            let float = numerator as f64 / denominator as f64;
            assert_eq!(nearest(float, 360), fraction(numerator, denominator));
        }
        assert_eq!(nearest(std::f64::consts::PI, 200), fraction(355, 113));
        assert_eq!(nearest(1e-6, 360), fraction(0, 1));
    }

    #[test]
    fn repairs_infeasible_duals() {
        // Two columns of 2 and 4 squares; a row with one square of each, and one with three
        // squares of the second.
        let (sizes, rows) = (
            [2, 4].map(|size| fraction(size, 1)),
            [SparseRow { entries: &[(0, 1), (1, 1)], rhs: 1 }, SparseRow { entries: &[(1, 3)], rhs: 1 }],
        );
        for duals in [vec![], vec![0.0, 0.0], vec![2.0, 0.666_666_7], vec![1.9, 0.7], vec![5.0, 1.0]] {
            let Multipliers { of_rows, of_columns, value } = round(&sizes, &rows, &duals);
            let mut counted = [fraction(0, 1), fraction(0, 1)];
            let mut sum = fraction(0, 1);
            for (number, times) in &of_rows {
                sum += times * BigInt::from(rows[*number].rhs);
                for &(column, squares) in rows[*number].entries {
                    counted[column as usize] += times * BigInt::from(squares);
                }
            }
            for (column, times) in &of_columns {
                sum += times;
                counted[*column] += times;
            }
            assert_eq!(sum, value);
            assert!(counted[0] >= fraction(2, 1) && counted[1] >= fraction(4, 1), "{duals:?}");
        }
        assert_eq!(round(&sizes, &rows, &[2.0, 0.666_666_7]).value, fraction(8, 3));
    }
}
