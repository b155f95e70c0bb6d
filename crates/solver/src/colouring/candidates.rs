//! The solutions of n queens as candidates for classes, one of each orbit of an operator, and what is left once some are chosen.

use super::operator::{Cell, Operator};

/// The lines and orbits of squares of the n x n board under an operator.
#[derive(Debug, Clone)]
pub(super) struct Quotient {
    pub(super) side: usize,
    pub(super) operator: Operator,
    /// The orbit of each square, squares numbered row by row; orbits are numbered as their first squares come.
    pub(super) orbit_of: Vec<usize>,
    pub(super) orbits: usize,
    /// The orbits of diagonals of either direction.
    pub(super) diagonals: Vec<Diagonals>,
    /// For either direction the orbit of each diagonal, numbered by row + column and by row - column + n - 1.
    pub(super) diagonal_of: [Vec<usize>; 2],
}

/// An orbit of diagonals.
#[derive(Debug, Clone)]
pub(super) struct Diagonals {
    /// How many there are.
    pub(super) count: usize,
    /// The squares of each.
    pub(super) length: usize,
}

impl Quotient {
    pub(super) fn new(side: usize, operator: Operator) -> Self {
        let mut orbit_of = vec![usize::MAX; side * side];
        let mut orbits = 0;
        for square in 0..side * side {
            if orbit_of[square] == usize::MAX {
                for (row, column) in operator.images(side, (square / side, square % side)) {
                    orbit_of[row * side + column] = orbits;
                }
                orbits += 1;
            }
        }
        let swaps: Vec<bool> = if side == 1 {
            vec![false; operator.order()]
        } else {
            let ends = [(0, 0), (1, 1)].map(|cell| operator.images(side, cell));
            let sums = |cell| numbers(side, cell)[0];
            ends[0].iter().zip(&ends[1]).map(|(&a, &b)| sums(a) == sums(b)).collect()
        };
        let mut diagonal_of = [vec![usize::MAX; 2 * side - 1], vec![usize::MAX; 2 * side - 1]];
        let mut diagonals = Vec::new();
        for direction in 0..2 {
            for number in 0..2 * side - 1 {
                if diagonal_of[direction][number] != usize::MAX {
                    continue;
                }
                let middle = number.abs_diff(side - 1);
                let row = number.saturating_sub(side - 1);
                let first = if direction == 0 { (row, number - row) } else { (row, row + side - 1 - number) };
                let mut count = 0;
                for (image, &swaps) in operator.images(side, first).into_iter().zip(&swaps) {
                    let direction = direction ^ usize::from(swaps);
                    let orbit = &mut diagonal_of[direction][numbers(side, image)[direction]];
                    if *orbit == usize::MAX {
                        *orbit = diagonals.len();
                        count += 1;
                    }
                }
                diagonals.push(Diagonals { count, length: side - middle });
            }
        }
        Self { side, operator, orbit_of, orbits, diagonals, diagonal_of }
    }
}

/// The numbers of the two diagonals through a square.
pub(super) fn numbers(side: usize, (row, column): Cell) -> [usize; 2] {
    [row + column, row + side - 1 - column]
}

/// An orbit of solutions that can be classes together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Candidate {
    /// One of its solutions.
    pub(super) solution: Vec<u8>,
    /// How many there are.
    pub(super) classes: usize,
}

impl Quotient {
    /// The orbit of a solution, when its images are disjoint and the solution is the first of them.
    pub(super) fn candidate(&self, solution: &[u8]) -> Option<Candidate> {
        let images = self.operator.orbit(solution);
        let first = images.iter().all(|image| image.as_slice() >= solution);
        let disjoint = images[1..].iter().all(|image| image.iter().zip(solution).all(|(a, b)| a != b));
        (first && disjoint).then(|| Candidate { solution: solution.to_vec(), classes: images.len() })
    }

    /// Whether a solution has a queen on either main diagonal.
    pub(super) fn meets_main_diagonals(solution: &[u8]) -> bool {
        let n = solution.len();
        solution.iter().enumerate().any(|(row, &column)| row == column as usize)
            && solution.iter().enumerate().any(|(row, &column)| row + column as usize == n - 1)
    }
}

/// A candidate with what it covers and meets.
#[derive(Debug)]
pub(super) struct Listed {
    pub(super) candidate: Candidate,
    /// The orbits of squares that it covers.
    pub(super) covers: Set,
    /// The orbits of diagonals that it meets in full.
    pub(super) meets: DiagonalSet,
}

/// The longest side that [`Set`] and [`DiagonalSet`] hold the orbits of: with an operator of order 2 there are 968 orbits of squares
/// and 88 of diagonals.
pub(super) const LONGEST: usize = 44;

/// A set of orbits of squares.
pub(super) type Set = [u64; SET_WORDS];

/// Number of words of a [`Set`].
const SET_WORDS: usize = (LONGEST * LONGEST / 2).div_ceil(64);

/// A set of orbits of diagonals.
pub(super) type DiagonalSet = u128;

/// A number for each orbit of diagonals.
pub(super) type DiagonalCounts = [u8; 2 * LONGEST];

impl Quotient {
    pub(super) fn listed(&self, candidate: Candidate) -> Listed {
        let (mut covers, mut meets) = ([0; SET_WORDS], 0);
        let mut hits = [0; 2 * LONGEST];
        for (row, &column) in candidate.solution.iter().enumerate() {
            let orbit = self.orbit_of[row * self.side + column as usize];
            covers[orbit / 64] |= 1 << (orbit % 64);
            for (direction, number) in numbers(self.side, (row, column as usize)).into_iter().enumerate() {
                hits[self.diagonal_of[direction][number]] += 1;
            }
        }
        for (orbit, diagonals) in self.diagonals.iter().enumerate() {
            if hits[orbit] == diagonals.count {
                meets |= 1 << orbit;
            }
        }
        Listed { candidate, covers, meets }
    }
}

/// A node without the candidates that are left.
#[derive(Debug, Clone)]
pub(super) struct State {
    /// The orbits of squares that are coloured.
    pub(super) coloured: Set,
    /// The uncoloured squares of each diagonal of an orbit.
    pub(super) uncoloured: DiagonalCounts,
    /// Classes to come.
    pub(super) left: u8,
}

impl State {
    pub(super) fn root(quotient: &Quotient) -> Self {
        let mut state =
            Self { coloured: [0; SET_WORDS], uncoloured: [0; 2 * LONGEST], left: quotient.side as u8 };
        for (uncoloured, diagonals) in state.uncoloured.iter_mut().zip(&quotient.diagonals) {
            *uncoloured = diagonals.length as u8;
        }
        state
    }

    pub(super) fn cover(&mut self, quotient: &Quotient, listed: &Listed) {
        let Listed { candidate: Candidate { solution, classes }, covers, .. } = listed;
        self.left -= *classes as u8;
        self.coloured.iter_mut().zip(covers).for_each(|(coloured, covers)| *coloured |= covers);
        let mut hits: DiagonalCounts = [0; 2 * LONGEST];
        for (row, &column) in solution.iter().enumerate() {
            for (direction, number) in numbers(quotient.side, (row, column as usize)).into_iter().enumerate()
            {
                hits[quotient.diagonal_of[direction][number]] += 1;
            }
        }
        for ((uncoloured, hits), diagonals) in self.uncoloured.iter_mut().zip(hits).zip(&quotient.diagonals) {
            // Every image of the solution hits as many of these diagonals, and every one of them is hit as often.
            *uncoloured -= hits * *classes as u8 / diagonals.count as u8;
        }
    }
}
