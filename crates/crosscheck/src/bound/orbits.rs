//! Orbits of the squares under the symmetries of the board.

use std::cell::OnceCell;
use std::collections::BTreeSet;

use ndqueens_notation::name::MAX_DIMENSION;

use crate::fault::Reason;

/// Maximum number of orbits of a board.
const MAX_ORBITS: u64 = 1 << 22;

/// Orbit of a square: twice the distance of each coordinate from the middle of its axis, in decreasing order
/// among axes of the same length. On `4x5^2` the square `(0,3,0)` has the orbit `[3, 4, 2]`.
pub(super) type Orbit = Vec<u32>;

/// Orbits of the squares of a board.
pub(super) struct OrbitTable {
    /// Sides of the board in increasing order.
    sides: Vec<u32>,
    /// All orbits with their numbers of squares, in lexicographic order; computed when they are first needed.
    sizes: OnceCell<Vec<(Orbit, u64)>>,
}

impl OrbitTable {
    /// Creates the table of a board with sides in increasing order.
    ///
    /// # Errors
    /// Returns an error if the board has too many orbits.
    pub(super) fn new(sides: &[u32]) -> Result<Self, Reason> {
        let squares = sides.iter().try_fold(1u64, |squares, &n| squares.checked_mul(n.into()));
        let orbits = sides.chunk_by(|a, b| a == b).try_fold(1u64, |orbits, class| {
            let here =
                binomial(u64::from(class[0].div_ceil(2)) + class.len() as u64 - 1, class.len() as u64)?;
            orbits.checked_mul(here).filter(|all| *all <= MAX_ORBITS)
        });
        if squares.is_none() || orbits.is_none() || sides.len() > MAX_DIMENSION {
            let words =
                format!("the check reached a limit: a board with more than {MAX_ORBITS} orbits of squares");
            return Err(Reason::limit(words));
        }
        Ok(Self { sides: sides.to_vec(), sizes: OnceCell::new() })
    }

    /// Returns all orbits with their numbers of squares, in lexicographic order.
    pub(super) fn all(&self) -> &[(Orbit, u64)] {
        self.sizes.get_or_init(|| orbits_with_sizes(&self.sides))
    }

    /// Returns the number of squares of an orbit.
    pub(super) fn size(&self, orbit: &Orbit) -> u64 {
        let place = self.all().binary_search_by(|(known, _)| known.cmp(orbit));
        self.all()[place.expect("every square lies in an orbit")].1
    }

    /// Returns a square of an orbit.
    pub(super) fn square(&self, orbit: &Orbit) -> Vec<u32> {
        orbit.iter().zip(&self.sides).map(|(distance, n)| (n - 1 - distance) / 2).collect()
    }

    /// Returns the orbit of a square.
    pub(super) fn orbit(&self, square: &[u32]) -> Orbit {
        let mut orbit = Vec::new();
        self.write_orbit(square, &mut orbit);
        orbit
    }

    /// Replaces `orbit` by the orbit of a square.
    pub(super) fn write_orbit(&self, square: &[u32], orbit: &mut Orbit) {
        orbit.clear();
        orbit.extend(square.iter().zip(&self.sides).map(|(&x, &n)| (2 * x).abs_diff(n - 1)));
        let mut begin = 0;
        for class in self.sides.chunk_by(|a, b| a == b) {
            orbit[begin..begin + class.len()].sort_unstable_by(|a, b| b.cmp(a));
            begin += class.len();
        }
    }
}

/// Returns all orbits in lexicographic order, with their numbers of squares. Together they have all squares.
fn orbits_with_sizes(sides: &[u32]) -> Vec<(Orbit, u64)> {
    let mut orbits: Vec<(Orbit, u64)> = vec![(Vec::new(), 1)];
    for class in sides.chunk_by(|a, b| a == b) {
        let distances: Vec<u32> = (0..class[0])
            .map(|x| (2 * x).abs_diff(class[0] - 1))
            .collect::<BTreeSet<_>>()
            .into_iter()
            .collect();
        let mut longer = Vec::new();
        for (orbit, size) in &orbits {
            for (part, squares) in descending_sequences(&distances, class.len()) {
                longer.push(([orbit.as_slice(), &part].concat(), size * squares));
            }
        }
        orbits = longer;
    }
    let squares: u128 = orbits.iter().map(|(_, size)| u128::from(*size)).sum();
    assert_eq!(
        squares,
        sides.iter().map(|&n| u128::from(n)).product::<u128>(),
        "every square lies in one orbit"
    );
    orbits
}

/// Returns all descending sequences of `distances`, which are given in increasing order, with the number of
/// squares that have these distances in any order: each distance except 0 occurs on both sides of the middle.
/// For the distances 0 and 2 of an axis of length 3, and two axes: `[0, 0]` of 1 square, `[2, 0]` of 4
/// squares and `[2, 2]` of 4 squares.
fn descending_sequences(distances: &[u32], length: usize) -> Vec<(Vec<u32>, u64)> {
    // Each entry is a sequence, the index of its last distance, how often that distance occurs, and the
    // number of positions.
    let mut all: Vec<(Vec<u32>, usize, u64, u64)> = vec![(Vec::new(), distances.len() - 1, 0, 1)];
    for places in 1..=length as u64 {
        let mut longer = Vec::new();
        for (begin, last, many, positions) in &all {
            for (at, &distance) in distances.iter().enumerate().take(last + 1) {
                let many = if at == *last { many + 1 } else { 1 };
                let sides = if distance == 0 { 1 } else { 2 };
                let positions = u128::from(*positions) * u128::from(places) / u128::from(many) * sides;
                let positions = u64::try_from(positions).expect("a board has at most 2^64 squares");
                longer.push(([begin.as_slice(), &[distance]].concat(), at, many, positions));
            }
        }
        all = longer;
    }
    all.into_iter().map(|(sequence, _, _, positions)| (sequence, positions)).collect()
}

/// Returns the number of ways to choose k of n, or `None` if it is too large.
fn binomial(n: u64, k: u64) -> Option<u64> {
    (0..k).try_fold(1u64, |all, i| Some(all.checked_mul(n - i)? / (i + 1)))
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use ndqueens_notation::name::Piece;

    use super::*;
    use crate::boards::Definition as _;
    use crate::boards::grid::Grid;

    #[test]
    fn descending_sequences_represent_all_positions() {
        for (distances, length) in [([0, 2, 4].as_slice(), 3), (&[1, 3], 4), (&[0], 2), (&[1, 3, 5, 7], 2)] {
            let all = descending_sequences(distances, length);
            let positions: u64 = distances.iter().map(|&distance| if distance == 0 { 1 } else { 2 }).sum();
            assert_eq!(all.iter().map(|(_, many)| many).sum::<u64>(), positions.pow(length as u32));
            assert!(all.iter().all(|(sequence, _)| sequence.is_sorted_by(|a, b| a >= b)));
            assert_eq!(all.iter().map(|(sequence, _)| sequence).collect::<HashSet<_>>().len(), all.len());
        }
        assert_eq!(descending_sequences(&(0..100_000).collect::<Vec<_>>(), 1).len(), 100_000);
    }

    #[test]
    fn orbits_agree_with_the_symmetries() {
        for sides in [&[1][..], &[5], &[4, 4], &[3, 4, 4], &[3, 3, 3, 3], &[2, 2, 5, 5], &[1, 1, 3]] {
            let orbits = OrbitTable::new(sides).expect("small");
            let grid = Grid::new(Piece::Queen, false, sides);
            assert!(orbits.all().is_sorted());
            let generators = grid.generators().expect("known");
            for square in grid.squares() {
                for generator in &generators {
                    let mut image = square.clone();
                    generator(&mut image);
                    assert_eq!(orbits.orbit(&image), orbits.orbit(&square));
                }
            }
        }
    }
}
