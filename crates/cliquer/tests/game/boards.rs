//! Boards for tests: random ones, which depend only on the seed, and convex polygons.

use ndqueens_cliquer::board::{Board, Dot};
use rand::rngs::ChaCha8Rng;
use rand::{RngExt as _, SeedableRng as _};

/// Creates a board with `dots` random dots.
pub(crate) fn random_board(dots: usize, seed: u64) -> Board {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut dot = || Dot { x: random.random_range(-50..=50), y: random.random_range(-50..=50) };
    std::iter::repeat_with(|| Board::new((0..dots).map(|_| dot()).collect()))
        .flatten()
        .next()
        .expect("there are many")
}

/// Creates a board with dots in convex position, on a parabola.
pub(crate) fn convex_board(dots: i64) -> Board {
    Board::new((0..dots).map(|x| Dot { x, y: x * x }).collect()).expect("a parabola")
}
