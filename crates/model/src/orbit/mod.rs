//! Boxes up to symmetry: orbits of squares, and orbit representatives of rows.
//!
//! The group of a box reflects its axes and exchanges axes of the same length. A linear program that is
//! invariant under a group has an optimal solution that is constant on the orbits of the group, so one
//! variable for each orbit of squares and one row for each orbit of rows are enough. Since squares and rows
//! are not enumerated here, the cost depends on the number of orbits, which is a few hundred even for boards
//! of millions of squares.
//!
//! # References
//! R. Bödi, K. Herr, M. Joswig, *Algorithms for highly symmetric linear and integer programs*, Math. Program.
//! 137 (2013).

mod shape;

use std::collections::BTreeMap;
use std::sync::Arc;

pub use self::shape::{ClassWeights, Shape};
use crate::board::Grid;
use crate::facts::UpperBound;

/// Orbit of squares, given by its canonical coordinates: reflected to the lower half, grouped by the length
/// of the axis with shorter axes first, and sorted within each group.
///
/// # Examples
/// ```
/// use ndqueens_model::orbit::BoxOrbits;
///
/// let orbits = BoxOrbits::of_sides(vec![3, 3]);
/// assert_eq!(orbits.square(&orbits.orbit(&[2, 1])).len(), 2);
/// assert_eq!(orbits.orbit(&[0, 1]), orbits.orbit(&[1, 2]));
/// ```
pub type Orbit = Vec<u32>;

/// Box with its symmetry group.
///
/// # Examples
/// ```
/// use ndqueens_model::orbit::BoxOrbits;
///
/// let orbits = BoxOrbits::of_sides(vec![3, 3]);
/// assert_eq!(orbits.all(), [(vec![0, 0], 4), (vec![0, 1], 4), (vec![1, 1], 1)]);
/// assert_eq!(orbits.orbit(&[2, 1]), [0, 1]);
/// ```
#[derive(Debug, Clone)]
pub struct BoxOrbits {
    sides: Vec<u32>,
    /// Groups of axes of the same length, shorter axes first.
    classes: Vec<Vec<usize>>,
}

/// Row up to symmetry: for each image of a shape, the sum of the weights of its squares with queens is at
/// most `rhs`.
///
/// # Examples
/// ```
/// use ndqueens_model::orbit::{OrbitRow, Shape};
///
/// let row = OrbitRow::clique(Shape::Squares(vec![vec![0, 0], vec![0, 1]]));
/// assert_eq!(row.rhs, 1);
/// ```
#[derive(Debug, Clone)]
pub struct OrbitRow {
    /// Representative of the images.
    pub shape: Shape,
    /// Right-hand side.
    pub rhs: u64,
    /// Bound that is the right-hand side; `None` if the right-hand side follows from the definition of an
    /// attack.
    pub bound: Option<Arc<UpperBound>>,
}

impl OrbitRow {
    /// Returns the row that allows at most one queen on squares that attack each other pairwise.
    #[must_use]
    pub const fn clique(shape: Shape) -> Self {
        Self { shape, rhs: 1, bound: None }
    }

    /// Returns the row that allows at most as many queens as the bound states.
    pub(crate) fn box_bound(shape: Shape, bound: &Arc<UpperBound>) -> Self {
        Self { shape, rhs: bound.value, bound: Some(Arc::clone(bound)) }
    }
}

impl BoxOrbits {
    /// Returns the group of a plain box, or `None` for a torus, whose group is larger.
    #[must_use]
    pub fn of(grid: &Grid) -> Option<Self> {
        if grid.is_torus() {
            return None;
        }
        Some(Self::of_sides(grid.sides().to_vec()))
    }

    /// Returns the group of the plain box with these sides.
    #[must_use]
    pub fn of_sides(sides: Vec<u32>) -> Self {
        let mut classes: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
        for (axis, &side) in sides.iter().enumerate() {
            classes.entry(side).or_default().push(axis);
        }
        Self { sides, classes: classes.into_values().collect() }
    }

    /// Returns the side lengths.
    #[must_use]
    pub fn sides(&self) -> &[u32] {
        &self.sides
    }

    /// Returns the length of the axes in a group.
    fn side_of(&self, class: &[usize]) -> u32 {
        self.sides[class[0]]
    }

    /// Returns the orbit of a square.
    #[must_use]
    pub fn orbit(&self, square: &[u32]) -> Orbit {
        let mut orbit = Vec::with_capacity(square.len());
        for class in &self.classes {
            let begin = orbit.len();
            orbit.extend(class.iter().map(|&axis| fold(square[axis], self.sides[axis])));
            orbit[begin..].sort_unstable();
        }
        orbit
    }

    /// Returns a square of an orbit.
    #[must_use]
    pub fn square(&self, orbit: &Orbit) -> Vec<u32> {
        let mut square = vec![0; orbit.len()];
        self.classes.iter().flatten().zip(orbit).for_each(|(&axis, &value)| square[axis] = value);
        square
    }

    /// Returns the number of orbits of squares, without enumerating them.
    #[must_use]
    pub fn number(&self) -> u128 {
        let of_class = |class: &Vec<usize>| {
            let (values, axes) = (u128::from(self.side_of(class).div_ceil(2)), class.len() as u128);
            // The number of multisets is a binomial coefficient; each partial product is divisible.
            (1..=axes).fold(1u128, |number, i| number.saturating_mul(values + i - 1) / i)
        };
        self.classes.iter().map(of_class).fold(1, u128::saturating_mul)
    }

    /// Returns all orbits, with the number of squares in each.
    #[must_use]
    pub fn all(&self) -> Vec<(Orbit, u64)> {
        let mut all = vec![(Vec::new(), 1)];
        for class in &self.classes {
            let side = self.side_of(class);
            let values = non_decreasing(side.div_ceil(2), class.len());
            let extend = |(orbit, size): (Orbit, u64)| {
                let size_of = |values: &[u32]| size * arrangements(values) * reflections(values, side);
                values.iter().map(move |v| ([&orbit[..], v].concat(), size_of(v))).collect::<Vec<_>>()
            };
            all = all.into_iter().flat_map(extend).collect();
        }
        all
    }

    /// Returns the sum of the weights of the squares of a shape in each orbit.
    #[must_use]
    pub fn entries(&self, shape: &Shape) -> BTreeMap<Orbit, u64> {
        let mut entries = BTreeMap::new();
        match shape {
            Shape::Lattice { corner, sides, stride } => return self.lattice_entries(corner, sides, *stride),
            Shape::Faces { corner, sides, stride, weights } => {
                let weights = weights.by_class(sides.iter().filter(|&&side| side == 3).count());
                for ((orbit, class), count) in self.face_counts(corner, sides, *stride) {
                    if weights[class] > 0 {
                        *entries.entry(orbit).or_insert(0) += weights[class] * count;
                    }
                }
            }
            _ => {
                for (square, weight) in shape.terms() {
                    *entries.entry(self.orbit(&square)).or_insert(0) += weight;
                }
            }
        }
        entries
    }

    /// Returns the number of squares of each orbit and class on a box with sides of 1 and 3.
    ///
    /// Extends the orbits axis by axis, without enumerating the squares.
    fn face_counts(&self, corner: &[u32], sides: &[u32], stride: u32) -> BTreeMap<(Orbit, usize), u64> {
        let mut entries = BTreeMap::from([((Vec::new(), 0), 1)]);
        for class in &self.classes {
            let begin = entries.keys().next().map_or(0, |(orbit, _)| orbit.len());
            for &axis in class {
                let mut extended: BTreeMap<(Orbit, usize), u64> = BTreeMap::new();
                for ((orbit, middles), count) in &entries {
                    for step in 0..sides[axis] {
                        let value = fold(corner[axis] + stride * step, self.sides[axis]);
                        let mut orbit = orbit.clone();
                        let place = begin + orbit[begin..].partition_point(|&v| v <= value);
                        orbit.insert(place, value);
                        *extended.entry((orbit, middles + usize::from(step == 1))).or_default() += count;
                    }
                }
                entries = extended;
            }
        }
        entries
    }

    /// Returns the number of squares of a lattice in each orbit.
    ///
    /// Extends the orbits axis by axis, without enumerating the squares.
    fn lattice_entries(&self, corner: &[u32], sides: &[u32], stride: u32) -> BTreeMap<Orbit, u64> {
        let mut entries = BTreeMap::from([(Vec::new(), 1)]);
        for class in &self.classes {
            let begin = entries.keys().next().map_or(0, Vec::len);
            for &axis in class {
                let mut values: BTreeMap<u32, u64> = BTreeMap::new();
                for t in 0..sides[axis] {
                    *values.entry(fold(corner[axis] + stride * t, self.sides[axis])).or_default() += 1;
                }
                let mut extended: BTreeMap<Orbit, u64> = BTreeMap::new();
                for (orbit, count) in &entries {
                    for (&value, &times) in &values {
                        let mut orbit = orbit.clone();
                        let place = begin + orbit[begin..].partition_point(|&v| v <= value);
                        orbit.insert(place, value);
                        *extended.entry(orbit).or_default() += count * times;
                    }
                }
                entries = extended;
            }
        }
        entries
    }

    /// Returns one position of each orbit of positions, for a pattern that is invariant under reflections.
    ///
    /// The pattern has `places(axis)` positions along an axis. It is invariant under exchanges of axes of the
    /// same length that have the same `kind`.
    #[must_use]
    pub fn positions(&self, places: impl Fn(usize) -> u32, kind: impl Fn(usize) -> u32) -> Vec<Vec<u32>> {
        let mut groups: Vec<Vec<usize>> = Vec::new();
        for class in &self.classes {
            let mut kinds: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
            class.iter().for_each(|&axis| kinds.entry(kind(axis)).or_default().push(axis));
            groups.extend(kinds.into_values());
        }
        let mut all = vec![vec![0; self.sides.len()]];
        for group in groups {
            let values = non_decreasing(places(group[0]).div_ceil(2), group.len());
            let extend = |position: Vec<u32>| {
                let group = &group;
                let set_group = move |v: &Vec<u32>| {
                    let mut position = position.clone();
                    group.iter().zip(v).for_each(|(&axis, &value)| position[axis] = value);
                    position
                };
                values.iter().map(set_group).collect::<Vec<_>>()
            };
            all = all.into_iter().flat_map(extend).collect();
        }
        all
    }

    /// Returns one line of each orbit of maximal lines with at least two squares.
    pub(crate) fn lines(&self) -> Vec<Shape> {
        let mut lines = Vec::new();
        for moving in self.axis_sets() {
            if !moving.contains(&true) {
                continue;
            }
            let direction: Vec<i32> = moving.iter().map(|&m| i32::from(m)).collect();
            let fixed = self.positions(
                |axis| if moving[axis] { 1 } else { self.sides[axis] },
                |axis| u32::from(moving[axis]),
            );
            for start in self.line_starts(&moving) {
                let steps = start.iter().zip(&self.sides).zip(&moving).filter(|(_, moves)| **moves);
                let length = steps.map(|((&a, &n), _)| n - a).min().unwrap_or(0);
                // The reflected other end is the start of an image of the line; the smaller of both is kept.
                let other: Vec<u32> = (0..start.len())
                    .map(|axis| if moving[axis] { self.sides[axis] - length - start[axis] } else { 0 })
                    .collect();
                if length < 2 || self.sort_moving(&other, &moving) < self.sort_moving(&start, &moving) {
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

    /// Returns one set of each orbit of sets of axes.
    pub(crate) fn axis_sets(&self) -> Vec<Vec<bool>> {
        let mut sets = vec![vec![false; self.sides.len()]];
        for class in &self.classes {
            let extend = |set: Vec<bool>| {
                (0..=class.len()).map(move |count| {
                    let mut set = set.clone();
                    class[..count].iter().for_each(|&axis| set[axis] = true);
                    set
                })
            };
            sets = sets.into_iter().flat_map(extend).collect();
        }
        sets
    }

    /// Returns the first squares of lines along a set of axes, up to exchanging axes of the set. One of their
    /// coordinates is 0.
    fn line_starts(&self, moving: &[bool]) -> Vec<Vec<u32>> {
        let mut starts = vec![vec![0; self.sides.len()]];
        for class in &self.classes {
            let axes: Vec<usize> = class.iter().copied().filter(|&axis| moving[axis]).collect();
            let values = non_decreasing(self.side_of(class), axes.len());
            let extend = |start: Vec<u32>| {
                let axes = &axes;
                values.iter().map(move |v| {
                    let mut start = start.clone();
                    axes.iter().zip(v).for_each(|(&axis, &value)| start[axis] = value);
                    start
                })
            };
            starts = starts.into_iter().flat_map(extend).collect();
        }
        starts.retain(|start| start.iter().zip(moving).any(|(&a, &moves)| moves && a == 0));
        starts
    }

    /// Returns the coordinates along the moving axes, sorted within each group of axes.
    fn sort_moving(&self, start: &[u32], moving: &[bool]) -> Vec<u32> {
        let mut sorted = Vec::new();
        for class in &self.classes {
            let begin = sorted.len();
            sorted.extend(class.iter().filter(|&&axis| moving[axis]).map(|&axis| start[axis]));
            sorted[begin..].sort_unstable();
        }
        sorted
    }
}

/// Returns the smaller one of a coordinate and its reflection.
fn fold(coordinate: u32, side: u32) -> u32 {
    coordinate.min(side - 1 - coordinate)
}

/// Returns all non-decreasing sequences of this length with entries below `extent`.
fn non_decreasing(extent: u32, length: usize) -> Vec<Vec<u32>> {
    let mut all = vec![Vec::new()];
    for _ in 0..length {
        let extend = |sequence: Vec<u32>| {
            let least = sequence.last().copied().unwrap_or(0);
            (least..extent).map(move |next| [&sequence[..], &[next]].concat())
        };
        all = all.into_iter().flat_map(extend).collect();
    }
    all
}

/// Returns the number of distinct permutations of a sorted sequence.
fn arrangements(sorted: &[u32]) -> u64 {
    let mut orders = 1;
    let mut run = 0;
    for (k, value) in sorted.iter().enumerate() {
        run = if k > 0 && sorted[k - 1] == *value { run + 1 } else { 1 };
        orders = orders * (k as u64 + 1) / run;
    }
    orders
}

/// Returns the number of distinct images of these coordinates under reflections.
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
    fn orbits_match_those_of_the_group() {
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
    fn orbit_number_matches_enumeration() {
        for board in boxes() {
            let orbits = BoxOrbits::of(board.grid().expect("a box")).expect("no torus");
            assert_eq!(orbits.number(), orbits.all().len() as u128, "{}", board.name());
        }
    }

    #[test]
    fn orbit_rows_match_the_rows_of_the_program() {
        type OrbitSums = (BTreeMap<Orbit, u64>, i64);
        for board in boxes() {
            let grid = board.grid().expect("a box");
            let orbits = BoxOrbits::of(grid).expect("no torus");
            let bounds = Bounds::with_publications(&ArchivedBounds::builtin());
            let mut supported = 0;
            for (name, make) in REGISTRY {
                let family = make(toml::Table::new()).expect("no options are needed");
                let Some(rows) = family.orbit_rows(grid, &orbits, &bounds) else { continue };
                let rows: Vec<OrbitRow> = rows.collect();
                supported += 1;
                let all: HashSet<OrbitSums> = family
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
                let ours: HashSet<OrbitSums> = rows
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
            assert_eq!(supported, 9, "{}", board.name());
        }
    }

    #[test]
    fn line_orbits_are_distinct() {
        for board in boxes() {
            let orbits = BoxOrbits::of(board.grid().expect("a box")).expect("no torus");
            let mut seen = HashSet::new();
            let key = |shape: &Shape| {
                // Images of a line, as sets of squares.
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
