//! Checks of given and of computed certificates, by crosscheck.

use ndqueens_crosscheck::verify;
use ndqueens_exact::MOST_SQUARES;
use ndqueens_model::board::{Board, Square};
use ndqueens_notation::certificate::{Certificate, Problem};

use super::{RefusedError, WorkflowError};

/// Returns a certificate of these squares after the independent check.
///
/// # Errors
/// Returns [`RefusedError::Solution`] if the squares do not pass the check.
pub fn certify(
    board: &Board,
    squares: &[Square],
    problem: Problem,
    include: &[Square],
    found_by: &str,
) -> Result<Certificate, WorkflowError> {
    let coordinates = |squares: &[Square]| squares.iter().map(|&s| board.coordinates(s)).collect::<Vec<_>>();
    let certificate = Certificate {
        problem,
        ..Certificate::independent(board.name().clone(), coordinates(squares), found_by)
    };
    verify::verify(&certificate)
        .and_then(|_| verify::verify_includes(&certificate, &coordinates(include)))
        .map_err(|fault| RefusedError::Solution { found_by: found_by.to_owned(), fault })?;
    Ok(certificate)
}

/// Returns the squares of a given certificate after the independent check for this board and problem.
///
/// # Errors
/// Returns [`WorkflowError::Given`] if the certificate does not pass the check.
pub fn verify_given(
    board: &Board,
    problem: Problem,
    certificate: &Certificate,
) -> Result<Vec<Square>, WorkflowError> {
    verify::verify_on(board.name(), problem, certificate).map_err(WorkflowError::Given)?;
    Ok(certificate.squares.iter().filter_map(|square| board.square(square)).collect())
}

/// Returns the squares of a certificate that must be part of a solution, after the independent check that
/// they may be.
///
/// # Errors
/// Returns [`WorkflowError::Included`] if they cannot be part of a solution.
pub fn verify_included(
    board: &Board,
    certificate: &Certificate,
    solution: Problem,
) -> Result<Vec<Square>, WorkflowError> {
    verify::verify_partial(board.name(), certificate, solution).map_err(WorkflowError::Included)?;
    Ok(certificate.squares.iter().filter_map(|square| board.square(square)).collect())
}

/// Returns an error if the board is too large for the search.
pub(crate) fn ensure_size(board: &Board) -> Result<(), WorkflowError> {
    if board.size() > MOST_SQUARES {
        return Err(WorkflowError::TooLarge { board: board.name().to_string(), most: MOST_SQUARES });
    }
    Ok(())
}

pub(crate) fn is_valid_target(at_least: u64, board: &Board) -> bool {
    (1..=board.size() as u64).contains(&at_least)
}
