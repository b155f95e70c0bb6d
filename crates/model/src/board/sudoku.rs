//! Sudokus as boards: digits in a cube of (row, column, value).
//!
//! The Sudoku of order b has a grid of `b^2 x b^2` cells in boxes of `b x b`. Square `(r, c, v)` means digit
//! `v + 1` in row r and column c, all from 0 to `b^2 - 1`. Two squares attack each other if and only if a
//! grid cannot contain both digits: they are in the same cell, or they are the same digit in one row, one
//! column or one box, in a diagonal Sudoku also on one main diagonal. A filled grid is an independent set of
//! `b^4` squares. The squares of one digit form the graph [`Cells`].
//!
//! # References
//! A. Siddiqua and K. Apoorva, *Solving Sudoku using graph colouring*, 2021.

use super::cells::{Cells, factorial, rotate, swap_first};
use super::{Extent, Form, Generator, Geometry, Layout, Line, Square, Words};

/// The cube of (row, column, value).
#[derive(Debug)]
pub(super) struct Sudoku {
    cells: Cells,
}

impl Sudoku {
    /// Creates the board of an order.
    pub(super) fn new(order: u32, diagonals: bool) -> Self {
        Self { cells: Cells::new(order, diagonals) }
    }

    /// Returns the number of values, `b^2`.
    fn values(&self) -> u32 {
        self.cells.side()
    }

    /// Returns the square of a cell and a value.
    fn number(&self, cell: Square, value: u32) -> Square {
        cell * self.values() + value
    }

    /// Returns the cell and the value of a square.
    fn at(&self, square: Square) -> (Square, u32) {
        (square / self.values(), square % self.values())
    }

    /// Returns the squares of a cell.
    fn in_cell(&self, cell: Square) -> Line {
        (0..self.values()).map(|value| self.number(cell, value)).collect()
    }
}

impl Geometry for Sudoku {
    fn size(&self) -> usize {
        (self.values() as usize).pow(3)
    }

    fn words(&self) -> Words {
        Words { piece: ["digit", "digits"], place: ["square", "squares"], chess: None }
    }

    fn coordinates(&self, square: Square) -> Vec<u32> {
        let (cell, value) = self.at(square);
        let [row, column] = self.cells.at(cell);
        vec![row, column, value]
    }

    fn square(&self, coordinates: &[u32]) -> Option<Square> {
        let &[row, column, value] = coordinates else { return None };
        let is_inside = coordinates.iter().all(|&x| x < self.values());
        is_inside.then(|| self.number(self.cells.number([row, column]), value))
    }

    /// Returns the cells, then the rows, columns, boxes and diagonals for each value.
    fn lines(&self) -> Box<dyn Iterator<Item = Line> + '_> {
        let cells = (0..self.cells.size() as Square).filter(|_| self.values() > 1);
        let with_values = self.cells.lines().flat_map(move |line| {
            (0..self.values()).map(move |value| line.iter().map(|&cell| self.number(cell, value)).collect())
        });
        Box::new(cells.map(|cell| self.in_cell(cell)).chain(with_values))
    }

    fn lines_extent(&self) -> Extent {
        let n = u128::from(self.values());
        let rows = if n == 1 { 0 } else { n * n + self.cells.lines_extent().rows * n };
        Extent { rows, nonzeros: rows * n }
    }

    fn attacks(&self, a: Square, b: Square) -> bool {
        let ((cell, value), (other_cell, other_value)) = (self.at(a), self.at(b));
        match value == other_value {
            true => self.cells.attacks(cell, other_cell),
            false => cell == other_cell,
        }
    }

    fn neighbours(&self, square: Square) -> Vec<Square> {
        let (cell, value) = self.at(square);
        let same_value = self.cells.neighbours(cell).into_iter().map(|other| self.number(other, value));
        let same_cell = self.in_cell(cell).into_iter().filter(|&other| other != square);
        let mut found: Vec<Square> = same_cell.chain(same_value).collect();
        found.sort_unstable();
        found
    }

    /// Returns an exchange and a cyclic shift of values, which generate all permutations of values, and the
    /// symmetries of the cells.
    fn generators(&self) -> Vec<Generator<'_>> {
        let n = self.values();
        if n == 1 {
            return Vec::new();
        }
        let values = |image: fn(u32, u32) -> u32| -> Generator<'_> {
            Box::new(move |square| {
                let (cell, value) = self.at(square);
                self.number(cell, image(value, n))
            })
        };
        let cells = self.cells.symmetries().into_iter().map(|map| -> Generator<'_> {
            Box::new(move |square| {
                let (cell, value) = self.at(square);
                self.number(self.cells.number(map(self.cells.at(cell))), value)
            })
        });
        [values(swap_first), values(rotate)].into_iter().chain(cells).collect()
    }

    fn symmetry_order(&self) -> Option<u128> {
        factorial(self.values())?.checked_mul(self.cells.symmetry_count()?)
    }

    /// Returns the number of cells, which partition the board.
    fn trivial_bound(&self) -> u64 {
        u64::from(self.values()) * u64::from(self.values())
    }

    fn partition(&self) -> Vec<Vec<Square>> {
        super::group_by_key(self.size(), |square| self.at(square).0)
    }

    fn layout(&self) -> Option<Layout> {
        let squares = (0..self.size() as Square).map(|square| self.coordinates(square));
        let in_box = Layout::of_box(&[self.values(); 3], squares);
        Some(Layout { form: Form::Numbers { order: self.cells.order() }, ..in_box })
    }
}
