//! Box boards, plain or wrapped round to a torus, for knights, kings and superqueens.

use ndqueens_notation::name::{Leaper, Piece};

use crate::boards::definition::{Definition, LineOf, Symmetry};
use crate::boards::grid::Grid;

/// The squares `(x_1, ..., x_d)` with `0 <= x_i < n_i`.
///
/// Two distinct squares attack each other when one is reached from the other, on the torus modulo the side, by a move of the
/// piece: a king's changes any coordinates by 1, a knight's changes one coordinate by 1 and another by 2, a superqueen's is one of a
/// queen or of a knight.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Leaping {
    leaper: Leaper,
    torus: bool,
    sides: Vec<u32>,
    /// The same board for queens, which has the same squares and symmetries.
    queens: Grid,
}

impl Leaping {
    /// The box with these side lengths.
    ///
    /// # Panics
    /// If there is no side, a side is 0, or a torus has unequal sides.
    #[must_use]
    pub fn new(leaper: Leaper, torus: bool, sides: &[u32]) -> Self {
        Self { leaper, torus, sides: sides.to_vec(), queens: Grid::new(Piece::Queen, torus, sides) }
    }

    /// The square reached by this step along one axis, if there is one.
    fn moved(&self, axis: usize, x: u32, step: i64) -> Option<u32> {
        let n = i64::from(self.sides[axis]);
        let to = i64::from(x) + step;
        let to = if self.torus { to.rem_euclid(n) } else { to };
        u32::try_from(to).ok().filter(|to| i64::from(*to) < n)
    }

    /// Returns `true` if a step of one of these lengths leads from x to y along an axis.
    fn is_moved(&self, axis: usize, x: u32, y: u32, steps: &[i64]) -> bool {
        steps.iter().any(|&step| self.moved(axis, x, step) == Some(y))
    }

    fn king_attacks(&self, a: &[u32], b: &[u32]) -> bool {
        a != b && (0..a.len()).all(|axis| self.is_moved(axis, a[axis], b[axis], &[-1, 0, 1]))
    }

    fn knight_attacks(&self, a: &[u32], b: &[u32]) -> bool {
        let axes = 0..a.len();
        a != b
            && axes.clone().any(|one| {
                self.is_moved(one, a[one], b[one], &[-1, 1])
                    && axes.clone().any(|two| {
                        two != one
                            && self.is_moved(two, a[two], b[two], &[-2, 2])
                            && axes.clone().all(|axis| axis == one || axis == two || a[axis] == b[axis])
                    })
            })
    }

    /// Pairs of squares a knight's move apart, in increasing order; without those that a queen attacks too if that is asked for.
    fn pairs(&self, besides_queens: bool) -> impl Iterator<Item = Vec<Vec<u32>>> + '_ {
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
                    let to = (self.moved(one, a[one], by_one), self.moved(two, a[two], by_two));
                    if let (Some(at_one), Some(at_two)) = to {
                        (b[one], b[two]) = (at_one, at_two);
                        reached.push(b);
                    }
                }
            }
            reached.retain(|b| a < *b && !(besides_queens && self.queens.attacks(&a, b)));
            reached.sort();
            reached.dedup();
            reached.into_iter().map(move |b| vec![a.clone(), b])
        })
    }

    /// The squares whose coordinates are those of one or the next ones, for each square from which on these differ from all
    /// others.
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
                let next = self.moved(axis, x, 1).filter(|&next| next != x);
                let along: Vec<u32> = std::iter::once(x).chain(next).collect();
                let longer = |start: &Vec<u32>| {
                    along.iter().map(|&y| [start.as_slice(), &[y]].concat()).collect::<Vec<_>>()
                };
                cube = cube.iter().flat_map(longer).collect();
            }
            cube
        })
    }
}

/// The most axes along which the cubes of a king are named: there are `2^8` kinds.
const MOST_AXES: usize = 8;

impl Definition for Leaping {
    fn dimension(&self) -> usize {
        self.queens.dimension()
    }

    fn contains(&self, square: &[u32]) -> bool {
        self.queens.contains(square)
    }

    fn allowed(&self) -> String {
        self.queens.allowed()
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

    /// Cubes of side 2 for kings, pairs for knights, lines of queens and then pairs for superqueens.
    fn lines(&self) -> Box<dyn Iterator<Item = Vec<Vec<u32>>> + '_> {
        match self.leaper {
            Leaper::Knight => Box::new(self.pairs(false)),
            Leaper::King => Box::new(self.cubes().filter(|cube| cube.len() > 1)),
            Leaper::Superqueen => Box::new(self.queens.lines().chain(self.pairs(true))),
        }
    }

    /// A king attacks what is in one of the cubes of side 2 round it. If these are divided into `2^d` kinds, by the parities of the
    /// coordinates at which they begin, each kind has one cube at every square; on a torus of odd side there are no such kinds.
    fn line_names(&self) -> Option<Vec<LineOf<'_>>> {
        let is_odd = self.torus && self.sides[0] % 2 == 1;
        if self.leaper != Leaper::King || is_odd || self.sides.len() > MOST_AXES {
            return None;
        }
        let name = move |kind: u32| -> LineOf<'_> {
            Box::new(move |square| {
                let cube = |(axis, x): (usize, &u32)| {
                    let moved = x + (kind >> axis & 1);
                    (if self.torus { moved % self.sides[axis] } else { moved }) / 2
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

    /// The definition word for word: is the difference, in some representation modulo the side, a move of the piece?
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
    fn an_attack_is_a_move() {
        for board in boards() {
            let squares: Vec<_> = board.squares().collect();
            for (a, b) in squares.iter().flat_map(|a| squares.iter().map(move |b| (a, b))) {
                assert_eq!(board.attacks(a, b), attacks_by_difference(&board, a, b), "{board:?} {a:?} {b:?}");
            }
        }
    }

    #[test]
    fn lines_and_their_names_stand_for_the_attacks() {
        for board in boards() {
            let lines: Vec<_> = board.lines().collect();
            assert!(lines.iter().all(|line| line.len() > 1), "{board:?}");
            let names = board.line_names();
            let squares: Vec<_> = board.squares().collect();
            for (i, a) in squares.iter().enumerate() {
                for b in &squares[..i] {
                    let attack = board.attacks(a, b);
                    let together = lines.iter().any(|line| line.contains(a) && line.contains(b));
                    assert_eq!(together, attack, "{board:?} {a:?} {b:?}");
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
    fn generators_keep_the_board_and_its_attacks() {
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
    fn the_superqueen_attacks_more_than_the_queen() {
        let [queen, superqueen] =
            ["5^2", "superqueen:5^2"].map(|name| definition(&name.parse().expect(name)));
        assert!(!queen.attacks(&[0, 0], &[1, 2]) && superqueen.attacks(&[0, 0], &[1, 2]));
        assert!(superqueen.attacks(&[0, 0], &[3, 3]) && !superqueen.attacks(&[0, 0], &[1, 3]));
    }
}
