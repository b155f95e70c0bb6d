//! Squares as numbers in lexicographic order.

use ndqueens_notation::certificate::CertificateError;

use super::convention::Inexpressible;
use super::numbers::NumberText;
use super::signature::{ParserInput, Placements, WriterInput};

/// Parses one placement, a list of square numbers.
///
/// # Errors
/// Returns an error if no board is given or if a word is not the number of one of its squares.
pub(super) fn parse(input: &ParserInput<'_>) -> Result<Placements, CertificateError> {
    let numbers = NumberText::split(input, 1, false)?;
    let (board, base) = (&numbers.board, numbers.base);
    let what = format!("a square number of {}", board.name());
    if numbers.lists > 1 {
        let fault = format!(
            "the file has {} lists; a file in this convention holds one list of square numbers",
            numbers.lists
        );
        return Err(numbers.groups[0][0].fault(fault));
    }
    let words = numbers.groups.iter().flatten();
    let squares = words
        .map(|word| Ok(board.coordinates(word.number(&what, base, board.size() as u64)?)))
        .collect::<Result<_, _>>()?;
    Ok(numbers.placements("square numbers", vec![(1, squares)]))
}

/// Writes one square number a line.
///
/// # Errors
/// Returns an error if a square is off the board.
pub(super) fn write(input: &WriterInput<'_>) -> Result<String, Inexpressible> {
    let line = |square: &Vec<u32>| Ok(format!("{}\n", u64::from(input.number(square)?) + input.base));
    input.certificate.squares.iter().map(line).collect()
}
