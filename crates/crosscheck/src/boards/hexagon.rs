//! Hexagonal boards.

use crate::boards::definition::{Definition, LineOf, Symmetry, rays};

/// Board of the hexagons at distance less than n from a central hexagon, in cube coordinates `q + r + s = 0`.
///
/// A square has the coordinates `(n - 1 - r, n - 1 + q)`: its row, counted from above, and its position along
/// a line that leans to the left. Two squares attack each other if they differ by a multiple of a step to one
/// of the six nearest hexagons, or to one of the six next nearest, which lie across a corner.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hexagon {
    side: u32,
}

impl Hexagon {
    /// Creates the board with `side` squares along each edge.
    ///
    /// # Panics
    /// Panics if the side is 0.
    #[must_use]
    pub fn new(side: u32) -> Self {
        assert!(side > 0, "a board has a positive side");
        Self { side }
    }

    /// Returns the cube coordinates `[q, r, s]` of a square.
    fn cube(&self, square: &[u32]) -> [i64; 3] {
        let middle = i64::from(self.side) - 1;
        let (q, r) = (i64::from(square[1]) - middle, middle - i64::from(square[0]));
        [q, r, -q - r]
    }

    /// Sets a square to the one with the given cube coordinates.
    fn set(&self, square: &mut [u32], [q, r, _]: [i64; 3]) {
        let middle = i64::from(self.side) - 1;
        square[0] = u32::try_from(middle - r).expect("a symmetry keeps the board");
        square[1] = u32::try_from(middle + q).expect("a symmetry keeps the board");
    }
}

impl Definition for Hexagon {
    fn dimension(&self) -> usize {
        2
    }

    fn contains(&self, square: &[u32]) -> bool {
        square.len() == 2 && self.cube(square).iter().all(|x| x.abs() < i64::from(self.side))
    }

    fn describe_squares(&self) -> String {
        let last = 2 * u64::from(self.side) - 2;
        format!("the coordinates lie in [0,{last}] x [0,{last}] and differ by less than {}", self.side)
    }

    fn squares(&self) -> Box<dyn Iterator<Item = Vec<u32>> + '_> {
        let width = 2 * self.side - 1;
        let all = (0..width).flat_map(move |row| (0..width).map(move |column| vec![row, column]));
        Box::new(all.filter(|square| self.contains(square)))
    }

    fn attacks(&self, a: &[u32], b: &[u32]) -> bool {
        let (a, b) = (self.cube(a), self.cube(b));
        let [q, r, s] = [0, 1, 2].map(|i| a[i] - b[i]);
        let towards_edge = q == 0 || r == 0 || s == 0;
        let towards_corner = q == r || r == s || s == q;
        a != b && (towards_edge || towards_corner)
    }

    /// Returns the lines across edges in the three directions, then those across corners.
    fn lines(&self) -> Box<dyn Iterator<Item = Vec<Vec<u32>>> + '_> {
        let directions = [[0, 1], [1, 0], [1, 1], [1, -1], [1, 2], [2, 1]];
        Box::new(rays(self, directions.map(Vec::from).to_vec()))
    }

    /// Names a line by the cube coordinate, or the difference of two cube coordinates, that is constant on
    /// it.
    fn line_names(&self) -> Option<Vec<LineOf<'_>>> {
        let invariants: [fn([i64; 3]) -> i64; 6] =
            [|x| x[0], |x| x[1], |x| x[2], |x| x[0] - x[1], |x| x[1] - x[2], |x| x[2] - x[0]];
        let name = |invariant: fn([i64; 3]) -> i64| -> LineOf<'_> {
            Box::new(move |square| {
                // The invariant exceeds -4n.
                let number = invariant(self.cube(square)) + 4 * i64::from(self.side);
                vec![u32::try_from(number).expect("a positive number")]
            })
        };
        Some(invariants.map(name).into())
    }

    /// Returns the rotation by 60 degrees and a reflection.
    fn generators(&self) -> Option<Vec<Symmetry<'_>>> {
        Some(vec![
            Box::new(|square| {
                let [q, r, s] = self.cube(square);
                self.set(square, [-r, -s, -q]);
            }),
            Box::new(|square| {
                let [q, r, s] = self.cube(square);
                self.set(square, [q, s, r]);
            }),
        ])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Evaluates the definition literally: returns `true` if a multiple of a step leads from `a` to `b`.
    fn attacks_by_walking(board: &Hexagon, a: &[u32], b: &[u32]) -> bool {
        let steps = (-2..=2i64).flat_map(|q| (-2..=2).map(move |r| [q, r, -q - r]));
        let is_step = |step: &[i64; 3]| {
            let mut size = step.map(i64::abs);
            size.sort_unstable();
            size == [0, 1, 1] || size == [1, 1, 2]
        };
        let (from, to) = (board.cube(a), board.cube(b));
        let steps: Vec<_> = steps.filter(is_step).collect();
        assert_eq!(steps.len(), 12);
        steps.iter().any(|step| {
            (1..2 * i64::from(board.side)).any(|m| (0..3).all(|i| from[i] + m * step[i] == to[i]))
        })
    }

    #[test]
    fn attacks_are_multiples_of_steps() {
        for board in (1..6).map(Hexagon::new) {
            let squares: Vec<_> = board.squares().collect();
            for (a, b) in squares.iter().flat_map(|a| squares.iter().map(move |b| (a, b))) {
                assert_eq!(board.attacks(a, b), attacks_by_walking(&board, a, b), "{board:?} {a:?} {b:?}");
            }
        }
    }

    #[test]
    fn lists_the_squares_in_order() {
        for n in 1..8 {
            let squares: Vec<_> = Hexagon::new(n).squares().collect();
            assert_eq!(squares.len() as u32, 3 * n * (n - 1) + 1);
            assert!(squares.is_sorted_by(|a, b| a < b));
        }
        assert!(!Hexagon::new(3).contains(&[0, 3]) && !Hexagon::new(3).contains(&[2]));
        assert!(!Hexagon::new(3).contains(&[u32::MAX, u32::MAX]));
    }
}
