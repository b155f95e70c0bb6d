//! Command-line arguments of `ndq sudoku`.

use std::path::PathBuf;
use std::time::Duration;

use clap::ValueEnum;
use ndqueens_sudoku::reader::{Conventions, Symbols};
use ndqueens_workflow::sudoku::Method;

use crate::args::groups::Threads;
use crate::args::values::{duration, whole};

/// Meaning of the numbers in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum SymbolsName {
    /// 0 to n-1; 0 is a number.
    #[value(name = "0-15", aliases = ["hex", "0-24", "0-8", "0-3"])]
    FromZero,
    /// 1 to n, with letters after 9 or in decimal; 0 is an empty cell.
    #[value(name = "1-16", aliases = ["1-25", "1-9", "1-4", "1-G"])]
    FromOne,
    /// A to P, or to the last letter of the grid.
    #[value(name = "letters")]
    Letters,
}

#[derive(Debug, clap::Args)]
#[command(allow_negative_numbers = true, after_help = include_str!("help.txt"))]
pub(crate) struct Args {
    /// The file of puzzles; - is standard input.
    #[arg(required_unless_present = "generate")]
    pub(crate) file: Option<PathBuf>,
    /// Take only this puzzle of the file, counted from 1.
    #[arg(long, value_name = "K", value_parser = whole::<u64>(1..=u64::MAX))]
    pub(crate) puzzle: Option<u64>,
    /// Meaning of the numbers in the file, where a puzzle can be read in two ways: from 0 (decimal, or hex
    /// digits), from 1 (decimal, or letters after 9), or letters from A [default: derived from each puzzle].
    #[arg(long, value_name = "SYMBOLS", value_enum, conflicts_with = "generate")]
    pub(crate) symbols: Option<SymbolsName>,
    /// Side of the grids in the file: 4, 9, 16 or 25 [default: derived from the file].
    #[arg(long, value_name = "N", value_parser = side, conflicts_with = "generate")]
    pub(crate) side: Option<usize>,
    /// Diagonal Sudoku (Sudoku X): each of the two main diagonals also has every number once.
    #[arg(long)]
    pub(crate) diagonal: bool,
    /// Method that enumerates the solutions.
    #[arg(long, value_name = "METHOD", value_enum, default_value_t, conflicts_with_all = ["generate", "hint"])]
    pub(crate) method: Method,
    /// Count all solutions.
    #[arg(long, conflicts_with = "hint")]
    pub(crate) count: bool,
    /// Print the number of ways to complete the clues of a small puzzle as a polynomial in the number k of
    /// symbols, whose value at the side of the grid is the number of solutions.
    #[arg(long, conflicts_with_all = ["hint", "count", "method", "output", "generate", "node_limit"])]
    pub(crate) polynomial: bool,
    /// Show a forced number with the reason, or that the puzzle has no solution or is full.
    #[arg(long)]
    pub(crate) hint: bool,
    /// Write the clues of the puzzle, which must be the only one of the file, as a certificate;
    /// ndq extend takes it.
    #[arg(long, value_name = "FILE")]
    pub(crate) clues: Option<PathBuf>,
    /// Write the solution of the puzzle, which must be the only one of the file, as a certificate; ndq check
    /// and ndq draw take it. Nothing is written unless the puzzle has just one solution.
    #[arg(short, long, value_name = "FILE", conflicts_with_all = ["count", "hint"])]
    pub(crate) output: Option<PathBuf>,
    /// Generate N puzzles instead: each has exactly one solution, and several without any one of its clues.
    #[arg(
        long, value_name = "N", value_parser = whole::<u64>(1..=1_000_000_000),
        conflicts_with_all = ["file", "puzzle", "count", "hint", "clues", "output", "node_limit"]
    )]
    pub(crate) generate: Option<u64>,
    /// The order of the generated puzzles, which is the side of their boxes.
    #[arg(long, value_name = "B", default_value_t = 3, value_parser = whole::<u32>(2..=4), conflicts_with = "file")]
    pub(crate) order: u32,
    /// Seed for the generated puzzles.
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

impl Args {
    /// Returns the conventions that the flags choose.
    pub(super) fn conventions(&self) -> Conventions {
        let symbols = self.symbols.map(|symbols| match symbols {
            SymbolsName::FromZero => Symbols::FromZero,
            SymbolsName::FromOne => Symbols::FromOne,
            SymbolsName::Letters => Symbols::Letters,
        });
        Conventions { symbols, side: self.side }
    }
}

/// Error of a side that no grid has.
#[derive(Debug, thiserror::Error)]
#[error("the side of a grid is 4, 9, 16 or 25")]
pub(crate) struct SideError;

/// Parses the side of a grid.
fn side(text: &str) -> Result<usize, SideError> {
    match text.parse() {
        Ok(side @ (4 | 9 | 16 | 25)) => Ok(side),
        _ => Err(SideError),
    }
}
