//! Computer player: it plays an optimal move if a short search finds one, and otherwise
//! looks two moves ahead.

use std::ops::ControlFlow;

use rand::SeedableRng as _;
use rand::rngs::ChaCha8Rng;
use rand::seq::IndexedRandom as _;

use crate::rules::Game;
use crate::value::Search;

/// Move of the computer player, with its value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Choice {
    /// The segment.
    pub segment: usize,
    /// Points by which the player to move wins the rest of the game under optimal play; `None` if the search
    /// reached its limit.
    pub value: Option<i32>,
}

/// Computer player. Its moves depend only on the seed and the games that it plays.
#[derive(Debug)]
pub struct ComputerPlayer {
    nodes: u64,
    random: ChaCha8Rng,
}

impl ComputerPlayer {
    /// Creates a player that searches at most `nodes` positions for a move, and chooses at random among
    /// equally good moves.
    #[must_use]
    pub fn new(nodes: u64, seed: u64) -> Self {
        Self { nodes, random: ChaCha8Rng::seed_from_u64(seed) }
    }

    /// Chooses a move; returns `None` if the game is over.
    pub fn choose(&mut self, game: &Game<'_>) -> Option<Choice> {
        let (good, value) = match optimal_moves(game, self.nodes) {
            Some((best, value)) => (best, Some(value)),
            None => (two_ply_moves(game), None),
        };
        good.choose(&mut self.random).map(|&segment| Choice { segment, value })
    }

    /// Returns the move that [`ComputerPlayer::choose`] would make, without a change of the random state.
    #[must_use]
    pub fn hint(&self, game: &Game<'_>) -> Option<Choice> {
        let random = ChaCha8Rng::deserialize_state(&self.random.serialize_state());
        Self { random, ..*self }.choose(game)
    }
}

/// Returns the optimal moves and the value of the game, or `None` if the search exceeds `nodes` nodes.
fn optimal_moves(game: &Game<'_>, nodes: u64) -> Option<(Vec<usize>, i32)> {
    let mut go_on = |_| ControlFlow::Continue(());
    let mut search = Search::new(game.board(), &mut go_on).ok()?.with_node_limit(nodes);
    let value = search.value(game).value()?;
    Some((search.best_moves(game, value).ok()?, value))
}

/// Returns the moves with the best points over two plies: the points of the move minus those of the best
/// answer, or plus those of the best further move if the move gives one.
fn two_ply_moves(game: &Game<'_>) -> Vec<usize> {
    let mut game = game.clone();
    let gains: Vec<(i64, usize)> = game
        .legal_moves()
        .into_iter()
        .filter_map(|segment| {
            let made = game.play(segment).ok()?;
            let answer = game.legal_moves().into_iter().map(|answer| game.points(answer)).max().unwrap_or(0);
            game.undo();
            // The next move is made by the opponent, or by the same player again.
            let answer = if made.next == made.player { i64::from(answer) } else { -i64::from(answer) };
            Some((i64::from(made.points) + answer, segment))
        })
        .collect();
    let most = gains.iter().map(|(gain, _)| *gain).max();
    gains.into_iter().filter(|(gain, _)| Some(*gain) == most).map(|(_, segment)| segment).collect()
}
