//! Random puzzles with one solution.

use rand::rngs::ChaCha8Rng;
use rand::seq::SliceRandom as _;
use rand::{RngExt as _, SeedableRng as _};

use crate::puzzle::Puzzle;
use crate::search::{Budget, SearchEnd, solutions};

/// Node limit of each search; 9 x 9 puzzles take far fewer nodes.
const NODES: u64 = 5_000;

/// Creates a puzzle that has one solution, and several if any clue is removed.
///
/// The result depends only on the order, `diagonals`, `seed` and `number`, the number of the puzzle in the
/// sequence of the seed. Random clues are added until one solution is left. Then clues are removed in a
/// random order as long as the solution stays unique. If 5000 nodes do not decide a search, which happens for
/// orders above 3, a clue is not added or not removed.
///
/// Returns `None` if `stop` returns `true`.
///
/// # Panics
/// Panics if the order is not in [`ORDERS`](crate::puzzle::ORDERS).
#[must_use]
pub fn random_puzzle(
    order: usize,
    diagonals: bool,
    seed: u64,
    number: u64,
    stop: &(dyn Fn() -> bool + Sync),
) -> Option<Puzzle> {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    random.set_stream(number);
    let n = order * order;
    // Number of solutions, at most 2; `None` if the node limit was reached.
    let count_solutions = |puzzle: &Puzzle| match solutions(puzzle, 2, Budget { nodes: NODES, stop }) {
        (_, SearchEnd::Limit) => None,
        (found, _) => Some(found.len()),
    };
    let mut puzzle = Puzzle { diagonals, ..Puzzle::new(order, vec![None; n * n]) };
    loop {
        if stop() {
            return None;
        }
        let cell = random.random_range(0..n * n);
        if puzzle.cells[cell].is_some() {
            continue;
        }
        puzzle.cells[cell] = Some(random.random_range(0..n as u32));
        match count_solutions(&puzzle) {
            Some(1) => break,
            Some(2) => {}
            _ => puzzle.cells[cell] = None,
        }
    }
    let mut clues: Vec<usize> = (0..n * n).filter(|&cell| puzzle.cells[cell].is_some()).collect();
    clues.shuffle(&mut random);
    for cell in clues {
        if stop() {
            return None;
        }
        let clue = puzzle.cells[cell].take();
        if count_solutions(&puzzle) != Some(1) {
            puzzle.cells[cell] = clue;
        }
    }
    Some(puzzle)
}
