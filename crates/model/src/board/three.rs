//! Boards for three players: six parts of `m x m` squares around a centre, with `m = n/2`.
//!
//! Six spokes lead from the centre to the midpoints of the board's edges. Square `(i, a, b)` is in part i,
//! between spoke i and spoke i+1 (modulo 6), a steps along the former and b along the latter, with
//! `0 <= a, b < m`. All squares of a line attack each other pairwise:
//!
//! - Straight lines cross one spoke: `(i, a, t)` for all a and `(i+1, t, b)` for all b; n squares.
//! - The diagonal `a + b = c` of part i ends at the board's edge if `c >= m`. For `c < m` it crosses two
//!   spokes and continues as `a - b = c + 1` in part i+1 and as `b - a = c + 1` in part i-1.
//! - The diagonal `a = b` of part i splits at the centre and continues in parts i+2 and i-2: two lines of
//!   `3m` squares.
//!
//! # References
//! J. A. de Groot, *Solving n-queens on non-squares*, 2020, section 2.1 and Appendix C, for n = 8.

use ndqueens_notation::name::Piece;

use super::{Extent, Form, Generator, Geometry, Layout, Line, Polygon, Square, Words};

/// Number of parts.
const PARTS: u32 = 6;

/// Six parts of squares around a centre.
#[derive(Debug)]
pub(super) struct Three {
    /// Side of a part, `n / 2`.
    half: u32,
}

impl Three {
    /// Creates the board with `side` squares along each edge.
    pub(super) fn new(side: u32) -> Self {
        Self { half: side / 2 }
    }

    /// Returns the square in a part, which is taken modulo 6.
    fn number(&self, part: u32, a: u32, b: u32) -> Square {
        (part % PARTS * self.half + a) * self.half + b
    }

    /// Returns the part and the two coordinates of a square.
    fn at(&self, square: Square) -> [u32; 3] {
        let m = self.half;
        [square / m / m, square / m % m, square % m]
    }

    /// Returns the straight line of the squares `(part, a, across)` and `(part + 1, across, b)`.
    fn straight(&self, part: u32, across: u32) -> Line {
        let m = self.half;
        let towards = (0..m).rev().map(|a| self.number(part, a, across));
        towards.chain((0..m).map(|b| self.number(part + 1, across, b))).collect()
    }

    /// Returns the diagonal `a + b = sum` of a part and its continuations in the neighbouring parts.
    fn diagonal(&self, part: u32, sum: u32) -> Line {
        let m = self.half;
        let after = (sum + 1..m).rev().map(|a| self.number(part + 1, a, a - sum - 1));
        let within = (0..m).filter(|a| (0..m).contains(&sum.wrapping_sub(*a)));
        let within = within.map(|a| self.number(part, a, sum - a));
        let before = (sum + 1..m).map(|b| self.number(part + 5, b - sum - 1, b));
        after.chain(within).chain(before).collect()
    }

    /// Returns the diagonal `a = b` of a part and its continuations.
    fn long_diagonal(&self, part: u32) -> Line {
        let m = self.half;
        (0..3).flat_map(|turn| (0..m).map(move |a| self.number(part + 2 * turn, a, a))).collect()
    }
}

/// Keys of the lines through a square: kind, part and offset, one key for each line.
type LinesOfSquare = [[u32; 3]; 4];

impl Three {
    /// Returns the keys of the four lines through a square.
    fn lines_of(&self, square: Square) -> LinesOfSquare {
        const STRAIGHT: u32 = 0;
        const DIAGONAL: u32 = 1;
        const LONG: u32 = 2;
        let [part, a, b] = self.at(square);
        let other = match a.cmp(&b) {
            std::cmp::Ordering::Equal => [LONG, part % 2, 0],
            std::cmp::Ordering::Greater => [DIAGONAL, (part + 5) % PARTS, a - b - 1],
            std::cmp::Ordering::Less => [DIAGONAL, (part + 1) % PARTS, b - a - 1],
        };
        [[STRAIGHT, part, b], [STRAIGHT, (part + 5) % PARTS, a], [DIAGONAL, part, a + b], other]
    }

    /// Returns the line with a key.
    fn line(&self, [kind, part, offset]: [u32; 3]) -> Line {
        match kind {
            0 => self.straight(part, offset),
            1 => self.diagonal(part, offset),
            _ => self.long_diagonal(part),
        }
    }
}

impl Geometry for Three {
    fn size(&self) -> usize {
        PARTS as usize * self.half as usize * self.half as usize
    }

    fn words(&self) -> Words {
        Words::of(Piece::Queen)
    }

    fn coordinates(&self, square: Square) -> Vec<u32> {
        self.at(square).to_vec()
    }

    fn square(&self, coordinates: &[u32]) -> Option<Square> {
        let &[part, a, b] = coordinates else { return None };
        (part < PARTS && a < self.half && b < self.half).then(|| self.number(part, a, b))
    }

    fn lines(&self) -> Box<dyn Iterator<Item = Line> + '_> {
        let m = self.half;
        let straight = (0..PARTS).flat_map(move |part| (0..m).map(move |across| self.straight(part, across)));
        let diagonal =
            (0..PARTS).flat_map(move |part| (0..2 * m - 1).map(move |sum| self.diagonal(part, sum)));
        let long = (0..2).map(|part| self.long_diagonal(part));
        Box::new(straight.chain(diagonal).chain(long).filter(|line| line.len() > 1))
    }

    /// Computes the extent by a formula: `6m` straight lines of `2m` squares; in each part diagonals of
    /// `2m - 1 - c` squares for c from 0 to `2m - 3`; two long diagonals of `3m` squares.
    fn lines_extent(&self) -> Extent {
        let m = u128::from(self.half);
        let diagonals = (2 * m - 1) * m - 1;
        Extent { rows: 6 * m + 6 * (2 * m - 2) + 2, nonzeros: 6 * m * 2 * m + 6 * diagonals + 6 * m }
    }

    fn attacks(&self, a: Square, b: Square) -> bool {
        let (lines, others) = (self.lines_of(a), self.lines_of(b));
        a != b && lines.iter().any(|line| others.contains(line))
    }

    fn neighbours(&self, square: Square) -> Vec<Square> {
        let mut found: Vec<Square> =
            self.lines_of(square).into_iter().flat_map(|line| self.line(line)).collect();
        found.retain(|&other| other != square);
        found.sort_unstable();
        found.dedup();
        found
    }

    fn symmetry_order(&self) -> Option<u128> {
        Some(12)
    }

    /// Returns the rotation by a sixth of a turn and the reflection in spoke 0, which generate a group of
    /// order 12.
    fn generators(&self) -> Vec<Generator<'_>> {
        vec![
            Box::new(|square| {
                let [part, a, b] = self.at(square);
                self.number(part + 1, a, b)
            }),
            Box::new(|square| {
                let [part, a, b] = self.at(square);
                self.number(PARTS - 1 - part, b, a)
            }),
        ]
    }

    fn optimal_size(&self) -> Option<u64> {
        Some(3 * u64::from(self.half))
    }

    /// Returns `3n/2`, the number of straight lines across every second spoke, or 2, the number of long
    /// diagonals, if n is 2.
    fn trivial_bound(&self) -> u64 {
        if self.half == 1 { 2 } else { 3 * u64::from(self.half) }
    }

    fn partition(&self) -> Vec<Vec<Square>> {
        if self.half == 1 {
            return (0..2).map(|part| self.long_diagonal(part)).collect();
        }
        let straight = |part| (0..self.half).map(move |across| self.straight(part, across));
        (0..PARTS).step_by(2).flat_map(straight).collect()
    }

    /// Returns places in a box, part by part, and polygons in a regular hexagon. Spoke 1 leads to the
    /// midpoint of the upper edge of the hexagon, the parts are the kites between spokes, and the grid lines
    /// of a part join points that divide opposite sides of its kite evenly.
    fn layout(&self) -> Option<Layout> {
        let m = self.half;
        let point = |part: u32, x: u32, y: u32| {
            // Directions in twelfths of a turn, clockwise from the top.
            let towards = |twelfths: u32, length: f64| {
                let (sin, cos) = (f64::from(twelfths) * std::f64::consts::FRAC_PI_6).sin_cos();
                [length * sin, -length * cos]
            };
            let (edge, far) = (f64::from(2 * m), f64::from(2 * m) * 0.75f64.sqrt());
            let [spoke, corner, next] =
                [towards(2 * part + 10, far), towards(2 * part + 11, edge), towards(2 * part + 12, far)];
            let (u, v) = (f64::from(x) / f64::from(m), f64::from(y) / f64::from(m));
            [0, 1].map(|i| u * (1.0 - v) * spoke[i] + u * v * corner[i] + (1.0 - u) * v * next[i])
        };
        let quadrangle = |square| {
            let [part, a, b] = self.at(square);
            let corners = [(a, b), (a + 1, b), (a + 1, b + 1), (a, b + 1)];
            let corners = corners.into_iter().map(|(x, y)| point(part, x, y)).collect();
            Polygon { corners, colour: ((part + a + b) % 2) as u8 }
        };
        let squares = 0..self.size() as Square;
        let in_box = Layout::of_box(&[PARTS, m, m], squares.clone().map(|square| self.coordinates(square)));
        Some(Layout { form: Form::Polygons(squares.map(quadrangle).collect()), ..in_box })
    }

    /// Returns the squares of three half boards, each in rows of n squares: parts 0 and 1 from the edge to
    /// the centre, then parts 5 and 4, then parts 3 and 2, both from the centre to the edge.
    fn de_groot(&self) -> Option<Vec<Square>> {
        let m = self.half;
        let first = (0..m).rev().flat_map(|across| self.straight(0, across));
        let other = |part: u32| {
            (0..m).flat_map(move |row| {
                let left = (0..m).rev().map(move |b| self.number(part, row, b));
                left.chain((0..m).map(move |a| self.number(part - 1, a, row)))
            })
        };
        Some(first.chain(other(5)).chain(other(3)).collect())
    }
}
