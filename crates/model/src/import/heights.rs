//! Squares as the last coordinates in a matrix whose cells are given by the other coordinates.

use ndqueens_notation::certificate::{CertificateError, certificate_error};
use ndqueens_notation::counted::counted;

use super::convention::Inexpressible;
use super::numbers::{NumberText, NumberWord};
use super::signature::{ParserInput, Placements, WriterInput};
use crate::board::Board;

/// Parses placements, each of them one matrix of heights.
///
/// # Errors
/// Returns an error if no box is given as the board, if the cells are not those of whole matrices, if a cell
/// is neither empty nor a height, or if a `0` may be either.
pub(super) fn parse(input: &ParserInput<'_>) -> Result<Placements, CertificateError> {
    let numbers = NumberText::split(input, usize::MAX, true)?;
    let (groups, board, base) = (&numbers.groups, &numbers.board, numbers.base);
    let matrix = HeightMatrix::of(board).map_err(|e| certificate_error(1, 1, e.to_string()))?;
    let rows = matrix.rows_per_placement(groups, numbers.lists)?;
    let parse_set = |set: &[Vec<NumberWord<'_>>]| -> Result<(usize, Vec<Vec<u32>>), CertificateError> {
        let cells = set.concat();
        if cells.len() != matrix.cells {
            let fault = format!("{} found, {} expected", counted(cells.len(), "cell"), matrix.cells);
            return Err(match cells.get(matrix.cells).or(cells.last()) {
                Some(word) => word.fault(fault),
                None => certificate_error(1, 1, fault),
            });
        }
        let is_queen = |word: &NumberWord<'_>| !matches!((word.text, base), ("." | "-" | "_", _) | ("0", 1));
        let square = |(cell, word): (u32, NumberWord<'_>)| {
            let height =
                word.number("a cell that is not empty (., - or _)", base, u64::from(matrix.height))?;
            Ok(board.coordinates(cell * matrix.height + height))
        };
        let squares = (0..).zip(cells.iter().copied()).filter(|(_, word)| is_queen(word)).map(square);
        let squares = squares.collect::<Result<_, _>>()?;
        if base == 1 {
            matrix.reject_ambiguous_zeros(&cells, groups)?;
        }
        Ok((set.first().map_or(1, |row| row[0].line_number), squares))
    };
    let sets = if groups.is_empty() {
        vec![parse_set(groups)?]
    } else {
        groups.chunks(rows).map(parse_set).collect::<Result<_, _>>()?
    };
    Ok(numbers.placements("heights", sets))
}

/// Writes the matrix of heights.
///
/// # Errors
/// Returns an error if the board is not a box, if a square is off the board, or if two squares have the same
/// cell.
pub(super) fn write(input: &WriterInput<'_>) -> Result<String, Inexpressible> {
    let matrix = HeightMatrix::of(input.board)?;
    let mut queens: Vec<Option<&Vec<u32>>> = vec![None; matrix.cells];
    for square in &input.certificate.squares {
        let cell = &mut queens[(input.number(square)? / matrix.height) as usize];
        if let Some(first) = cell.replace(square) {
            return Err(Inexpressible::SameCell { first: first.clone(), second: square.clone() });
        }
    }
    Ok(matrix.print(&queens, input.base))
}

/// Shape of a matrix of heights.
struct HeightMatrix {
    /// Number of axes of the board.
    dimension: usize,
    /// Length of the board's last axis.
    height: u32,
    /// Number of cells.
    cells: usize,
    /// Number of cells in a row.
    row: usize,
    /// Number of cells in a block of rows; a board of more than three axes has several blocks.
    slab: usize,
}

impl HeightMatrix {
    /// Returns the shape for a board.
    ///
    /// # Errors
    /// Returns an error if the board is not a box.
    fn of(board: &Board) -> Result<Self, Inexpressible> {
        let no_box = || Inexpressible::NoBox { board: board.name().clone() };
        let sides = board.grid().ok_or_else(no_box)?.sides();
        let mut from_last = sides.iter().rev();
        let height = *from_last.next().expect("a box has an axis");
        let row = from_last.next().map_or(1, |&side| side as usize);
        let slab = row * from_last.next().map_or(1, |&side| side as usize);
        let cells = board.size() / height as usize;
        Ok(Self { dimension: sides.len(), height, cells, row, slab })
    }

    /// Returns the number of groups of words in one placement: on three axes the rows of a matrix, on two
    /// axes 1 if every group is a whole placement, and otherwise all groups.
    ///
    /// # Errors
    /// Returns an error if a row of a matrix or one of several lists has a wrong length, or if several lines
    /// on two axes are neither whole placements nor one column nor a list.
    fn rows_per_placement(
        &self,
        groups: &[Vec<NumberWord<'_>>],
        lists: usize,
    ) -> Result<usize, CertificateError> {
        if self.dimension == 3
            && let Some(row) = groups.iter().find(|row| row.len() != self.row)
        {
            return Err(row[0].fault(format!(
                "{} found in the row, {} expected",
                counted(row.len(), "cell"),
                self.row
            )));
        }
        let is_column = groups.iter().all(|group| group.len() == 1);
        let is_list = lists > 0;
        // A list in a list is a whole placement on two axes, and otherwise a row.
        let list_cells = if self.dimension == 2 { self.cells } else { self.row };
        if lists > 1
            && let Some(list) = groups.iter().find(|list| list.len() != list_cells)
        {
            let found = counted(list.len(), "cell");
            return Err(list[0].fault(format!("{found} found in the list, {list_cells} expected")));
        }
        match self.dimension {
            2 if groups.iter().all(|group| group.len() == self.cells) => Ok(1),
            2 if groups.len() > 1 && !is_column && !is_list => {
                let row =
                    groups.iter().find(|row| row.len() != self.cells).expect("a line of another length");
                let fault =
                    format!("{} found in the line, {} expected", counted(row.len(), "cell"), self.cells);
                Err(row[0].fault(fault))
            }
            3 => Ok(self.cells / self.row),
            _ => Ok(groups.len().max(1)),
        }
    }

    /// Rejects a `0` among the cells of a matrix counted from 1 if no cell of the text has the largest
    /// height: the heights may then be counted from 0.
    fn reject_ambiguous_zeros(
        &self,
        cells: &[NumberWord<'_>],
        text: &[Vec<NumberWord<'_>>],
    ) -> Result<(), CertificateError> {
        let zero = cells.iter().find(|word| word.text == "0");
        let is_largest = |word: &NumberWord<'_>| word.text.parse() == Ok(u64::from(self.height));
        zero.filter(|_| !text.iter().flatten().any(is_largest)).map_or(Ok(()), |zero| {
            Err(zero.fault(format!(
                "0 may be an empty cell or a height counted from 0, since no cell is {}; write empty cells as ., or read \
                 heights counted from 0 with --as heights",
                self.height
            )))
        })
    }

    /// Formats the matrix, with `.` for a cell without a queen.
    fn print(&self, queens: &[Option<&Vec<u32>>], base: u64) -> String {
        let last = u64::from(self.height) - 1 + base;
        let width = last.to_string().len();
        let mut text = String::new();
        for (done, queen) in (1..).zip(queens) {
            let height = queen.and_then(|square| square.last());
            let cell = height.map_or(".".to_owned(), |&height| (u64::from(height) + base).to_string());
            let end = if done % self.slab == 0 && done < self.cells {
                "\n\n"
            } else if done % self.row == 0 {
                "\n"
            } else {
                " "
            };
            text += &format!("{cell:>width$}{end}");
        }
        text
    }
}
