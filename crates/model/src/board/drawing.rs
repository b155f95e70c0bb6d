//! Boxes with holes: polyominoes, polycubes, punctured boards.

use std::collections::HashSet;
use std::sync::OnceLock;

use ndqueens_notation::name::Piece;

use super::{Extent, Generator, Geometry, Grid, Layout, Line, Square, Words, closure};

/// Largest dimension in which every symmetry of the box is tried. In higher dimensions only reflections of
/// axes and exchanges of two axes are tried.
const ALL_SYMMETRIES_UP_TO: usize = 6;

/// Some of the squares of a plain box, numbered in the order of the box.
#[derive(Debug)]
pub(super) struct Drawing {
    grid: Grid,
    /// Numbers of the squares in the box, in increasing order.
    present: Vec<Square>,
    /// `true` if holes block attacks.
    blocked: bool,
    /// Images of all squares under generators of the symmetry group, computed at the first call.
    generators: OnceLock<Vec<Vec<Square>>>,
}

impl Drawing {
    /// Creates the board with the given squares of `grid`.
    pub(super) fn new(grid: Grid, present: Vec<Square>, blocked: bool) -> Self {
        Self { grid, present, blocked, generators: OnceLock::new() }
    }

    /// Returns the number of a square of the box, or `None` for a hole.
    fn number(&self, in_box: Square) -> Option<Square> {
        self.present.binary_search(&in_box).ok().map(|index| index as Square)
    }

    /// Splits a line of the box into lines of the board: its runs without a hole if holes block attacks,
    /// otherwise all its squares.
    fn split_line(&self, line: &[Square]) -> Vec<Line> {
        let numbers: Vec<Option<Square>> = line.iter().map(|&square| self.number(square)).collect();
        if self.blocked {
            return numbers
                .split(Option::is_none)
                .map(|run| run.iter().flatten().copied().collect())
                .collect();
        }
        vec![numbers.into_iter().flatten().collect()]
    }

    /// Returns the squares attacked along a direction, or against it if `sign` is -1, the nearest first.
    fn ray<'a>(
        &'a self,
        from: &'a [u32],
        direction: &'a [i32],
        sign: i32,
    ) -> impl Iterator<Item = Square> + 'a {
        let in_box = (1..).map_while(move |m| self.grid.step(from, direction, sign * m));
        in_box
            .map(|square| self.number(square))
            .take_while(|square| !self.blocked || square.is_some())
            .flatten()
    }

    /// Returns the images of all squares under a symmetry of the box with this corner and these sides, or
    /// `None` if an image is not a square or if the symmetry exchanges axes of different lengths.
    fn images(&self, symmetry: &SignedPermutation, corner: &[u32], sides: &[u32]) -> Option<Vec<Square>> {
        let image = |square| {
            let from = self.coordinates(square);
            let coordinate = |(i, &entry): (usize, &i32)| {
                let axis = entry.unsigned_abs() as usize - 1;
                let x = from[axis] - corner[axis];
                let x = if entry < 0 { sides[axis] - 1 - x } else { x };
                (sides[axis] == sides[i]).then_some(corner[i] + x)
            };
            let to: Option<Vec<u32>> = symmetry.iter().enumerate().map(coordinate).collect();
            self.square(&to?)
        };
        (0..self.size() as Square).map(image).collect()
    }

    /// Returns generators of the symmetries of the smallest box around the squares that map squares to
    /// squares, as the images of all squares.
    fn symmetries(&self) -> Vec<Vec<Square>> {
        let dimension = self.grid.dimension();
        let standard = standard_generators(dimension);
        let all = dimension <= ALL_SYMMETRIES_UP_TO;
        let candidates = if all { generate_group(dimension, &standard) } else { standard };
        let (corner, sides) = self.hull();
        let mut found = Vec::new();
        let mut group: HashSet<SignedPermutation> = generate_group(dimension, &found).into_iter().collect();
        let mut generators = Vec::new();
        for symmetry in candidates {
            if group.contains(&symmetry) {
                continue;
            }
            if let Some(images) = self.images(&symmetry, &corner, &sides) {
                generators.push(images);
                found.push(symmetry);
                if all {
                    group = generate_group(dimension, &found).into_iter().collect();
                }
            }
        }
        generators
    }

    /// Returns the directions with one or two nonzero entries along which the piece moves, one of each two
    /// opposite ones.
    fn axes_and_diagonals(&self) -> impl Iterator<Item = Vec<i32>> {
        let (piece, dimension) = (self.grid.piece(), self.grid.dimension());
        let pairs = (0..dimension).flat_map(|a| (0..=a).flat_map(move |b| [(a, b, 1), (a, b, -1)]));
        let moves = move |&(a, b, sign): &(usize, usize, i32)| {
            piece.moves_along(if a == b { 1 } else { 2 }) && (a != b || sign > 0)
        };
        pairs.filter(moves).map(move |(a, b, sign)| {
            let mut direction = vec![0; dimension];
            direction[a] = 1;
            direction[b] = sign;
            direction
        })
    }

    /// Returns the squares without a predecessor in a direction: one for each line, also for lines of one
    /// square.
    fn line_starts(&self, direction: &[i32]) -> impl Iterator<Item = Square> {
        (0..self.size() as Square)
            .filter(|&square| self.ray(&self.coordinates(square), direction, -1).next().is_none())
    }

    /// Returns the position of the box of side 2 that contains a square, in a partition into such boxes.
    fn unit_box(&self, square: Square) -> Vec<u32> {
        self.coordinates(square).iter().map(|x| x / 2).collect()
    }

    /// Returns the corner and the sides of the smallest box that contains all squares.
    fn hull(&self) -> (Vec<u32>, Vec<u32>) {
        let squares: Vec<Vec<u32>> =
            self.present.iter().map(|&s| Geometry::coordinates(&self.grid, s)).collect();
        let along = |axis: usize| squares.iter().map(move |square| square[axis]);
        let least = |axis| along(axis).min().expect("a drawing has a square");
        let most = |axis| along(axis).max().expect("a drawing has a square");
        let axes = 0..self.grid.dimension();
        (axes.clone().map(least).collect(), axes.map(|axis| most(axis) - least(axis) + 1).collect())
    }
}

impl Geometry for Drawing {
    fn size(&self) -> usize {
        self.present.len()
    }

    fn words(&self) -> Words {
        Words::of(self.grid.piece())
    }

    fn coordinates(&self, square: Square) -> Vec<u32> {
        self.grid.coordinates(self.present[square as usize])
    }

    fn square(&self, coordinates: &[u32]) -> Option<Square> {
        self.number(self.grid.square(coordinates)?)
    }

    fn lines(&self) -> Box<dyn Iterator<Item = Line> + '_> {
        Box::new(self.grid.lines().flat_map(|line| self.split_line(&line)).filter(|line| line.len() > 1))
    }

    fn lines_extent(&self) -> Extent {
        self.lines()
            .fold(Extent::default(), |sum, line| sum + Extent { rows: 1, nonzeros: line.len() as u128 })
    }

    fn attacks(&self, a: Square, b: Square) -> bool {
        if !self.grid.attacks(self.present[a as usize], self.present[b as usize]) {
            return false;
        }
        if !self.blocked {
            return true;
        }
        let (from, to) = (self.coordinates(a), self.coordinates(b));
        let direction: Vec<i32> = from.iter().zip(&to).map(|(x, y)| y.cmp(x) as i32).collect();
        let steps = from.iter().zip(&to).map(|(x, y)| x.abs_diff(*y)).max().unwrap_or(0) as i32;
        let between = |m| self.grid.step(&from, &direction, m).expect("on the line within the box");
        (1..steps).all(|m| self.number(between(m)).is_some())
    }

    fn neighbours(&self, square: Square) -> Vec<Square> {
        let from = self.coordinates(square);
        let mut found = Vec::new();
        for direction in self.grid.directions() {
            found.extend(self.ray(&from, &direction, 1));
            found.extend(self.ray(&from, &direction, -1));
        }
        found.sort_unstable();
        found
    }

    fn generators(&self) -> Vec<Generator<'_>> {
        let images = self.generators.get_or_init(|| self.symmetries());
        images
            .iter()
            .map(|images| Box::new(|square: Square| images[square as usize]) as Generator<'_>)
            .collect()
    }

    fn symmetry_is_whole(&self) -> bool {
        self.grid.sides().len() <= ALL_SYMMETRIES_UP_TO
    }

    fn trivial_bound(&self) -> u64 {
        let mut least = self.axes_and_diagonals().map(|direction| self.line_starts(&direction).count()).min();
        if self.grid.piece() == Piece::Queen {
            let unit_boxes =
                (0..self.size() as Square).map(|square| self.unit_box(square)).collect::<HashSet<_>>();
            least = least.min(Some(unit_boxes.len())).or(Some(unit_boxes.len()));
        }
        least.unwrap_or(self.size()) as u64
    }

    /// Returns lines in one direction, or boxes of side 2, or single squares.
    fn partition(&self) -> Vec<Vec<Square>> {
        let least = self.trivial_bound() as usize;
        let found = self.axes_and_diagonals().find(|direction| self.line_starts(direction).count() == least);
        if let Some(direction) = found {
            let line = |first: Square| {
                let from = self.coordinates(first);
                std::iter::once(first).chain(self.ray(&from, &direction, 1)).collect()
            };
            return self.line_starts(&direction).map(line).collect();
        }
        match self.grid.piece() {
            Piece::Queen => super::group_by_key(self.size(), |square| self.unit_box(square)),
            Piece::Rook | Piece::Bishop => super::group_by_key(self.size(), |square| square),
        }
    }

    fn layout(&self) -> Option<Layout> {
        let squares = (0..self.size() as Square).map(|square| self.coordinates(square));
        Some(Layout::of_box(self.grid.sides(), squares))
    }
}

/// A symmetry of a box: entry `i` is `a + 1` if coordinate `i` of the image is coordinate `a` of the square,
/// and `-(a + 1)` if it is the mirror image of that coordinate.
type SignedPermutation = Vec<i32>;

/// Returns the reflections of axes and the exchanges of two axes.
fn standard_generators(dimension: usize) -> Vec<SignedPermutation> {
    let identity: SignedPermutation = (1..=dimension as i32).collect();
    let mut generators = Vec::new();
    for a in 0..dimension {
        let mut reflection = identity.clone();
        reflection[a] = -reflection[a];
        generators.push(reflection);
        for b in 0..a {
            let mut exchange = identity.clone();
            exchange.swap(a, b);
            generators.push(exchange);
        }
    }
    generators
}

/// Returns all products of these symmetries, including the identity.
fn generate_group(dimension: usize, generators: &[SignedPermutation]) -> Vec<SignedPermutation> {
    let identity: SignedPermutation = (1..=dimension as i32).collect();
    closure(identity, generators, usize::MAX, |symmetry, generator| {
        generator.iter().map(|&axis| symmetry[axis.unsigned_abs() as usize - 1] * axis.signum()).collect()
    })
}
