//! `ndq sudoku`, as typed.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args as Group;

use crate::args::groups::Threads;
use crate::args::values::{duration, whole};

#[derive(Debug, Group)]
#[command(allow_negative_numbers = true, after_help = include_str!("help.txt"))]
pub(crate) struct Args {
    /// The file of puzzles; - is standard input.
    #[arg(required_unless_present = "generate")]
    pub(crate) file: Option<PathBuf>,
    /// Take only this puzzle of the file, counted from 1.
    #[arg(long, value_name = "K", value_parser = whole::<u64>(1..=u64::MAX))]
    pub(crate) puzzle: Option<u64>,
    /// Count all solutions.
    #[arg(long, conflicts_with = "hint")]
    pub(crate) count: bool,
    /// Show a number that is forced, and why, or that the puzzle has no solution or is full.
    #[arg(long)]
    pub(crate) hint: bool,
    /// Write the clues of the puzzle, which must be the only one of the file, as a certificate; ndq extend takes it.
    #[arg(long, value_name = "FILE")]
    pub(crate) clues: Option<PathBuf>,
    /// Write the solution of the puzzle, which must be the only one of the file, as a certificate; ndq check and ndq draw take it.
    /// Nothing is written unless the puzzle has just one solution.
    #[arg(short, long, value_name = "FILE", conflicts_with_all = ["count", "hint"])]
    pub(crate) output: Option<PathBuf>,
    /// Generate N puzzles instead: each has exactly one solution, and several without any one of its clues.
    #[arg(
        long, value_name = "N", value_parser = whole::<u64>(1..=1_000_000_000),
        conflicts_with_all = ["file", "puzzle", "count", "hint", "clues", "output", "node_limit"]
    )]
    pub(crate) generate: Option<u64>,
    /// The order of the puzzles that are made, the side of their boxes.
    #[arg(long, value_name = "B", default_value_t = 3, value_parser = whole::<u32>(2..=4), conflicts_with = "file")]
    pub(crate) order: u32,
    /// Seed for the puzzles that are made.
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = whole::<u64>(0..=u64::MAX), conflicts_with = "file")]
    pub(crate) seed: u64,
    #[command(flatten)]
    pub(crate) threads: Threads,
    /// Wall-clock limit, in seconds or as 90s, 15m or 3h50m, for all puzzles together [default: none].
    #[arg(long, value_name = "SECONDS", value_parser = duration, allow_hyphen_values = true)]
    pub(crate) time_limit: Option<Duration>,
    /// Limit on the nodes of each search.
    #[arg(long, value_name = "N", value_parser = whole::<u64>(0..=u64::MAX))]
    pub(crate) node_limit: Option<u64>,
}
