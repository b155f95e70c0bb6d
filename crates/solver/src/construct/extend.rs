//! Extension: a full solution of a smaller cube in the corner of the board, and what fits into the layers
//! round it.
//!
//! The largest smaller side r that has regular solutions is taken, so the result has `r^(d-1)` queens at
//! least: `alpha(n,d)` does not fall when n grows. Just above r this beats the cuts from the next such side,
//! as for `14^3`, `20^3` and `24^3`. All coefficients and constants are tried, which covers all corners:
//! reflections turn one solution into another.
//!
//! # References
//! T. Kunt, *The n-Queens Problem in Higher Dimensions*, 2023, Corollary 8.1, for the solution in the corner; the search round
//! it is this project's own.

use ndqueens_model::board::{Board, Square};

use super::linear::{Coefficients, Linear, regular};
use super::local_search;
use super::obstacle::Obstacle;

/// A regular solution of a smaller cube with more squares round it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Extension {
    /// The regular solution, in the corner where all coordinates are 0.
    pub core: Linear,
    /// All squares, those of the core included.
    pub squares: Vec<Square>,
}

/// The largest side below n, and above 1, that has regular solutions in this dimension.
pub(super) fn core_side(n: u32, dimension: usize) -> Result<u32, Obstacle> {
    let none = || Obstacle::NoCore {
        dimension,
        first: regular::sides_from(2, dimension).next().expect("primes have no end"),
    };
    regular::sides_from(2, dimension).take_while(|&side| side < n).last().ok_or_else(none)
}

/// The largest extension found on the queen board n^d.
///
/// ```
/// use ndqueens_model::board::Board;
/// use ndqueens_solver::construct::extend::extend;
///
/// let board = Board::new(&"6^2".parse().unwrap());
/// assert!(extend(&board, (6, 2), 0, 10_000).unwrap().squares.len() >= 5);
/// ```
///
/// `work` bounds the attacks looked at, roughly. The squares round the core are chosen by [`local_search::quick`].
///
/// # Errors
/// When no side below n has regular solutions, or the board is too large.
pub fn extend(
    board: &Board,
    (n, dimension): (u32, usize),
    seed: u64,
    work: u64,
) -> Result<Extension, Obstacle> {
    let inner = core_side(n, dimension)?;
    if !local_search::fits(board, 1) {
        return Err(Obstacle::TooLarge);
    }
    let square = |x: &Vec<u32>| board.square(x).expect("the core is smaller");
    let mut attacked_from: Vec<Vec<Square>> = vec![Vec::new(); board.size()];
    let mut best: Option<Extension> = None;
    let mut done = 0;
    'cores: for coefficients in Coefficients::new(inner, dimension, inner) {
        for constant in 0..inner {
            let core = Linear { modulus: inner, coefficients: coefficients.clone(), constant };
            let held: Vec<Square> = core.squares(&vec![inner; dimension]).iter().map(square).collect();
            let mut covered = vec![false; board.size()];
            for &s in &held {
                let attacked = &mut attacked_from[s as usize];
                if attacked.is_empty() {
                    *attacked = board.neighbours(s);
                }
                done += attacked.len() as u64;
                covered[s as usize] = true;
                attacked.iter().for_each(|&t| covered[t as usize] = true);
            }
            let most = held.len() + covered.iter().filter(|&&covered| !covered).count();
            if best.as_ref().is_none_or(|found| found.squares.len() < most) {
                let squares = local_search::quick(board, &held, seed, 10_000, usize::MAX)
                    .expect("the board is small enough");
                if best.as_ref().is_none_or(|found| found.squares.len() < squares.len()) {
                    best = Some(Extension { core, squares });
                }
            }
            if done > work {
                break 'cores;
            }
        }
    }
    Ok(best.expect("a core at least"))
}

#[cfg(test)]
mod tests {
    use super::super::tests::assert_independent;
    use super::*;
    use ndqueens_notation::name::BoardName;

    #[test]
    fn extensions_are_independent_and_contain_their_core() {
        for (side, dimension, size) in [(6, 2, 5), (12, 3, 121), (14, 3, 169), (18, 4, 4913)] {
            let name = BoardName::queen(&vec![side; dimension]);
            let board = Board::new(&name);
            let found = extend(&board, (side, dimension), 1, 1_000_000).expect("a smaller side is regular");
            let squares: Vec<_> = found.squares.iter().map(|&s| board.coordinates(s)).collect();
            assert!(squares.len() >= size, "{name}: {}", squares.len());
            let core = found.core.squares(&vec![found.core.modulus; dimension]);
            assert!(core.iter().all(|square| squares.contains(square)));
            assert_independent(&name, &squares);
        }
    }

    #[test]
    fn a_board_below_every_regular_side_has_no_extension() {
        let found = extend(&Board::new(&BoardName::queen(&[11; 3])), (11, 3), 1, 1000);
        assert_eq!(found, Err(Obstacle::NoCore { dimension: 3, first: 11 }));
    }
}
