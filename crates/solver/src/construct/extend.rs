//! Extension: a full solution of a smaller cube in the corner of the board, and a set in
//! the layers around it.
//!
//! The side r of the core is the largest smaller side that has regular solutions, so the result has at least
//! `r^(d-1)` queens. Just above r this is better than cuts from the next such side, for example on `14^3`,
//! `20^3` and `24^3`. All coefficients and constants are tried. This covers all corners, because reflections
//! map regular solutions to regular solutions.
//!
//! # References
//! T. Kunt, *The n-Queens Problem in Higher Dimensions*, 2023, Corollary 8.1, for the solution in the corner;
//! the search around it is this project's own.

use ndqueens_model::board::{Board, Grid, Square};

use super::linear::{Coefficients, Linear, regular};
use super::local_search;
use super::obstacle::Obstacle;

/// A regular solution of a smaller cube with more squares around it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Extension {
    /// The regular solution, in the corner where all coordinates are 0.
    pub core: Linear,
    /// All squares, including those of the core.
    pub squares: Vec<Square>,
}

/// Returns the largest side above 1 and below `side` that has regular solutions in this dimension.
pub(super) fn core_side(side: u32, dimension: usize) -> Result<u32, Obstacle> {
    let no_core = || Obstacle::NoCore {
        dimension,
        first: regular::sides_from(2, dimension).next().expect("there are infinitely many primes"),
    };
    regular::sides_from(2, dimension).take_while(|&smaller| smaller < side).last().ok_or_else(no_core)
}

/// Work limit of the local search around one core.
const WORK_PER_CORE: u64 = 10_000;

/// Returns the largest extension found on the queen board n^d, whose grid is `grid`.
///
/// # Examples
/// ```
/// use ndqueens_model::board::Board;
/// use ndqueens_solver::construct::extend::extend;
///
/// let board = Board::new(&"6^2".parse().unwrap());
/// let extension = extend(&board, board.grid().unwrap(), 0, 10_000).unwrap();
/// assert!(extension.squares.len() >= 5);
/// ```
///
/// `work` is an approximate limit on the number of attacks that are visited. The squares around the core are
/// chosen by [`local_search::quick`].
///
/// # Errors
/// Returns an error if no side below n has regular solutions, or the board is too large.
pub fn extend(board: &Board, grid: &Grid, seed: u64, work: u64) -> Result<Extension, Obstacle> {
    let (side, dimension) = (grid.sides()[0], grid.dimension());
    let core_side = core_side(side, dimension)?;
    if !local_search::fits(board, 1) {
        return Err(Obstacle::TooLarge);
    }
    let square = |x: &Vec<u32>| board.square(x).expect("the core is smaller");
    let mut neighbours_of: Vec<Vec<Square>> = vec![Vec::new(); board.size()];
    let mut best: Option<Extension> = None;
    let mut done = 0;
    'cores: for coefficients in Coefficients::new(core_side, dimension, core_side) {
        for constant in 0..core_side {
            let core = Linear { modulus: core_side, coefficients: coefficients.clone(), constant };
            let core_squares: Vec<Square> =
                core.squares(&vec![core_side; dimension]).iter().map(square).collect();
            let mut is_covered = vec![false; board.size()];
            for &queen in &core_squares {
                let neighbours = &mut neighbours_of[queen as usize];
                if neighbours.is_empty() {
                    *neighbours = board.neighbours(queen);
                }
                done += neighbours.len() as u64;
                is_covered[queen as usize] = true;
                neighbours.iter().for_each(|&attacked| is_covered[attacked as usize] = true);
            }
            let bound = core_squares.len() + is_covered.iter().filter(|&&covered| !covered).count();
            if best.as_ref().is_none_or(|best| best.squares.len() < bound) {
                let squares = local_search::quick(board, &core_squares, seed, WORK_PER_CORE, usize::MAX)
                    .expect("the board is small enough");
                if best.as_ref().is_none_or(|best| best.squares.len() < squares.len()) {
                    best = Some(Extension { core, squares });
                }
            }
            if done > work {
                break 'cores;
            }
        }
    }
    Ok(best.expect("there is at least one core"))
}

#[cfg(test)]
mod tests {
    use super::super::tests::assert_independent;
    use super::*;
    use ndqueens_notation::name::BoardName;

    #[test]
    fn extensions_are_independent_with_their_core() {
        for (side, dimension, size) in [(6, 2, 5), (12, 3, 121), (14, 3, 169), (18, 4, 4913)] {
            let name = BoardName::queen(&vec![side; dimension]);
            let board = Board::new(&name);
            let grid = board.grid().expect("a box");
            let extension = extend(&board, grid, 1, 1_000_000).expect("a smaller side is regular");
            let squares: Vec<_> = extension.squares.iter().map(|&s| board.coordinates(s)).collect();
            assert!(squares.len() >= size, "{name}: {}", squares.len());
            let core = extension.core.squares(&vec![extension.core.modulus; dimension]);
            assert!(core.iter().all(|square| squares.contains(square)));
            assert_independent(&name, &squares);
        }
    }

    #[test]
    fn fails_without_a_smaller_regular_side() {
        let board = Board::new(&BoardName::queen(&[11; 3]));
        let result = extend(&board, board.grid().expect("a box"), 1, 1000);
        assert_eq!(result, Err(Obstacle::NoCore { dimension: 3, first: 11 }));
    }
}
