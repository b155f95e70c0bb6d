//! Drawings: sets of squares of a box; the other squares of the box are holes.

use std::collections::BTreeSet;

use ndqueens_notation::name::Piece;

use crate::boards::definition::{Definition, Symmetry};
use crate::boards::grid::Grid;

/// Largest dimension in which symmetries are computed, by testing each of the `2^6 * 6! = 46080` symmetries
/// of a box.
pub const MAX_AXES_FOR_SYMMETRY: usize = 6;

/// Set of squares of a box.
///
/// Two distinct squares attack each other if all nonzero coordinates of their difference have the same
/// absolute value and the piece moves along that number of axes. If holes block attacks, all squares in
/// between must be squares of the board.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Drawing {
    piece: Piece,
    blocked: bool,
    full_box: Grid,
    squares: BTreeSet<Vec<u32>>,
}

impl Drawing {
    /// Creates the board with the given squares of a box.
    ///
    /// # Panics
    /// Panics if there are no squares, or if a square lies outside the box.
    #[must_use]
    pub fn new(piece: Piece, blocked: bool, sides: &[u32], squares: BTreeSet<Vec<u32>>) -> Self {
        assert!(!squares.is_empty(), "a drawing has a square");
        let full_box = Grid::new(piece, false, sides);
        assert!(squares.iter().all(|square| full_box.contains(square)), "all squares lie in the box");
        Self { piece, blocked, full_box, squares }
    }

    /// Returns the squares of the box strictly between two squares on a line, including holes.
    fn squares_between(a: &[u32], b: &[u32]) -> impl Iterator<Item = Vec<u32>> {
        let distance = a.iter().zip(b).map(|(x, y)| x.abs_diff(*y)).max().unwrap_or(0);
        (1..distance).map(move |m| {
            let coordinate = |(x, y): (&u32, &u32)| match x.cmp(y) {
                std::cmp::Ordering::Less => x + m,
                std::cmp::Ordering::Equal => *x,
                std::cmp::Ordering::Greater => x - m,
            };
            a.iter().zip(b).map(coordinate).collect()
        })
    }
}

impl Definition for Drawing {
    fn dimension(&self) -> usize {
        self.full_box.dimension()
    }

    fn contains(&self, square: &[u32]) -> bool {
        self.squares.contains(square)
    }

    fn describe_squares(&self) -> String {
        "its squares are those drawn as # in the file".to_owned()
    }

    fn squares(&self) -> Box<dyn Iterator<Item = Vec<u32>> + '_> {
        Box::new(self.squares.iter().cloned())
    }

    fn attacks(&self, a: &[u32], b: &[u32]) -> bool {
        let distances: BTreeSet<u32> =
            a.iter().zip(b).map(|(x, y)| x.abs_diff(*y)).filter(|&distance| distance > 0).collect();
        let axes = a.iter().zip(b).filter(|(x, y)| x != y).count();
        let moves = match self.piece {
            Piece::Queen => true,
            Piece::Rook => axes == 1,
            Piece::Bishop => axes > 1,
        };
        distances.len() == 1
            && moves
            && (!self.blocked || Self::squares_between(a, b).all(|square| self.squares.contains(&square)))
    }

    /// Returns the lines of the box without the holes. If holes block attacks, splits the lines at the holes.
    fn lines(&self) -> Box<dyn Iterator<Item = Vec<Vec<u32>>> + '_> {
        let split_line = move |line: Vec<Vec<u32>>| -> Vec<Vec<Vec<u32>>> {
            let is_hole = |square: &Vec<u32>| !self.squares.contains(square);
            if self.blocked {
                return line.split(is_hole).map(<[_]>::to_vec).collect();
            }
            vec![line.into_iter().filter(|square| !is_hole(square)).collect()]
        };
        Box::new(self.full_box.lines().flat_map(split_line).filter(|line| line.len() > 1))
    }

    /// Returns all symmetries of the bounding box of the squares that preserve the set of squares.
    fn generators(&self) -> Option<Vec<Symmetry<'_>>> {
        let d = self.dimension();
        if d > MAX_AXES_FOR_SYMMETRY {
            return None;
        }
        let range = |axis: usize| {
            let along = self.squares.iter().map(|square| square[axis]);
            (along.clone().min().expect("a square"), along.max().expect("a square"))
        };
        let ranges: Vec<(u32, u32)> = (0..d).map(range).collect();
        let mut symmetries: Vec<Symmetry<'_>> = Vec::new();
        for order in permutations(d) {
            for mirrored in 0..1u32 << d {
                let (order, ranges) = (order.clone(), ranges.clone());
                let map = move |square: &[u32]| -> Vec<u32> {
                    let coordinate = |axis: usize| {
                        let (least, most) = ranges[order[axis]];
                        let x = square[order[axis]];
                        ranges[axis].0 + if mirrored >> axis & 1 == 1 { most - x } else { x - least }
                    };
                    (0..order.len()).map(coordinate).collect()
                };
                if self.squares.iter().all(|square| self.squares.contains(&map(square))) {
                    symmetries.push(Box::new(move |square| square.copy_from_slice(&map(square))));
                }
            }
        }
        Some(symmetries)
    }
}

/// Returns all permutations of `0..n`.
fn permutations(n: usize) -> Vec<Vec<usize>> {
    let Some(last) = n.checked_sub(1) else { return vec![Vec::new()] };
    let insert = |order: Vec<usize>| (0..n).map(move |at| [&order[..at], &[last], &order[at..]].concat());
    permutations(last).into_iter().flat_map(insert).collect()
}
