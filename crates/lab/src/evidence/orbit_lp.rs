//! Bounds by the orbit LP as files, checked by crosscheck in exact arithmetic.

use ndqueens_crosscheck::bound;

use super::{Evidence, Given, Refusal, Shown};

/// `1 inequality that adds up to 1`, `7 inequalities that add up to 245 1/3`
#[must_use]
pub fn added_up(rows: u64, sum: &str) -> String {
    match rows {
        1 => format!("1 inequality that adds up to {sum}"),
        _ => format!("{rows} inequalities that add up to {sum}"),
    }
}

/// What the file of a bound begins with.
const HEADER: &[u8] = b"ndqueens bound";

/// Bounds by the orbit LP.
#[derive(Debug)]
pub(super) struct OrbitLp;

impl Evidence for OrbitLp {
    fn begins(&self, first: &[u8]) -> bool {
        first.starts_with(HEADER)
    }

    fn check(&self, given: Given<'_>) -> Result<Shown, Refusal> {
        bound::check(given.text).map(Shown::OrbitLp).map_err(|fault| Refusal::Wrong(fault.to_string()))
    }
}
