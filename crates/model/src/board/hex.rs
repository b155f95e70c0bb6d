//! Hexagonal boards: hexagons of hexagonal squares, with the queen of Gliński's chess.
//!
//! Row x has the squares `(x, y)` with `|x - y| < n`, where x and y run from 0 to `2n - 2`; the centre is
//! `(n-1, n-1)`. In cube coordinates `q = y - (n-1)`, `r = (n-1) - x`, `s = x - y` the board is
//! `max(|q|, |r|, |s|) < n`. Two squares attack each other if and only if one coordinate of their difference
//! is 0 or two are equal. There are 12 directions: six towards the edges of the hexagonal squares and six
//! towards their corners.
//!
//! # References
//! J. A. de Groot, *Solving n-queens on non-squares*, 2020, section 2.1.

use ndqueens_notation::name::Piece;

use super::{Extent, Form, Generator, Geometry, Layout, Line, Polygon, Square, Words};

/// Directions of lines, one of each two opposite ones.
const DIRECTIONS: [[i64; 2]; 6] = [[0, 1], [1, 0], [1, 1], [1, -1], [1, 2], [2, 1]];

/// A hexagon of squares, row by row.
#[derive(Debug)]
pub(super) struct Hex {
    /// Number of squares along an edge, n.
    side: u32,
    /// Number of the first square of every row, followed by the number of squares.
    starts: Vec<Square>,
}

impl Hex {
    /// Creates the board with `side` squares along each edge.
    pub(super) fn new(side: u32) -> Self {
        let mut starts = vec![0];
        for row in 0..2 * side - 1 {
            let length = 2 * side - 1 - row.abs_diff(side - 1);
            starts.push(starts[row as usize] + length);
        }
        Self { side, starts }
    }

    /// Returns the first column of a row.
    fn first_column(&self, row: u32) -> u32 {
        (row + 1).saturating_sub(self.side)
    }

    /// Returns row and column of a square.
    fn at(&self, square: Square) -> [u32; 2] {
        let row = self.starts.partition_point(|&start| start <= square) as u32 - 1;
        [row, square - self.starts[row as usize] + self.first_column(row)]
    }

    /// Returns the square in a row and a column, or `None` off the board.
    fn number(&self, [row, column]: [u32; 2]) -> Option<Square> {
        let width = 2 * self.side - 1;
        (row < width && column < width && row.abs_diff(column) < self.side)
            .then(|| self.starts[row as usize] + column - self.first_column(row))
    }

    /// Returns the square a number of steps away along a direction, or `None` off the board.
    fn step(&self, [row, column]: [u32; 2], [down, right]: [i64; 2], steps: i64) -> Option<Square> {
        let moved = |from: u32, by: i64| u32::try_from(i64::from(from) + by * steps).ok();
        self.number([moved(row, down)?, moved(column, right)?])
    }

    /// Returns the squares of the line from `start` in a direction.
    fn line_from(&self, start: [u32; 2], direction: [i64; 2]) -> impl Iterator<Item = Square> + '_ {
        (0..).map_while(move |steps| self.step(start, direction, steps))
    }
}

impl Geometry for Hex {
    fn size(&self) -> usize {
        self.starts[self.starts.len() - 1] as usize
    }

    fn words(&self) -> Words {
        Words::of(Piece::Queen)
    }

    fn coordinates(&self, square: Square) -> Vec<u32> {
        self.at(square).to_vec()
    }

    fn square(&self, coordinates: &[u32]) -> Option<Square> {
        self.number(coordinates.try_into().ok()?)
    }

    fn lines(&self) -> Box<dyn Iterator<Item = Line> + '_> {
        let squares = 0..self.size() as Square;
        Box::new(DIRECTIONS.into_iter().flat_map(move |direction| {
            squares.clone().filter_map(move |square| {
                let start = self.at(square);
                let is_first =
                    self.step(start, direction, -1).is_none() && self.step(start, direction, 1).is_some();
                is_first.then(|| self.line_from(start, direction).collect())
            })
        }))
    }

    /// Computes the extent by a formula. Three of the six directions lead towards edges, where every line has
    /// at least two squares, and three towards corners, where lines of one square are not counted.
    fn lines_extent(&self) -> Extent {
        if self.side == 1 {
            return Extent::default();
        }
        let (n, size) = (u128::from(self.side), self.size() as u128);
        let most = 4 * (n - 1);
        // Number of squares with x + y = sum: x - y has the parity of the sum, and |x - y| is at most
        // `difference`.
        let length = |sum: u128| {
            let difference = (n - 1).min(sum).min(most - sum);
            difference + u128::from(difference % 2 == sum % 2)
        };
        let alone = (0..=most).filter(|&sum| length(sum) == 1).count() as u128;
        let lines = most + 1 - alone;
        Extent { rows: 3 * (2 * n - 1 + lines), nonzeros: 3 * (2 * size - alone) }
    }

    fn attacks(&self, a: Square, b: Square) -> bool {
        let ([row, column], [other_row, other_column]) = (self.at(a), self.at(b));
        let down = i64::from(row) - i64::from(other_row);
        let right = i64::from(column) - i64::from(other_column);
        a != b
            && (down == 0
                || right == 0
                || down == right
                || down == -right
                || down == 2 * right
                || right == 2 * down)
    }

    fn neighbours(&self, square: Square) -> Vec<Square> {
        let from = self.at(square);
        let ray = |direction, sign: i64| (1..).map_while(move |m| self.step(from, direction, sign * m));
        let mut found: Vec<Square> = DIRECTIONS
            .into_iter()
            .flat_map(|direction| ray(direction, 1).chain(ray(direction, -1)))
            .collect();
        found.sort_unstable();
        found
    }

    fn symmetry_order(&self) -> Option<u128> {
        Some(if self.side == 1 { 1 } else { 12 })
    }

    /// Returns the rotation by a sixth of a turn and a reflection, which generate a group of order 12, or 1
    /// on the board of one square.
    fn generators(&self) -> Vec<Generator<'_>> {
        let last = self.side - 1;
        let image = |at: [u32; 2]| self.number(at).expect("symmetries keep the board");
        vec![
            // Maps (q, r, s) to (-s, -q, -r). Since x - last = -r and y - last = q, the image has x' = y and
            // y' = last + y - x.
            Box::new(move |square| {
                let [row, column] = self.at(square);
                image([column, last + column - row])
            }),
            Box::new(move |square| {
                let [row, column] = self.at(square);
                image([column, row])
            }),
        ]
    }

    fn optimal_size(&self) -> Option<u64> {
        Some(2 * u64::from(self.side) - 1)
    }

    /// Returns the number of rows, which partition the board.
    fn trivial_bound(&self) -> u64 {
        2 * u64::from(self.side) - 1
    }

    fn partition(&self) -> Vec<Vec<Square>> {
        super::group_by_key(self.size(), |square| self.at(square)[0])
    }

    /// Returns hexagons with a corner at the top; each row is shifted by half a square against the next one.
    fn layout(&self) -> Option<Layout> {
        let n = self.side;
        let place = |square| {
            let [row, column] = self.at(square);
            vec![row, 2 * column + n - 1 - row]
        };
        let hexagon = |square| {
            let [row, column] = self.at(square);
            let centre = [f64::from(place(square)[1]) / 2.0, f64::from(row) * 0.75f64.sqrt()];
            let corner = |sixth: u32| {
                let (sin, cos) = (f64::from(sixth) * std::f64::consts::FRAC_PI_3).sin_cos();
                [centre[0] + sin / 3f64.sqrt(), centre[1] - cos / 3f64.sqrt()]
            };
            Polygon { corners: (0..6).map(corner).collect(), colour: ((row + column) % 3) as u8 }
        };
        let squares = 0..self.size() as Square;
        Some(Layout {
            sides: vec![2 * n - 1, 4 * n - 3],
            places: squares.clone().map(place).collect(),
            form: Form::Polygons(squares.map(hexagon).collect()),
        })
    }

    /// Returns the lines of constant `x + y`, each from its lower left end.
    fn de_groot(&self) -> Option<Vec<Square>> {
        let mut squares: Vec<Square> = (0..self.size() as Square).collect();
        squares.sort_by_key(|&square| {
            let [row, column] = self.at(square);
            (row + column, column)
        });
        Some(squares)
    }
}
