//! How deep a board is: who wins and by how much when both play best, at how many positions of such play it matters what one
//! does, and what greed costs.

use rand::SeedableRng as _;
use rand::seq::IndexedRandom as _;
use rand_chacha::ChaCha8Rng;
use serde::Serialize;

use crate::board::Board;
use crate::rules::{Game, Player};
use crate::value::{Search, Stopped};

/// What was measured on a board.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Depth {
    /// By how many points the first player wins when both play best.
    pub margin: i32,
    /// First moves.
    pub first_moves: usize,
    /// First moves that keep the margin.
    pub best_first_moves: usize,
    /// Positions with two or more legal moves in so many games of best play, each as often as it was met.
    pub positions: usize,
    /// Those of them where some legal move gives points away.
    pub decisive: usize,
    /// Those of them where all legal moves but one give points away.
    pub only_moves: usize,
    /// The margin when the first player is greedy and the second plays best.
    pub margin_first_greedy: i32,
    /// The margin when the second player is greedy and the first plays best.
    pub margin_second_greedy: i32,
}

/// Measures a board by so many games in which both players draw among the moves that keep the value. A greedy player makes a
/// move with the most points, the first of them in the order of segments.
///
/// # Errors
/// When the search is stopped.
pub fn measure(board: &Board, search: &mut Search<'_>, games: usize, seed: u64) -> Result<Depth, Stopped> {
    let begin = Game::new(board);
    let margin = search.value(&begin).value().ok_or(Stopped)?;
    let best = search.best_moves(&begin, margin)?;
    let mut depth = Depth {
        margin,
        first_moves: begin.legal().len(),
        best_first_moves: best.len(),
        positions: 0,
        decisive: 0,
        only_moves: 0,
        margin_first_greedy: greedy(board, search, Player::First)?,
        margin_second_greedy: greedy(board, search, Player::Second)?,
    };
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    for _ in 0..games {
        let mut game = Game::new(board);
        let mut value = margin;
        loop {
            let legal = game.legal();
            let best = search.best_moves(&game, value)?;
            let Some(&segment) = best.choose(&mut random) else { break };
            if legal.len() > 1 {
                depth.positions += 1;
                depth.decisive += usize::from(best.len() < legal.len());
                depth.only_moves += usize::from(best.len() == 1);
            }
            value = game.points(segment) as i32 - value;
            game.play(segment).expect("best moves are legal");
        }
    }
    Ok(depth)
}

/// The margin of the first player when this player is greedy and the other one plays the first of the best moves.
fn greedy(board: &Board, search: &mut Search<'_>, greedy: Player) -> Result<i32, Stopped> {
    let mut game = Game::new(board);
    loop {
        let legal = game.legal();
        let Some(&first) = legal.first() else { break };
        let segment = if game.player() == greedy {
            legal.into_iter().rev().max_by_key(|&segment| game.points(segment)).unwrap_or(first)
        } else {
            let value = search.value(&game).value().ok_or(Stopped)?;
            search.best_moves(&game, value)?.first().copied().unwrap_or(first)
        };
        game.play(segment).expect("it is one of the legal moves");
    }
    let [first, second] = game.scores();
    Ok(first as i32 - second as i32)
}
