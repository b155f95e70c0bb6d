//! Boards for three players.

use crate::boards::definition::{Definition, Symmetry};

/// Six parts of `m x m` squares round a centre, `m = n/2`; between part `i - 1` and part `i` a spoke leads from the centre to
/// the middle of an edge of the board. Square `(i, a, b)` lies `a` steps along spoke `i` and `b` steps along spoke `i + 1`.
///
/// Every square has four sides and four corners. A queen moves straight, out of a square by the side opposite to the one
/// by which she came, or diagonally, out by the opposite corner and on into the square that lies opposite at it. At the
/// centre, where six squares meet, the two that lie opposite are the next but one on either hand, and she may go on into
/// either. Two squares attack each other when she gets from one to the other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ThreePlayer {
    half: u32,
}

/// A square, by part and place.
type Place = (u32, u32, u32);

/// The corner `(part, x, y)` of squares: x steps along one spoke and y along the next, up to m. Corners on a spoke have two
/// names, of which the one with y = 0 is used; the centre is `(0, 0, 0)`.
type Corner = (u32, u32, u32);

fn corner(part: u32, x: u32, y: u32) -> Corner {
    match (x, y) {
        (0, 0) => (0, 0, 0),
        (0, y) => ((part + 1) % 6, y, 0),
        _ => (part, x, y),
    }
}

impl ThreePlayer {
    /// The board with this many squares along each of its six edges.
    ///
    /// # Panics
    /// If the side is 0 or odd.
    #[must_use]
    pub fn new(side: u32) -> Self {
        assert!(side > 0 && side.is_multiple_of(2), "a board for three players has a positive, even side");
        Self { half: side / 2 }
    }

    /// The corners of a square in order round it.
    fn corners((part, a, b): Place) -> [Corner; 4] {
        [(a, b), (a + 1, b), (a + 1, b + 1), (a, b + 1)].map(|(x, y)| corner(part, x, y))
    }

    /// The squares that have a corner.
    fn round(&self, (part, x, y): Corner) -> Vec<Place> {
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

    /// Where a queen goes on who leaves `from` by the side between two of its corners, and the side by which she comes there,
    /// opposite to which she leaves again.
    fn straight(&self, from: Place, side: usize) -> Option<(Place, usize)> {
        let corners = Self::corners(from);
        let (one, other) = (corners[side], corners[(side + 1) % 4]);
        let next =
            self.round(one).into_iter().find(|&next| next != from && self.round(other).contains(&next))?;
        let theirs = Self::corners(next);
        let came = (0..4).find(|&s| [theirs[s], theirs[(s + 1) % 4]] == [other, one])?;
        Some((next, (came + 2) % 4))
    }

    /// Where she goes on who leaves `from` by a corner, and the corners by which she leaves again.
    fn diagonal(&self, from: Place, at: usize) -> Vec<(Place, usize)> {
        let corner = Self::corners(from)[at];
        let is_opposite = |next: &Place| {
            let shared = Self::corners(*next).into_iter().filter(|c| Self::corners(from).contains(c)).count();
            let beside = (6 + next.0 - from.0) % 6;
            shared == 1 && (corner != (0, 0, 0) || beside == 2 || beside == 4)
        };
        let leaving = |next: Place| {
            let came =
                Self::corners(next).iter().position(|c| *c == corner).expect("a square round its corner");
            (next, (came + 2) % 4)
        };
        self.round(corner).into_iter().filter(is_opposite).map(leaving).collect()
    }

    /// Whether a queen reaches a square from another.
    fn reaches(&self, from: Place, to: Place) -> bool {
        (0..4).any(|start| {
            let mut straight =
                std::iter::successors(self.straight(from, start), |&(at, side)| self.straight(at, side));
            straight.any(|(at, _)| at == to) || {
                let mut ahead = self.diagonal(from, start);
                while let Some((at, corner)) = ahead.pop() {
                    if at == to {
                        return true;
                    }
                    ahead.extend(self.diagonal(at, corner));
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

    fn allowed(&self) -> String {
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

    /// Straight lines across each spoke; diagonals of each part with what they go on as beyond its spokes; and the two of three
    /// parts that meet in the centre.
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

    /// A sixth of a turn, and the reflection that keeps spoke 0 in place.
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

    fn attacked(board: &ThreePlayer, from: &[u32]) -> usize {
        board.squares().filter(|to| board.attacks(from, to)).count()
    }

    #[test]
    fn a_queen_in_the_middle_attacks_along_nine_rays() {
        let board = ThreePlayer::new(8);
        // Two straight lines of 8 squares, a long diagonal of 12 and a diagonal of 7 that begins at the centre.
        assert_eq!(attacked(&board, &[0, 0, 0]), 7 + 7 + 11 + 6);
        assert_eq!(attacked(&board, &[0, 3, 3]), 7 + 7 + 11);
        assert!(board.attacks(&[0, 3, 3], &[2, 0, 0]) && board.attacks(&[4, 2, 2], &[2, 3, 3]));
        assert!(!board.attacks(&[0, 0, 0], &[3, 0, 0]));
    }

    #[test]
    fn attacks_are_mutual() {
        for board in [2, 4, 6].map(ThreePlayer::new) {
            let squares: Vec<_> = board.squares().collect();
            for (a, b) in squares.iter().flat_map(|a| squares.iter().map(move |b| (a, b))) {
                assert_eq!(board.attacks(a, b), board.attacks(b, a), "{board:?} {a:?} {b:?}");
            }
        }
    }

    #[test]
    fn boards_have_their_squares() {
        let board = ThreePlayer::new(6);
        assert!(board.squares().eq(board.squares().filter(|square| board.contains(square))));
        assert!(board.squares().is_sorted() && board.squares().count() == 54);
        assert!(!board.contains(&[6, 0, 0]) && !board.contains(&[0, 0, 3]) && !board.contains(&[0, 0]));
        assert!(std::panic::catch_unwind(|| ThreePlayer::new(7)).is_err());
    }
}
