//! Puzzles and clues.

use std::fmt;

/// Orders that are read and solved.
pub const ORDERS: std::ops::RangeInclusive<usize> = 2..=5;

/// Grid in which some cells have a number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Puzzle {
    /// Side of a box.
    pub order: usize,
    /// `true` if each main diagonal must contain every number once.
    pub diagonals: bool,
    /// Number of every cell, row by row; `None` for an empty cell.
    pub cells: Vec<Option<u32>>,
    /// First line of the puzzle in its file, from 1.
    pub line: usize,
    /// Numbers of the solution that the file states, row by row; empty if it states none.
    pub expected: Vec<Option<u32>>,
}

/// Two clues with one number in a unit that may contain it once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RepeatedNumber {
    /// The clues, in the order of their cells.
    pub clues: [Clue; 2],
    /// Kind of the unit: row, column, box or diagonal.
    pub unit: &'static str,
}

impl Puzzle {
    /// Returns the side of the grid.
    #[must_use]
    pub fn side(&self) -> usize {
        self.order * self.order
    }

    /// Creates a puzzle that does not come from a file, without diagonals.
    #[must_use]
    pub fn new(order: usize, cells: Vec<Option<u32>>) -> Self {
        Self { order, diagonals: false, cells, line: 1, expected: Vec::new() }
    }

    /// Returns the clues, row by row.
    pub fn clues(&self) -> impl Iterator<Item = Clue> + '_ {
        let n = self.side();
        let clue = move |(cell, number): (usize, &Option<u32>)| {
            number.map(|number| Clue { row: cell / n, column: cell % n, number })
        };
        self.cells.iter().enumerate().filter_map(clue)
    }

    /// Returns the first two clues that contradict each other directly, or `None` if no
    /// unit repeats a number.
    ///
    /// Diagonals are units only if [`Puzzle::diagonals`] is set.
    #[must_use]
    pub fn contradiction(&self) -> Option<RepeatedNumber> {
        let clues: Vec<Clue> = self.clues().collect();
        let repetition = |index: usize| {
            let clue = clues[index];
            clues[..index].iter().find_map(|&earlier| {
                Some(RepeatedNumber { clues: [earlier, clue], unit: self.common_unit(earlier, clue)? })
            })
        };
        (0..clues.len()).find_map(repetition)
    }

    /// Returns the kind of a unit that contains both clues, or `None` if there is no such unit or
    /// their numbers differ.
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

    /// Formats cells as one line: 1 to 9, then letters from A on, and `.` for an empty cell.
    ///
    /// # Panics
    /// Panics if a number is 35 or larger.
    #[must_use]
    pub fn format_line(cells: &[Option<u32>]) -> String {
        let sign = |cell: &Option<u32>| cell.map_or('.', |number| SIGNS[number as usize] as char);
        cells.iter().map(sign).collect()
    }
}

/// Signs of the numbers from 0 on.
pub(crate) const SIGNS: &[u8] = b"123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";

/// Number in a cell; row, column and number count from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Clue {
    /// Row of the cell.
    pub row: usize,
    /// Column of the cell.
    pub column: usize,
    /// Number in the cell.
    pub number: u32,
}

impl Clue {
    /// Returns, for the main diagonal and for the other one of a grid of this side, `true` if
    /// the cell lies on it.
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
