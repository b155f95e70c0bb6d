//! Cells of a Sudoku as a graph: two cells attack each other if and only if they must have different digits.
//!
//! The grid of order b has `b^2 x b^2` cells in boxes of `b x b`. Square `(r, c)` is the cell in row r and
//! column c. Cells in one row, one column or one box attack each other; with diagonals, so do cells on one of
//! the two main diagonals. A colouring in `b^2` colours is a filled grid, and an independent set of `b^2`
//! cells is the set of places of one digit.
//!
//! # References
//! - A. M. Herzberg, M. R. Murty, *Sudoku squares and chromatic polynomials*, Notices Amer. Math. Soc. 54
//!   (2007) 708-717.
//! - H. Yildirim, M. S. Krishnamoorthy, N. Deo, *A study of the Sudoku graph family*, 2011.

use super::{Extent, Generator, Geometry, Layout, Line, Square, Words};

/// A symmetry of the grid, as a map on row and column.
pub(super) type CellMap = Box<dyn Fn([u32; 2]) -> [u32; 2] + Send + Sync>;

/// The grid of cells, row by row.
#[derive(Debug, Clone)]
pub(super) struct Cells {
    /// Side of a box.
    order: u32,
    /// Number of cells in a row, `b^2`.
    side: u32,
    /// `true` if the cells of a main diagonal attack each other.
    diagonals: bool,
}

impl Cells {
    /// Creates the grid of an order.
    pub(super) fn new(order: u32, diagonals: bool) -> Self {
        Self { order, side: order * order, diagonals }
    }

    /// Returns the side of a box.
    pub(super) fn order(&self) -> u32 {
        self.order
    }

    /// Returns the number of cells in a row.
    pub(super) fn side(&self) -> u32 {
        self.side
    }

    /// Returns row and column of a cell.
    pub(super) fn at(&self, cell: Square) -> [u32; 2] {
        [cell / self.side, cell % self.side]
    }

    /// Returns the number of the cell in a row and a column.
    pub(super) fn number(&self, [row, column]: [u32; 2]) -> Square {
        row * self.side + column
    }

    /// Returns the number of the box that contains a cell.
    fn box_of(&self, [row, column]: [u32; 2]) -> u32 {
        row / self.order * self.order + column / self.order
    }

    /// Returns the cells of a box, row by row.
    fn in_box(&self, of_box: u32) -> Line {
        let b = self.order;
        (0..self.side).map(|i| self.number([of_box / b * b + i / b, of_box % b * b + i % b])).collect()
    }

    /// Returns the cells of a row.
    fn in_row(&self, row: u32) -> Line {
        (0..self.side).map(|column| self.number([row, column])).collect()
    }

    /// Returns the cells of a column.
    fn in_column(&self, column: u32) -> Line {
        (0..self.side).map(|row| self.number([row, column])).collect()
    }

    /// Returns the main diagonal, or the one from the last column of the first row to the first column of the
    /// last row.
    fn diagonal(&self, is_main: bool) -> Line {
        let column = |row| if is_main { row } else { self.side - 1 - row };
        (0..self.side).map(|row| self.number([row, column(row)])).collect()
    }

    /// Returns generators of the symmetries of the grid.
    ///
    /// Without diagonals, these are exchanges and cyclic shifts of the rows of the first band and of the
    /// bands, and the exchange of rows and columns. They generate all permutations of the rows of each band
    /// and of the bands, and the same for columns. With diagonals, rows and columns are permuted in the same
    /// way, by permutations that commute with the reversal of all rows; the reversal of the rows alone and
    /// the exchange of rows and columns are added.
    pub(super) fn symmetries(&self) -> Vec<CellMap> {
        let (b, n) = (self.order, self.side);
        if n == 1 {
            return Vec::new();
        }
        let exchange: CellMap = Box::new(|[row, column]| [column, row]);
        if !self.diagonals {
            let rows = |image: Box<dyn Fn(u32) -> u32 + Send + Sync>| -> CellMap {
                Box::new(move |[row, column]| [image(row), column])
            };
            return vec![
                rows(Box::new(move |row| if row < b { swap_first(row, b) } else { row })),
                rows(Box::new(move |row| if row < b { rotate(row, b) } else { row })),
                rows(Box::new(move |row| swap_first(row / b, b) * b + row % b)),
                rows(Box::new(move |row| rotate(row / b, b) * b + row % b)),
                exchange,
            ];
        }
        let pairs = b / 2;
        let both = |image: Box<dyn Fn(u32) -> u32 + Send + Sync>| -> CellMap {
            Box::new(move |[row, column]| [image(row), image(column)])
        };
        let mut found: Vec<CellMap> = vec![
            exchange,
            Box::new(move |[row, column]| [n - 1 - row, column]),
            // Exchanges the first and the last band.
            both(Box::new(move |x| match x / b {
                0 => (b - 1) * b + x,
                band if band == b - 1 => x % b,
                _ => x,
            })),
        ];
        for step in [swap_first, rotate] {
            // Permutes the lines of the first band, and those of the last one in the opposite way.
            found.push(both(Box::new(move |x| match x {
                _ if x < b => step(x, b),
                _ if x >= n - b => n - 1 - step(n - 1 - x, b),
                _ => x,
            })));
            if pairs > 1 {
                found.push(both(Box::new(move |x| map_halves(step, x / b, b) * b + x % b)));
            }
        }
        if b % 2 == 1 {
            // Permutes the lines of the middle band.
            let middle = pairs * b;
            let within = |image: Box<dyn Fn(u32) -> u32 + Send + Sync>| {
                both(Box::new(move |x| if x / b == pairs { middle + image(x - middle) } else { x }))
            };
            found.push(within(Box::new(move |x| if x == 0 || x == b - 1 { b - 1 - x } else { x })));
            for step in [swap_first, rotate] {
                if pairs > 1 {
                    found.push(within(Box::new(move |x| map_halves(step, x, b))));
                }
            }
        }
        found
    }

    /// Returns the order of the group that [`Cells::symmetries`] generate, or `None` if it exceeds 128 bits.
    ///
    /// Without diagonals, the factors count the permutations of b bands and of b rows in each band, the same
    /// for columns, and the exchange of rows and columns. With diagonals, they are the permutations of rows
    /// that commute with the reversal (of the `b / 2` pairs of opposite bands, of the rows of the first band
    /// of each pair, and of the pairs of opposite rows of a middle band), the reversal of the rows alone, and
    /// the exchange of rows and columns.
    pub(super) fn symmetry_count(&self) -> Option<u128> {
        if self.side == 1 {
            return Some(1);
        }
        if !self.diagonals {
            return factorial(self.order)?.checked_pow(2 * (self.order + 1))?.checked_mul(2);
        }
        let pairs = self.order / 2;
        let signed = factorial(pairs)?.checked_mul(1u128.checked_shl(pairs)?)?;
        let middle = if self.order % 2 == 1 { signed } else { 1 };
        let together = factorial(self.order)?.checked_pow(pairs)?.checked_mul(signed)?.checked_mul(middle)?;
        together.checked_mul(4)
    }
}

impl Geometry for Cells {
    fn size(&self) -> usize {
        (self.side as usize).pow(2)
    }

    fn words(&self) -> Words {
        Words { piece: ["cell", "cells"], place: ["cell", "cells"], chess: None }
    }

    fn coordinates(&self, square: Square) -> Vec<u32> {
        self.at(square).to_vec()
    }

    fn square(&self, coordinates: &[u32]) -> Option<Square> {
        let &[row, column] = coordinates else { return None };
        coordinates.iter().all(|&x| x < self.side).then(|| self.number([row, column]))
    }

    /// Returns the rows, then the columns, boxes and diagonals.
    fn lines(&self) -> Box<dyn Iterator<Item = Line> + '_> {
        let all = move || 0..if self.side > 1 { self.side } else { 0 };
        let rows = all().map(|row| self.in_row(row));
        let columns = all().map(|column| self.in_column(column));
        let boxes = all().map(|of_box| self.in_box(of_box));
        let both = [true, false].into_iter().filter(|_| self.diagonals && self.side > 1);
        let diagonals = both.map(|is_main| self.diagonal(is_main));
        Box::new(rows.chain(columns).chain(boxes).chain(diagonals))
    }

    fn lines_extent(&self) -> Extent {
        let n = u128::from(self.side);
        let rows = if n == 1 { 0 } else { 3 * n + if self.diagonals { 2 } else { 0 } };
        Extent { rows, nonzeros: rows * n }
    }

    fn attacks(&self, a: Square, b: Square) -> bool {
        let ([row, column], [other_row, other_column]) = (self.at(a), self.at(b));
        let on_both = |is_on: fn(u32, u32, u32) -> bool| {
            self.diagonals && is_on(row, column, self.side) && is_on(other_row, other_column, self.side)
        };
        a != b
            && (row == other_row
                || column == other_column
                || self.box_of([row, column]) == self.box_of([other_row, other_column])
                || on_both(|row, column, _| row == column)
                || on_both(|row, column, side| row + column + 1 == side))
    }

    fn neighbours(&self, square: Square) -> Vec<Square> {
        let [row, column] = self.at(square);
        let diagonals = [(true, row == column), (false, row + column + 1 == self.side)];
        let diagonals = diagonals.into_iter().filter(|&(_, is_on)| is_on && self.diagonals);
        let lines = [self.in_row(row), self.in_column(column), self.in_box(self.box_of([row, column]))];
        let lines = lines.into_iter().chain(diagonals.map(|(is_main, _)| self.diagonal(is_main)));
        let mut found: Vec<Square> = lines.flatten().filter(|&other| other != square).collect();
        found.sort_unstable();
        found.dedup();
        found
    }

    fn generators(&self) -> Vec<Generator<'_>> {
        let lifted =
            |map: CellMap| -> Generator<'_> { Box::new(move |square| self.number(map(self.at(square)))) };
        self.symmetries().into_iter().map(lifted).collect()
    }

    fn symmetry_order(&self) -> Option<u128> {
        self.symmetry_count()
    }

    /// Returns the number of rows, which partition the board.
    fn trivial_bound(&self) -> u64 {
        u64::from(self.side)
    }

    fn partition(&self) -> Vec<Vec<Square>> {
        super::group_by_key(self.size(), |square| self.at(square)[0])
    }

    fn layout(&self) -> Option<Layout> {
        let squares = (0..self.size() as Square).map(|square| self.coordinates(square));
        Some(Layout::of_box(&[self.side; 2], squares))
    }
}

/// Returns n!, or `None` if it exceeds 128 bits.
pub(super) fn factorial(n: u32) -> Option<u128> {
    (1..=u128::from(n)).try_fold(1, |product: u128, k| product.checked_mul(k))
}

/// Exchanges 0 and 1, and keeps other numbers.
pub(super) fn swap_first(x: u32, _: u32) -> u32 {
    if x < 2 { 1 - x } else { x }
}

/// Shifts `0..n` cyclically by 1.
pub(super) fn rotate(x: u32, n: u32) -> u32 {
    (x + 1) % n
}

/// Applies a map of `0..n / 2` to the first `n / 2` numbers below n, and its mirror image to the last
/// `n / 2`.
fn map_halves(map: fn(u32, u32) -> u32, x: u32, n: u32) -> u32 {
    let half = n / 2;
    match x {
        _ if x < half => map(x, half),
        _ if x >= n - half => n - 1 - map(n - 1 - x, half),
        _ => x,
    }
}
