//! The command `ndq dots check`.

use std::fmt::Write as _;
use std::path::Path;

use anyhow::Context as _;
use ndqueens_cliquer::facts::Facts;
use ndqueens_cliquer::scoring::Scoring;
use ndqueens_cliquer::{text, verify};
use schemars::JsonSchema;
use serde::Serialize;

use super::board_file;
use super::standing::{Made, moves_made, standing};
use crate::commands::Exit;
use crate::output::{Output, log};
use crate::schema::printed;

#[derive(JsonSchema, Serialize)]
struct Checked {
    file: String,
    #[serde(flatten)]
    board: Facts,
    made: Vec<Made>,
    scores: [u32; 2],
    finished: bool,
    /// The points of cliques of 2, 3 and 4 dots, and perhaps the fewest dots of a clique that
    /// gives another move.
    rules: String,
}

printed!(Checked: "dots check");

/// Checks the text of a file, for `ndq check` too.
pub(in crate::commands) fn check(path: &Path, text: &str, out: &mut Output) -> anyhow::Result<Exit> {
    let (board, moves) = text::read(text).with_context(|| path.display().to_string())?;
    let game = board_file::game(&board, &moves)?;
    let scores = game.scores();
    let (values, again) = (board.scoring().values(), board.scoring().again());
    let ends: Vec<[usize; 2]> = moves.iter().map(|&segment| board.segments()[segment]).collect();
    let recounted = verify::scores(board.dots().len(), &ends, values, again);
    if recounted != scores {
        log(&format!("error: the rules give {scores:?}, and the independent check {recounted:?}"));
        return Ok(Exit::Failed);
    }
    if game.is_over() {
        let counted = verify::total(board.dots(), &ends, values).map_err(|fault| fault.to_string());
        if counted != Ok(scores.iter().sum()) {
            log(&format!("error: the rules give {scores:?}, and the independent check {counted:?}"));
            return Ok(Exit::Failed);
        }
    }
    let checked = Checked {
        file: path.display().to_string(),
        board: Facts::new(&board),
        made: moves_made(&game),
        scores,
        finished: game.is_over(),
        rules: board.scoring().to_string(),
    };
    let mut text = format!("{}: holds\n{}", checked.file, checked.board.describe());
    if board.scoring() != Scoring::default() {
        writeln!(text, "rules {}", checked.rules)?;
    }
    for Made { number, player, segment, points } in &checked.made {
        writeln!(text, "{number:4}  {player:13}  {segment}  {points:2}")?;
    }
    if !checked.made.is_empty() {
        writeln!(text, "{}", standing(&game))?;
    }
    out.result(&checked, &text)?;
    Ok(Exit::Yes)
}
