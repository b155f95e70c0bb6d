//! Squares as the numbers that de Groot gives them.

use ndqueens_notation::certificate::{CertificateError, certificate_error};

use super::convention::Inexpressible;
use super::numbers::NumberText;
use super::signature::{ParserInput, Placements, WriterInput};
use crate::board::{Board, Square};

/// Parses one placement, a list of de Groot's square numbers.
///
/// # Errors
/// Returns an error if no board is given, if de Groot does not number its squares, or if a word is not one of
/// his numbers.
pub(super) fn parse(input: &ParserInput<'_>) -> Result<Placements, CertificateError> {
    let numbers = NumberText::split(input, 1, false)?;
    let (board, base) = (&numbers.board, numbers.base);
    let order = numbering(board).map_err(|e| certificate_error(1, 1, e.to_string()))?;
    let what = format!("de Groot's number of a square of {}", board.name());
    let words = numbers.groups.iter().flatten();
    let squares = words
        .map(|word| {
            let number = word.number(&what, base, board.size() as u64)?;
            Ok(board.coordinates(order[number as usize]))
        })
        .collect::<Result<_, _>>()?;
    Ok(numbers.placements("square numbers of de Groot", vec![(1, squares)]))
}

/// Writes one of de Groot's square numbers a line.
///
/// # Errors
/// Returns an error if de Groot does not number the squares of the board, or if a square is off the board.
pub(super) fn write(input: &WriterInput<'_>) -> Result<String, Inexpressible> {
    let order = numbering(input.board)?;
    let line = |square: &Vec<u32>| {
        let number = input.number(square)?;
        let at = order.iter().position(|&other| other == number).expect("every square has a number");
        Ok(format!("{}\n", at as u64 + input.base))
    };
    input.certificate.squares.iter().map(line).collect()
}

/// Returns the squares in the order of de Groot's numbers.
fn numbering(board: &Board) -> Result<Vec<Square>, Inexpressible> {
    board.de_groot().ok_or_else(|| Inexpressible::NoNumbers { board: board.name().clone() })
}
