//! Box boards, plain or on a torus, for knights, kings and superqueens.

use ndqueens_notation::name::{Leaper, Piece};

use crate::boards::definition::{Definition, LineOf, Symmetry};
use crate::boards::grid::Grid;

/// Box of squares `(x_1, ..., x_d)` with `0 <= x_i < n_i`.
///
/// Two distinct squares attack each other if a move of the piece leads from one to the other, on the torus
/// modulo the side. A king changes any number of coordinates by 1. A knight changes one coordinate by 1 and
/// another by 2. A superqueen moves as a queen or as a knight.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Leaping {
    leaper: Leaper,
    torus: bool,
    sides: Vec<u32>,
    /// The board for queens, which has the same squares and symmetries.
    queens: Grid,
}

impl Leaping {
    /// Creates the box with the given side lengths.
    ///
    /// # Panics
    /// Panics if there is no side, if a side is 0, or if a torus has unequal sides.
    #[must_use]
    pub fn new(leaper: Leaper, torus: bool, sides: &[u32]) -> Self {
        Self { leaper, torus, sides: sides.to_vec(), queens: Grid::new(Piece::Queen, torus, sides) }
    }

    /// Adds `step` to the coordinate `x` along an axis. Returns `None` if the result is off the board.
    fn translate(&self, axis: usize, x: u32, step: i64) -> Option<u32> {
        let n = i64::from(self.sides[axis]);
        let to = i64::from(x) + step;
        let to = if self.torus { to.rem_euclid(n) } else { to };
        u32::try_from(to).ok().filter(|to| i64::from(*to) < n)
    }

    /// Returns `true` if one of `steps` leads from `x` to `y` along an axis.
    fn is_step(&self, axis: usize, x: u32, y: u32, steps: &[i64]) -> bool {
        steps.iter().any(|&step| self.translate(axis, x, step) == Some(y))
    }

    fn king_attacks(&self, a: &[u32], b: &[u32]) -> bool {
        a != b && (0..a.len()).all(|axis| self.is_step(axis, a[axis], b[axis], &[-1, 0, 1]))
    }

    fn knight_attacks(&self, a: &[u32], b: &[u32]) -> bool {
        let axes = 0..a.len();
        a != b
            && axes.clone().any(|one| {
                self.is_step(one, a[one], b[one], &[-1, 1])
                    && axes.clone().any(|two| {
                        two != one
                            && self.is_step(two, a[two], b[two], &[-2, 2])
                            && axes.clone().all(|axis| axis == one || axis == two || a[axis] == b[axis])
                    })
            })
    }

    /// Returns the pairs of squares a knight's move apart, in increasing order. If `skip_queen_attacks` is
    /// `true`, omits pairs that attack each other as queens.
    fn knight_pairs(&self, skip_queen_attacks: bool) -> impl Iterator<Item = Vec<Vec<u32>>> + '_ {
        let axes = 0..self.sides.len();
        let ordered = move || {
            axes.clone().flat_map({
                let axes = axes.clone();
                move |one| axes.clone().filter(move |&two| two != one).map(move |two| (one, two))
            })
        };
        self.queens.squares().flat_map(move |a| {
            let mut reached = Vec::new();
            for (one, two) in ordered() {
                for (by_one, by_two) in [(-1, -2), (-1, 2), (1, -2), (1, 2)] {
                    let mut b = a.clone();
                    let to = (self.translate(one, a[one], by_one), self.translate(two, a[two], by_two));
                    if let (Some(at_one), Some(at_two)) = to {
                        (b[one], b[two]) = (at_one, at_two);
                        reached.push(b);
                    }
                }
            }
            reached.retain(|b| a < *b && !(skip_queen_attacks && self.queens.attacks(&a, b)));
            reached.sort();
            reached.dedup();
            reached.into_iter().map(move |b| vec![a.clone(), b])
        })
    }

    /// Returns the cubes of side 2, each once. The cube of a square consists of the squares whose coordinates
    /// each equal that of the square or the next value, where there is one.
    fn cubes(&self) -> impl Iterator<Item = Vec<Vec<u32>>> + '_ {
        let last = |n: u32| match n {
            1 | 2 => 0,
            n if self.torus => n - 1,
            n => n - 2,
        };
        let is_first = move |square: &Vec<u32>| square.iter().zip(&self.sides).all(|(&x, &n)| x <= last(n));
        self.queens.squares().filter(is_first).map(|first| {
            let mut cube = vec![Vec::new()];
            for (axis, &x) in first.iter().enumerate() {
                let next = self.translate(axis, x, 1).filter(|&next| next != x);
                let along: Vec<u32> = std::iter::once(x).chain(next).collect();
                let extend = |start: &Vec<u32>| {
                    along.iter().map(|&y| [start.as_slice(), &[y]].concat()).collect::<Vec<_>>()
                };
                cube = cube.iter().flat_map(extend).collect();
            }
            cube
        })
    }
}

/// Largest dimension in which the cubes of a king are named; it has `2^8` classes of cubes.
const MAX_AXES: usize = 8;

impl Definition for Leaping {
    fn dimension(&self) -> usize {
        self.queens.dimension()
    }

    fn contains(&self, square: &[u32]) -> bool {
        self.queens.contains(square)
    }

    fn describe_squares(&self) -> String {
        self.queens.describe_squares()
    }

    fn squares(&self) -> Box<dyn Iterator<Item = Vec<u32>> + '_> {
        self.queens.squares()
    }

    fn attacks(&self, a: &[u32], b: &[u32]) -> bool {
        match self.leaper {
            Leaper::Knight => self.knight_attacks(a, b),
            Leaper::King => self.king_attacks(a, b),
            Leaper::Superqueen => self.queens.attacks(a, b) || self.knight_attacks(a, b),
        }
    }

    /// Returns cubes of side 2 for kings, pairs for knights, and the lines of queens followed by pairs for
    /// superqueens.
    fn lines(&self) -> Box<dyn Iterator<Item = Vec<Vec<u32>>> + '_> {
        match self.leaper {
            Leaper::Knight => Box::new(self.knight_pairs(false)),
            Leaper::King => Box::new(self.cubes().filter(|cube| cube.len() > 1)),
            Leaper::Superqueen => Box::new(self.queens.lines().chain(self.knight_pairs(true))),
        }
    }

    /// Names the cubes of side 2, for kings only: two squares attack each other exactly if such a cube
    /// contains both. The parities of the coordinates at which cubes begin divide the cubes into `2^d`
    /// classes; in each class, exactly one cube contains a given square. Returns `None` on a torus of odd
    /// side, where these classes do not exist.
    fn line_names(&self) -> Option<Vec<LineOf<'_>>> {
        let is_odd = self.torus && self.sides[0] % 2 == 1;
        if self.leaper != Leaper::King || is_odd || self.sides.len() > MAX_AXES {
            return None;
        }
        let name = move |class: u32| -> LineOf<'_> {
            Box::new(move |square| {
                let cube = |(axis, x): (usize, &u32)| {
                    let shifted = x + (class >> axis & 1);
                    (if self.torus { shifted % self.sides[axis] } else { shifted }) / 2
                };
                square.iter().enumerate().map(cube).collect()
            })
        };
        Some((0..1u32 << self.sides.len()).map(name).collect())
    }

    fn generators(&self) -> Option<Vec<Symmetry<'_>>> {
        self.queens.generators()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::boards::definition;

    /// Evaluates the definition literally: returns `true` if the difference is a move of the piece, on the
    /// torus modulo the side.
    fn attacks_by_difference(board: &Leaping, a: &[u32], b: &[u32]) -> bool {
        let d = u32::try_from(a.len()).expect("few axes");
        let queens = &board.queens;
        let is_move = |moves: &dyn Fn(&[i64]) -> bool| {
            (0..5i64.pow(d)).any(|code| {
                let step: Vec<i64> = (0..d).map(|axis| code / 5i64.pow(axis) % 5 - 2).collect();
                let reaches = (0..a.len()).all(|axis| {
                    let to = i64::from(a[axis]) + step[axis];
                    let n = i64::from(board.sides[axis]);
                    (if board.torus { to.rem_euclid(n) } else { to }) == i64::from(b[axis])
                });
                reaches && moves(&step)
            })
        };
        let knight = |step: &[i64]| {
            let mut sizes: Vec<i64> = step.iter().map(|e| e.abs()).filter(|&e| e != 0).collect();
            sizes.sort_unstable();
            sizes == [1, 2]
        };
        let king = |step: &[i64]| step.iter().all(|e| e.abs() <= 1);
        a != b
            && match board.leaper {
                Leaper::Knight => is_move(&knight),
                Leaper::King => is_move(&king),
                Leaper::Superqueen => queens.attacks(a, b) || is_move(&knight),
            }
    }

    fn boards() -> impl Iterator<Item = Leaping> {
        let plain: [&[u32]; 8] =
            [&[1], &[5], &[6, 6], &[3, 5], &[1, 4], &[3, 3, 3], &[2, 3, 4], &[3, 2, 3, 2]];
        let wrapped: [&[u32]; 9] =
            [&[1, 1], &[2], &[2, 2], &[5], &[3, 3], &[6, 6], &[7, 7], &[4, 4, 4], &[2, 2, 2, 2]];
        let boxes = plain.map(|sides| (false, sides)).into_iter().chain(wrapped.map(|sides| (true, sides)));
        boxes.flat_map(|(torus, sides)| Leaper::ALL.map(|leaper| Leaping::new(leaper, torus, sides)))
    }

    #[test]
    fn attacks_are_moves() {
        for board in boards() {
            let squares: Vec<_> = board.squares().collect();
            for (a, b) in squares.iter().flat_map(|a| squares.iter().map(move |b| (a, b))) {
                assert_eq!(board.attacks(a, b), attacks_by_difference(&board, a, b), "{board:?} {a:?} {b:?}");
            }
        }
    }

    #[test]
    fn lines_and_names_agree_with_attacks() {
        for board in boards() {
            let lines: Vec<_> = board.lines().collect();
            assert!(lines.iter().all(|line| line.len() > 1), "{board:?}");
            let names = board.line_names();
            let squares: Vec<_> = board.squares().collect();
            for (i, a) in squares.iter().enumerate() {
                for b in &squares[..i] {
                    let attack = board.attacks(a, b);
                    let on_common_line = lines.iter().any(|line| line.contains(a) && line.contains(b));
                    assert_eq!(on_common_line, attack, "{board:?} {a:?} {b:?}");
                    if let Some(names) = &names {
                        assert_eq!(
                            names.iter().any(|name| name(a) == name(b)),
                            attack,
                            "{board:?} {a:?} {b:?}"
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn generators_preserve_attacks() {
        for board in boards() {
            let squares: Vec<_> = board.squares().collect();
            for generator in board.generators().expect("known") {
                let mut images = squares.clone();
                images.iter_mut().for_each(|square| generator(square));
                for (i, j) in (0..squares.len()).flat_map(|j| (0..j).map(move |i| (i, j))) {
                    assert_ne!(images[i], images[j]);
                    assert_eq!(
                        board.attacks(&squares[i], &squares[j]),
                        board.attacks(&images[i], &images[j])
                    );
                }
            }
        }
    }

    #[test]
    fn superqueen_also_attacks_as_a_knight() {
        let [queen, superqueen] =
            ["5^2", "superqueen:5^2"].map(|name| definition(&name.parse().expect(name)));
        assert!(!queen.attacks(&[0, 0], &[1, 2]) && superqueen.attacks(&[0, 0], &[1, 2]));
        assert!(superqueen.attacks(&[0, 0], &[3, 3]) && !superqueen.attacks(&[0, 0], &[1, 3]));
    }
}
