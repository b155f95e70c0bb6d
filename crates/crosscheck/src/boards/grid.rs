//! Box boards, plain or on a torus.

use ndqueens_notation::name::Piece;

use crate::boards::definition::{Definition, LineOf, Symmetry, rays};
use crate::boards::linear;

/// Box of squares `(x_1, ..., x_d)` with `0 <= x_i < n_i`.
///
/// On the plain board, two distinct squares attack each other if all nonzero coordinates of their difference
/// have the same absolute value. On the torus, where all sides are n, they attack each other if for some m in
/// 1..n-1 every coordinate of their difference is congruent to 0, m or -m modulo n. A rook moves along one
/// axis only, a bishop along at least two.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Grid {
    piece: Piece,
    torus: bool,
    sides: Vec<u32>,
}

impl Grid {
    /// Creates the box with the given side lengths.
    ///
    /// # Panics
    /// Panics if there is no side, if a side is 0, or if a torus has unequal sides.
    #[must_use]
    pub fn new(piece: Piece, torus: bool, sides: &[u32]) -> Self {
        assert!(!sides.is_empty() && !sides.contains(&0), "a board has positive sides");
        assert!(!torus || sides.iter().all(|n| n == &sides[0]), "a torus has equal sides");
        Self { piece, torus, sides: sides.to_vec() }
    }

    /// Returns the directions along which the piece moves, in increasing order. Of two directions that are
    /// opposite or, on a torus of side 2, congruent, returns only one.
    fn directions(&self) -> Vec<Vec<i64>> {
        let mut directions: Vec<Vec<i64>> = vec![Vec::new()];
        for &n in &self.sides {
            let steps: &[i64] = match n {
                1 => &[0],
                2 if self.torus => &[0, 1],
                _ => &[-1, 0, 1],
            };
            let extend = |direction: &Vec<i64>| {
                steps.iter().map(|&e| [direction.as_slice(), &[e]].concat()).collect::<Vec<_>>()
            };
            directions = directions.iter().flat_map(extend).collect();
        }
        directions.retain(|direction| {
            let axes = direction.iter().filter(|&&e| e != 0).count();
            direction.iter().find(|&&e| e != 0) == Some(&1) && moves(self.piece, axes)
        });
        directions
    }
}

/// Returns `true` if a piece moves along `axes` axes at once.
fn moves(piece: Piece, axes: usize) -> bool {
    match piece {
        Piece::Queen => axes >= 1,
        Piece::Rook => axes == 1,
        Piece::Bishop => axes >= 2,
    }
}

/// Largest dimension in which lines are named and equations tested; it has `(3^8 - 1) / 2` directions.
const MAX_AXES: usize = 8;

impl Definition for Grid {
    fn dimension(&self) -> usize {
        self.sides.len()
    }

    fn contains(&self, square: &[u32]) -> bool {
        square.len() == self.sides.len() && square.iter().zip(&self.sides).all(|(x, n)| x < n)
    }

    fn describe_squares(&self) -> String {
        let ranges: Vec<String> = self.sides.iter().map(|n| format!("[0,{}]", n - 1)).collect();
        format!("the coordinates lie in {}", ranges.join(" x "))
    }

    fn squares(&self) -> Box<dyn Iterator<Item = Vec<u32>> + '_> {
        let origin = vec![0; self.sides.len()];
        Box::new(std::iter::successors(Some(origin), |square| {
            let axis = (0..self.sides.len()).rfind(|&axis| square[axis] + 1 < self.sides[axis])?;
            let mut next = square.clone();
            next[axis] += 1;
            next[axis + 1..].fill(0);
            Some(next)
        }))
    }

    fn attacks(&self, a: &[u32], b: &[u32]) -> bool {
        let mut step = 0;
        let mut axes_moved = 0;
        for ((x, y), n) in a.iter().zip(b).zip(&self.sides) {
            let difference = x.abs_diff(*y);
            // On the torus, a difference is congruent to m or -m modulo n exactly if its cyclic distance is
            // that of m.
            let distance = if self.torus { difference.min(n - difference) } else { difference };
            if distance == 0 {
                continue;
            }
            if axes_moved > 0 && distance != step {
                return false;
            }
            step = distance;
            axes_moved += 1;
        }
        moves(self.piece, axes_moved)
    }

    /// Returns the lines direction by direction. On the torus, the first coordinate that changes along a line
    /// is 0 in its first square.
    fn lines(&self) -> Box<dyn Iterator<Item = Vec<Vec<u32>>> + '_> {
        if !self.torus {
            return Box::new(rays(self, self.directions()));
        }
        let n = self.sides[0];
        let cyclic_lines = move |direction: Vec<i64>| {
            let lead = direction.iter().position(|&e| e != 0).expect("a direction is not zero");
            self.squares().filter(move |square| square[lead] == 0).map(move |first| {
                let at = |m: u32| -> Vec<u32> {
                    let moved = |(&x, e): (&u32, &i64)| {
                        let rest = (i64::from(x) + i64::from(m) * e).rem_euclid(i64::from(n));
                        u32::try_from(rest).expect("the rest is smaller than n")
                    };
                    first.iter().zip(&direction).map(moved).collect()
                };
                (0..n).map(at).collect()
            })
        };
        Box::new(self.directions().into_iter().flat_map(cyclic_lines))
    }

    /// Names a line by its first square; on the torus, by its square in which the first coordinate that
    /// changes is 0.
    fn line_names(&self) -> Option<Vec<LineOf<'_>>> {
        if self.sides.len() > MAX_AXES {
            return None;
        }
        let name = |direction: Vec<i64>| -> LineOf<'_> {
            Box::new(move |square| {
                let axes =
                    || direction.iter().zip(square).zip(&self.sides).filter(|((step, _), _)| **step != 0);
                let steps_back =
                    |((step, x), n): ((&i64, &u32), &u32)| if *step > 0 { *x } else { n - 1 - x };
                let back =
                    if self.torus { axes().map(steps_back).next() } else { axes().map(steps_back).min() };
                let back = i64::from(back.expect("a direction moves"));
                let begin = direction.iter().zip(square).zip(&self.sides).map(|((step, x), n)| {
                    let begin = i64::from(*x) - back * step;
                    u32::try_from(begin.rem_euclid(i64::from(*n))).expect("a coordinate")
                });
                begin.collect()
            })
        };
        Some(self.directions().into_iter().map(name).collect())
    }

    /// Tests one equation modulo n, on `n^d` and `torus:n^d` only.
    fn is_shown_independent(&self, squares: &[Vec<u32>]) -> bool {
        let n = self.sides[0];
        let is_cube = n > 1 && self.sides.iter().all(|side| *side == n);
        is_cube
            && self.sides.len() <= MAX_AXES
            && linear::is_shown_independent(n, &self.directions(), squares)
    }

    /// Returns reflections, exchanges of axes of equal length and, on the torus, translations.
    fn generators(&self) -> Option<Vec<Symmetry<'_>>> {
        let mut generators: Vec<Symmetry<'_>> = Vec::new();
        for (axis, &n) in self.sides.iter().enumerate() {
            generators.push(Box::new(move |square| square[axis] = n - 1 - square[axis]));
            for other in (axis + 1..self.sides.len()).filter(|&other| self.sides[other] == n) {
                generators.push(Box::new(move |square| square.swap(axis, other)));
            }
            if self.torus {
                generators.push(Box::new(move |square| square[axis] = (square[axis] + 1) % n));
            }
        }
        Some(generators)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Evaluates the definition literally: returns `true` if a multiple of a direction leads from `a` to `b`.
    fn attacks_by_walking(grid: &Grid, a: &[u32], b: &[u32]) -> bool {
        let d = u32::try_from(a.len()).expect("few axes");
        let longest = i64::from(*grid.sides.iter().max().expect("a side"));
        (0..3i64.pow(d)).any(|code| {
            let direction: Vec<i64> = (0..d).map(|axis| code / 3i64.pow(axis) % 3 - 1).collect();
            let support = direction.iter().filter(|&&e| e != 0).count();
            let moves = match grid.piece {
                Piece::Queen => support >= 1,
                Piece::Rook => support == 1,
                Piece::Bishop => support >= 2,
            };
            moves
                && (1..longest).any(|m| {
                    (0..a.len()).all(|axis| {
                        let reached = i64::from(a[axis]) + m * direction[axis];
                        let n = i64::from(grid.sides[axis]);
                        let reached = if grid.torus { reached.rem_euclid(n) } else { reached };
                        reached == i64::from(b[axis])
                    })
                })
        })
    }

    fn grids() -> impl Iterator<Item = Grid> {
        let plain: [&[u32]; 8] =
            [&[1], &[5], &[6, 6], &[3, 5], &[1, 4], &[3, 3, 3], &[2, 3, 4], &[3, 2, 3, 2]];
        let wrapped: [&[u32]; 8] =
            [&[1, 1], &[2, 2], &[5], &[6, 6], &[7, 7], &[4, 4, 4], &[3, 3, 3], &[3, 3, 3, 3]];
        let boxes = plain.map(|sides| (false, sides)).into_iter().chain(wrapped.map(|sides| (true, sides)));
        boxes.flat_map(|(torus, sides)| Piece::ALL.map(|piece| Grid::new(piece, torus, sides)))
    }

    #[test]
    fn attacks_are_multiples_of_directions() {
        for grid in grids() {
            for a in grid.squares() {
                for b in grid.squares().filter(|b| b != &a) {
                    assert_eq!(
                        grid.attacks(&a, &b),
                        attacks_by_walking(&grid, &a, &b),
                        "{grid:?} {a:?} {b:?}"
                    );
                }
                assert!(!grid.attacks(&a, &a));
            }
        }
    }

    #[test]
    fn lists_each_square_once_in_order() {
        for grid in grids() {
            let squares: Vec<_> = grid.squares().collect();
            assert_eq!(squares.len(), grid.sides.iter().product::<u32>() as usize);
            assert!(squares.is_sorted_by(|a, b| a < b));
            assert!(squares.iter().all(|square| grid.contains(square)));
        }
    }

    #[test]
    fn generators_preserve_squares_and_attacks() {
        for grid in grids() {
            let squares: Vec<_> = grid.squares().collect();
            for generator in grid.generators().expect("known") {
                let mut images = squares.clone();
                images.iter_mut().for_each(|square| generator(square));
                for (i, j) in (0..squares.len()).flat_map(|j| (0..j).map(move |i| (i, j))) {
                    assert_ne!(images[i], images[j]);
                    assert_eq!(grid.attacks(&squares[i], &squares[j]), grid.attacks(&images[i], &images[j]));
                }
                assert!(images.iter().all(|square| grid.contains(square)));
            }
        }
    }

    #[test]
    fn rejects_a_torus_with_unequal_sides() {
        assert!(std::panic::catch_unwind(|| Grid::new(Piece::Queen, true, &[3, 4])).is_err());
    }
}
