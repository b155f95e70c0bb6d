//! Colouring boards: the solver's algorithms with progress, limits and checkpoints. Every colouring is
//! checked.
//!
//! | module | contents |
//! | --- | --- |
//! | [`question`] | a question for the complete algorithm, and the lists of solutions for it |
//! | [`folder`] | a folder that holds such a question and the finished parts of its search |
//! | [`cover`] | the search of the parts, in memory or in a folder |

pub mod cover;
pub mod distant_colours;
pub mod few_colours;
pub mod folder;
pub mod polynomial;
pub mod question;

use ndqueens_crosscheck::colouring::verify;
use ndqueens_model::board::Board;
use ndqueens_notation::certificate::colouring::{ClassKind, Colouring};
use ndqueens_notation::name::BoardName;
use ndqueens_solver::colouring::chromatic::{self, Chromatic};
use ndqueens_solver::colouring::cover::Classes;
use ndqueens_solver::colouring::operator::Operator;
use ndqueens_solver::colouring::{self, search};
use ndqueens_solver::construct::local_search::SearchError;
use ndqueens_system::cancel::{Control, Deadline, StopReason};
use ndqueens_system::thread::with_threads;
use rayon::prelude::*;

use crate::run::{RefusedError, Watch, WorkflowError, nodes, run_watched};
pub use crate::square_colouring::{classes, symmetry};

/// Result of random draws: the colouring and the seed that led to it, if one was found; the number of nodes;
/// and the reason of a stop without a colouring.
pub type Drawn = (Option<(Classes, u64)>, u64, Option<StopReason>);

/// Searches for a colouring with a symmetry by random partial colourings, with one seed for each thread. The
/// seed that found the colouring is returned.
///
/// # Errors
/// Returns an error if no colouring has the symmetry, or if the threads cannot be started.
///
/// # Panics
/// Panics if the side is 0 or above [`search::MAX_SIDE`], or if the operator is `None`.
pub fn draw(
    side: usize,
    operator: Operator,
    threads: usize,
    seed: u64,
    deadline: Deadline,
    watch: &mut Watch<'_>,
) -> Result<Drawn, WorkflowError> {
    operator.ensure_possible(side)?;
    let control = Control::new();
    let (found, stop) = run_watched(&control, deadline, watch, &|seconds| nodes(&control, seconds), |_| {
        with_threads(threads, || {
            (0..threads as u64).into_par_iter().find_map_any(|thread| {
                let seed = (seed + thread) % (1 << 32);
                let found = search::search(side, operator, seed, &control).ok().flatten()?;
                control.stop();
                Some((found, seed))
            })
        })
    });
    let found = found.map_err(SearchError::Threads)?;
    let stop = if found.is_some() { None } else { stop };
    Ok((found, control.nodes(), stop))
}

/// Colours a board with fewest colours. The search ends early with a colouring in `target` colours, and does
/// not try to find one in more than `most`. The second value is the reason of a stop.
#[must_use]
pub fn fewest(
    board: &Board,
    target: usize,
    most: Option<usize>,
    deadline: Deadline,
    watch: &mut Watch<'_>,
) -> (Chromatic, Option<StopReason>) {
    let control = Control::new();
    run_watched(&control, deadline, watch, &|seconds| nodes(&control, seconds), |_| {
        chromatic::chromatic(board, target, most, &control)
    })
}

/// Returns an n-colouring of n^2 as a checked file.
///
/// # Errors
/// Returns an error if it does not pass the check.
pub fn certify(classes: &Classes, origin: &str) -> Result<Colouring, WorkflowError> {
    let side = classes.len() as u32;
    let board = BoardName::queen(&[side, side]);
    check(Colouring::new(board, ClassKind::FullSolutions, colouring::squares(classes), origin))
}

/// Checks a colouring and returns it.
///
/// # Errors
/// Returns an error if it does not pass the check.
pub fn check(colouring: Colouring) -> Result<Colouring, WorkflowError> {
    verify(&colouring).map_err(RefusedError::Colouring)?;
    Ok(colouring)
}
