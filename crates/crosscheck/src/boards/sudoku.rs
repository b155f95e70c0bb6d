//! Sudoku.

use crate::boards::definition::{Definition, Symmetry};

/// The triples `(row, column, value)` of a Sudoku of order b, whose grid is `b^2 x b^2`; from 0.
///
/// Two of them attack each other when they cannot stand in one filled grid: two values in one cell, or one value twice
/// in a row, a column or a box.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sudoku {
    order: u32,
}

impl Sudoku {
    /// The board of this order.
    ///
    /// # Panics
    /// If the order is 0.
    #[must_use]
    pub fn new(order: u32) -> Self {
        assert!(order > 0, "a Sudoku has a positive order");
        Self { order }
    }
}

impl Definition for Sudoku {
    fn dimension(&self) -> usize {
        3
    }

    fn contains(&self, square: &[u32]) -> bool {
        square.len() == 3 && square.iter().all(|&x| x < self.order * self.order)
    }

    fn allowed(&self) -> String {
        format!("row, column and value lie in [0,{}]", self.order * self.order - 1)
    }

    fn squares(&self) -> Box<dyn Iterator<Item = Vec<u32>> + '_> {
        let n = self.order * self.order;
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
        let one_box =
            || row / self.order == other_row / self.order && column / self.order == other_column / self.order;
        row == other_row || column == other_column || one_box()
    }

    /// Cells, and then rows, columns and boxes with each value.
    fn lines(&self) -> Box<dyn Iterator<Item = Vec<Vec<u32>>> + '_> {
        let (b, n) = (self.order, self.order * self.order);
        let all = move |square: fn(u32, u32, u32, u32) -> [u32; 3]| {
            let line = move |i, j| (0..n).map(|k| square(b, i, j, k).to_vec()).collect();
            (0..n).flat_map(move |i| (0..n).map(move |j| line(i, j)))
        };
        let lines = all(|_, row, column, k| [row, column, k])
            .chain(all(|_, row, value, k| [row, k, value]))
            .chain(all(|_, column, value, k| [k, column, value]))
            .chain(all(|b, of_box, value, k| [of_box / b * b + k / b, of_box % b * b + k % b, value]));
        Box::new(lines.filter(|line: &Vec<_>| line.len() > 1))
    }

    /// Exchanges of neighbouring values, of neighbouring rows in a band and of neighbouring bands, and of rows with columns.
    fn generators(&self) -> Option<Vec<Symmetry<'_>>> {
        let b = self.order;
        let exchange = |x: &mut u32, low: u32, width: u32| {
            if (low..low + width).contains(x) {
                *x += width;
            } else if (low + width..low + 2 * width).contains(x) {
                *x -= width;
            }
        };
        let mut generators: Vec<Symmetry<'_>> = vec![Box::new(|square| square.swap(0, 1))];
        for value in 1..b * b {
            generators.push(Box::new(move |square| exchange(&mut square[2], value - 1, 1)));
        }
        for row in (1..b * b).filter(|row| row % b != 0) {
            generators.push(Box::new(move |square| exchange(&mut square[0], row - 1, 1)));
        }
        for band in 1..b {
            generators.push(Box::new(move |square| exchange(&mut square[0], (band - 1) * b, b)));
        }
        Some(generators)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_digit_rules_out_twenty_eight_others() {
        let board = Sudoku::new(3);
        for square in board.squares() {
            assert_eq!(board.squares().filter(|other| board.attacks(&square, other)).count(), 28);
        }
    }

    #[test]
    fn the_board_has_its_squares() {
        let board = Sudoku::new(2);
        assert!(board.squares().is_sorted() && board.squares().count() == 64);
        assert!(board.squares().all(|square| board.contains(&square)));
        assert!(!board.contains(&[0, 0, 4]) && !board.contains(&[0, 0]));
        assert_eq!(Sudoku::new(1).squares().count(), 1);
    }
}
