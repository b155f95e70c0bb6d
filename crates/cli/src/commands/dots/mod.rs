//! `ndq dots`

mod board;
mod check;
mod draw;
mod extremes;
mod file;
mod play;
mod standing;
mod table;
mod value;
mod watch;

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args as Group, Subcommand};
use ndqueens_files as files;

pub(super) use self::check::check;
use super::Exit;
use crate::args::groups::Verbosity;
use crate::output::Output;
use crate::progress::Display;

const CLIQUER: &str = "\
Two players take turns in joining two dots by a segment that crosses no other. A move scores for
every clique that it completes: 1 for the segment, 3 for a triangle, 5 for four dots that are all
joined. Files hold a board, and perhaps moves:

  ndqueens cliquer 1
  # a line for each dot, called A, B, C and so on; no three may be on a line
  0 0
  10 1
  4 9
  5 3
  moves:
  A-B A-C B-D

Try:  ndq dots board 7 --hull 4 --seed 1 -o board.txt
      ndq dots play board.txt
      ndq dots value board.txt
      ndq dots extremes board.txt";

#[derive(Debug, Subcommand)]
#[command(after_help = CLIQUER)]
pub(crate) enum Args {
    /// Make a board with chosen properties.
    Board(board::Args),
    /// Check a board, and the moves made on it, and tell what they are.
    Check(CliquerFile),
    /// Play a game, against the program or another human, or watch the program play.
    Play(play::Args),
    /// Find by how much the better side wins when both play best, and the best moves.
    Value(value::Args),
    /// Find the largest and the smallest total score of finished games.
    Extremes(extremes::Args),
    /// Draw a board, and the moves made on it, as SVG.
    Draw(draw::Args),
    /// Measure how deep boards are: who wins, by how much, and how much moves matter.
    Table(table::Args),
}

#[derive(Debug, Group)]
pub(crate) struct CliquerFile {
    /// The file of a board, perhaps with moves.
    pub(crate) file: PathBuf,
}

impl Args {
    /// The wall-clock limit that was given for all of the command.
    pub(crate) fn time_limit(&self) -> Option<Duration> {
        match self {
            Self::Extremes(extremes) => extremes.solver.time_limit,
            Self::Value(value) => value.time_limit,
            _ => None,
        }
    }
}

pub(crate) fn run(args: &Args, verbosity: Verbosity, out: &mut Output) -> anyhow::Result<Exit> {
    let display = |limit| Display::new(verbosity, limit);
    match args {
        Args::Board(board) => board::run(board, out),
        Args::Check(CliquerFile { file }) => check(file, &files::read(file)?, out),
        Args::Play(play) => play::run(play, out),
        Args::Value(value) => value::run(value, &mut display(value.time_limit), out),
        Args::Extremes(asked) => extremes::run(asked, &mut display(asked.solver.time_limit), out),
        Args::Draw(draw) => draw::run(draw, out),
        Args::Table(table) => table::run(table, &mut display(None), out),
    }
}
