//! Counting what constructions can make in all: full solutions, and regular ones.

use std::io::{self, Write};

use ndqueens_control::{Control, Deadline, StopReason};
use ndqueens_model::name::{BoardName, Piece};
use ndqueens_solver::construct::linear::regular::{self, Census};
use ndqueens_solver::construct::local_search::SearchError;
use ndqueens_solver::construct::stack;

use crate::run::{LabError, Watch, nodes, run_watched};

/// Side and dimension of a board of queens on n^d.
#[must_use]
pub fn cube(board: &BoardName) -> Option<(u32, usize)> {
    match board {
        BoardName::Grid { piece: Piece::Queen, torus: false, sides } => {
            let side = *sides.first()?;
            sides.iter().all(|&other| other == side).then_some((side, sides.len()))
        }
        _ => None,
    }
}

/// Counts the full solutions on n^3 by visiting every stack of layers. `Err` in the answer tells why it stopped before.
///
/// # Errors
/// When so many threads cannot be had.
///
/// # Panics
/// If the side is 0 or above [`stack::MOST_LAYERS`].
pub fn count_stacks(
    side: u32,
    threads: usize,
    watch: &mut Watch<'_>,
) -> Result<Result<u64, StopReason>, LabError> {
    let control = Control::default();
    let now = |seconds| nodes(&control, seconds);
    let (count, stopped) =
        run_watched(&control, Deadline::NEVER, watch, &now, |_| stack::count_full(side, threads, &control));
    let count = count.map_err(SearchError::Threads)?;
    Ok(count.ok_or(stopped.unwrap_or(StopReason::Interrupted)))
}

/// The most coefficient vectors, roughly, that are listed.
const MOST_VECTORS: u128 = 1 << 28;

/// Whether the coefficient vectors of n^d are not too many to be listed.
#[must_use]
pub fn can_list_regular(side: u32, dimension: usize) -> bool {
    u128::from(side).pow(dimension as u32 - 1) <= MOST_VECTORS
}

/// Lists the regular solutions on n^d and counts their orbits. `Err` tells why it stopped before.
///
/// # Errors
/// When the watcher broke.
///
/// # Panics
/// If the side or the dimension is 0.
pub fn list_regular(side: u32, dimension: usize, watch: &mut Watch<'_>) -> Result<Census, StopReason> {
    let control = Control::default();
    let now = |seconds| nodes(&control, seconds);
    let (census, stopped) =
        run_watched(&control, Deadline::NEVER, watch, &now, |_| regular::census(side, dimension, &control));
    census.ok_or(stopped.unwrap_or(StopReason::Interrupted))
}

/// Writes the coefficient vectors as CSV: columns `a1`, ..., `a(d-1)`, the coefficients mod n, and `orbit`, the number of
/// the vector's orbit under the board's symmetries, empty when orbits were not counted.
///
/// # Errors
/// When `out` fails.
pub fn write_vectors(census: &Census, dimension: usize, out: &mut dyn Write) -> io::Result<()> {
    let mut table = csv::Writer::from_writer(out);
    table.write_record((1..dimension).map(|axis| format!("a{axis}")).chain(["orbit".to_owned()]))?;
    for (row, vector) in census.vectors.iter().enumerate() {
        let orbit = census.orbits.as_ref().map(|orbits| orbits.of_vector[row].to_string());
        table.write_record(vector.iter().map(u32::to_string).chain([orbit.unwrap_or_default()]))?;
    }
    table.flush()
}
