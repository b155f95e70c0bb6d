//! Random boards and brute force for the tests of proofs by external checkers.

use ndqueens_model::board::{Board, Square};
use ndqueens_notation::name::{BoardName, Piece};
use rand::RngExt as _;
use rand::rngs::ChaCha8Rng;

/// Draws a box or torus of at most 30 squares, with one to four axes, for queens, rooks or bishops.
pub(crate) fn small_board(random: &mut ChaCha8Rng) -> Board {
    loop {
        let torus = random.random_bool(0.2);
        let side = random.random_range(1..=5);
        let sides: Vec<u32> = (0..random.random_range(1..=4))
            .map(|_| if torus { side } else { random.random_range(1..=6) })
            .collect();
        if sides.iter().product::<u32>() <= 30 {
            return Board::new(&BoardName::grid(Piece::ALL[random.random_range(0..3)], torus, &sides));
        }
    }
}

/// Returns a largest independent set among the free squares, by exhaustive search.
pub(crate) fn largest(board: &Board, free: &[Square]) -> Vec<Square> {
    let Some((&first, rest)) = free.split_first() else { return Vec::new() };
    let apart: Vec<Square> = rest.iter().copied().filter(|&other| !board.attacks(first, other)).collect();
    let mut with = largest(board, &apart);
    with.push(first);
    if apart.len() == rest.len() {
        return with;
    }
    let without = largest(board, rest);
    if without.len() > with.len() { without } else { with }
}
