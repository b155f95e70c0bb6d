//! The command `ndq dots check`, and the kind of file that `ndq check` checks in the same way.

use std::fmt::Write as _;
use std::io;
use std::path::Path;

use anyhow::Context as _;
use ndqueens_cliquer::board::Board;
use ndqueens_cliquer::facts::Facts;
use ndqueens_cliquer::rules::Game;
use ndqueens_cliquer::scoring::Scoring;
use ndqueens_cliquer::{text, verify};
use ndqueens_workflow::evidence::{
    CheckOptions, CheckedFile, Evidence, EvidenceError, FileReport, FileVerdict, Given, OptionsError, Refusal,
};
use schemars::JsonSchema;
use serde::Serialize;

use super::standing::{Made, list_moves, standing};
use crate::commands::Exit;
use crate::output::Output;
use crate::schema::printed;

#[derive(Debug, JsonSchema, Serialize)]
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

/// Evidence in the form of boards of CliqueR, perhaps with the moves of a game.
#[derive(Debug)]
pub(in crate::commands) struct CliquerGame;

impl Evidence for CliquerGame {
    fn name(&self) -> &'static str {
        "board of CliqueR"
    }

    fn is_text(&self, text: &str, _: &CheckOptions<'_>) -> bool {
        text::is_board(text)
    }

    fn check_options(&self, name: &Path, options: &CheckOptions<'_>) -> Result<(), OptionsError> {
        if options.refuse_squares(name).is_ok() && options.board.is_none() && !options.verified {
            return Ok(());
        }
        let (kind, options) = ("a board of CliqueR", "-o, --as, --board, -f and --verified");
        Err(OptionsError::Other { name: name.to_owned(), kind, options })
    }

    fn check(&self, given: Given<'_>) -> Result<CheckedFile, EvidenceError> {
        let text = io::read_to_string(given.text)
            .map_err(|fault| Refusal::from_read_error(&fault, "a board of CliqueR"))?;
        Ok(report(given.name, &text)?.into())
    }
}

/// Checks the text of a file and prints the result.
pub(super) fn run(path: &Path, text: &str, out: &mut Output) -> anyhow::Result<Exit> {
    let report = report(path, text).map_err(EvidenceError::from);
    out.report(&report.with_context(|| path.display().to_string())?)?;
    Ok(Exit::Yes)
}

/// Checks a board and the moves on it: replays them by the rules, and counts the points independently.
fn report(path: &Path, text: &str) -> Result<FileReport, Refusal> {
    let unreadable = |fault: String| Refusal::Unreadable(fault);
    let (board, moves) = text::read(text).map_err(|fault| unreadable(fault.to_string()))?;
    let game = Game::replay(&board, &moves).map_err(|fault| unreadable(fault.to_string()))?;
    compare_scores(&board, &moves, &game)?;
    let checked = Checked {
        file: path.display().to_string(),
        board: Facts::new(&board),
        made: list_moves(&game),
        scores: game.scores(),
        finished: game.is_over(),
        rules: board.scoring().to_string(),
    };
    let mut text = format!("{}: holds\n{}", checked.file, checked.board.describe());
    if board.scoring() != Scoring::default() {
        let _ = writeln!(text, "rules {}", checked.rules);
    }
    for Made { number, player, segment, points } in &checked.made {
        let _ = writeln!(text, "{number:4}  {player:13}  {segment}  {points:2}");
    }
    if !checked.made.is_empty() {
        let _ = writeln!(text, "{}", standing(&game));
    }
    Ok(FileReport::new(FileVerdict::Holds, text, checked))
}

/// Compares the scores of a game with those of the independent check.
fn compare_scores(board: &Board, moves: &[usize], game: &Game<'_>) -> Result<(), Refusal> {
    let scores = game.scores();
    let (values, again) = (board.scoring().values(), board.scoring().again());
    let differs = |recounted: &dyn std::fmt::Debug| {
        Err(Refusal::Failed(format!("the rules give {scores:?}, and the independent check {recounted:?}")))
    };
    let ends: Vec<[usize; 2]> = moves.iter().map(|&segment| board.segments()[segment]).collect();
    let recounted = verify::scores(board.dots().len(), &ends, values, again);
    if recounted != scores {
        return differs(&recounted);
    }
    if game.is_over() {
        let counted = verify::total(board.dots(), &ends, values).map_err(|fault| fault.to_string());
        if counted != Ok(scores.iter().sum()) {
            return differs(&counted);
        }
    }
    Ok(())
}
