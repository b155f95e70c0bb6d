//! Counts of solutions by the exact engine.

use std::io;

use ndqueens_crosscheck::count::{CountError, count as reference};
use ndqueens_exact::box_table::BoxTable;
use ndqueens_exact::{Order, Question, Settings, Tally};
use ndqueens_model::board::{self, Grid, Square};
use ndqueens_notation::name::Piece;
use ndqueens_system::cancel::Control;
use ndqueens_system::thread::with_threads;
use num_bigint::BigUint;
use pyo3::prelude::*;
use rayon::prelude::*;

use crate::attended::{Attendant, deadline};
use crate::board::Board;
use crate::fault::{engine, input};
use crate::prove::{Bounded, bounded, ensure_size, settings};

/// Minimum number of parts for each thread if there are several threads.
const PARTS_PER_THREAD: usize = 32;

/// Node limit for each box if the size of the solutions is given.
const NODES_A_BOX: u64 = 100_000;

/// Request for a count.
struct Request<'a> {
    board: &'a board::Board,
    settings: Settings<'a>,
    keep: usize,
}

impl Request<'_> {
    /// Searches for all solutions of a size. Returns their tally and the order of the symmetry group of the
    /// board, or `None` if stopped.
    fn tally(&self, size: u64, mut boxes: BoxTable) -> io::Result<Option<(Tally, Option<u64>)>> {
        let Self { board, settings, keep } = *self;
        if let Some(grid) = board.plain_box() {
            let settings = Settings { node_limit: NODES_A_BOX, ..settings };
            if !boxes.fill_inside(grid.sides(), &settings, None, &mut |_| {})?.is_finished() {
                return Ok(None);
            }
        }
        let question = Question::new(board, size, Order::Lexicographic, &boxes, &settings);
        let least = if settings.threads == 1 { 1 } else { PARTS_PER_THREAD * settings.threads };
        let Some(enumeration) = question.enumerate(&settings, least, keep)? else { return Ok(None) };
        let parts = (0..enumeration.weights.len()).into_par_iter().map(|number| enumeration.run(number));
        let mut tally = enumeration.top.clone();
        for part in parts.collect::<io::Result<Vec<_>>>()? {
            let Some(part) = part else { return Ok(None) };
            tally.add(part, keep);
        }
        Ok(Some((tally, enumeration.order)))
    }
}

/// Result of [`count`]: size, `true` if it is the maximum, number of solutions, their number up to symmetry,
/// kept solutions, and the reason for an early stop.
type Counted = (Option<u64>, bool, Option<BigUint>, Option<BigUint>, Vec<Vec<Square>>, Option<String>);

fn stopped(size: Option<u64>, reason: impl ToString) -> Counted {
    (size, false, None, None, Vec::new(), Some(reason.to_string()))
}

/// Counts the solutions of a size. If no size is given, proves the maximum first and counts the maximum
/// solutions. Returns at most `keep` solutions up to symmetry.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "all that may be asked of a count, by name")]
pub(crate) fn count(
    py: Python<'_>,
    board: &Board,
    size: Option<u64>,
    keep: usize,
    reference: bool,
    threads: usize,
    time_limit: Option<f64>,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<Counted> {
    board.ensure_unchanged()?;
    let (control, deadline) = (Control::new(), deadline(time_limit)?);
    let waiting = Attendant { py, control: &control, deadline, progress };
    if reference {
        return by_reference(&board.0, &waiting);
    }
    let board = &board.0;
    ensure_size(board)?;
    let settings = settings(0, threads, &control);
    let (k, boxes) = match size {
        Some(size) => (size, BoxTable::new(board.grid().map_or(Piece::Queen, Grid::piece))),
        None => {
            let proving = Settings { proofs: true, ..settings };
            let Bounded { maximum, proved, .. } = bounded(board, &proving, None, &waiting)?;
            match proved {
                Ok(_) => (maximum.value, maximum.boxes),
                Err(reason) => return Ok(stopped(None, reason)),
            }
        }
    };
    let request = Request { board, settings, keep };
    let work = || with_threads(threads, || request.tally(k, boxes)).flatten().map_err(engine);
    let (tally, reason) = waiting.attend(&String::new, work)?;
    let Some((tally, order)) = tally else {
        return Ok(stopped(Some(k), reason.map_or_else(String::new, |reason| reason.to_string())));
    };
    let orbits = order.map(|order| tally.up_to_symmetry(order).into_iter().map(|(_, orbits)| orbits).sum());
    let kept = tally.representatives.iter().cloned().collect();
    Ok((Some(k), size.is_none(), Some(tally.solutions()), orbits, kept, None))
}

/// Counts the maximum solutions by the Bron-Kerbosch algorithm on the definition of the board.
fn by_reference(board: &board::Board, waiting: &Attendant<'_, '_>) -> PyResult<Counted> {
    let control = waiting.control;
    let work = || Ok(reference(board.name(), &|| control.is_stopped()));
    let (counted, reason) = waiting.attend(&String::new, work)?;
    match counted {
        Ok(counted) => {
            let (sets, orbits) = (counted.maximum_sets.into(), counted.orbits.map(BigUint::from));
            Ok((Some(counted.independence_number as u64), true, Some(sets), orbits, Vec::new(), None))
        }
        Err(CountError::Stopped { .. }) => {
            Ok(stopped(None, reason.map_or_else(String::new, |reason| reason.to_string())))
        }
        Err(fault @ CountError::TooManySquares(_)) => Err(input(fault)),
    }
}
