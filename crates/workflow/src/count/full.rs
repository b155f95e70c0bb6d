//! Counting the solutions that constructions can yield: full solutions and regular ones.

use std::io::{self, Write};

use ndqueens_crosscheck::solutions::{count_orbits, verify_list};
use ndqueens_model::board::Board;
use ndqueens_notation::certificate::solutions::{Heading, ListKind, Solutions};
use ndqueens_notation::name::{BoardName, Piece};
use ndqueens_solver::construct::linear::regular::{self, Census};
use ndqueens_solver::construct::local_search::SearchError;
use ndqueens_solver::construct::stack;
use ndqueens_system::cancel::{Control, Deadline, StopReason};

use crate::evidence::partition;
use crate::run::{CountError, Interruptible, Watch, WorkflowError, nodes, run_watched};

/// Returns side and dimension of a board of queens on n^d.
#[must_use]
pub fn cube(board: &BoardName) -> Option<(u32, usize)> {
    cubic(board, false)
}

/// Returns side and dimension of a board of queens on torus:n^d.
#[must_use]
pub fn torus_cube(board: &BoardName) -> Option<(u32, usize)> {
    cubic(board, true)
}

fn cubic(board: &BoardName, on_torus: bool) -> Option<(u32, usize)> {
    match board {
        BoardName::Grid { piece: Piece::Queen, torus, sides } if *torus == on_torus => {
            let side = *sides.first()?;
            sides.iter().all(|&other| other == side).then_some((side, sides.len()))
        }
        _ => None,
    }
}

/// Counts the full solutions on n^3 by visiting every stack of layers.
///
/// # Errors
/// Returns an error if the threads cannot be started.
///
/// # Panics
/// Panics if the side is 0 or above [`stack::MAX_LAYERS`].
pub fn count_stacks(
    side: u32,
    threads: usize,
    watch: &mut Watch<'_>,
) -> Result<Interruptible<u64>, WorkflowError> {
    let control = Control::default();
    let now = |seconds| nodes(&control, seconds);
    let (count, stopped) =
        run_watched(&control, Deadline::NEVER, watch, &now, |_| stack::count_full(side, threads, &control));
    let count = count.map_err(SearchError::Threads)?;
    Ok(Interruptible::new(count, stopped))
}

/// Numbers of the full solutions of a board whose maximum solutions are all full. Each was checked from the
/// definition.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FullSolutions {
    /// Queens of each solution; this is the trivial bound.
    pub queens: u64,
    /// Number of solutions.
    pub solutions: u64,
    /// Number of solutions up to symmetry.
    pub up_to_symmetry: u64,
}

/// Returns `true` if all maximum solutions of the board are full, stacking finds them all, and the board is
/// too large for the exact engine to count on: cubes up to [`stack::MAX_LAYERS`] that have regular solutions,
/// 11^3 and 13^3.
#[must_use]
pub fn are_maximum(board: &BoardName) -> bool {
    cube(board).is_some_and(|(side, dimension)| {
        dimension == 3 && (2..=stack::MAX_LAYERS).contains(&side) && regular::first(side, dimension).is_ok()
    })
}

/// Counts the full solutions on n^3 by visiting every stack of layers. Checks each solution from the
/// definition, and that all are distinct and closed under the board's symmetries. A checked partition shows
/// that no solution has more queens; the claim that none of this size is missing rests on the search.
///
/// # Errors
/// Returns an error if the threads cannot be started, or if the result does not pass the check.
///
/// # Panics
/// Panics if [`are_maximum`] is `false` for the board.
pub fn count_maximum(
    board: &Board,
    threads: usize,
    deadline: Deadline,
    watch: &mut Watch<'_>,
) -> Result<Interruptible<FullSolutions>, WorkflowError> {
    let (side, _) = cube(board.name()).expect("a cube");
    let control = Control::default();
    let now = |seconds| nodes(&control, seconds);
    let (listed, stopped) =
        run_watched(&control, deadline, watch, &now, |_| stack::list_full(side, threads, &control));
    let Some(sets) = listed.map_err(SearchError::Threads)? else {
        return Ok(Interruptible::new(None, stopped));
    };
    let queens = partition::best(board)?.sets;
    let (size, solutions) = (queens as usize, sets.len());
    let origin = "every stack of full layers visited".to_owned();
    let heading = Heading { board: board.name().clone(), size, listed: ListKind::All, solutions, origin };
    let list = Solutions { heading, sets: sets.into_iter().map(|set| (0, set)).collect() };
    verify_list(&list).map_err(CountError::List)?;
    let up_to_symmetry = count_orbits(&list).expect("the group of a cube is known") as u64;
    Ok(Interruptible::Finished(FullSolutions { queens, solutions: solutions as u64, up_to_symmetry }))
}

/// Approximate limit on the number of coefficient vectors that are listed.
const MOST_VECTORS: u128 = 1 << 28;

/// Returns `true` if n^d has few enough coefficient vectors to list them.
#[must_use]
pub fn can_list_regular(side: u32, dimension: usize) -> bool {
    u128::from(side).pow(dimension as u32 - 1) <= MOST_VECTORS
}

/// Lists the regular solutions on n^d and counts their orbits.
///
/// # Errors
/// Returns the reason if the watcher broke.
///
/// # Panics
/// Panics if the side or the dimension is 0.
pub fn list_regular(side: u32, dimension: usize, watch: &mut Watch<'_>) -> Result<Census, StopReason> {
    let control = Control::default();
    let now = |seconds| nodes(&control, seconds);
    let (census, stopped) =
        run_watched(&control, Deadline::NEVER, watch, &now, |_| regular::census(side, dimension, &control));
    census.ok_or(stopped.unwrap_or(StopReason::Interrupted))
}

/// Writes the coefficient vectors as CSV: columns `a1`, ..., `a(d-1)`, the coefficients mod n, and `orbit`,
/// the number of the vector's orbit under the board's symmetries, empty if orbits were not counted.
///
/// # Errors
/// Returns an error if writing to `out` fails.
pub fn write_vectors(census: &Census, dimension: usize, out: &mut dyn Write) -> io::Result<()> {
    let mut table = csv::Writer::from_writer(out);
    table.write_record((1..dimension).map(|axis| format!("a{axis}")).chain(["orbit".to_owned()]))?;
    for (row, vector) in census.vectors.iter().enumerate() {
        let orbit = census.orbits.as_ref().map(|orbits| orbits.of_vector[row].to_string());
        table.write_record(vector.iter().map(u32::to_string).chain([orbit.unwrap_or_default()]))?;
    }
    table.flush()
}
