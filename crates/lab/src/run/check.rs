//! Checks of what is given and of what is found, by crosscheck.

use ndqueens_crosscheck::verify;
use ndqueens_exact::MOST_SQUARES;
use ndqueens_model::board::{Board, Square};
use ndqueens_notation::certificate::{Certificate, Problem};

use super::LabError;

/// A certificate of these squares, once it has passed the independent check.
///
/// # Errors
/// [`LabError::Refused`] when it does not pass.
pub fn checked(
    board: &Board,
    squares: &[Square],
    problem: Problem,
    include: &[Square],
    found_by: &str,
) -> Result<Certificate, LabError> {
    let coordinates = |squares: &[Square]| squares.iter().map(|&s| board.coordinates(s)).collect::<Vec<_>>();
    let certificate = Certificate {
        problem,
        ..Certificate::independent(board.name().clone(), coordinates(squares), found_by)
    };
    verify::verify(&certificate)
        .and_then(|_| verify::verify_includes(&certificate, &coordinates(include)))
        .map_err(|fault| LabError::Refused { found_by: found_by.to_owned(), fault })?;
    Ok(certificate)
}

/// The squares of a certificate that was given, once it has passed the independent check for this board and problem.
///
/// # Errors
/// [`LabError::Given`] when it does not pass.
pub fn given(board: &Board, problem: Problem, certificate: &Certificate) -> Result<Vec<Square>, LabError> {
    verify::verify_on(board.name(), problem, certificate).map_err(LabError::Given)?;
    Ok(certificate.squares.iter().filter_map(|square| board.square(square)).collect())
}

/// The squares of a certificate that must be part of a solution, once the independent check has found that they may be.
///
/// # Errors
/// [`LabError::Included`] when they may not.
pub fn included(
    board: &Board,
    certificate: &Certificate,
    solution: Problem,
) -> Result<Vec<Square>, LabError> {
    verify::verify_partial(board.name(), certificate, solution).map_err(LabError::Included)?;
    Ok(certificate.squares.iter().filter_map(|square| board.square(square)).collect())
}

/// Refuses a board that the search cannot hold.
pub(crate) fn ensure_size(board: &Board) -> Result<(), LabError> {
    if board.size() > MOST_SQUARES {
        return Err(LabError::TooLarge { board: board.name().to_string(), most: MOST_SQUARES });
    }
    Ok(())
}

pub(crate) fn can_be_asked(at_least: u64, board: &Board) -> bool {
    (1..=board.size() as u64).contains(&at_least)
}
