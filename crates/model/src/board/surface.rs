//! Queens on a Moebius board or a Klein bottle: `m x n` squares whose left and right sides are joined with a
//! twist.
//!
//! A step to the right from (x, n-1) leads to (m-1-x, 0), and reverses the vertical component of the
//! direction. On a Klein bottle a step down from (m-1, y) leads to (0, y); a Moebius board ends there. A line
//! starts from a square in one of four directions and ends at the edge or when it returns to its start. Two
//! squares attack each other if and only if a line contains both.
//!
//! # References
//! J. Bell, B. Stevens, *Results for the n-queens problem on the Möbius board*, Australas. J. Combin. 42
//! (2008) 21-34.

use std::collections::BTreeSet;
use std::sync::OnceLock;

use fixedbitset::FixedBitSet;
use ndqueens_notation::name::{Piece, Surface};

use super::{Extent, Generator, Geometry, Layout, Line, Square, Words};

/// Directions of lines, one of each two opposite ones.
const DIRECTIONS: [[i64; 2]; 4] = [[0, 1], [1, 0], [1, 1], [1, -1]];

/// A square of a line and the direction in which the line leaves it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct LineStep {
    at: [i64; 2],
    direction: [i64; 2],
}

/// A rectangle of squares with joined sides.
#[derive(Debug)]
pub(super) struct JoinedBoard {
    surface: Surface,
    rows: i64,
    columns: i64,
    /// Every line of two or more squares, with its squares in increasing order; computed at the first call.
    lines: OnceLock<Vec<Line>>,
}

impl JoinedBoard {
    /// Creates the board of a surface.
    pub(super) fn new(surface: Surface, [rows, columns]: [u32; 2]) -> Self {
        Self { surface, rows: rows.into(), columns: columns.into(), lines: OnceLock::new() }
    }

    /// Returns row and column of a square.
    fn at(&self, square: Square) -> [i64; 2] {
        [i64::from(square) / self.columns, i64::from(square) % self.columns]
    }

    /// Returns the square in a row and a column.
    fn number(&self, [row, column]: [i64; 2]) -> Square {
        (row * self.columns + column) as Square
    }

    /// Returns the next square of a line, or `None` at the edge of the board.
    fn step(&self, LineStep { at: [row, column], direction: [down, right] }: LineStep) -> Option<LineStep> {
        let (mut row, mut column, mut down) = (row + down, column + right, down);
        if self.surface == Surface::Klein {
            row = row.rem_euclid(self.rows);
        }
        if !(0..self.rows).contains(&row) {
            return None;
        }
        if !(0..self.columns).contains(&column) {
            column = column.rem_euclid(self.columns);
            row = self.rows - 1 - row;
            down = -down;
        }
        Some(LineStep { at: [row, column], direction: [down, right] })
    }

    /// Returns the squares of the line through a square in a direction, each with the direction of the line
    /// there. A square may occur twice.
    fn walk(&self, start: LineStep) -> Vec<LineStep> {
        let mut line = vec![start];
        let mut last = start;
        while let Some(next) = self.step(last) {
            if next == start {
                return line;
            }
            line.push(next);
            last = next;
        }
        let opposite = |step: LineStep| LineStep { direction: step.direction.map(|e| -e), ..step };
        let mut last = opposite(start);
        while let Some(next) = self.step(last) {
            line.push(next);
            last = next;
        }
        line
    }

    /// Returns the squares on a line through a square, in increasing order.
    fn squares_on(&self, square: Square, direction: [i64; 2]) -> Line {
        let line = self.walk(LineStep { at: self.at(square), direction });
        let squares: BTreeSet<Square> = line.iter().map(|step| self.number(step.at)).collect();
        squares.into_iter().collect()
    }

    /// Returns every line of two or more squares, once.
    fn all_lines(&self) -> &[Line] {
        self.lines.get_or_init(|| {
            // Squares that an earlier line passes in each direction or in its opposite.
            let mut passed = DIRECTIONS.map(|_| FixedBitSet::with_capacity(self.size()));
            let mut lines = BTreeSet::new();
            for square in 0..self.size() as Square {
                for (index, direction) in DIRECTIONS.into_iter().enumerate() {
                    if passed[index].contains(square as usize) {
                        continue;
                    }
                    let line = self.walk(LineStep { at: self.at(square), direction });
                    for LineStep { at, direction } in &line {
                        let is_along = |e: &[i64; 2]| e == direction || e.map(|x| -x) == *direction;
                        let index = DIRECTIONS.iter().position(is_along).expect("one of the directions");
                        passed[index].insert(self.number(*at) as usize);
                    }
                    let squares: BTreeSet<Square> = line.iter().map(|step| self.number(step.at)).collect();
                    if squares.len() > 1 {
                        lines.insert(squares.into_iter().collect());
                    }
                }
            }
            lines.into_iter().collect()
        })
    }

    /// Returns `true` if the pairs of joined rows are at most as many as the columns.
    fn has_few_rows(&self) -> bool {
        (self.rows + 1) / 2 <= self.columns
    }

    /// Returns the image of a square under a map of row and column.
    fn map_square(&self, square: Square, map: impl Fn([i64; 2]) -> [i64; 2]) -> Square {
        self.number(map(self.at(square)))
    }
}

impl Geometry for JoinedBoard {
    fn size(&self) -> usize {
        (self.rows * self.columns) as usize
    }

    fn words(&self) -> Words {
        Words::of(Piece::Queen)
    }

    fn coordinates(&self, square: Square) -> Vec<u32> {
        self.at(square).map(|x| x as u32).to_vec()
    }

    fn square(&self, coordinates: &[u32]) -> Option<Square> {
        let &[row, column] = coordinates else { return None };
        let at = [i64::from(row), i64::from(column)];
        (at[0] < self.rows && at[1] < self.columns).then(|| self.number(at))
    }

    /// Returns the lines in lexicographic order of their squares.
    fn lines(&self) -> Box<dyn Iterator<Item = Line> + '_> {
        Box::new(self.all_lines().iter().cloned())
    }

    fn lines_extent(&self) -> Extent {
        let lines = self.all_lines();
        let nonzeros = lines.iter().map(|line| line.len() as u128).sum();
        Extent { rows: lines.len() as u128, nonzeros }
    }

    fn attacks(&self, a: Square, b: Square) -> bool {
        a != b
            && DIRECTIONS.into_iter().any(|direction| {
                let line = self.walk(LineStep { at: self.at(a), direction });
                line.iter().any(|step| self.number(step.at) == b)
            })
    }

    fn neighbours(&self, square: Square) -> Vec<Square> {
        let lines = DIRECTIONS.into_iter().flat_map(|direction| self.squares_on(square, direction));
        let found: BTreeSet<Square> = lines.filter(|&other| other != square).collect();
        found.into_iter().collect()
    }

    /// Returns the reflection of the columns, the shift to the right by one square, and on a Klein bottle
    /// with an even number of rows the shift of each column by half its length. The reflection of the rows is
    /// a power of the shift to the right.
    fn generators(&self) -> Vec<Generator<'_>> {
        let (rows, columns) = (self.rows, self.columns);
        let mut generators: Vec<Generator<'_>> = vec![
            Box::new(move |square| self.map_square(square, |[row, column]| [row, columns - 1 - column])),
            Box::new(move |square| {
                self.map_square(square, |[row, column]| match column + 1 == columns {
                    true => [rows - 1 - row, 0],
                    false => [row, column + 1],
                })
            }),
        ];
        if self.surface == Surface::Klein && rows % 2 == 0 {
            generators.push(Box::new(move |square| {
                self.map_square(square, |[row, column]| [(row + rows / 2) % rows, column])
            }));
        }
        generators
    }

    /// Computes the order of the dihedral group, which the shift of columns by half their length doubles on
    /// four or more rows.
    fn symmetry_order(&self) -> Option<u128> {
        let turns = self.columns as u128 * if self.rows > 1 { 2 } else { 1 };
        let reflections = if self.columns > 1 && turns > 2 { 2 } else { 1 };
        let is_doubled = self.surface == Surface::Klein && self.rows % 2 == 0 && self.rows > 2;
        Some(turns * reflections * if is_doubled { 2 } else { 1 })
    }

    fn trivial_bound(&self) -> u64 {
        (if self.has_few_rows() { (self.rows + 1) / 2 } else { self.columns }) as u64
    }

    /// Returns the pairs of joined rows, or the columns.
    fn partition(&self) -> Vec<Vec<Square>> {
        super::group_by_key(self.size(), |square| match (self.has_few_rows(), self.at(square)) {
            (true, [row, _]) => row.min(self.rows - 1 - row),
            (false, [_, column]) => column,
        })
    }

    fn layout(&self) -> Option<Layout> {
        let squares = (0..self.size() as Square).map(|square| self.coordinates(square));
        Some(Layout::of_box(&[self.rows as u32, self.columns as u32], squares))
    }
}
