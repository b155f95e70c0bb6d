//! Counting full solutions.

use ndqueens_solver::backend::StopReason;
use ndqueens_solver::construction::stack;
use ndqueens_solver::exact::Control;
use ndqueens_solver::local_search::SearchError;

use crate::exact::{attended, nodes};
use crate::solve::{LabError, Watch};

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
        attended(&control, None, watch, &now, |_| stack::count_full(side, threads, &control));
    let count = count.map_err(SearchError::Threads)?;
    Ok(count.ok_or(stopped.unwrap_or(StopReason::Interrupted)))
}
