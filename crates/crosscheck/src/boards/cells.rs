//! The cells of a Sudoku, joined when they cannot hold the same digit.

use crate::boards::definition::{Definition, Symmetry};

/// The pairs `(row, column)` of the grid of a Sudoku of order b, which is `b^2 x b^2`; from 0.
///
/// Two of them attack each other when they lie in one row, one column or one box, or, in a diagonal Sudoku, when both lie on
/// the same main diagonal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cells {
    order: u32,
    diagonal: bool,
}

impl Cells {
    /// The grid of this order.
    ///
    /// # Panics
    /// If the order is 0.
    #[must_use]
    pub fn new(order: u32, diagonal: bool) -> Self {
        assert!(order > 0, "a Sudoku has a positive order");
        Self { order, diagonal }
    }

    /// The number of rows, of columns, of boxes and of digits.
    #[must_use]
    pub(crate) fn side(&self) -> u32 {
        self.order * self.order
    }

    /// Returns `true` if two different cells cannot hold the same digit.
    pub(crate) fn see_each_other(&self, [r, c]: [u32; 2], [s, d]: [u32; 2]) -> bool {
        let b = self.order;
        let last = self.side() - 1;
        let falling = r == c && s == d;
        let rising = r + c == last && s + d == last;
        r == s || c == d || (r / b == s / b && c / b == d / b) || self.diagonal && (falling || rising)
    }

    /// Rows, columns, boxes and diagonals.
    pub(crate) fn houses(&self) -> Vec<Vec<[u32; 2]>> {
        let (b, n) = (self.order, self.side());
        let mut houses = Vec::new();
        if n == 1 {
            return houses;
        }
        houses.extend((0..n).map(|row| (0..n).map(|column| [row, column]).collect::<Vec<_>>()));
        houses.extend((0..n).map(|column| (0..n).map(|row| [row, column]).collect::<Vec<_>>()));
        for (top, left) in (0..b).flat_map(|top| (0..b).map(move |left| (top * b, left * b))) {
            let cells = (top..top + b).flat_map(|row| (left..left + b).map(move |column| [row, column]));
            houses.push(cells.collect());
        }
        if self.diagonal {
            houses.push((0..n).map(|row| [row, row]).collect());
            houses.push((0..n).map(|row| [row, n - 1 - row]).collect());
        }
        houses
    }

    /// Exchanges that generate the symmetries used, which act on the first two coordinates of a square.
    ///
    /// Symmetries of a plain grid: neighbouring rows in a band, neighbouring bands, and rows with columns. Of a diagonal one: all rows reversed;
    /// rows with columns; and, of rows and columns alike, what agrees with that reversal: two opposite bands, two bands and their
    /// opposites, two rows of a band and their opposites, two opposite rows of the middle band.
    pub(crate) fn exchanges(&self) -> Vec<Symmetry<'static>> {
        let (b, n) = (self.order, self.side());
        let mut all: Vec<Symmetry<'static>> = vec![Box::new(|square| square.swap(0, 1))];
        if !self.diagonal {
            for row in (1..n).filter(|row| row % b != 0) {
                all.push(Box::new(move |square| square[0] = transposed(square[0], row - 1, row)));
            }
            for band in 1..b {
                all.push(Box::new(move |square| {
                    square[0] = transposed(square[0] / b, band - 1, band) * b + square[0] % b;
                }));
            }
            return all;
        }
        all.push(Box::new(move |square| square[0] = n - 1 - square[0]));
        let mut together = |image: Box<dyn Fn(u32) -> u32>| {
            all.push(Box::new(move |square| {
                for x in &mut square[..2] {
                    *x = image(*x);
                }
            }));
        };
        for band in 0..b / 2 {
            together(Box::new(move |x| transposed(x / b, band, b - 1 - band) * b + x % b));
            if band > 0 {
                together(Box::new(move |x| {
                    let one = transposed(x / b, band - 1, band);
                    transposed(one, b - band, b - 1 - band) * b + x % b
                }));
            }
            for row in band * b + 1..(band + 1) * b {
                together(Box::new(move |x| transposed(transposed(x, row - 1, row), n - row, n - 1 - row)));
            }
        }
        if b % 2 == 1 {
            let first = n / 2 - b / 2;
            for row in first..first + b / 2 {
                together(Box::new(move |x| transposed(x, row, n - 1 - row)));
                if row > first {
                    together(Box::new(move |x| {
                        transposed(transposed(x, row - 1, row), n - row, n - 1 - row)
                    }));
                }
            }
        }
        all
    }
}

/// The image of a number under the exchange of two numbers.
fn transposed(x: u32, one: u32, other: u32) -> u32 {
    match x {
        _ if x == one => other,
        _ if x == other => one,
        _ => x,
    }
}

impl Definition for Cells {
    fn dimension(&self) -> usize {
        2
    }

    fn contains(&self, square: &[u32]) -> bool {
        square.len() == 2 && square.iter().all(|&x| x < self.side())
    }

    fn allowed(&self) -> String {
        format!("row and column lie in [0,{}]", self.side() - 1)
    }

    fn squares(&self) -> Box<dyn Iterator<Item = Vec<u32>> + '_> {
        let n = self.side();
        Box::new((0..n).flat_map(move |row| (0..n).map(move |column| vec![row, column])))
    }

    fn attacks(&self, a: &[u32], b: &[u32]) -> bool {
        let (&[row, column], &[other_row, other_column]) = (a, b) else { return false };
        a != b && self.see_each_other([row, column], [other_row, other_column])
    }

    fn lines(&self) -> Box<dyn Iterator<Item = Vec<Vec<u32>>> + '_> {
        let tuples = |house: Vec<[u32; 2]>| house.iter().map(|cell| cell.to_vec()).collect();
        Box::new(self.houses().into_iter().map(tuples))
    }

    fn generators(&self) -> Option<Vec<Symmetry<'_>>> {
        Some(self.exchanges())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_sees_twenty_others() {
        let board = Cells::new(3, false);
        for cell in board.squares() {
            assert_eq!(board.squares().filter(|other| board.attacks(&cell, other)).count(), 20);
        }
    }

    #[test]
    fn a_diagonal_adds_the_cells_of_it_in_other_boxes() {
        let (plain, board) = (Cells::new(3, false), Cells::new(3, true));
        for cell in board.squares() {
            let seen = |board: &Cells| board.squares().filter(|other| board.attacks(&cell, other)).count();
            let diagonals = usize::from(cell[0] == cell[1]) + usize::from(cell[0] + cell[1] == 8);
            assert_eq!(seen(&board), seen(&plain) + 6 * diagonals, "{cell:?}");
        }
    }
}
