//! The next forced number, and why.

use std::fmt;

use crate::puzzle::{Clue, Puzzle};
use crate::search::{Budget, End, solutions};

/// Where a number has one place only, counted from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    /// A row.
    Row(usize),
    /// A column.
    Column(usize),
    /// A box, row by row.
    Box(usize),
    /// A main diagonal: 0 is the one through the first cell of the first row.
    Diagonal(usize),
}

/// Counts from 1.
impl fmt::Display for Unit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Row(row) => write!(f, "row {}", row + 1),
            Self::Column(column) => write!(f, "column {}", column + 1),
            Self::Box(of_box) => write!(f, "box {}", of_box + 1),
            Self::Diagonal(diagonal) => write!(f, "diagonal {}", diagonal + 1),
        }
    }
}

/// Why a number is forced.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reason {
    /// All others stand in the row, the column or the box of the cell.
    OnlyNumber,
    /// All others stand there or on a main diagonal of the cell.
    OnlyNumberWithDiagonals,
    /// The number has no other place there.
    OnlyPlace(Unit),
    /// With any other number in the cell there is no solution.
    OthersFail,
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OnlyNumber => f.write_str("every other number is in its row, column or box"),
            Self::OnlyNumberWithDiagonals => {
                f.write_str("every other number is in its row, column, box or a diagonal of it")
            }
            Self::OnlyPlace(unit) => write!(f, "the number has no other place in {unit}"),
            Self::OthersFail => f.write_str("with any other number there, the puzzle has no solution"),
        }
    }
}

/// A number that every solution has in an empty cell, and the simplest reason why; nothing when there is none, or when it is not
/// found with this budget for each cell and number.
#[must_use]
pub fn hint(puzzle: &Puzzle, budget: Budget<'_>) -> Option<(Clue, Reason)> {
    let b = puzzle.order;
    let n = puzzle.side();
    let mut taken = vec![0u32; 3 * n + 2];
    let units = |row: usize, column: usize| {
        let diagonals = [row == column, row + column + 1 == n];
        let on = (0..2).filter(move |&at| puzzle.diagonals && diagonals[at]).map(move |at| 3 * n + at);
        [row, n + column, 2 * n + row / b * b + column / b].into_iter().chain(on)
    };
    for clue in puzzle.clues() {
        for unit in units(clue.row, clue.column) {
            taken[unit] |= 1 << clue.number;
        }
    }
    let fits = |row: usize, column: usize, number: u32| {
        puzzle.cells[row * n + column].is_none()
            && units(row, column).all(|unit| taken[unit] >> number & 1 == 0)
    };
    let cells_of = |unit: usize| -> Vec<(usize, usize)> {
        let at = unit % n;
        match unit / n {
            0 => (0..n).map(|column| (at, column)).collect(),
            1 => (0..n).map(|row| (row, at)).collect(),
            3 => (0..n).map(|row| (row, if at == 0 { row } else { n - 1 - row })).collect(),
            _ => (0..n).map(|i| (at / b * b + i / b, at % b * b + i % b)).collect(),
        }
    };
    let empty = || (0..n * n).filter(|&cell| puzzle.cells[cell].is_none()).map(|cell| (cell / n, cell % n));
    // Boxes before rows and columns: people look there first.
    let diagonals = 3 * n..if puzzle.diagonals { 3 * n + 2 } else { 3 * n };
    for unit in (2 * n..3 * n).chain(0..2 * n).chain(diagonals) {
        let cells = cells_of(unit);
        for number in (0..n as u32).filter(|&number| taken[unit] >> number & 1 == 0) {
            let places: Vec<_> = cells.iter().filter(|&&(row, column)| fits(row, column, number)).collect();
            if let [&(row, column)] = places[..] {
                let unit = match unit / n {
                    0 => Unit::Row(unit % n),
                    1 => Unit::Column(unit % n),
                    3 => Unit::Diagonal(unit % n),
                    _ => Unit::Box(unit % n),
                };
                return Some((Clue { row, column, number }, Reason::OnlyPlace(unit)));
            }
        }
    }
    for (row, column) in empty() {
        let numbers: Vec<u32> = (0..n as u32).filter(|&number| fits(row, column, number)).collect();
        if let [number] = numbers[..] {
            let reason = if puzzle.diagonals { Reason::OnlyNumberWithDiagonals } else { Reason::OnlyNumber };
            return Some((Clue { row, column, number }, reason));
        }
    }
    let (first, _) = solutions(puzzle, 1, budget);
    let first = first.first()?;
    let forced = |(row, column): (usize, usize)| {
        let number = first[row * n + column];
        let others = (0..n as u32).filter(|&other| other != number && fits(row, column, other));
        let fail = |other: u32| {
            let mut tried = puzzle.clone();
            tried.cells[row * n + column] = Some(other);
            let (found, end) = solutions(&tried, 1, budget);
            found.is_empty() && end == End::Complete
        };
        let mut others = others;
        others.all(fail).then_some((Clue { row, column, number }, Reason::OthersFail))
    };
    empty().find_map(forced)
}
