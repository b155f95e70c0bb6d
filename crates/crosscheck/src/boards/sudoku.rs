//! Sudoku: placements of digits in a grid.

use crate::boards::cells::Cells;
use crate::boards::definition::{Definition, Symmetry};

/// Board of the triples `(row, column, value)` of a Sudoku of order b, whose grid is `b^2 x b^2`; all count
/// from 0.
///
/// Two triples attack each other if no filled grid contains both: they have different values in one cell, or
/// the same value twice in a row, a column or a box or, in a diagonal Sudoku, on a main diagonal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sudoku {
    cells: Cells,
}

impl Sudoku {
    /// Creates the board of the given order.
    ///
    /// # Panics
    /// Panics if the order is 0.
    #[must_use]
    pub fn new(order: u32, diagonal: bool) -> Self {
        Self { cells: Cells::new(order, diagonal) }
    }
}

impl Definition for Sudoku {
    fn dimension(&self) -> usize {
        3
    }

    fn contains(&self, square: &[u32]) -> bool {
        square.len() == 3 && square.iter().all(|&x| x < self.cells.side())
    }

    fn describe_squares(&self) -> String {
        format!("row, column and value lie in [0,{}]", self.cells.side() - 1)
    }

    fn squares(&self) -> Box<dyn Iterator<Item = Vec<u32>> + '_> {
        let n = self.cells.side();
        Box::new(
            (0..n).flat_map(move |row| {
                (0..n).flat_map(move |column| (0..n).map(move |v| vec![row, column, v]))
            }),
        )
    }

    fn attacks(&self, a: &[u32], b: &[u32]) -> bool {
        let (&[row, column, value], &[other_row, other_column, other_value]) = (a, b) else { return false };
        let same_cell = row == other_row && column == other_column;
        if value != other_value || same_cell {
            return value != other_value && same_cell;
        }
        self.cells.conflict([row, column], [other_row, other_column])
    }

    /// Returns the cells with all their values, then rows, columns, boxes and diagonals with each value.
    fn lines(&self) -> Box<dyn Iterator<Item = Vec<Vec<u32>>> + '_> {
        let n = self.cells.side();
        let cells = self
            .cells
            .squares()
            .filter(move |_| n > 1)
            .map(move |cell| (0..n).map(|value| vec![cell[0], cell[1], value]).collect());
        let houses = self.cells.houses().into_iter().flat_map(move |house| {
            (0..n).map(move |value| house.iter().map(|&[row, column]| vec![row, column, value]).collect())
        });
        Box::new(cells.chain(houses))
    }

    /// Returns the symmetries of the grid and the exchanges of neighbouring values.
    fn generators(&self) -> Option<Vec<Symmetry<'_>>> {
        let mut generators: Vec<Symmetry<'_>> = self.cells.grid_symmetries();
        for value in 1..self.cells.side() {
            generators.push(Box::new(move |square| {
                if square[2] == value {
                    square[2] -= 1;
                } else if square[2] == value - 1 {
                    square[2] += 1;
                }
            }));
        }
        Some(generators)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_placement_attacks_twenty_eight_others() {
        let board = Sudoku::new(3, false);
        for square in board.squares() {
            assert_eq!(board.squares().filter(|other| board.attacks(&square, other)).count(), 28);
        }
    }

    #[test]
    fn lists_the_squares_in_order() {
        let board = Sudoku::new(2, false);
        assert!(board.squares().is_sorted() && board.squares().count() == 64);
        assert!(board.squares().all(|square| board.contains(&square)));
        assert!(!board.contains(&[0, 0, 4]) && !board.contains(&[0, 0]));
        assert_eq!(Sudoku::new(1, false).squares().count(), 1);
    }
}
