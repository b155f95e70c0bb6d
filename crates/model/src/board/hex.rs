//! Hexagonal boards: a hexagon of hexagonal squares, with the queen of Gliński's chess.
//!
//! Row x has the squares `(x, y)` with `|x - y| < n`, where x and y run from 0 to `2n - 2`; so `(n-1, n-1)` is the centre. With
//! cube coordinates `q = y - (n-1)`, `r = (n-1) - x`, `s = x - y` the board is `max(|q|, |r|, |s|) < n`, and two squares attack each
//! other iff in their difference one coordinate is 0 or two are equal: 12 directions, six towards the edges of a hexagon
//! and six towards its corners.
//!
//! # References
//! J. A. de Groot, *Solving n-queens on non-squares*, 2020, section 2.1.

use ndqueens_notation::name::Piece;

use super::{Extent, Form, Generator, Geometry, Layout, Line, Polygon, Square, Words};

/// Half of the directions; the others are opposite.
const DIRECTIONS: [[i64; 2]; 6] = [[0, 1], [1, 0], [1, 1], [1, -1], [1, 2], [2, 1]];

/// A hexagon of squares, row by row.
#[derive(Debug)]
pub(super) struct Hex {
    side: u32,
    /// The number of the first square of every row, and the number of squares.
    starts: Vec<Square>,
}

impl Hex {
    pub(super) fn new(side: u32) -> Self {
        let mut starts = vec![0];
        for row in 0..2 * side - 1 {
            let length = 2 * side - 1 - row.abs_diff(side - 1);
            starts.push(starts[row as usize] + length);
        }
        Self { side, starts }
    }

    /// The first column of a row.
    fn first_column(&self, row: u32) -> u32 {
        (row + 1).saturating_sub(self.side)
    }

    fn at(&self, square: Square) -> [u32; 2] {
        let row = self.starts.partition_point(|&start| start <= square) as u32 - 1;
        [row, square - self.starts[row as usize] + self.first_column(row)]
    }

    fn number(&self, [row, column]: [u32; 2]) -> Option<Square> {
        let width = 2 * self.side - 1;
        (row < width && column < width && row.abs_diff(column) < self.side)
            .then(|| self.starts[row as usize] + column - self.first_column(row))
    }

    fn step(&self, [row, column]: [u32; 2], [down, right]: [i64; 2], steps: i64) -> Option<Square> {
        let moved = |from: u32, by: i64| u32::try_from(i64::from(from) + by * steps).ok();
        self.number([moved(row, down)?, moved(column, right)?])
    }

    /// The squares of the line through `start`, which has none before it.
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
                let begins =
                    self.step(start, direction, -1).is_none() && self.step(start, direction, 1).is_some();
                begins.then(|| self.line_from(start, direction).collect())
            })
        }))
    }

    /// Six directions in two kinds: towards edges every line has two squares or more, towards corners squares may be alone.
    fn lines_extent(&self) -> Extent {
        if self.side == 1 {
            return Extent::default();
        }
        let (n, size) = (u128::from(self.side), self.size() as u128);
        let most = 4 * (n - 1);
        // The squares with x + y = sum: x - y has the parity of the sum and at most this absolute value.
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

    /// A sixth of a turn and a reflection: a group of order 12, or 1 on the board of one square.
    fn generators(&self) -> Vec<Generator<'_>> {
        let last = self.side - 1;
        let image = |at: [u32; 2]| self.number(at).expect("symmetries keep the board");
        vec![
            // (q, r, s) becomes (-s, -q, -r): with x - last = -r and y - last = q, that is x' = y and y' = last + y - x.
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

    /// The rows partition the board.
    fn optimal_size(&self) -> Option<u64> {
        Some(2 * u64::from(self.side) - 1)
    }

    fn trivial_bound(&self) -> u64 {
        2 * u64::from(self.side) - 1
    }

    fn partition(&self) -> Vec<Vec<Square>> {
        super::grouped(self.size(), |square| self.at(square)[0])
    }

    /// Hexagons with a corner above, every row half a square aside of the next.
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

    /// The lines of constant `x + y`, each from its lower left end on.
    fn de_groot(&self) -> Option<Vec<Square>> {
        let mut squares: Vec<Square> = (0..self.size() as Square).collect();
        squares.sort_by_key(|&square| {
            let [row, column] = self.at(square);
            (row + column, column)
        });
        Some(squares)
    }
}
