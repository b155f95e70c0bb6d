//! Boxes up to symmetry: orbits of squares, and rows that stand for all their images.
//!
//! The group of a box reflects its axes and exchanges axes of the same length. A linear program whose rows are kept by a
//! group has an optimum that is constant on its orbits, so one variable for each orbit of squares and one row for each orbit
//! of rows are enough. Neither squares nor rows are ever listed here, so a board of millions of squares has some hundred
//! orbits and is as quick as a small one.
//!
//! # References
//! R. Bödi, K. Herr, M. Joswig, *Algorithms for highly symmetric linear and integer programs*, Math. Program. 137 (2013).

mod shape;

use std::collections::BTreeMap;
use std::sync::Arc;

pub use self::shape::{ClassWeights, Shape};
use crate::board::Grid;
use crate::facts::UpperBound;

/// An orbit of squares: the coordinates of its squares, reflected to the lower half, axes of the same length together and
/// sorted, the shorter axes first.
pub type Orbit = Vec<u32>;

/// A box and its group.
#[derive(Debug, Clone)]
pub struct BoxOrbits {
    sides: Vec<u32>,
    /// Axes of the same length, the shorter ones first.
    classes: Vec<Vec<usize>>,
}

/// A row up to symmetry: the weights of a shape's squares with queens, and of those of each of its images, add up to at most `rhs`.
#[derive(Debug, Clone)]
pub struct OrbitRow {
    /// One of the images.
    pub shape: Shape,
    /// The right-hand side.
    pub rhs: u64,
    /// The bound that the right-hand side is taken from; `None` if it follows from the definition of an attack.
    pub bound: Option<Arc<UpperBound>>,
}

impl OrbitRow {
    /// At most one queen on squares that attack each other pairwise.
    #[must_use]
    pub const fn clique(shape: Shape) -> Self {
        Self { shape, rhs: 1, bound: None }
    }

    /// At most as many queens as the bound says.
    pub(crate) fn bounded(shape: Shape, bound: &Arc<UpperBound>) -> Self {
        Self { shape, rhs: bound.value, bound: Some(Arc::clone(bound)) }
    }
}

impl BoxOrbits {
    /// The group of a plain box; `None` for a torus, whose group is larger.
    #[must_use]
    pub fn of(grid: &Grid) -> Option<Self> {
        if grid.is_torus() {
            return None;
        }
        Some(Self::of_sides(grid.sides().to_vec()))
    }

    /// The group of the plain box with these sides.
    #[must_use]
    pub fn of_sides(sides: Vec<u32>) -> Self {
        let mut classes: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
        for (axis, &side) in sides.iter().enumerate() {
            classes.entry(side).or_default().push(axis);
        }
        Self { sides, classes: classes.into_values().collect() }
    }

    /// The side lengths.
    #[must_use]
    pub fn sides(&self) -> &[u32] {
        &self.sides
    }

    fn side_of(&self, class: &[usize]) -> u32 {
        self.sides[class[0]]
    }

    /// The orbit of a square.
    #[must_use]
    pub fn orbit(&self, square: &[u32]) -> Orbit {
        let mut orbit = Vec::with_capacity(square.len());
        for class in &self.classes {
            let begin = orbit.len();
            orbit.extend(class.iter().map(|&axis| folded(square[axis], self.sides[axis])));
            orbit[begin..].sort_unstable();
        }
        orbit
    }

    /// A square of an orbit.
    #[must_use]
    pub fn square(&self, orbit: &Orbit) -> Vec<u32> {
        let mut square = vec![0; orbit.len()];
        self.classes.iter().flatten().zip(orbit).for_each(|(&axis, &value)| square[axis] = value);
        square
    }

    /// The number of orbits of squares, without a look at any of them.
    #[must_use]
    pub fn number(&self) -> u128 {
        let of_class = |class: &Vec<usize>| {
            let (values, axes) = (u128::from(self.side_of(class).div_ceil(2)), class.len() as u128);
            // Multisets: each factor divides the product so far.
            (1..=axes).fold(1u128, |number, i| number.saturating_mul(values + i - 1) / i)
        };
        self.classes.iter().map(of_class).fold(1, u128::saturating_mul)
    }

    /// All orbits, with the number of squares in each.
    #[must_use]
    pub fn all(&self) -> Vec<(Orbit, u64)> {
        let mut all = vec![(Vec::new(), 1)];
        for class in &self.classes {
            let side = self.side_of(class);
            let values = non_decreasing(side.div_ceil(2), class.len());
            let longer = |(orbit, size): (Orbit, u64)| {
                let size_of = |values: &[u32]| size * arrangements(values) * reflections(values, side);
                values.iter().map(move |v| ([&orbit[..], v].concat(), size_of(v))).collect::<Vec<_>>()
            };
            all = all.into_iter().flat_map(longer).collect();
        }
        all
    }

    /// Returns how often a shape counts the squares of each orbit: how many squares it has there, by their weights.
    #[must_use]
    pub fn entries(&self, shape: &Shape) -> BTreeMap<Orbit, u64> {
        let mut entries = BTreeMap::new();
        match shape {
            Shape::Lattice { corner, sides, stride } => return self.of_lattice(corner, sides, *stride),
            Shape::Faces { corner, sides, stride, weights } => {
                let weights = weights.by_class(sides.iter().filter(|&&side| side == 3).count());
                for ((orbit, class), count) in self.of_faces(corner, sides, *stride) {
                    if weights[class] > 0 {
                        *entries.entry(orbit).or_insert(0) += weights[class] * count;
                    }
                }
            }
            _ => {
                for square in shape.squares() {
                    *entries.entry(self.orbit(&square)).or_insert(0) += 1;
                }
            }
        }
        entries
    }

    /// Returns the number of squares of each orbit and class on a box with sides of 1 and 3, axis by axis.
    fn of_faces(&self, corner: &[u32], sides: &[u32], stride: u32) -> BTreeMap<(Orbit, usize), u64> {
        let mut entries = BTreeMap::from([((Vec::new(), 0), 1)]);
        for class in &self.classes {
            let begin = entries.keys().next().map_or(0, |(orbit, _)| orbit.len());
            for &axis in class {
                let mut longer: BTreeMap<(Orbit, usize), u64> = BTreeMap::new();
                for ((orbit, middles), count) in &entries {
                    for step in 0..sides[axis] {
                        let value = folded(corner[axis] + stride * step, self.sides[axis]);
                        let mut orbit = orbit.clone();
                        let place = begin + orbit[begin..].partition_point(|&v| v <= value);
                        orbit.insert(place, value);
                        *longer.entry((orbit, middles + usize::from(step == 1))).or_default() += count;
                    }
                }
                entries = longer;
            }
        }
        entries
    }

    /// Axis by axis, without listing the squares.
    fn of_lattice(&self, corner: &[u32], sides: &[u32], stride: u32) -> BTreeMap<Orbit, u64> {
        let mut entries = BTreeMap::from([(Vec::new(), 1)]);
        for class in &self.classes {
            let begin = entries.keys().next().map_or(0, Vec::len);
            for &axis in class {
                let mut values: BTreeMap<u32, u64> = BTreeMap::new();
                for t in 0..sides[axis] {
                    *values.entry(folded(corner[axis] + stride * t, self.sides[axis])).or_default() += 1;
                }
                let mut longer: BTreeMap<Orbit, u64> = BTreeMap::new();
                for (orbit, count) in &entries {
                    for (&value, &times) in &values {
                        let mut orbit = orbit.clone();
                        let place = begin + orbit[begin..].partition_point(|&v| v <= value);
                        orbit.insert(place, value);
                        *longer.entry(orbit).or_default() += count * times;
                    }
                }
                entries = longer;
            }
        }
        entries
    }

    /// Positions of something that looks the same from everywhere, one of each orbit: along an axis it has so many places,
    /// and axes of the same length are alike if `kind` gives them the same number.
    pub(crate) fn positions(
        &self,
        places: impl Fn(usize) -> u32,
        kind: impl Fn(usize) -> u32,
    ) -> Vec<Vec<u32>> {
        let mut groups: Vec<Vec<usize>> = Vec::new();
        for class in &self.classes {
            let mut kinds: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
            class.iter().for_each(|&axis| kinds.entry(kind(axis)).or_default().push(axis));
            groups.extend(kinds.into_values());
        }
        let mut all = vec![vec![0; self.sides.len()]];
        for group in groups {
            let values = non_decreasing(places(group[0]).div_ceil(2), group.len());
            let placed = |position: Vec<u32>| {
                let group = &group;
                let at = move |v: &Vec<u32>| {
                    let mut position = position.clone();
                    group.iter().zip(v).for_each(|(&axis, &value)| position[axis] = value);
                    position
                };
                values.iter().map(at).collect::<Vec<_>>()
            };
            all = all.into_iter().flat_map(placed).collect();
        }
        all
    }

    /// One of each orbit of the maximal lines of two squares or more.
    pub(crate) fn lines(&self) -> Vec<Shape> {
        let mut lines = Vec::new();
        for moving in self.choices() {
            if !moving.contains(&true) {
                continue;
            }
            let direction: Vec<i32> = moving.iter().map(|&m| i32::from(m)).collect();
            let fixed = self.positions(
                |axis| if moving[axis] { 1 } else { self.sides[axis] },
                |axis| u32::from(moving[axis]),
            );
            for start in self.starts(&moving) {
                let steps = start.iter().zip(&self.sides).zip(&moving).filter(|(_, moves)| **moves);
                let length = steps.map(|((&a, &n), _)| n - a).min().unwrap_or(0);
                // The other end is as good a start; the lesser one is taken.
                let other: Vec<u32> = (0..start.len())
                    .map(|axis| if moving[axis] { self.sides[axis] - length - start[axis] } else { 0 })
                    .collect();
                if length < 2 || self.sorted(&other, &moving) < self.sorted(&start, &moving) {
                    continue;
                }
                for position in &fixed {
                    let start = start.iter().zip(position).map(|(a, b)| a + b).collect();
                    lines.push(Shape::Line { start, direction: direction.clone(), length });
                }
            }
        }
        lines
    }

    /// One of each orbit of sets of axes.
    pub(crate) fn choices(&self) -> Vec<Vec<bool>> {
        let mut choices = vec![vec![false; self.sides.len()]];
        for class in &self.classes {
            let more = |choice: Vec<bool>| {
                (0..=class.len()).map(move |many| {
                    let mut choice = choice.clone();
                    class[..many].iter().for_each(|&axis| choice[axis] = true);
                    choice
                })
            };
            choices = choices.into_iter().flat_map(more).collect();
        }
        choices
    }

    /// Where lines may start that move along some axes, up to exchanging those: with a coordinate 0.
    fn starts(&self, moving: &[bool]) -> Vec<Vec<u32>> {
        let mut starts = vec![vec![0; self.sides.len()]];
        for class in &self.classes {
            let axes: Vec<usize> = class.iter().copied().filter(|&axis| moving[axis]).collect();
            let values = non_decreasing(self.side_of(class), axes.len());
            let at = |start: Vec<u32>| {
                let axes = &axes;
                values.iter().map(move |v| {
                    let mut start = start.clone();
                    axes.iter().zip(v).for_each(|(&axis, &value)| start[axis] = value);
                    start
                })
            };
            starts = starts.into_iter().flat_map(at).collect();
        }
        starts.retain(|start| start.iter().zip(moving).any(|(&a, &moves)| moves && a == 0));
        starts
    }

    /// The coordinates along the moving axes, sorted in each class.
    fn sorted(&self, start: &[u32], moving: &[bool]) -> Vec<u32> {
        let mut sorted = Vec::new();
        for class in &self.classes {
            let begin = sorted.len();
            sorted.extend(class.iter().filter(|&&axis| moving[axis]).map(|&axis| start[axis]));
            sorted[begin..].sort_unstable();
        }
        sorted
    }
}

fn folded(coordinate: u32, side: u32) -> u32 {
    coordinate.min(side - 1 - coordinate)
}

/// All non-decreasing sequences of that length of numbers below `extent`.
fn non_decreasing(extent: u32, length: usize) -> Vec<Vec<u32>> {
    let mut all = vec![Vec::new()];
    for _ in 0..length {
        let longer = |sequence: Vec<u32>| {
            let least = sequence.last().copied().unwrap_or(0);
            (least..extent).map(move |next| [&sequence[..], &[next]].concat())
        };
        all = all.into_iter().flat_map(longer).collect();
    }
    all
}

/// In how many orders a sorted sequence can be put.
fn arrangements(sorted: &[u32]) -> u64 {
    let mut orders = 1;
    let mut run = 0;
    for (k, value) in sorted.iter().enumerate() {
        run = if k > 0 && sorted[k - 1] == *value { run + 1 } else { 1 };
        orders = orders * (k as u64 + 1) / run;
    }
    orders
}

/// How many reflections of these coordinates differ.
fn reflections(values: &[u32], side: u32) -> u64 {
    values.iter().filter(|&&v| 2 * v + 1 != side).map(|_| 2).product()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Board;
    use crate::facts::{ArchivedBounds, Bounds};
    use crate::family::REGISTRY;
    use std::collections::HashSet;

    fn boxes() -> impl Iterator<Item = Board> {
        [
            "1^1", "7^1", "3^2", "6^2", "4x7", "3^3", "5^3", "6^3", "4x4x5", "5x3x5", "2x3x4", "3^4", "4^4",
            "3x4x3x4", "2^5",
        ]
        .into_iter()
        .map(|name| Board::new(&name.parse().expect("a box")))
    }

    #[test]
    fn orbits_are_those_of_the_group() {
        for board in boxes() {
            let orbits = BoxOrbits::of(board.grid().expect("a box")).expect("no torus");
            let mut sizes: BTreeMap<Orbit, u64> = BTreeMap::new();
            for square in board.squares() {
                *sizes.entry(orbits.orbit(&board.coordinates(square))).or_default() += 1;
            }
            assert_eq!(sizes.into_iter().collect::<BTreeMap<_, _>>(), orbits.all().into_iter().collect());
            assert_eq!(orbits.all().len(), board.orbits().count(), "{}", board.name());
        }
    }

    #[test]
    fn orbits_are_numbered_without_a_list() {
        for board in boxes() {
            let orbits = BoxOrbits::of(board.grid().expect("a box")).expect("no torus");
            assert_eq!(orbits.number(), orbits.all().len() as u128, "{}", board.name());
        }
    }

    #[test]
    fn rows_of_orbits_are_those_of_the_whole_programme() {
        type Wanted = (BTreeMap<Orbit, u64>, i64);
        for board in boxes() {
            let grid = board.grid().expect("a box");
            let orbits = BoxOrbits::of(grid).expect("no torus");
            let bounds = Bounds::with_reported(&ArchivedBounds::shipped());
            let mut told = 0;
            for (name, make) in REGISTRY {
                let family = make(toml::Table::new()).expect("no options are needed");
                let Some(rows) = family.orbit_rows(grid, &orbits, &bounds) else { continue };
                let rows: Vec<OrbitRow> = rows.collect();
                told += 1;
                let all: HashSet<Wanted> = family
                    .rows(&board, &bounds)
                    .filter(|row| row.squares.len() > 1)
                    .map(|row| {
                        let mut entries = BTreeMap::new();
                        for (k, &square) in row.squares.iter().enumerate() {
                            let weight = row.coefficients.as_ref().map_or(1, |all| all[k] as u64);
                            *entries.entry(orbits.orbit(&board.coordinates(square))).or_insert(0) += weight;
                        }
                        (entries, row.rhs)
                    })
                    .collect();
                let ours: HashSet<Wanted> = rows
                    .iter()
                    .map(|row| (orbits.entries(&row.shape), i64::try_from(row.rhs).expect("small")))
                    .collect();
                assert_eq!(ours, all, "{name} on {}", board.name());
                for row in &rows {
                    let mut entries = BTreeMap::new();
                    for (square, weight) in row.shape.terms() {
                        *entries.entry(orbits.orbit(&square)).or_insert(0) += weight;
                    }
                    assert_eq!(entries, orbits.entries(&row.shape), "{:?}", row.shape);
                }
            }
            assert_eq!(told, 9, "{}", board.name());
        }
    }

    #[test]
    fn no_orbit_of_rows_comes_twice() {
        for board in boxes() {
            let orbits = BoxOrbits::of(board.grid().expect("a box")).expect("no torus");
            let mut seen = HashSet::new();
            let key = |shape: &Shape| {
                // The images of a line, as sets of squares.
                let generators = board.generators();
                let squares = |shape: &Shape| {
                    let mut squares: Vec<_> = shape
                        .squares()
                        .iter()
                        .map(|square| board.square(square).expect("on the board"))
                        .collect();
                    squares.sort_unstable();
                    squares
                };
                let mut all = HashSet::from([squares(shape)]);
                let mut next = vec![squares(shape)];
                while let Some(set) = next.pop() {
                    for generator in &generators {
                        let mut image: Vec<_> = set.iter().map(|&square| generator(square)).collect();
                        image.sort_unstable();
                        if all.insert(image.clone()) {
                            next.push(image);
                        }
                    }
                }
                all.into_iter().min().expect("itself")
            };
            let lines = orbits.lines();
            assert!(lines.iter().all(|line| seen.insert(key(line))), "{}", board.name());
        }
    }
}
