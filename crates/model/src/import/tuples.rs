//! Squares as tuples of coordinates.

use ndqueens_notation::certificate::{CertificateError, certificate_error};
use ndqueens_notation::counted::counted;
use ndqueens_notation::name::BoardName;

use super::convention::{Convention, Inexpressible};
use super::numbers::{NumberText, NumberWord};
use super::signature::{ParserInput, Placements, WriterInput};

/// Parses one placement, a tuple of coordinates for each square.
///
/// # Errors
/// Returns an error if no board is given, if a tuple has a length other than the board's dimension, or if one
/// of its words is not a coordinate. If coordinates count from 1, squares off the board are errors as well.
pub(super) fn parse(input: &ParserInput<'_>) -> Result<Placements, CertificateError> {
    let numbers = NumberText::split(input, 2, false)?;
    let (board, base) = (&numbers.board, numbers.base);
    let name = board.name();
    let dimension = board.coordinates(0).len();
    let is_graph = matches!(name, BoardName::File(_)) && dimension == 1 && !board.has_symmetry();
    if base > 0 && is_graph {
        let fault = format!(
            "vertices of {name} have the numbers of its file, which are read as \"{}\"",
            Convention::Tuples0
        );
        return Err(certificate_error(1, 1, fault));
    }
    let parse_tuple = |group: &Vec<NumberWord<'_>>| {
        if group.len() != dimension {
            let fault = format!(
                "{} found, {dimension} expected for a square of {name}",
                counted(group.len(), "coordinate")
            );
            return Err(group[0].fault(fault));
        }
        let square = group.iter().map(|word| word.number("a coordinate", base, 1 << u32::BITS));
        let square = square.collect::<Result<Vec<u32>, _>>()?;
        // Squares off the board are rejected here if coordinates count from 1: checkers would report them
        // counted from 0.
        if base > 0 && board.square(&square).is_none() {
            let written = group.iter().map(|word| word.text).collect::<Vec<_>>().join(", ");
            let allowed = board.grid().map_or_else(String::new, |grid| {
                let ranges =
                    grid.sides().iter().map(|side| format!("[{base},{}]", u64::from(*side) + base - 1));
                format!(" and lie in {}", ranges.collect::<Vec<_>>().join(" x "))
            });
            let fault = format!(
                "({written}) is off the board {name}; its coordinates count from {base} here{allowed}"
            );
            return Err(group[0].fault(fault));
        }
        Ok(square)
    };
    let squares = numbers.groups.iter().map(parse_tuple).collect::<Result<_, _>>()?;
    Ok(numbers.placements("tuples", vec![(1, squares)]))
}

/// Writes one tuple a line. Never fails.
#[expect(clippy::unnecessary_wraps, reason = "all writers have one signature")]
pub(super) fn write(input: &WriterInput<'_>) -> Result<String, Inexpressible> {
    let tuple = |square: &Vec<u32>| {
        let coordinates: Vec<String> =
            square.iter().map(|&c| (u64::from(c) + input.base).to_string()).collect();
        format!("({})\n", coordinates.join(","))
    };
    Ok(input.certificate.squares.iter().map(tuple).collect())
}
