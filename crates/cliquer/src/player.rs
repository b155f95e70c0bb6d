//! The program as a player: it plays the exact value where a short search gives it, and else looks two moves ahead.

use std::ops::ControlFlow;

use rand::seq::IndexedRandom as _;
use rand_chacha::ChaCha8Rng;

use crate::rules::Game;
use crate::value::Search;

/// A move, and why it was chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Choice {
    /// The segment.
    pub segment: usize,
    /// By how many points the player to move wins the rest of the game when both play best, if a search told that.
    pub value: Option<i32>,
}

/// The program's move, after a search of at most so many nodes; the same for the same game, seed and nodes. `None` when the
/// game is over. Among moves that seem equally good one is drawn.
pub fn choose(game: &Game<'_>, nodes: u64, random: &mut ChaCha8Rng) -> Option<Choice> {
    let (good, value) = match exact(game, nodes) {
        Some((best, value)) => (best, Some(value)),
        None => (promising(game), None),
    };
    good.choose(random).map(|&segment| Choice { segment, value })
}

/// The moves that keep the value, and the value, when a search of at most so many nodes gives them.
fn exact(game: &Game<'_>, nodes: u64) -> Option<(Vec<usize>, i32)> {
    let mut within = |so_far| if so_far < nodes { ControlFlow::Continue(()) } else { ControlFlow::Break(()) };
    let mut search = Search::new(game.board(), &mut within).ok()?;
    let value = search.value(game).value()?;
    Some((search.best_moves(game, value).ok()?, value))
}

/// The moves with the most points when the best answer's points are taken off.
fn promising(game: &Game<'_>) -> Vec<usize> {
    let mut game = game.clone();
    let gains: Vec<(i64, usize)> = game
        .legal()
        .into_iter()
        .filter_map(|segment| {
            let points = game.play(segment).ok()?.points;
            let answer = game.legal().into_iter().map(|answer| game.points(answer)).max().unwrap_or(0);
            game.undo();
            Some((i64::from(points) - i64::from(answer), segment))
        })
        .collect();
    let most = gains.iter().map(|(gain, _)| *gain).max();
    gains.into_iter().filter(|(gain, _)| Some(*gain) == most).map(|(_, segment)| segment).collect()
}
