//! From a float dual solution to fractions that suffice.

use num_bigint::BigInt;
use num_integer::Integer as _;
use num_rational::BigRational;
use num_traits::{Signed, Zero as _};

/// A row: how many squares of each column it has, and its right-hand side.
#[derive(Debug, Clone, Copy)]
pub(super) struct Line<'a> {
    pub(super) entries: &'a [(u32, u64)],
    pub(super) rhs: u64,
}

/// Bits of a denominator that people can read.
const SHORT: u64 = 32;
/// Bits of a common denominator with which sums of fractions take too long.
const LONG: u64 = 128;

/// Multipliers that count every column as often as it has squares.
#[derive(Debug, Clone)]
pub(super) struct Multipliers {
    /// Of rows, by number; positive.
    pub(super) of_rows: Vec<(usize, BigRational)>,
    /// Of columns for themselves: each square once, as often as this divided by the number of squares; positive.
    pub(super) of_columns: Vec<(usize, BigRational)>,
    /// What the right-hand sides add up to.
    pub(super) value: BigRational,
}

/// How duals become fractions.
#[derive(Debug, Clone, Copy)]
enum Precision {
    /// The nearest ones of denominators up to this; optimal duals often have small ones.
    UpTo(i64),
    /// The next ones above of this denominator.
    Of(i64),
}

/// What is tried, the shortest fractions first.
const TRIED: [Precision; 7] = [
    Precision::UpTo(24),
    Precision::UpTo(360),
    Precision::UpTo(5_040),
    Precision::UpTo(100_000),
    Precision::Of(10_000),
    Precision::Of(1_000_000),
    Precision::Of(1_000_000_000),
];

/// Below this a dual counts as 0.
const NOISE: f64 = 1e-9;

/// Rounds the duals of the rows to fractions, mends what is then counted less often than `sizes` say, and takes the shortest fractions that
/// bound by the same integer as the best, or by as much.
pub(super) fn round(sizes: &[BigRational], rows: &[Line<'_>], duals: &[f64]) -> Multipliers {
    let tried: Vec<Multipliers> =
        TRIED.into_iter().filter_map(|precision| repair_dual(sizes, rows, duals, precision)).collect();
    let least = tried.iter().map(|one| one.value.clone()).min().expect("something is tried");
    let near = &least + BigRational::new(BigInt::from(1), BigInt::from(100_000));
    let good = |one: &Multipliers| one.value.floor() == least.floor() && one.value <= near;
    let short = |one: &&Multipliers| one.value.denom().bits() <= SHORT;
    let best =
        tried.iter().filter(|one| good(one)).find(short).or_else(|| tried.iter().find(|one| good(one)));
    best.expect("the least is good").clone()
}

/// Returns multipliers of one precision that suffice; `None` if their common denominator is long.
fn repair_dual(
    sizes: &[BigRational],
    rows: &[Line<'_>],
    duals: &[f64],
    precision: Precision,
) -> Option<Multipliers> {
    let fraction = |dual: f64| match precision {
        Precision::UpTo(most) => nearest(dual, most),
        Precision::Of(below) => {
            BigRational::new(BigInt::from((dual * below as f64).ceil() as i128), BigInt::from(below))
        }
    };
    // What is added has the same denominator, so that sums stay short.
    let raised = |fraction: BigRational| match precision {
        Precision::UpTo(_) => fraction,
        Precision::Of(below) => (fraction * BigInt::from(below)).ceil() / BigInt::from(below),
    };
    let mut times: Vec<BigRational> =
        duals.iter().map(|&dual| if dual > NOISE { fraction(dual) } else { BigRational::zero() }).collect();
    times.resize(rows.len(), BigRational::zero());
    let mut common = BigInt::from(1);
    for denominator in times.iter().map(BigRational::denom) {
        common = common.lcm(denominator);
        if common.bits() > LONG {
            return None;
        }
    }
    let mut missing = sizes.to_vec();
    for (row, times) in rows.iter().zip(&times).filter(|(_, times)| !times.is_zero()) {
        for &(column, squares) in row.entries {
            missing[column as usize] -= times * BigInt::from(squares);
        }
    }
    let mut of_columns = Vec::new();
    if missing.iter().any(Signed::is_positive) {
        // For each column the row that counts it at the least cost; on a square by itself it costs 1.
        let mut cheapest: Vec<Option<(f64, usize, u64)>> = vec![None; sizes.len()];
        for (number, row) in rows.iter().enumerate() {
            for &(column, squares) in row.entries {
                let cost = row.rhs as f64 / squares as f64;
                let best = &mut cheapest[column as usize];
                if cost < 1.0 && best.is_none_or(|(least, ..)| cost < least) {
                    *best = Some((cost, number, squares));
                }
            }
        }
        for column in 0..sizes.len() {
            if !missing[column].is_positive() {
                continue;
            }
            let lack = missing[column].clone();
            match cheapest[column] {
                Some((_, number, squares)) => {
                    let more = raised(lack / BigInt::from(squares));
                    for &(other, squares) in rows[number].entries {
                        missing[other as usize] -= &more * BigInt::from(squares);
                    }
                    times[number] += more;
                }
                None => of_columns.push((column, raised(lack))),
            }
        }
    }
    let of_rows: Vec<(usize, BigRational)> =
        times.into_iter().enumerate().filter(|(_, times)| !times.is_zero()).collect();
    let value =
        of_rows.iter().map(|(number, times)| times * BigInt::from(rows[*number].rhs)).sum::<BigRational>()
            + of_columns.iter().map(|(_, times)| times).sum::<BigRational>();
    Some(Multipliers { of_rows, of_columns, value })
}

/// The fraction nearest to a positive number among its convergents of denominator at most `most`.
pub(super) fn nearest(number: f64, most: i64) -> BigRational {
    let (mut before, mut last) = ((0i64, 1i64), (1i64, 0i64));
    let mut rest = number;
    for _ in 0..64 {
        let whole = rest.floor();
        if whole > 1e15 {
            break;
        }
        let next = |before: i64, last: i64| (whole as i64).checked_mul(last)?.checked_add(before);
        let (Some(above), Some(below)) = (next(before.0, last.0), next(before.1, last.1)) else { break };
        if below > most {
            break;
        }
        (before, last) = (last, (above, below));
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

    fn fraction(above: i64, below: i64) -> BigRational {
        BigRational::new(BigInt::from(above), BigInt::from(below))
    }

    #[test]
    fn floats_near_small_fractions_become_these() {
        for (above, below) in [(1, 3), (736, 3), (22, 7), (1, 360), (5, 1)] {
            assert_eq!(nearest(above as f64 / below as f64, 360), fraction(above, below));
        }
        assert_eq!(nearest(std::f64::consts::PI, 200), fraction(355, 113));
        assert_eq!(nearest(1e-6, 360), fraction(0, 1));
    }

    #[test]
    fn what_is_counted_too_seldom_is_mended() {
        // Two columns of 2 and 4 squares; a row with one of each, and one with three of the second.
        let (sizes, rows) = (
            [2, 4].map(|size| fraction(size, 1)),
            [Line { entries: &[(0, 1), (1, 1)], rhs: 1 }, Line { entries: &[(1, 3)], rhs: 1 }],
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
