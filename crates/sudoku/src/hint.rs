//! Forced numbers, and the reasons for them.

use std::fmt;

use crate::puzzle::{Clue, Puzzle};
use crate::search::{Budget, SearchEnd, solutions};

/// Set of n cells that contains every number once; counted from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    /// A row.
    Row(usize),
    /// A column.
    Column(usize),
    /// A box; boxes are numbered row by row.
    Box(usize),
    /// A main diagonal; 0 is the one through the first cell of the first row.
    Diagonal(usize),
}

impl Unit {
    /// Returns the cells of the unit in a grid of this order, each as its row and its column.
    fn cells(self, order: usize) -> Vec<(usize, usize)> {
        let n = order * order;
        match self {
            Self::Row(row) => (0..n).map(|column| (row, column)).collect(),
            Self::Column(column) => (0..n).map(|row| (row, column)).collect(),
            Self::Box(number) => (0..n)
                .map(|i| (number / order * order + i / order, number % order * order + i % order))
                .collect(),
            Self::Diagonal(0) => (0..n).map(|row| (row, row)).collect(),
            Self::Diagonal(_) => (0..n).map(|row| (row, n - 1 - row)).collect(),
        }
    }
}

/// Counts from 1.
impl fmt::Display for Unit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Row(row) => write!(f, "row {}", row + 1),
            Self::Column(column) => write!(f, "column {}", column + 1),
            Self::Box(number) => write!(f, "box {}", number + 1),
            Self::Diagonal(diagonal) => write!(f, "diagonal {}", diagonal + 1),
        }
    }
}

/// Reason why a number is forced.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reason {
    /// All other numbers are clues in the row, the column or the box of the cell.
    OnlyNumber,
    /// All other numbers are clues in the row, the column, the box or a main diagonal of the cell.
    OnlyNumberWithDiagonals,
    /// The number has no other place in the unit.
    OnlyPlace(Unit),
    /// With any other number in the cell, the puzzle has no solution.
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

/// Number that every solution has in an empty cell, and the reason for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Hint {
    /// The cell and the number.
    pub clue: Clue,
    /// Reason why the number is forced.
    pub reason: Reason,
}

/// Returns a forced number with the simplest reason.
///
/// Returns `None` if no number is forced, if the puzzle has no solution, or if the searches are not decided
/// within the budget, which holds for each pair of a cell and a number.
#[must_use]
pub fn hint(puzzle: &Puzzle, budget: Budget<'_>) -> Option<Hint> {
    let candidates = Candidates::new(puzzle);
    candidates
        .only_place()
        .or_else(|| candidates.only_number())
        .or_else(|| candidates.forced_by_search(budget))
}

/// Numbers that the clues leave to the empty cells of a puzzle.
struct Candidates<'p> {
    puzzle: &'p Puzzle,
    /// Numbers of the clues in each unit, as bits; see [`Candidates::index`].
    taken: Vec<u32>,
}

impl<'p> Candidates<'p> {
    fn new(puzzle: &'p Puzzle) -> Self {
        let mut candidates = Self { puzzle, taken: vec![0; 3 * puzzle.side() + 2] };
        for clue in puzzle.clues() {
            for unit in units_of(puzzle, clue.row, clue.column) {
                let index = candidates.index(unit);
                candidates.taken[index] |= 1 << clue.number;
            }
        }
        candidates
    }

    /// Returns the place of a unit in `taken`.
    fn index(&self, unit: Unit) -> usize {
        let n = self.puzzle.side();
        match unit {
            Unit::Row(row) => row,
            Unit::Column(column) => n + column,
            Unit::Box(number) => 2 * n + number,
            Unit::Diagonal(diagonal) => 3 * n + diagonal,
        }
    }

    fn is_taken(&self, unit: Unit, number: u32) -> bool {
        self.taken[self.index(unit)] >> number & 1 == 1
    }

    /// Returns `true` if the cell is empty and no clue in its units has the number.
    fn fits(&self, row: usize, column: usize, number: u32) -> bool {
        self.puzzle.cells[row * self.puzzle.side() + column].is_none()
            && units_of(self.puzzle, row, column).all(|unit| !self.is_taken(unit, number))
    }

    fn numbers(&self) -> std::ops::Range<u32> {
        0..self.puzzle.side() as u32
    }

    /// Returns the empty cells, row by row.
    fn empty_cells(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        let n = self.puzzle.side();
        (0..n * n).filter(|&cell| self.puzzle.cells[cell].is_none()).map(move |cell| (cell / n, cell % n))
    }

    /// Returns a number that has one place in a unit.
    fn only_place(&self) -> Option<Hint> {
        let n = self.puzzle.side();
        // Boxes come before rows and columns, because people look there first.
        let units = (0..n).map(Unit::Box).chain((0..n).map(Unit::Row)).chain((0..n).map(Unit::Column));
        let diagonals = if self.puzzle.diagonals { 0..2 } else { 0..0 };
        for unit in units.chain(diagonals.map(Unit::Diagonal)) {
            let cells = unit.cells(self.puzzle.order);
            for number in self.numbers().filter(|&number| !self.is_taken(unit, number)) {
                let places: Vec<_> =
                    cells.iter().filter(|&&(row, column)| self.fits(row, column, number)).collect();
                if let [&(row, column)] = places[..] {
                    return Some(Hint {
                        clue: Clue { row, column, number },
                        reason: Reason::OnlyPlace(unit),
                    });
                }
            }
        }
        None
    }

    /// Returns the number of a cell that fits no other one.
    fn only_number(&self) -> Option<Hint> {
        let reason = if self.puzzle.diagonals { Reason::OnlyNumberWithDiagonals } else { Reason::OnlyNumber };
        self.empty_cells().find_map(|(row, column)| {
            let numbers: Vec<u32> = self.numbers().filter(|&number| self.fits(row, column, number)).collect();
            let &[number] = numbers.as_slice() else { return None };
            Some(Hint { clue: Clue { row, column, number }, reason })
        })
    }

    /// Returns a number of a solution whose alternatives are all refuted by search.
    fn forced_by_search(&self, budget: Budget<'_>) -> Option<Hint> {
        let n = self.puzzle.side();
        let (found, _) = solutions(self.puzzle, 1, budget);
        let solution = found.first()?;
        let fails = |row: usize, column: usize, number: u32| {
            let mut changed = self.puzzle.clone();
            changed.cells[row * n + column] = Some(number);
            let (found, end) = solutions(&changed, 1, budget);
            found.is_empty() && end == SearchEnd::Complete
        };
        self.empty_cells().find_map(|(row, column)| {
            let number = solution[row * n + column];
            let mut others = self.numbers().filter(|&other| other != number && self.fits(row, column, other));
            others
                .all(|other| fails(row, column, other))
                .then_some(Hint { clue: Clue { row, column, number }, reason: Reason::OthersFail })
        })
    }
}

/// Returns the units of a puzzle that contain a cell.
fn units_of(puzzle: &Puzzle, row: usize, column: usize) -> impl Iterator<Item = Unit> + use<> {
    let (b, n) = (puzzle.order, puzzle.side());
    let on_diagonals = [puzzle.diagonals && row == column, puzzle.diagonals && row + column + 1 == n];
    let diagonals = (0..2).filter(move |&diagonal| on_diagonals[diagonal]).map(Unit::Diagonal);
    [Unit::Row(row), Unit::Column(column), Unit::Box(row / b * b + column / b)].into_iter().chain(diagonals)
}
