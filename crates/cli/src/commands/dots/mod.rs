//! The command `ndq dots`.

mod board;
mod board_file;
mod check;
mod draw;
mod extremes;
mod play;
mod standing;
mod table;
mod value;
mod watch;

use std::path::PathBuf;
use std::time::Duration;

use clap::Subcommand;
use ndqueens_system::file;

pub(super) use self::check::CliquerGame;
use super::Exit;
use crate::args::groups::Limited;
use crate::output::Output;
use crate::progress::Display;

#[derive(Debug, Subcommand)]
#[command(after_help = include_str!("help.txt"))]
pub(crate) enum Args {
    /// Make a board with chosen properties.
    Board(board::Args),
    /// Check a board and the moves on it, and print them.
    Check(CliquerFile),
    /// Play a game, against the program or another human, or watch the program play.
    Play(play::Args),
    /// Find the margin of the winner when both play best, and the best moves.
    Value(value::Args),
    /// Find the largest and the smallest total score of finished games.
    Extremes(extremes::Args),
    /// Draw a board, and the moves made on it, as SVG.
    Draw(draw::Args),
    /// Measure the depth of boards: the winner, the margin, and the effect of single moves.
    Table(table::Args),
}

#[derive(Debug, clap::Args)]
#[command(after_help = include_str!("check.txt"))]
pub(crate) struct CliquerFile {
    /// The file of a board, perhaps with moves.
    pub(crate) file: PathBuf,
}

impl Limited for Args {
    fn time_limit(&self) -> Option<Duration> {
        match self {
            Self::Board(board) => board.limit.time_limit,
            Self::Value(value) => value.limit.time_limit,
            Self::Extremes(extremes) => extremes.solver.time_limit,
            Self::Table(table) => table.limit.time_limit,
            Self::Check(_) | Self::Play(_) | Self::Draw(_) => None,
        }
    }
}

pub(crate) fn run(args: &Args, display: &mut Display, out: &mut Output) -> anyhow::Result<Exit> {
    match args {
        Args::Board(board) => board::run(board, display, out),
        Args::Check(CliquerFile { file }) => check::run(file, &file::read(file)?, out),
        Args::Play(play) => play::run(play, out),
        Args::Value(value) => value::run(value, display, out),
        Args::Extremes(asked) => extremes::run(asked, display, out),
        Args::Draw(draw) => draw::run(draw, out),
        Args::Table(table) => table::run(table, display, out),
    }
}
