//! Boards for queens on the Moebius strip and the Klein bottle.

use std::collections::BTreeSet;

use ndqueens_notation::name::Surface;

use crate::boards::definition::{Definition, Symmetry};

/// Quotient of the plane of squares (X, Y), with 0 <= X < m on a Moebius board, by the map
/// (X, Y) -> (m - 1 - X, Y + n) and, on a Klein bottle, also by (X, Y) -> (X + m, Y). Its squares are
/// represented by 0 <= X < m and 0 <= Y < n.
///
/// The maps take lines of the plane to lines. Two squares attack each other if a line of the plane contains
/// copies of both, i.e. if a fixed copy of the first is on a line with some copy of the second.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TwistedBoard {
    surface: Surface,
    rows: i64,
    columns: i64,
}

impl TwistedBoard {
    /// Creates the board whose numbers of rows and columns are `sides`.
    ///
    /// # Panics
    /// Panics if one of them is 0.
    #[must_use]
    pub fn new(surface: Surface, sides: [u32; 2]) -> Self {
        assert!(!sides.contains(&0), "a board has positive sides");
        let [rows, columns] = sides.map(i64::from);
        Self { surface, rows, columns }
    }

    fn is_klein(&self) -> bool {
        self.surface == Surface::Klein
    }

    /// Returns the square of which (X, Y) is a copy, or `None` if (X, Y) is off the Moebius board.
    fn project(&self, [x, y]: [i64; 2]) -> Option<Vec<u32>> {
        let (rounds, y) = (y.div_euclid(self.columns), y.rem_euclid(self.columns));
        let x = if self.is_klein() { x.rem_euclid(self.rows) } else { x };
        if x < 0 || x >= self.rows {
            return None;
        }
        let x = if rounds % 2 == 0 { x } else { self.rows - 1 - x };
        Some(vec![u32::try_from(x).expect("a row"), u32::try_from(y).expect("a column")])
    }

    /// Returns the number of steps after which every line of a Klein bottle is closed: the least common
    /// multiple of 2n and m.
    fn period(&self) -> i64 {
        let multiples = (1..=self.rows).map(|k| 2 * self.columns * k);
        multiples.into_iter().find(|steps| steps % self.rows == 0).expect("2nm is a multiple of both")
    }
}

impl Definition for TwistedBoard {
    fn dimension(&self) -> usize {
        2
    }

    fn contains(&self, square: &[u32]) -> bool {
        square.len() == 2 && i64::from(square[0]) < self.rows && i64::from(square[1]) < self.columns
    }

    fn describe_squares(&self) -> String {
        format!("the coordinates lie in [0,{}] x [0,{}]", self.rows - 1, self.columns - 1)
    }

    fn squares(&self) -> Box<dyn Iterator<Item = Vec<u32>> + '_> {
        let all = (0..self.rows).flat_map(|x| (0..self.columns).map(move |y| [x, y]));
        Box::new(all.map(|at| self.project(at).expect("a square")))
    }

    /// Tests a copy of one square against the copies of the other, which are n columns apart. On a Klein
    /// bottle, rows count modulo m, so the copies repeat after a period. On a Moebius board, a diagonal
    /// leaves the board after at most m columns.
    fn attacks(&self, a: &[u32], b: &[u32]) -> bool {
        if a == b {
            return false;
        }
        let [x, y, to_x, to_y] = [a[0], a[1], b[0], b[1]].map(i64::from);
        let rounds = if self.is_klein() {
            0..self.period() / self.columns
        } else {
            let most = self.rows / self.columns + 2;
            -most..most + 1
        };
        let modulo =
            |difference: i64| if self.is_klein() { difference.rem_euclid(self.rows) } else { difference };
        y == to_y
            || rounds.into_iter().any(|round| {
                let copy = if round % 2 == 0 { to_x } else { self.rows - 1 - to_x };
                let (down, right) = (copy - x, to_y + round * self.columns - y);
                modulo(down) == 0 || modulo(down - right) == 0 || modulo(down + right) == 0
            })
    }

    /// Returns every line once, as its squares in increasing order. The lines are in increasing order as
    /// well.
    fn lines(&self) -> Box<dyn Iterator<Item = Vec<Vec<u32>>> + '_> {
        let mut lines: BTreeSet<Vec<Vec<u32>>> = BTreeSet::new();
        let steps = if self.is_klein() { self.period() } else { self.rows.max(2 * self.columns) };
        for (x, y) in (0..self.rows).flat_map(|x| (0..self.columns).map(move |y| (x, y))) {
            for (down, right) in [(0, 1), (1, 0), (1, 1), (1, -1)] {
                let along = |sign: i64| {
                    (0..steps).map_while(move |k| self.project([x + sign * k * down, y + sign * k * right]))
                };
                let line: BTreeSet<Vec<u32>> = along(1).chain(along(-1)).collect();
                if line.len() > 1 {
                    lines.insert(line.into_iter().collect());
                }
            }
        }
        Box::new(lines.into_iter())
    }

    /// Returns maps of the plane that take lines to lines, and copies of a square to copies of one square:
    /// Y -> n - 1 - Y, Y -> Y + 1 and, on a Klein bottle with even m, X -> X + m/2.
    fn generators(&self) -> Option<Vec<Symmetry<'_>>> {
        let map = |image: fn([i64; 2], i64, i64) -> [i64; 2]| -> Symmetry<'_> {
            Box::new(move |square| {
                let at = image([i64::from(square[0]), i64::from(square[1])], self.rows, self.columns);
                square.copy_from_slice(&self.project(at).expect("a symmetry keeps the board"));
            })
        };
        let mut generators = vec![map(|[x, y], _, n| [x, n - 1 - y]), map(|[x, y], _, _| [x, y + 1])];
        if self.is_klein() && self.rows % 2 == 0 {
            generators.push(map(|[x, y], m, _| [x + m / 2, y]));
        }
        Some(generators)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn boards() -> impl Iterator<Item = TwistedBoard> {
        let sides = (1..=7).flat_map(|m| (1..=7).map(move |n| [m, n]));
        sides.flat_map(|sides| {
            [Surface::Moebius, Surface::Klein].map(|surface| TwistedBoard::new(surface, sides))
        })
    }

    /// Evaluates the definition step by step: a queen walks over the board, and up and down are exchanged
    /// where it crosses the left or right side.
    fn attacks_by_walking(board: &TwistedBoard, a: &[u32], b: &[u32]) -> bool {
        let target = [i64::from(b[0]), i64::from(b[1])];
        (-1..=1).flat_map(|down| (-1..=1).map(move |right| (down, right))).any(|(down, right)| {
            let (mut at, mut down) = ([i64::from(a[0]), i64::from(a[1])], down);
            (0..2 * board.rows * board.columns + 2).any(|_| {
                at[0] += down;
                if at[0] < 0 || at[0] == board.rows {
                    if !board.is_klein() {
                        at[0] = i64::MIN / 2;
                        return false;
                    }
                    at[0] = if at[0] < 0 { board.rows - 1 } else { 0 };
                }
                at[1] += right;
                if at[1] < 0 || at[1] == board.columns {
                    at[1] = if at[1] < 0 { board.columns - 1 } else { 0 };
                    at[0] = board.rows - 1 - at[0];
                    down = -down;
                }
                at == target
            })
        })
    }

    #[test]
    fn attacks_agree_with_walks_and_lines() {
        for board in boards() {
            let squares: Vec<_> = board.squares().collect();
            let lines: Vec<_> = board.lines().collect();
            for (a, b) in squares.iter().flat_map(|a| squares.iter().map(move |b| (a, b))) {
                let attack = board.attacks(a, b);
                assert_eq!(attack, a != b && attacks_by_walking(&board, a, b), "{board:?} {a:?} {b:?}");
                let on_common_line = lines.iter().any(|line| line.contains(a) && line.contains(b));
                assert_eq!(attack, a != b && on_common_line, "{board:?} {a:?} {b:?}");
            }
        }
    }

    #[test]
    fn generators_preserve_squares_and_attacks() {
        for board in boards() {
            let squares: Vec<_> = board.squares().collect();
            for generator in board.generators().expect("known") {
                let mut images = squares.clone();
                images.iter_mut().for_each(|square| generator(square));
                assert_eq!(images.iter().collect::<BTreeSet<_>>().len(), squares.len(), "{board:?}");
                for (i, j) in (0..squares.len()).flat_map(|j| (0..j).map(move |i| (i, j))) {
                    assert_eq!(
                        board.attacks(&squares[i], &squares[j]),
                        board.attacks(&images[i], &images[j])
                    );
                }
            }
        }
    }
}
