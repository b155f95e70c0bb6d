//! Describes the standing of a CliqueR game and its moves.

use ndqueens_cliquer::rules::{Game, Move, Player};
use ndqueens_notation::counted::counted;
use schemars::JsonSchema;
use serde::Serialize;

use crate::schema::printed;

/// A move of a game.
#[derive(Debug, Clone, JsonSchema, Serialize)]
pub(super) struct Made {
    pub(super) number: usize,
    pub(super) player: Player,
    pub(super) segment: String,
    pub(super) points: u32,
}

printed!(Made: "dots play");

pub(super) fn list_moves(game: &Game<'_>) -> Vec<Made> {
    let made = |(number, made): (usize, &Move)| Made {
        number: number + 1,
        player: made.player,
        segment: game.board().name(made.segment),
        points: made.points,
    };
    game.moves().iter().enumerate().map(made).collect()
}

/// Describes the score and who leads or has won.
pub(super) fn standing(game: &Game<'_>) -> String {
    let [first, second] = game.scores();
    let moves = counted(game.moves().len() as u64, "move");
    let verb = if game.is_over() { "wins" } else { "leads" };
    let ends = if game.is_over() { "the game is over after" } else { "after" };
    format!("{ends} {moves}: {first} to {second}, {}", verdict(game.margin(), verb))
}

/// Names the player who is ahead, given the margin of the first player.
pub(super) fn verdict(margin: i64, verb: &str) -> String {
    match margin {
        0 => format!("neither player {verb}"),
        1.. => format!("the first player {verb} by {margin}"),
        _ => format!("the second player {verb} by {}", -margin),
    }
}
