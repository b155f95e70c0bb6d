//! Graph of the cells of a Sudoku: cells are joined if they cannot contain the same digit.

use crate::boards::definition::{Definition, Symmetry};

/// Board of the cells `(row, column)` of a Sudoku of order b, whose grid is `b^2 x b^2`; rows and columns
/// count from 0.
///
/// Two cells attack each other if they lie in the same row, column or box or, in a diagonal Sudoku, on the
/// same main diagonal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cells {
    order: u32,
    diagonal: bool,
}

impl Cells {
    /// Creates the grid of the given order.
    ///
    /// # Panics
    /// Panics if the order is 0.
    #[must_use]
    pub fn new(order: u32, diagonal: bool) -> Self {
        assert!(order > 0, "a Sudoku has a positive order");
        Self { order, diagonal }
    }

    /// Returns the side length of the grid, which is also the number of boxes and of digits.
    #[must_use]
    pub(crate) fn side(&self) -> u32 {
        self.order * self.order
    }

    /// Returns `true` if two different cells cannot contain the same digit.
    pub(crate) fn conflict(&self, [r, c]: [u32; 2], [s, d]: [u32; 2]) -> bool {
        let b = self.order;
        let last = self.side() - 1;
        let falling = r == c && s == d;
        let rising = r + c == last && s + d == last;
        r == s || c == d || (r / b == s / b && c / b == d / b) || self.diagonal && (falling || rising)
    }

    /// Returns the houses of the grid: rows, columns, boxes and, in a diagonal Sudoku, the main diagonals. A
    /// grid of one cell has no houses.
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

    /// Returns generators of the symmetry group of the grid. They act on the first two coordinates of a
    /// square.
    ///
    /// For a plain grid, these exchange rows with columns, neighbouring rows of a band, and neighbouring
    /// bands. For a diagonal grid, they exchange rows with columns and reverse the order of the rows. The
    /// other generators commute with this reversal. They act on rows and columns alike and exchange two
    /// opposite bands, two neighbouring bands together with their opposites, two neighbouring rows of a band
    /// together with their opposites, or two opposite rows of the middle band.
    pub(crate) fn grid_symmetries(&self) -> Vec<Symmetry<'static>> {
        let (b, n) = (self.order, self.side());
        let mut all: Vec<Symmetry<'static>> = vec![Box::new(|square| square.swap(0, 1))];
        if !self.diagonal {
            for row in (1..n).filter(|row| row % b != 0) {
                all.push(Box::new(move |square| square[0] = transpose(square[0], row - 1, row)));
            }
            for band in 1..b {
                all.push(Box::new(move |square| {
                    square[0] = transpose(square[0] / b, band - 1, band) * b + square[0] % b;
                }));
            }
            return all;
        }
        all.push(Box::new(move |square| square[0] = n - 1 - square[0]));
        let mut push_for_both = |image: Box<dyn Fn(u32) -> u32>| {
            all.push(Box::new(move |square| {
                for x in &mut square[..2] {
                    *x = image(*x);
                }
            }));
        };
        for band in 0..b / 2 {
            push_for_both(Box::new(move |x| transpose(x / b, band, b - 1 - band) * b + x % b));
            if band > 0 {
                push_for_both(Box::new(move |x| {
                    let one = transpose(x / b, band - 1, band);
                    transpose(one, b - band, b - 1 - band) * b + x % b
                }));
            }
            for row in band * b + 1..(band + 1) * b {
                push_for_both(Box::new(move |x| transpose(transpose(x, row - 1, row), n - row, n - 1 - row)));
            }
        }
        if b % 2 == 1 {
            let first = n / 2 - b / 2;
            for row in first..first + b / 2 {
                push_for_both(Box::new(move |x| transpose(x, row, n - 1 - row)));
                if row > first {
                    push_for_both(Box::new(move |x| {
                        transpose(transpose(x, row - 1, row), n - row, n - 1 - row)
                    }));
                }
            }
        }
        all
    }
}

/// Returns the image of `x` under the exchange of `one` and `other`.
fn transpose(x: u32, one: u32, other: u32) -> u32 {
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

    fn describe_squares(&self) -> String {
        format!("row and column lie in [0,{}]", self.side() - 1)
    }

    fn squares(&self) -> Box<dyn Iterator<Item = Vec<u32>> + '_> {
        let n = self.side();
        Box::new((0..n).flat_map(move |row| (0..n).map(move |column| vec![row, column])))
    }

    fn attacks(&self, a: &[u32], b: &[u32]) -> bool {
        let (&[row, column], &[other_row, other_column]) = (a, b) else { return false };
        a != b && self.conflict([row, column], [other_row, other_column])
    }

    fn lines(&self) -> Box<dyn Iterator<Item = Vec<Vec<u32>>> + '_> {
        let tuples = |house: Vec<[u32; 2]>| house.iter().map(|cell| cell.to_vec()).collect();
        Box::new(self.houses().into_iter().map(tuples))
    }

    fn generators(&self) -> Option<Vec<Symmetry<'_>>> {
        Some(self.grid_symmetries())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_cell_attacks_twenty_others() {
        let board = Cells::new(3, false);
        for cell in board.squares() {
            assert_eq!(board.squares().filter(|other| board.attacks(&cell, other)).count(), 20);
        }
    }

    #[test]
    fn diagonals_attack_cells_in_other_boxes() {
        let (plain, board) = (Cells::new(3, false), Cells::new(3, true));
        for cell in board.squares() {
            let attacked =
                |board: &Cells| board.squares().filter(|other| board.attacks(&cell, other)).count();
            let diagonals = usize::from(cell[0] == cell[1]) + usize::from(cell[0] + cell[1] == 8);
            assert_eq!(attacked(&board), attacked(&plain) + 6 * diagonals, "{cell:?}");
        }
    }
}
