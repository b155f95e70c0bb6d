//! Integer multipliers of covering rows: a sum of rows that shows that a node has no small set.
//!
//! The dual solution of the LP, multiplied by a denominator and rounded, is the first guess. Rows of squares
//! that are then counted too often are lowered, and rows are raised as far as possible. Only the check at the
//! end, in integers, decides.

use ndqueens_model::board::Square;

use super::CoverNode;
use crate::branch_and_bound::multipliers::denominators;

/// Sum of rows that shows that a node has no small set: the rows count every free square at most
/// `denominator` times, and their sum is larger than `denominator` times the number of squares that
/// may still be placed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct CoverCombination {
    pub(super) denominator: i64,
    /// Squares whose rows are added, with their multipliers, which are positive.
    pub(super) rows: Vec<(usize, i64)>,
}

impl CoverCombination {
    /// Combination for a node with too many placed squares.
    pub(super) const OF_NO_ROWS: Self = Self { denominator: 1, rows: Vec::new() };

    /// Creates the combination for a node in which no free square covers `square`.
    pub(super) fn of_row(square: usize) -> Self {
        Self { denominator: 0, rows: vec![(square, 1)] }
    }
}

/// Returns a combination that shows that `missing` further squares do not cover all open squares, if
/// rounding finds one.
pub(super) fn round(
    coverers: &[Vec<Square>],
    duals: &[f64],
    node: &CoverNode,
    missing: i64,
) -> Option<CoverCombination> {
    let free_coverers = |square: usize| -> Vec<usize> {
        let coverers = coverers[square].iter().map(|&other| other as usize);
        coverers.filter(|&other| node.free.contains(other)).collect()
    };
    let mut rows: Vec<Row> = node
        .open
        .ones()
        .map(|square| Row { square, dual: duals[square].max(0.0), coverers: free_coverers(square), times: 0 })
        .collect();
    // Rows with dual values are raised first.
    rows.sort_by(|a, b| b.dual.total_cmp(&a.dual).then(a.square.cmp(&b.square)));
    denominators().find_map(|denominator| round_rows(&mut rows, denominator, missing, node.free.len()))
}

/// Row of an open square.
struct Row {
    square: usize,
    dual: f64,
    /// Free squares that cover it; at least one.
    coverers: Vec<usize>,
    times: i64,
}

/// Rounds the dual values of rows for one denominator. Returns the combination if it is a proof.
fn round_rows(rows: &mut [Row], denominator: i64, missing: i64, size: usize) -> Option<CoverCombination> {
    let mut counts = vec![0i64; size];
    for row in rows.iter_mut() {
        row.times = (row.dual * denominator as f64).round() as i64;
        row.coverers.iter().for_each(|&square| counts[square] += row.times);
    }
    // Rows that were rounded up most are lowered first.
    let mut order: Vec<usize> = (0..rows.len()).filter(|&row| rows[row].times > 0).collect();
    let excess = |row: &Row| row.times as f64 - row.dual * denominator as f64;
    order.sort_by(|&a, &b| excess(&rows[b]).total_cmp(&excess(&rows[a])).then(a.cmp(&b)));
    for place in order {
        let Row { coverers, times, .. } = &mut rows[place];
        let over = coverers.iter().map(|&square| counts[square] - denominator).max().unwrap_or(0);
        let by = over.clamp(0, *times);
        *times -= by;
        coverers.iter().for_each(|&square| counts[square] -= by);
    }
    for Row { coverers, times, .. } in rows.iter_mut() {
        let spare = coverers.iter().map(|&square| denominator - counts[square]).min().unwrap_or(0).max(0);
        *times += spare;
        coverers.iter().for_each(|&square| counts[square] += spare);
    }
    let sum: i128 = rows.iter().map(|row| i128::from(row.times)).sum();
    let shows = counts.iter().all(|&count| count <= denominator)
        && sum > i128::from(denominator) * i128::from(missing);
    shows.then(|| {
        let used = rows.iter().filter(|row| row.times > 0).map(|row| (row.square, row.times));
        let mut rows: Vec<_> = used.collect();
        rows.sort_unstable();
        CoverCombination { denominator, rows }
    })
}
