//! Number of colourings of a board as a function of the number of colours.

use ndqueens_model::board::Board;
use ndqueens_solver::colouring::polynomial::{ChromaticPolynomial, PolynomialError};
use ndqueens_system::cancel::{Control, Deadline, StopReason};

use crate::run::{Watch, nodes, run_watched};

/// Computes the chromatic polynomial of a board. `given` has an entry for each square: its colour, if it is
/// fixed. The second value is the reason of a stop.
///
/// # Errors
/// Returns an error if there are too many classes of colourings, or if the computation was stopped.
pub fn polynomial(
    board: &Board,
    given: &[Option<usize>],
    deadline: Deadline,
    watch: &mut Watch<'_>,
) -> (Result<ChromaticPolynomial, PolynomialError>, Option<StopReason>) {
    let neighbours = board.squares().map(|square| board.neighbours(square).into_iter().map(|v| v as usize));
    let neighbours: Vec<Vec<usize>> = neighbours.map(Iterator::collect).collect();
    let control = Control::new();
    run_watched(&control, deadline, watch, &|seconds| nodes(&control, seconds), |_| {
        ChromaticPolynomial::compute(&neighbours, given, &control)
    })
}
