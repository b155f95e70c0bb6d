//! Sudoku as a board: digits in a cube of (row, column, value).
//!
//! The Sudoku of order b has a grid of `b^2 x b^2` cells in boxes of `b x b`. Square `(r, c, v)` means digit `v + 1` in row r and
//! column c, all from 0 to `b^2 - 1`. Squares attack each other iff both digits cannot stand in one grid: in the same
//! cell, or the same digit in one row, one column or one box. A filled grid is an independent set of `b^4` squares.
//!
//! # References
//! A. Siddiqua and K. Apoorva, *Solving Sudoku using graph colouring*, 2021.

use super::{Extent, Form, Generator, Geometry, Layout, Line, Square, Words};

/// The cube of (row, column, value).
#[derive(Debug)]
pub(super) struct Sudoku {
    order: u32,
    /// Cells in a row: `b^2`.
    side: u32,
}

impl Sudoku {
    pub(super) fn new(order: u32) -> Self {
        Self { order, side: order * order }
    }

    fn number(&self, [row, column, value]: [u32; 3]) -> Square {
        (row * self.side + column) * self.side + value
    }

    fn at(&self, square: Square) -> [u32; 3] {
        let n = self.side;
        [square / n / n, square / n % n, square % n]
    }

    fn box_of(&self, row: u32, column: u32) -> u32 {
        row / self.order * self.order + column / self.order
    }

    /// The cells of a box, row by row.
    fn cells(&self, of_box: u32) -> impl Iterator<Item = [u32; 2]> + use<> {
        let b = self.order;
        (0..b * b).map(move |i| [of_box / b * b + i / b, of_box % b * b + i % b])
    }

    fn in_cell(&self, row: u32, column: u32) -> impl Iterator<Item = Square> + '_ {
        (0..self.side).map(move |value| self.number([row, column, value]))
    }

    fn in_row(&self, row: u32, value: u32) -> impl Iterator<Item = Square> + '_ {
        (0..self.side).map(move |column| self.number([row, column, value]))
    }

    fn in_column(&self, column: u32, value: u32) -> impl Iterator<Item = Square> + '_ {
        (0..self.side).map(move |row| self.number([row, column, value]))
    }

    fn in_box(&self, of_box: u32, value: u32) -> impl Iterator<Item = Square> + '_ {
        self.cells(of_box).map(move |[row, column]| self.number([row, column, value]))
    }

    /// A symmetry that renumbers rows.
    fn rows(&self, image: impl Fn(u32) -> u32 + Send + Sync + 'static) -> Generator<'_> {
        Box::new(move |square| {
            let [row, column, value] = self.at(square);
            self.number([image(row), column, value])
        })
    }
}

impl Geometry for Sudoku {
    fn size(&self) -> usize {
        (self.side as usize).pow(3)
    }

    fn words(&self) -> Words {
        Words { piece: ["digit", "digits"], place: ["square", "squares"], chess: None }
    }

    fn coordinates(&self, square: Square) -> Vec<u32> {
        self.at(square).to_vec()
    }

    fn square(&self, coordinates: &[u32]) -> Option<Square> {
        let &[row, column, value] = coordinates else { return None };
        coordinates.iter().all(|&x| x < self.side).then(|| self.number([row, column, value]))
    }

    /// Cells, then rows, columns and boxes with each value.
    fn lines(&self) -> Box<dyn Iterator<Item = Line> + '_> {
        let n = self.side;
        let pairs = move || (0..if n > 1 { n } else { 0 }).flat_map(move |i| (0..n).map(move |j| (i, j)));
        let cells = pairs().map(|(row, column)| self.in_cell(row, column).collect());
        let rows = pairs().map(|(row, value)| self.in_row(row, value).collect());
        let columns = pairs().map(|(column, value)| self.in_column(column, value).collect());
        let boxes = pairs().map(|(of_box, value)| self.in_box(of_box, value).collect());
        Box::new(cells.chain(rows).chain(columns).chain(boxes))
    }

    fn lines_extent(&self) -> Extent {
        let n = u128::from(self.side);
        if n == 1 { Extent::default() } else { Extent { rows: 4 * n * n, nonzeros: 4 * n * n * n } }
    }

    fn attacks(&self, a: Square, b: Square) -> bool {
        let ([row, column, value], [other_row, other_column, other_value]) = (self.at(a), self.at(b));
        let (same_row, same_column) = (row == other_row, column == other_column);
        let same_box = self.box_of(row, column) == self.box_of(other_row, other_column);
        let same_cell = same_row && same_column;
        a != b && (same_cell || (value == other_value && (same_row || same_column || same_box)))
    }

    fn neighbours(&self, square: Square) -> Vec<Square> {
        let [row, column, value] = self.at(square);
        let same_cell = self.in_cell(row, column);
        let lines = self.in_row(row, value).chain(self.in_column(column, value));
        let same_box = self.in_box(self.box_of(row, column), value);
        let mut found: Vec<Square> = same_cell.chain(lines).chain(same_box).collect();
        found.retain(|&other| other != square);
        found.sort_unstable();
        found.dedup();
        found
    }

    /// Exchanges and turns of values, of the rows of the first band and of bands, and the exchange of rows and columns. They
    /// generate all renumberings of values, of rows within each band, of bands, and the same of columns.
    fn generators(&self) -> Vec<Generator<'_>> {
        let (b, n) = (self.order, self.side);
        if n == 1 {
            return Vec::new();
        }
        let values = |image: fn(u32, u32) -> u32| -> Generator<'_> {
            Box::new(move |square| {
                let [row, column, value] = self.at(square);
                self.number([row, column, image(value, n)])
            })
        };
        vec![
            values(exchanged),
            values(turned),
            self.rows(move |row| if row < b { exchanged(row, b) } else { row }),
            self.rows(move |row| if row < b { turned(row, b) } else { row }),
            self.rows(move |row| exchanged(row / b, b) * b + row % b),
            self.rows(move |row| turned(row / b, b) * b + row % b),
            Box::new(|square| {
                let [row, column, value] = self.at(square);
                self.number([column, row, value])
            }),
        ]
    }

    /// Of `b^2` values; of `b` bands of `b` rows, and of columns alike; and the exchange of rows and columns.
    fn symmetry_order(&self) -> Option<u128> {
        let factorial = |n: u32| (1..=u128::from(n)).try_fold(1, |product: u128, k| product.checked_mul(k));
        let lines = factorial(self.order)?.checked_pow(2 * (self.order + 1))?;
        let exchange = if self.side == 1 { 1 } else { 2 };
        factorial(self.side)?.checked_mul(lines)?.checked_mul(exchange)
    }

    /// The cells partition the board.
    fn trivial_bound(&self) -> u64 {
        u64::from(self.side) * u64::from(self.side)
    }

    fn partition(&self) -> Vec<Vec<Square>> {
        super::grouped(self.size(), |square| {
            let [row, column, _] = self.at(square);
            [row, column]
        })
    }

    fn layout(&self) -> Option<Layout> {
        let squares = (0..self.size() as Square).map(|square| self.coordinates(square));
        let in_box = Layout::of_box(&[self.side; 3], squares);
        Some(Layout { form: Form::Numbers { order: self.order }, ..in_box })
    }
}

/// 0 and 1 change places.
fn exchanged(x: u32, _: u32) -> u32 {
    if x < 2 { 1 - x } else { x }
}

/// One further, the last to the first place.
fn turned(x: u32, n: u32) -> u32 {
    (x + 1) % n
}
