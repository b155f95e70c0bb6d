//! Reads files with a board and the moves made on it.

use std::path::Path;

use anyhow::Context as _;
use ndqueens_cliquer::board::Board;
use ndqueens_cliquer::rules::Game;
use ndqueens_cliquer::scoring::Scoring;
use ndqueens_cliquer::text;
use ndqueens_system::file;

/// Reads a board and the moves made on it from a file.
pub(super) fn read(path: &Path) -> anyhow::Result<(Board, Vec<usize>)> {
    text::read(&file::read(path)?).with_context(|| path.display().to_string())
}

/// Reads a board and its moves; `rules`, if given, replace those of the file.
pub(super) fn read_with(path: &Path, rules: Option<Scoring>) -> anyhow::Result<(Board, Vec<usize>)> {
    let (board, moves) = read(path)?;
    let scoring = rules.unwrap_or(board.scoring());
    Ok((board.with_scoring(scoring), moves))
}

/// Replays the moves returned by [`read`].
pub(super) fn game<'b>(board: &'b Board, moves: &[usize]) -> anyhow::Result<Game<'b>> {
    Ok(Game::replay(board, moves)?)
}
