//! The program as a player: it plays the exact value where a short search gives it, and else looks two moves ahead.

use std::ops::ControlFlow;

use rand::SeedableRng as _;
use rand::rngs::ChaCha8Rng;
use rand::seq::IndexedRandom as _;

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

/// The program; with the same seed it makes the same moves in the same games.
#[derive(Debug)]
pub struct Program {
    nodes: u64,
    random: ChaCha8Rng,
}

impl Program {
    /// One that looks at so many positions for a move, at most, and draws among moves that seem equally good.
    #[must_use]
    pub fn new(nodes: u64, seed: u64) -> Self {
        Self { nodes, random: ChaCha8Rng::seed_from_u64(seed) }
    }

    /// Its move; `None` when the game is over.
    pub fn choose(&mut self, game: &Game<'_>) -> Option<Choice> {
        let (good, value) = match exact(game, self.nodes) {
            Some((best, value)) => (best, Some(value)),
            None => (promising(game), None),
        };
        good.choose(&mut self.random).map(|&segment| Choice { segment, value })
    }

    /// The move it would make.
    #[must_use]
    pub fn hint(&self, game: &Game<'_>) -> Option<Choice> {
        let random = ChaCha8Rng::deserialize_state(&self.random.serialize_state());
        Self { random, ..*self }.choose(game)
    }
}

/// The moves that keep the value, and the value, when a search of at most so many nodes gives them.
fn exact(game: &Game<'_>, nodes: u64) -> Option<(Vec<usize>, i32)> {
    let mut go_on = |_| ControlFlow::Continue(());
    let mut search = Search::new(game.board(), &mut go_on).ok()?.within(nodes);
    let value = search.value(game).value()?;
    Some((search.best_moves(game, value).ok()?, value))
}

/// The moves with the most points when the best answer's points are taken off, or those of a move that they give are added.
fn promising(game: &Game<'_>) -> Vec<usize> {
    let mut game = game.clone();
    let gains: Vec<(i64, usize)> = game
        .legal()
        .into_iter()
        .filter_map(|segment| {
            let made = game.play(segment).ok()?;
            let answer = game.legal().into_iter().map(|answer| game.points(answer)).max().unwrap_or(0);
            game.undo();
            // The next move is an answer, or another one of the same player.
            let answer = if made.next == made.player { i64::from(answer) } else { -i64::from(answer) };
            Some((i64::from(made.points) + answer, segment))
        })
        .collect();
    let most = gains.iter().map(|(gain, _)| *gain).max();
    gains.into_iter().filter(|(gain, _)| Some(*gain) == most).map(|(_, segment)| segment).collect()
}
