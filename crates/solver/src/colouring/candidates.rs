//! Solutions of n queens as candidates for classes, one of each orbit under an operator, and the state of a
//! partial colouring.

use super::operator::{Cell, Operator};

/// The orbits of squares and diagonals of the n x n board under an operator.
#[derive(Debug, Clone)]
pub(super) struct Quotient {
    pub(super) side: usize,
    pub(super) operator: Operator,
    /// The orbit of each square; squares are numbered row by row, orbits in the order of their first squares.
    pub(super) orbit_of: Vec<usize>,
    /// Number of orbits of squares.
    pub(super) orbits: usize,
    /// The orbits of diagonals of both directions.
    pub(super) diagonals: Vec<DiagonalOrbit>,
    /// For each direction, the orbit of each diagonal. The number of a diagonal is row + column or
    /// row - column + n - 1.
    pub(super) diagonal_of: [Vec<usize>; 2],
}

/// An orbit of diagonals.
#[derive(Debug, Clone)]
pub(super) struct DiagonalOrbit {
    /// Number of diagonals.
    pub(super) count: usize,
    /// Number of squares of each diagonal.
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
        // For each symmetry, `true` if it exchanges the directions of diagonals.
        let swaps: Vec<bool> = if side == 1 {
            vec![false; operator.order()]
        } else {
            let images = [(0, 0), (1, 1)].map(|cell| operator.images(side, cell));
            let sum = |cell| diagonal_numbers(side, cell)[0];
            images[0].iter().zip(&images[1]).map(|(&a, &b)| sum(a) == sum(b)).collect()
        };
        let mut diagonal_of = [vec![usize::MAX; 2 * side - 1], vec![usize::MAX; 2 * side - 1]];
        let mut diagonals = Vec::new();
        for direction in 0..2 {
            for number in 0..2 * side - 1 {
                if diagonal_of[direction][number] != usize::MAX {
                    continue;
                }
                let distance = number.abs_diff(side - 1);
                let row = number.saturating_sub(side - 1);
                let first = if direction == 0 { (row, number - row) } else { (row, row + side - 1 - number) };
                let mut count = 0;
                for (image, &swaps) in operator.images(side, first).into_iter().zip(&swaps) {
                    let direction = direction ^ usize::from(swaps);
                    let orbit = &mut diagonal_of[direction][diagonal_numbers(side, image)[direction]];
                    if *orbit == usize::MAX {
                        *orbit = diagonals.len();
                        count += 1;
                    }
                }
                diagonals.push(DiagonalOrbit { count, length: side - distance });
            }
        }
        Self { side, operator, orbit_of, orbits, diagonals, diagonal_of }
    }
}

/// Returns the numbers of the two diagonals through a square.
pub(super) fn diagonal_numbers(side: usize, (row, column): Cell) -> [usize; 2] {
    [row + column, row + side - 1 - column]
}

/// An orbit of disjoint solutions, which can all be classes of one colouring.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Candidate {
    /// One of the solutions.
    pub(super) solution: Vec<u8>,
    /// Number of solutions in the orbit.
    pub(super) classes: usize,
}

impl Quotient {
    /// Returns the orbit of a solution, or `None` if its images are not disjoint or the solution is not
    /// the first of them.
    pub(super) fn candidate(&self, solution: &[u8]) -> Option<Candidate> {
        let images = self.operator.orbit(solution);
        let is_first = images.iter().all(|image| image.as_slice() >= solution);
        let is_disjoint = images[1..].iter().all(|image| image.iter().zip(solution).all(|(a, b)| a != b));
        (is_first && is_disjoint).then(|| Candidate { solution: solution.to_vec(), classes: images.len() })
    }

    /// Returns `true` if a solution has queens on both main diagonals.
    pub(super) fn meets_main_diagonals(solution: &[u8]) -> bool {
        let n = solution.len();
        solution.iter().enumerate().any(|(row, &column)| row == column as usize)
            && solution.iter().enumerate().any(|(row, &column)| row + column as usize == n - 1)
    }
}

/// A candidate with the orbits of squares and diagonals that it meets.
#[derive(Debug)]
pub(super) struct Listed {
    pub(super) candidate: Candidate,
    /// The orbits of squares that it covers.
    pub(super) covers: SquareSet,
    /// The orbits of diagonals of which it meets all.
    pub(super) meets: DiagonalSet,
}

/// Maximum side whose orbits fit into [`SquareSet`] and [`DiagonalSet`]: with an operator of order 2 there
/// are 968 orbits of squares and 88 of diagonals.
pub(super) const MAX_SIDE: usize = 44;

/// A set of orbits of squares.
pub(super) type SquareSet = [u64; SET_WORDS];

/// Number of words of a [`SquareSet`].
const SET_WORDS: usize = (MAX_SIDE * MAX_SIDE / 2).div_ceil(64);

/// A set of orbits of diagonals.
pub(super) type DiagonalSet = u128;

/// A number for each orbit of diagonals.
pub(super) type DiagonalCounts = [u8; 2 * MAX_SIDE];

impl Quotient {
    /// Computes the orbits of squares and diagonals that a candidate meets.
    pub(super) fn list(&self, candidate: Candidate) -> Listed {
        let (mut covers, mut meets) = ([0; SET_WORDS], 0);
        let mut hits = [0; 2 * MAX_SIDE];
        for (row, &column) in candidate.solution.iter().enumerate() {
            let orbit = self.orbit_of[row * self.side + column as usize];
            covers[orbit / 64] |= 1 << (orbit % 64);
            let diagonals = diagonal_numbers(self.side, (row, column as usize));
            for (direction, number) in diagonals.into_iter().enumerate() {
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

/// State of a partial colouring.
#[derive(Debug, Clone)]
pub(super) struct State {
    /// The coloured orbits of squares.
    pub(super) coloured: SquareSet,
    /// For each orbit of diagonals, the number of uncoloured squares on each of its diagonals.
    pub(super) uncoloured: DiagonalCounts,
    /// Number of classes that are not chosen yet.
    pub(super) left: u8,
}

impl State {
    pub(super) fn root(quotient: &Quotient) -> Self {
        let mut state =
            Self { coloured: [0; SET_WORDS], uncoloured: [0; 2 * MAX_SIDE], left: quotient.side as u8 };
        for (uncoloured, diagonals) in state.uncoloured.iter_mut().zip(&quotient.diagonals) {
            *uncoloured = diagonals.length as u8;
        }
        state
    }

    pub(super) fn cover(&mut self, quotient: &Quotient, listed: &Listed) {
        let Listed { candidate: Candidate { solution, classes }, covers, .. } = listed;
        self.left -= *classes as u8;
        self.coloured.iter_mut().zip(covers).for_each(|(coloured, covers)| *coloured |= covers);
        let mut hits: DiagonalCounts = [0; 2 * MAX_SIDE];
        for (row, &column) in solution.iter().enumerate() {
            let diagonals = diagonal_numbers(quotient.side, (row, column as usize));
            for (direction, number) in diagonals.into_iter().enumerate() {
                hits[quotient.diagonal_of[direction][number]] += 1;
            }
        }
        for ((uncoloured, hits), diagonals) in self.uncoloured.iter_mut().zip(hits).zip(&quotient.diagonals) {
            // All images of the solution have the same number of queens on the diagonals of the orbit, and
            // together they have the same number of queens on each of these diagonals.
            *uncoloured -= hits * *classes as u8 / diagonals.count as u8;
        }
    }
}
