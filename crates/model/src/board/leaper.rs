//! Boxes of squares, plain or a torus, for pieces with moves of fixed length: knights, kings and superqueens.
//!
//! Square b is attacked from another square a if and only if b - a, on the torus modulo the side, is a move
//! of the piece. A knight moves by 1 or -1 along one axis and by 2 or -2 along another one, a king by -1, 0
//! or 1 along every axis, and a superqueen like a queen or a knight.
//!
//! # References
//! T. Kunt, *The n-Queens Problem in Higher Dimensions*, 2023, section 2, names the superqueen.

use ndqueens_notation::name::{Leaper, Piece};

use super::grid::{Direction, Grid};
use super::{Extent, Generator, Geometry, Layout, Line, Square, Words};

/// A box of squares for a knight, king or superqueen.
#[derive(Debug)]
pub(super) struct LeaperBox {
    leaper: Leaper,
    /// The same box for queens.
    queens: Grid,
}

impl LeaperBox {
    /// Creates the box.
    pub(super) fn new(leaper: Leaper, torus: bool, sides: &[u32]) -> Self {
        Self { leaper, queens: Grid::new(Piece::Queen, torus, sides) }
    }

    /// Returns the moves of a knight.
    fn knight_moves(&self) -> impl Iterator<Item = Direction> {
        let d = self.queens.dimension();
        let axes = (0..d).flat_map(move |a| (0..d).filter(move |&b| b != a).map(move |b| (a, b)));
        axes.flat_map(move |(a, b)| {
            [(1, 2), (1, -2), (-1, 2), (-1, -2)].map(|(along_a, along_b)| {
                let mut step = vec![0; d];
                (step[a], step[b]) = (along_a, along_b);
                step
            })
        })
    }

    /// Returns the squares a knight's move away from a square, in increasing order; for kings, an empty list.
    /// For superqueens, squares that a queen attacks are left out.
    fn leaps(&self, square: Square) -> Vec<Square> {
        if self.leaper == Leaper::King {
            return Vec::new();
        }
        let from = self.queens.coordinates(square);
        let moved = self.knight_moves().filter_map(|step| self.queens.step(&from, &step, 1));
        let is_new = |&to: &Square| {
            to != square && (self.leaper == Leaper::Knight || !self.queens.attacks(square, to))
        };
        let mut leaps: Vec<Square> = moved.filter(is_new).collect();
        leaps.sort_unstable();
        leaps.dedup();
        leaps
    }

    /// Returns the squares whose difference from a square is one of these steps along every axis, in
    /// lexicographic order of the steps.
    fn around(&self, square: Square, steps: &[i64]) -> Vec<Square> {
        let mut around = vec![Vec::new()];
        for (&x, &n) in self.queens.coordinates(square).iter().zip(self.queens.sides()) {
            let mut along: Vec<u32> = Vec::new();
            for step in steps {
                let moved = i64::from(x) + step;
                let moved = if self.queens.is_torus() { moved.rem_euclid(i64::from(n)) } else { moved };
                along.extend(u32::try_from(moved).ok().filter(|y| *y < n && !along.contains(y)));
            }
            let longer = |start: &Vec<u32>| {
                along.iter().map(|&y| [start.as_slice(), &[y]].concat()).collect::<Vec<_>>()
            };
            around = around.iter().flat_map(longer).collect();
        }
        let square = |coordinates: Vec<u32>| self.queens.square(&coordinates).expect("on the board");
        around.into_iter().map(square).collect()
    }

    /// Returns the number of positions of a cube of side 2 along an axis of length `n`.
    fn cube_starts(&self, n: u32) -> u32 {
        match n {
            1 | 2 => 1,
            _ if self.queens.is_torus() => n,
            _ => n - 1,
        }
    }

    /// Returns the side, along an axis of length `n`, of the cubes that partition the board of a king: 2, or
    /// the whole axis if it has length 1 or is a circle of at most three squares.
    fn cube_side(&self, n: u32) -> u32 {
        if self.queens.is_torus() && n <= 3 { n } else { n.min(2) }
    }

    /// Returns the cubes of side 2: two squares attack each other as kings if and only if a cube contains
    /// both.
    fn cubes(&self) -> impl Iterator<Item = Line> + '_ {
        let is_corner = |square: &Square| {
            let at = self.queens.coordinates(*square);
            at.iter().zip(self.queens.sides()).all(|(&x, &n)| x < self.cube_starts(n))
        };
        (0..self.size() as Square).filter(is_corner).map(|square| self.around(square, &[0, 1]))
    }

    /// Returns the pairs of squares a knight's move apart, in lexicographic order.
    fn pairs(&self) -> impl Iterator<Item = Line> + '_ {
        let above = |a: Square| self.leaps(a).into_iter().filter(move |&b| b > a).map(move |b| vec![a, b]);
        (0..self.size() as Square).flat_map(above)
    }

    /// Returns the number of [`Self::pairs`].
    fn pairs_count(&self) -> u128 {
        let size = self.size() as u128;
        if self.queens.is_torus() {
            return size * self.leaps(0).len() as u128 / 2;
        }
        let sides: Vec<u128> = self.queens.sides().iter().map(|&n| u128::from(n)).collect();
        let pairs = |a: usize, b: usize| {
            2 * (sides[a] - 1) * sides[b].saturating_sub(2) * (size / (sides[a] * sides[b]))
        };
        let axes = 0..sides.len();
        axes.clone().flat_map(|a| axes.clone().filter(move |&b| b != a).map(move |b| pairs(a, b))).sum()
    }

    /// Returns the two axes for which the largest number of squares have a [`Self::partner`], or `None` on
    /// boards of one axis.
    fn paired_axes(&self) -> Option<[usize; 2]> {
        let d = self.queens.dimension();
        let axes = (0..d).flat_map(|a| (0..d).filter(move |&b| b != a).map(move |b| [a, b]));
        axes.max_by_key(|&axes| self.paired_squares(axes))
    }

    /// Returns the number of squares that have a partner in the planes of these axes.
    fn paired_squares(&self, axes: [usize; 2]) -> u64 {
        let [a, b] = axes.map(|axis| u64::from(self.queens.sides()[axis]));
        let along_a = a / 4 * 4 + if a % 4 == 3 { 2 } else { 0 };
        self.size() as u64 / (a * b) * along_a * (b / 2 * 2)
    }

    /// Returns the square that forms a pair of the partition with a square, if it has one. The two squares
    /// are in one block of 4 squares along the first axis and of 2 along the second one, and differ by 2
    /// along the first axis and by 1 along the second.
    fn partner(&self, square: Square, [a, b]: [usize; 2]) -> Option<Square> {
        let at = self.queens.coordinates(square);
        let mut step = vec![0; at.len()];
        step[a] = if at[a] % 4 < 2 { 2 } else { -2 };
        step[b] = if at[b].is_multiple_of(2) { 1 } else { -1 };
        let within = |axis: usize| {
            let to = i64::from(at[axis]) + i64::from(step[axis]);
            (0..i64::from(self.queens.sides()[axis])).contains(&to)
        };
        (within(a) && within(b)).then(|| self.queens.step(&at, &step, 1)).flatten()
    }
}

impl Geometry for LeaperBox {
    fn size(&self) -> usize {
        self.queens.size()
    }

    fn words(&self) -> Words {
        Words { piece: [self.leaper.word(), self.leaper.plural()], place: ["square", "squares"], chess: None }
    }

    fn coordinates(&self, square: Square) -> Vec<u32> {
        self.queens.coordinates(square)
    }

    fn square(&self, coordinates: &[u32]) -> Option<Square> {
        self.queens.square(coordinates)
    }

    /// Returns the cubes of side 2 for kings, the pairs for knights, and the lines of a queen followed by the
    /// pairs for superqueens.
    fn lines(&self) -> Box<dyn Iterator<Item = Line> + '_> {
        match self.leaper {
            Leaper::Knight => Box::new(self.pairs()),
            Leaper::King => Box::new(self.cubes().filter(|cube| cube.len() > 1)),
            Leaper::Superqueen => Box::new(self.queens.lines().chain(self.pairs())),
        }
    }

    fn lines_extent(&self) -> Extent {
        let pairs = || Extent { rows: self.pairs_count(), nonzeros: 2 * self.pairs_count() };
        match self.leaper {
            Leaper::Knight => pairs(),
            Leaper::King if self.size() == 1 => Extent::default(),
            Leaper::King => {
                let sides = self.queens.sides();
                let rows = sides.iter().map(|&n| u128::from(self.cube_starts(n))).product();
                let squares: u128 = sides.iter().map(|&n| u128::from(n.min(2))).product();
                Extent { rows, nonzeros: rows * squares }
            }
            Leaper::Superqueen => self.queens.lines_extent() + pairs(),
        }
    }

    fn attacks(&self, a: Square, b: Square) -> bool {
        if a == b {
            return false;
        }
        let round = |x: u32, n: u32| if self.queens.is_torus() { x.min(n - x) } else { x };
        let distances = || {
            let pairs = self.queens.coordinates(a).into_iter().zip(self.queens.coordinates(b));
            pairs.zip(self.queens.sides()).map(move |((x, y), &n)| round(x.abs_diff(y), n))
        };
        let is_leap = || {
            let n = self.queens.sides()[0];
            let mut moved: Vec<u32> =
                [1, 2].map(|x| if self.queens.is_torus() { round(x % n, n) } else { x }).to_vec();
            let mut found: Vec<u32> = distances().collect();
            for list in [&mut moved, &mut found] {
                list.retain(|&x| x > 0);
                list.sort_unstable();
            }
            moved == found && self.queens.dimension() > 1
        };
        match self.leaper {
            Leaper::King => distances().all(|x| x <= 1),
            Leaper::Knight => is_leap(),
            Leaper::Superqueen => self.queens.attacks(a, b) || is_leap(),
        }
    }

    fn neighbours(&self, square: Square) -> Vec<Square> {
        let mut found = match self.leaper {
            Leaper::King => self.around(square, &[-1, 0, 1]),
            Leaper::Knight => self.leaps(square),
            Leaper::Superqueen => [self.queens.neighbours(square), self.leaps(square)].concat(),
        };
        found.retain(|&other| other != square);
        found.sort_unstable();
        found
    }

    fn generators(&self) -> Vec<Generator<'_>> {
        self.queens.generators()
    }

    fn symmetry_order(&self) -> Option<u128> {
        self.queens.symmetry_order()
    }

    fn trivial_bound(&self) -> u64 {
        let sides = self.queens.sides().iter();
        match self.leaper {
            Leaper::King => sides.map(|&n| u64::from(n.div_ceil(self.cube_side(n)))).product(),
            Leaper::Knight => {
                let paired = self.paired_axes().map_or(0, |axes| self.paired_squares(axes));
                self.size() as u64 - paired / 2
            }
            Leaper::Superqueen => self.queens.trivial_bound(),
        }
    }

    /// Returns cubes of side 2 for kings, pairs in blocks of 4 x 2 for knights, and lines for superqueens.
    fn partition(&self) -> Vec<Vec<Square>> {
        match self.leaper {
            Leaper::King => super::group_by_key(self.size(), |square| {
                let at = self.queens.coordinates(square);
                at.iter().zip(self.queens.sides()).map(|(x, &n)| x / self.cube_side(n)).collect::<Vec<_>>()
            }),
            Leaper::Knight => {
                let axes = self.paired_axes();
                super::group_by_key(self.size(), |square| {
                    axes.and_then(|axes| self.partner(square, axes)).map_or(square, |other| other.min(square))
                })
            }
            Leaper::Superqueen => self.queens.partition(),
        }
    }

    fn layout(&self) -> Option<Layout> {
        self.queens.layout()
    }
}
