//! Puzzles at random.

use rand::rngs::ChaCha8Rng;
use rand::seq::SliceRandom as _;
use rand::{RngExt as _, SeedableRng as _};

use crate::puzzle::Puzzle;
use crate::search::{Budget, End, solutions};

/// Nodes of each search; 9 x 9 takes far fewer.
const NODES: u64 = 5_000;

/// A puzzle of this order, with or without diagonals, that has one solution, and several without any one of its clues; order, seed
/// and number decide which.
/// Random clues are added until one solution is left, and then left out again in a random order. Where 5000 nodes do not
/// tell, as for orders above 3, a clue is not added or not left out. Nothing when a stop was asked for.
///
/// # Panics
/// If the order is none of [`ORDERS`](crate::puzzle::ORDERS).
#[must_use]
pub fn puzzle(
    order: usize,
    diagonals: bool,
    seed: u64,
    number: u64,
    stop: &(dyn Fn() -> bool + Sync),
) -> Option<Puzzle> {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    random.set_stream(number);
    let n = order * order;
    let found = |puzzle: &Puzzle| match solutions(puzzle, 2, Budget { nodes: NODES, stop }) {
        (_, End::Limit) => None,
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
        match found(&puzzle) {
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
        if found(&puzzle) != Some(1) {
            puzzle.cells[cell] = clue;
        }
    }
    Some(puzzle)
}
