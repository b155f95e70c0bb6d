//! Boards of three-player chess.

use crate::boards::definition::{Definition, Symmetry};

/// Board of six parts of `m x m` squares around a centre, where `m = n/2`. Between part `i - 1` and part `i`,
/// a spoke leads from the centre to the middle of an edge of the board. Square `(i, a, b)` lies `a` steps
/// along spoke `i` and `b` steps along spoke `i + 1`.
///
/// Every square has four sides and four corners. A queen that moves straight leaves a square by the side
/// opposite to the one by which it entered. A queen that moves diagonally leaves by the opposite corner and
/// enters the square opposite at this corner. At the centre, where six squares meet, two squares are
/// opposite: the second one in either sense of rotation. The queen may enter either of them. Two squares
/// attack each other if a queen on one reaches the other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ThreePlayer {
    half: u32,
}

/// Square `(part, a, b)`.
type Place = (u32, u32, u32);

/// Corner `(part, x, y)` of squares, x steps along spoke `part` and y along the next, each at most m. Corners
/// on a spoke have two names, of which the one with y = 0 is used. The centre is `(0, 0, 0)`.
type Corner = (u32, u32, u32);

/// Returns the unique name of a corner.
fn corner(part: u32, x: u32, y: u32) -> Corner {
    match (x, y) {
        (0, 0) => (0, 0, 0),
        (0, y) => ((part + 1) % 6, y, 0),
        _ => (part, x, y),
    }
}

impl ThreePlayer {
    /// Creates the board with `side` squares along each of its six edges.
    ///
    /// # Panics
    /// Panics if the side is 0 or odd.
    #[must_use]
    pub fn new(side: u32) -> Self {
        assert!(side > 0 && side.is_multiple_of(2), "a board for three players has a positive, even side");
        Self { half: side / 2 }
    }

    /// Returns the corners of a square in cyclic order.
    fn corners((part, a, b): Place) -> [Corner; 4] {
        [(a, b), (a + 1, b), (a + 1, b + 1), (a, b + 1)].map(|(x, y)| corner(part, x, y))
    }

    /// Returns the squares that share a corner.
    fn squares_at(&self, (part, x, y): Corner) -> Vec<Place> {
        let m = self.half;
        let mut squares = Vec::new();
        match (x, y) {
            (0, 0) => squares.extend((0..6).map(|part| (part, 0, 0))),
            (x, 0) => {
                let before = (part + 5) % 6;
                squares.extend([(part, x, 0), (part, x - 1, 0), (before, 0, x), (before, 0, x - 1)]);
            }
            (x, y) => {
                squares.extend([(part, x, y), (part, x - 1, y), (part, x, y - 1), (part, x - 1, y - 1)]);
            }
        }
        squares.retain(|&(_, a, b)| a < m && b < m);
        squares
    }

    /// Returns the square that a queen enters if it leaves `from` by the given side, and the side by which it
    /// leaves that square, opposite to the side by which it enters. Side `i` lies between corners `i` and
    /// `i + 1`. Returns `None` if there is no square beyond the side.
    fn straight_step(&self, from: Place, side: usize) -> Option<(Place, usize)> {
        let corners = Self::corners(from);
        let (one, other) = (corners[side], corners[(side + 1) % 4]);
        let next = self
            .squares_at(one)
            .into_iter()
            .find(|&next| next != from && self.squares_at(other).contains(&next))?;
        let next_corners = Self::corners(next);
        let entered = (0..4).find(|&s| [next_corners[s], next_corners[(s + 1) % 4]] == [other, one])?;
        Some((next, (entered + 2) % 4))
    }

    /// Returns the squares that a queen may enter if it leaves `from` by the given corner, with the corners
    /// by which it leaves them.
    fn diagonal_steps(&self, from: Place, at: usize) -> Vec<(Place, usize)> {
        let corner = Self::corners(from)[at];
        let is_opposite = |next: &Place| {
            let shared = Self::corners(*next).into_iter().filter(|c| Self::corners(from).contains(c)).count();
            let part_offset = (6 + next.0 - from.0) % 6;
            shared == 1 && (corner != (0, 0, 0) || part_offset == 2 || part_offset == 4)
        };
        let leaving = |next: Place| {
            let entered =
                Self::corners(next).iter().position(|c| *c == corner).expect("a square round its corner");
            (next, (entered + 2) % 4)
        };
        self.squares_at(corner).into_iter().filter(is_opposite).map(leaving).collect()
    }

    /// Returns `true` if a queen on `from` reaches `to`.
    fn reaches(&self, from: Place, to: Place) -> bool {
        (0..4).any(|start| {
            let mut straight = std::iter::successors(self.straight_step(from, start), |&(at, side)| {
                self.straight_step(at, side)
            });
            straight.any(|(at, _)| at == to) || {
                let mut pending = self.diagonal_steps(from, start);
                while let Some((at, corner)) = pending.pop() {
                    if at == to {
                        return true;
                    }
                    pending.extend(self.diagonal_steps(at, corner));
                }
                false
            }
        })
    }
}

impl Definition for ThreePlayer {
    fn dimension(&self) -> usize {
        3
    }

    fn contains(&self, square: &[u32]) -> bool {
        square.len() == 3 && square[0] < 6 && square[1] < self.half && square[2] < self.half
    }

    fn describe_squares(&self) -> String {
        let last = self.half - 1;
        format!("the coordinates lie in [0,5] x [0,{last}] x [0,{last}]")
    }

    fn squares(&self) -> Box<dyn Iterator<Item = Vec<u32>> + '_> {
        let m = self.half;
        Box::new((0..6).flat_map(move |part| (0..m).flat_map(move |a| (0..m).map(move |b| vec![part, a, b]))))
    }

    fn attacks(&self, a: &[u32], b: &[u32]) -> bool {
        a != b && self.reaches((a[0], a[1], a[2]), (b[0], b[1], b[2]))
    }

    /// Returns the straight lines across each spoke; the diagonals on which a + b is constant in a part, with
    /// their continuations beyond its two spokes; and the two unions of three diagonals that meet in the
    /// centre.
    fn lines(&self) -> Box<dyn Iterator<Item = Vec<Vec<u32>>> + '_> {
        let m = self.half;
        let straight = (0..6).flat_map(move |part| {
            let line = move |across| {
                let here = (0..m).map(move |a| vec![part, a, across]);
                here.chain((0..m).map(move |b| vec![(part + 1) % 6, across, b])).collect()
            };
            (0..m).map(line)
        });
        let diagonal = (0..6).flat_map(move |part| {
            let line = move |sum: u32| {
                let here = (0..m)
                    .filter_map(move |a| sum.checked_sub(a).filter(|b| *b < m).map(|b| vec![part, a, b]));
                let before = (sum + 1..m).map(move |b| vec![(part + 5) % 6, b - sum - 1, b]);
                let after = (sum + 1..m).map(move |a| vec![(part + 1) % 6, a, a - sum - 1]);
                here.chain(before).chain(after).collect()
            };
            (0..2 * m - 1).map(line)
        });
        let long = (0..2).map(move |part| {
            (0..3).flat_map(|turn| (0..m).map(move |a| vec![part + 2 * turn, a, a])).collect()
        });
        Box::new(straight.chain(diagonal).chain(long).filter(|line: &Vec<_>| line.len() > 1))
    }

    /// Returns the rotation by 60 degrees and the reflection that fixes spoke 0.
    fn generators(&self) -> Option<Vec<Symmetry<'_>>> {
        Some(vec![
            Box::new(|square| square[0] = (square[0] + 1) % 6),
            Box::new(|square| {
                square[0] = 5 - square[0];
                square.swap(1, 2);
            }),
        ])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the number of squares attacked from `from`.
    fn count_attacked(board: &ThreePlayer, from: &[u32]) -> usize {
        board.squares().filter(|to| board.attacks(from, to)).count()
    }

    #[test]
    fn counts_attacked_squares_on_side_eight() {
        let board = ThreePlayer::new(8);
        // Two straight lines of 8 squares, a long diagonal of 12 and a diagonal of 7 that begins at the
        // centre.
        assert_eq!(count_attacked(&board, &[0, 0, 0]), 7 + 7 + 11 + 6);
        assert_eq!(count_attacked(&board, &[0, 3, 3]), 7 + 7 + 11);
        assert!(board.attacks(&[0, 3, 3], &[2, 0, 0]) && board.attacks(&[4, 2, 2], &[2, 3, 3]));
        assert!(!board.attacks(&[0, 0, 0], &[3, 0, 0]));
    }

    #[test]
    fn attacks_are_symmetric() {
        for board in [2, 4, 6].map(ThreePlayer::new) {
            let squares: Vec<_> = board.squares().collect();
            for (a, b) in squares.iter().flat_map(|a| squares.iter().map(move |b| (a, b))) {
                assert_eq!(board.attacks(a, b), board.attacks(b, a), "{board:?} {a:?} {b:?}");
            }
        }
    }

    #[test]
    fn lists_the_squares_in_order() {
        let board = ThreePlayer::new(6);
        assert!(board.squares().eq(board.squares().filter(|square| board.contains(square))));
        assert!(board.squares().is_sorted() && board.squares().count() == 54);
        assert!(!board.contains(&[6, 0, 0]) && !board.contains(&[0, 0, 3]) && !board.contains(&[0, 0]));
        assert!(std::panic::catch_unwind(|| ThreePlayer::new(7)).is_err());
    }
}
