//! Puzzles and clues.

use std::fmt;

/// The orders that are read and solved.
pub const ORDERS: std::ops::RangeInclusive<usize> = 2..=5;

/// A grid with some numbers in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Puzzle {
    /// The side of its boxes.
    pub order: usize,
    /// Whether each main diagonal, too, has every number once.
    pub diagonals: bool,
    /// The number of every cell, row by row; nothing where none is given.
    pub cells: Vec<Option<u32>>,
    /// The line of the file in which it begins, from 1.
    pub line: usize,
    /// Numbers of the solution according to the file, cell by cell; empty if the file states none.
    pub expected: Vec<Option<u32>>,
}

impl Puzzle {
    /// The side of the grid.
    #[must_use]
    pub fn side(&self) -> usize {
        self.order * self.order
    }

    /// Creates a puzzle that is not read from a file.
    #[must_use]
    pub fn new(order: usize, cells: Vec<Option<u32>>) -> Self {
        Self { order, diagonals: false, cells, line: 1, expected: Vec::new() }
    }

    /// The clues: row, column and number.
    pub fn clues(&self) -> impl Iterator<Item = Clue> + '_ {
        let n = self.side();
        let clue = move |(cell, number): (usize, &Option<u32>)| {
            number.map(|number| Clue { row: cell / n, column: cell % n, number })
        };
        self.cells.iter().enumerate().filter_map(clue)
    }

    /// The first two clues of one number in a row, a column, a box or a diagonal that has its numbers once, and which of these it is.
    #[must_use]
    pub fn contradiction(&self) -> Option<([Clue; 2], &'static str)> {
        let clues: Vec<Clue> = self.clues().collect();
        let before = |at: usize| {
            let clue = clues[at];
            clues[..at].iter().find_map(|&other| Some(([other, clue], self.common_unit(other, clue)?)))
        };
        (0..clues.len()).find_map(before)
    }

    /// Returns what has both clues and wants their number once only; nothing if their numbers differ.
    fn common_unit(&self, one: Clue, other: Clue) -> Option<&'static str> {
        let b = self.order;
        let in_one_box = one.row / b == other.row / b && one.column / b == other.column / b;
        let on_one_diagonal =
            [0, 1].map(|at| one.diagonals(self.side())[at] && other.diagonals(self.side())[at]);
        match other {
            _ if one.number != other.number => None,
            _ if one.row == other.row => Some("row"),
            _ if one.column == other.column => Some("column"),
            _ if in_one_box => Some("box"),
            _ => (self.diagonals && on_one_diagonal.contains(&true)).then_some("diagonal"),
        }
    }

    /// The cells as a line: 1 to 9, letters from A on, and dots.
    #[must_use]
    pub fn line_of(cells: &[Option<u32>]) -> String {
        let sign = |cell: &Option<u32>| cell.map_or('.', |number| SIGNS[number as usize] as char);
        cells.iter().map(sign).collect()
    }
}

pub(crate) const SIGNS: &[u8] = b"123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";

/// A number in a cell; all count from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Clue {
    /// Its row.
    pub row: usize,
    /// Its column.
    pub column: usize,
    /// The number.
    pub number: u32,
}

impl Clue {
    /// Returns whether its cell lies on the main diagonal and on the other one, of a grid of this side.
    fn diagonals(self, side: usize) -> [bool; 2] {
        [self.row == self.column, self.row + self.column + 1 == side]
    }
}

/// Counts from 1: `5 in row 1, column 3`.
impl fmt::Display for Clue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} in row {}, column {}", self.number + 1, self.row + 1, self.column + 1)
    }
}
