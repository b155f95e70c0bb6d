//! Boxes of squares `n1 x ... x nd`, plain or with opposite faces joined (torus), for queens, rooks and
//! bishops.
//!
//! Two distinct squares attack each other if and only if their difference is a multiple of a direction: a
//! vector in `{-1,0,1}^d` whose number of nonzero entries is allowed for the piece. On the torus the
//! difference is taken modulo the side.
//!
//! # References
//! T. Kunt, *The n-Queens Problem in Higher Dimensions*, 2023, section 2.

use ndqueens_notation::name::{BoardName, Piece};

use super::{Extent, Generator, Geometry, Layout, Line, Square, Words};

/// A direction: a vector with entries in `{-1,0,1}`, of which the first nonzero one is positive.
///
/// # Examples
/// ```
/// use ndqueens_model::board::Board;
///
/// let board = Board::new(&"3^2".parse()?);
/// let directions: Vec<_> = board.grid().expect("a box").directions().collect();
/// assert!(directions.len() == 4 && directions.contains(&vec![1, -1]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub type Direction = Vec<i32>;

/// A box of squares, numbered lexicographically.
///
/// # Examples
/// ```
/// use ndqueens_model::board::Board;
///
/// let board = Board::new(&"torus:3^2".parse()?);
/// let grid = board.grid().expect("a torus");
/// assert_eq!(grid.step(&[0, 2], &[0, 1], 1), board.square(&[0, 0]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct Grid {
    piece: Piece,
    torus: bool,
    sides: Vec<u32>,
    /// Difference of the numbers of neighbouring squares along each axis.
    strides: Vec<u32>,
}

/// The two rays from a square along a direction and against it, given the first entries of the direction.
#[derive(Debug, Clone, Copy)]
struct Ray {
    /// Number of given entries, and axis of the next one.
    axis: usize,
    /// Number of nonzero entries.
    support: usize,
    /// Numbers of steps along and against the direction before the piece leaves the box.
    steps: [u32; 2],
    /// Difference of the numbers of consecutive squares along the direction.
    stride: i64,
}

impl Ray {
    /// Rays without given entries.
    const EMPTY: Self = Self { axis: 0, support: 0, steps: [u32::MAX; 2], stride: 0 };
}

impl Grid {
    /// Creates the box.
    pub(super) fn new(piece: Piece, torus: bool, sides: &[u32]) -> Self {
        let mut strides = vec![1; sides.len()];
        for axis in (1..sides.len()).rev() {
            strides[axis - 1] = strides[axis] * sides[axis];
        }
        Self { piece, torus, sides: sides.to_vec(), strides }
    }

    /// Returns the piece of the board.
    #[must_use]
    pub fn piece(&self) -> Piece {
        self.piece
    }

    /// Returns `true` if opposite faces are joined.
    #[must_use]
    pub fn is_torus(&self) -> bool {
        self.torus
    }

    /// Returns the side lengths, one for each axis.
    #[must_use]
    pub fn sides(&self) -> &[u32] {
        &self.sides
    }

    /// Returns the number of axes, d.
    #[must_use]
    pub fn dimension(&self) -> usize {
        self.sides.len()
    }

    /// Returns the name of a box with these sides for the same piece, plain or a torus.
    #[must_use]
    pub fn part(&self, torus: bool, sides: &[u32]) -> BoardName {
        BoardName::grid(self.piece, torus, sides)
    }

    /// Returns the square `from + steps * direction`, modulo the side on a torus, or `None` if it is off the
    /// board.
    #[must_use]
    pub fn step(&self, from: &[u32], direction: &[i32], steps: i32) -> Option<Square> {
        let mut square = 0;
        for (((&c, &e), &n), &stride) in from.iter().zip(direction).zip(&self.sides).zip(&self.strides) {
            let mut coordinate = i64::from(c) + i64::from(e) * i64::from(steps);
            if self.torus {
                coordinate = coordinate.rem_euclid(i64::from(n));
            }
            if coordinate < 0 || coordinate >= i64::from(n) {
                return None;
            }
            square += u32::try_from(coordinate).expect("below the side length") * stride;
        }
        Some(square)
    }

    /// Returns the directions along which the piece moves, one of each two opposite ones. On a torus of side
    /// 2 a direction equals its mirror images, so only the one without negative entries is returned. Entries
    /// along axes of side 1 are 0.
    pub fn directions(&self) -> impl Iterator<Item = Direction> + '_ {
        let mut next = Some(self.first_vector());
        let all = std::iter::from_fn(move || {
            let current = next.take()?;
            let mut following = current.clone();
            next = self.advance(&mut following).then_some(following);
            Some(current)
        });
        all.filter(|direction| self.is_direction(direction))
    }

    /// Returns the first vector, in lexicographic order, with entries from -1 to 1, and 0 along axes of side
    /// 1.
    fn first_vector(&self) -> Direction {
        self.sides.iter().map(|&n| if n == 1 { 0 } else { -1 }).collect()
    }

    /// Replaces a vector by the next one. Returns `false` after the last one.
    fn advance(&self, vector: &mut [i32]) -> bool {
        for axis in (0..vector.len()).rev().filter(|&axis| self.sides[axis] > 1) {
            if vector[axis] < 1 {
                vector[axis] += 1;
                return true;
            }
            vector[axis] = -1;
        }
        false
    }

    /// Visits the rays from a square of a plain box whose directions start with the entries of `ray`, in
    /// lexicographic order. Rays without a square are left out.
    fn visit_rays(&self, coordinates: &[u32], ray: Ray, visit: &mut dyn FnMut(Ray)) {
        let Ray { axis, support, steps: [along, against], stride } = ray;
        if along == 0 && against == 0 {
            return;
        }
        let Some(&c) = coordinates.get(axis) else {
            if self.piece.moves_along(support) {
                visit(ray);
            }
            return;
        };
        let (before, after) = (c, self.sides[axis] - 1 - c);
        let of_axis = i64::from(self.strides[axis]);
        let (axis, moving) = (axis + 1, support + 1);
        if support > 0 {
            let steps = [along.min(before), against.min(after)];
            self.visit_rays(
                coordinates,
                Ray { axis, support: moving, steps, stride: stride - of_axis },
                visit,
            );
        }
        self.visit_rays(coordinates, Ray { axis, ..ray }, visit);
        let steps = [along.min(after), against.min(before)];
        self.visit_rays(coordinates, Ray { axis, support: moving, steps, stride: stride + of_axis }, visit);
    }

    /// Returns `true` for one of the [`Self::directions`].
    fn is_direction(&self, direction: &[i32]) -> bool {
        let support = direction.iter().filter(|&&e| e != 0).count();
        let first_is_positive = direction.iter().find(|&&e| e != 0) == Some(&1);
        let mirrored = self.torus && self.sides[0] == 2 && direction.contains(&-1);
        first_is_positive && self.piece.moves_along(support) && !mirrored
    }

    /// Returns the squares of the line from `start` in `direction`.
    fn line_from(&self, start: &[u32], direction: &[i32]) -> Line {
        let length = if self.torus { self.sides[0] } else { u32::MAX };
        (0..length).map_while(|m| self.step(start, direction, m as i32)).collect()
    }

    /// Returns `true` if a square is the first one of its line in `direction`: the one without a predecessor,
    /// or on a torus the one with coordinate 0 along the first axis of the direction. A line has at least two
    /// squares.
    fn is_line_start(&self, coordinates: &[u32], direction: &[i32]) -> bool {
        if self.torus {
            let first = direction.iter().position(|&e| e != 0).expect("a direction is not zero");
            return coordinates[first] == 0;
        }
        self.step(coordinates, direction, -1).is_none() && self.step(coordinates, direction, 1).is_some()
    }

    /// Returns the coordinates of a square.
    fn coordinates_of(&self, square: Square) -> Vec<u32> {
        self.strides.iter().zip(&self.sides).map(|(&stride, &n)| square / stride % n).collect()
    }

    /// Returns the number of squares.
    fn size_of(&self) -> usize {
        self.sides.iter().map(|&n| n as usize).product()
    }

    /// Returns the image of a square under the exchange of two axes.
    fn swap_axes(&self, square: Square, a: usize, b: usize) -> Square {
        let along = |axis: usize| square / self.strides[axis] % self.sides[axis];
        let (of_a, of_b) = (along(a), along(b));
        square + of_b * self.strides[a] + of_a * self.strides[b]
            - of_a * self.strides[a]
            - of_b * self.strides[b]
    }

    /// Returns the image of a square under a map of one coordinate, given the coordinate and the side length.
    fn map_axis(&self, square: Square, axis: usize, map: impl Fn(u32, u32) -> u32) -> Square {
        let (stride, n) = (self.strides[axis], self.sides[axis]);
        let coordinate = square / stride % n;
        square - coordinate * stride + map(coordinate, n) * stride
    }
}

impl Geometry for Grid {
    fn size(&self) -> usize {
        self.size_of()
    }

    fn words(&self) -> Words {
        Words::of(self.piece)
    }

    fn coordinates(&self, square: Square) -> Vec<u32> {
        self.coordinates_of(square)
    }

    fn square(&self, coordinates: &[u32]) -> Option<Square> {
        let on_board =
            coordinates.len() == self.dimension() && coordinates.iter().zip(&self.sides).all(|(c, n)| c < n);
        on_board.then(|| coordinates.iter().zip(&self.strides).map(|(c, stride)| c * stride).sum())
    }

    fn lines(&self) -> Box<dyn Iterator<Item = Line> + '_> {
        let squares = 0..self.size_of() as u32;
        Box::new(self.directions().flat_map(move |direction| {
            squares.clone().filter_map(move |square| {
                let coordinates = self.coordinates_of(square);
                self.is_line_start(&coordinates, &direction).then(|| self.line_from(&coordinates, &direction))
            })
        }))
    }

    /// Computes the extent by a formula.
    ///
    /// Along a direction e, a box has `A = prod (n_i - [e_i != 0])` pairs of consecutive squares and
    /// `B = prod max(n_i - 2 [e_i != 0], 0)` triples, hence `A - B` lines of two or more squares, with
    /// `2A - B` squares on them. Both products are summed over all directions with the same number of nonzero
    /// entries by expanding `prod (n_i + 2 t max(n_i - k, 0))` in t.
    fn lines_extent(&self) -> Extent {
        if self.torus {
            let (n, d) = (u128::from(self.sides[0]), self.dimension() as u128);
            let signs: u128 = if n == 2 { 1 } else { 2 };
            let mut directions = 0;
            let mut choices = 1;
            for support in 1..=self.dimension() {
                choices = choices * (d - support as u128 + 1) / support as u128;
                if n > 1 && self.piece.moves_along(support) {
                    directions += choices * signs.pow(support as u32 - 1);
                }
            }
            let nonzeros = directions * self.size_of() as u128;
            return Extent { rows: nonzeros / n, nonzeros };
        }
        let runs = |length: u32| -> u128 {
            let mut by_support = vec![1u128];
            for &n in &self.sides {
                let moving = 2 * u128::from(n.saturating_sub(length));
                let mut longer = vec![0; by_support.len() + 1];
                for (support, &count) in by_support.iter().enumerate() {
                    longer[support] += count * u128::from(n);
                    longer[support + 1] += count * moving;
                }
                by_support = longer;
            }
            let allowed =
                by_support.iter().enumerate().filter(|&(support, _)| self.piece.moves_along(support));
            allowed.map(|(_, &count)| count / 2).sum()
        };
        let (pairs, triples) = (runs(1), runs(2));
        Extent { rows: pairs - triples, nonzeros: 2 * pairs - triples }
    }

    fn attacks(&self, a: Square, b: Square) -> bool {
        let difference = |(&stride, &n): (&u32, &u32)| i64::from(a / stride % n) - i64::from(b / stride % n);
        let differences = || self.strides.iter().zip(&self.sides).map(difference);
        if a == b {
            return false;
        }
        if self.torus {
            let n = i64::from(self.sides[0]);
            return (1..n).any(|m| {
                let residue = |x: i64| x.rem_euclid(n);
                let aligned = differences().all(|x| x % n == 0 || residue(x) == m || residue(-x) == m);
                aligned && self.piece.moves_along(differences().filter(|x| x % n != 0).count())
            });
        }
        let mut nonzero = differences().filter(|&x| x != 0).map(i64::abs);
        let Some(first) = nonzero.next() else { return false };
        let mut support = 1;
        let is_equal = |x| {
            support += 1;
            x == first
        };
        nonzero.all(is_equal) && self.piece.moves_along(support)
    }

    fn neighbours(&self, square: Square) -> Vec<Square> {
        let mut found = Vec::new();
        self.visit_neighbours(square, &mut |neighbour| found.push(neighbour));
        found.sort_unstable();
        found.dedup();
        found
    }

    fn visit_neighbours(&self, square: Square, visit: &mut dyn FnMut(Square)) {
        let coordinates = self.coordinates_of(square);
        if self.torus {
            let reach = self.sides[0] as i32;
            let along = |direction: Direction| {
                (1..reach).filter_map(|m| self.step(&coordinates, &direction, m)).for_each(&mut *visit);
            };
            return self.directions().for_each(along);
        }
        self.visit_rays(&coordinates, Ray::EMPTY, &mut |Ray { steps: [along, against], stride, .. }| {
            let mut walk = |steps: u32, stride: i64| {
                (1..=i64::from(steps)).for_each(|m| visit((i64::from(square) + m * stride) as Square));
            };
            walk(along, stride);
            walk(against, -stride);
        });
    }

    fn degree(&self, square: Square) -> usize {
        if self.torus {
            return self.neighbours(square).len();
        }
        let mut degree = 0;
        self.visit_rays(&self.coordinates_of(square), Ray::EMPTY, &mut |Ray { steps, .. }| {
            degree += steps.iter().map(|&steps| steps as usize).sum::<usize>();
        });
        degree
    }

    fn generators(&self) -> Vec<Generator<'_>> {
        let mut generators: Vec<Generator<'_>> = Vec::new();
        for axis in 0..self.dimension() {
            if self.sides[axis] == 1 {
                continue;
            }
            generators.push(Box::new(move |s| self.map_axis(s, axis, |c, n| n - 1 - c)));
            if self.torus {
                generators.push(Box::new(move |s| self.map_axis(s, axis, |c, n| (c + 1) % n)));
            }
            if let Some(other) = (axis + 1..self.dimension()).find(|&b| self.sides[b] == self.sides[axis]) {
                generators.push(Box::new(move |s| self.swap_axes(s, axis, other)));
            }
        }
        generators
    }

    /// Computes the order of the group of reflections, of exchanges of axes with the same length, and on a
    /// torus of shifts.
    fn symmetry_order(&self) -> Option<u128> {
        let mut sides: Vec<u32> = self.sides.iter().copied().filter(|&side| side > 1).collect();
        sides.sort_unstable();
        let of_axis = |side: u32| if self.torus && side > 2 { 2 * u128::from(side) } else { 2 };
        let axes = sides.iter().map(|&side| of_axis(side));
        let exchanges = sides.chunk_by(|a, b| a == b).flat_map(|equal| 1..=equal.len() as u128);
        axes.chain(exchanges).try_fold(1, |order: u128, factor| order.checked_mul(factor))
    }

    fn optimal_size(&self) -> Option<u64> {
        let n = self.sides[0];
        let is_cube = self.sides.iter().all(|&side| side == n);
        (is_cube && matches!(self.piece, Piece::Queen | Piece::Rook))
            .then(|| self.size_of() as u64 / u64::from(n))
    }

    fn trivial_bound(&self) -> u64 {
        let squares = self.size_of() as u64;
        let mut longest: Vec<u64> = self.sides.iter().map(|&n| u64::from(n)).collect();
        longest.sort_unstable_by(|a, b| b.cmp(a));
        match (self.piece, longest.as_slice()) {
            (Piece::Queen | Piece::Rook, sides) => squares / sides[0],
            (Piece::Bishop, [_] | [_, 1, ..]) => squares,
            (Piece::Bishop, sides) if self.torus => squares / sides[0],
            (Piece::Bishop, sides) => squares / (sides[0] * sides[1]) * (sides[0] + sides[1] - 1),
        }
    }

    /// Returns the lines along the longest axis, or for bishops the diagonals in the planes of the two
    /// longest axes.
    fn partition(&self) -> Vec<Vec<Square>> {
        let mut axes: Vec<usize> = (0..self.dimension()).collect();
        axes.sort_by_key(|&axis| std::cmp::Reverse(self.sides[axis]));
        let n = self.sides[0];
        super::group_by_key(self.size_of(), |square| {
            let mut rest = self.coordinates_of(square);
            match (self.piece, axes.as_slice()) {
                (Piece::Queen | Piece::Rook, _) => rest[axes[0]] = 0,
                (Piece::Bishop, &[a, b, ..]) if self.sides[b] > 1 => {
                    rest[a] = if self.torus { (rest[a] + n - rest[b]) % n } else { rest[a] + rest[b] };
                    rest[b] = 0;
                }
                (Piece::Bishop, _) => {}
            }
            rest
        })
    }

    fn grid(&self) -> Option<&Grid> {
        Some(self)
    }

    fn layout(&self) -> Option<Layout> {
        Some(Layout::of_box(&self.sides, (0..self.size_of() as u32).map(|s| self.coordinates_of(s))))
    }
}
