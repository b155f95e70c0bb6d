//! `ndq cliquer`, as typed.

use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args as Group, Subcommand, ValueEnum};
use ndqueens_cliquer::generate::Symmetry;

use crate::args::groups::Solver;
use crate::args::values::{range, seconds, whole};

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

Try:  ndq cliquer board 7 --hull 4 --seed 1 -o board.txt
      ndq cliquer play board.txt
      ndq cliquer value board.txt
      ndq cliquer extremes board.txt";

#[derive(Debug, Subcommand)]
#[command(after_help = CLIQUER)]
pub(crate) enum Args {
    /// Make a board with chosen properties.
    Board(CliquerBoard),
    /// Check a board, and the moves made on it, and tell what they are.
    Check(CliquerFile),
    /// Play a game, against the program or another human, or watch the program play.
    Play(CliquerPlay),
    /// Find by how much the better side wins when both play best, and the best moves.
    Value(CliquerValue),
    /// Find the largest and the smallest total score of finished games.
    Extremes(CliquerExtremes),
    /// Draw a board, and the moves made on it, as SVG.
    Draw(CliquerDraw),
    /// Measure how deep boards are: who wins, by how much, and how much moves matter.
    Table(CliquerTable),
}

#[derive(Debug, Group)]
pub(crate) struct CliquerFile {
    /// The file of a board, perhaps with moves.
    pub(crate) file: PathBuf,
}

const BOARD: &str = "\
SYMMETRY:
  any      as it comes
  none     no symmetry at all, as the game sees it
  mirror   a vertical axis
  turn:K   a turn by a K-th of the circle; where it is no half or quarter turn, coordinates are rounded, and the order of
           the dots round each other is checked to be symmetric";

#[derive(Debug, Group)]
#[command(allow_negative_numbers = true, after_help = BOARD)]
pub(crate) struct CliquerBoard {
    /// The number of dots.
    pub(crate) dots: usize,
    /// How many dots are on the convex hull.
    #[arg(long, value_name = "H")]
    pub(crate) hull: Option<usize>,
    /// How many sets of four dots can be joined completely: those with one dot inside the triangle of the others.
    #[arg(long, value_name = "Q")]
    pub(crate) cliques: Option<usize>,
    /// Which symmetry the board has.
    #[arg(long, value_name = "SYMMETRY", default_value = "any")]
    pub(crate) symmetry: Symmetry,
    /// Coordinates are from 0 to this [default: 100, and with more than ten dots the square of their number].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(i64).range(2..=1_000_000))]
    pub(crate) size: Option<i64>,
    /// The least height of a triangle of three dots, so that none seem to be on a line [default: the size by four times the
    /// number of dots; with more than ten dots by two fifths of its square].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(i64).range(0..=1_000_000))]
    pub(crate) clearance: Option<i64>,
    /// Boards that are tried before the search gives up.
    #[arg(long, value_name = "N", default_value_t = 1_000_000, value_parser = whole(0..=u64::MAX))]
    pub(crate) tries: u64,
    /// Seed for random choices.
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = whole(0..=u64::MAX))]
    pub(crate) seed: u64,
    /// Write the board to this file.
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}

const PLAY: &str = "\
A move is two dots, such as A-B or ab. Instead of a move, a human may type
  help, board, moves, hint, undo, resign or quit.

Moves may come through a pipe, one a line, and lines that begin with # are remarks; there a move that is not allowed ends
the command with exit code 2. When the input ends before the game, the exit code is 3.

Try:  ndq cliquer play board.txt --second human
      ndq cliquer play board.txt --first program --seed 7 -o game.txt
      printf 'A-B\\nundo\\nA-C\\nresign\\n' | ndq cliquer play board.txt";

#[derive(Debug, Group)]
#[command(allow_negative_numbers = true, after_help = PLAY)]
pub(crate) struct CliquerPlay {
    /// The file of a board; the game goes on after the moves in it.
    pub(crate) file: PathBuf,
    /// Who moves first.
    #[arg(long, value_enum, default_value_t = Side::Human)]
    pub(crate) first: Side,
    /// Who moves second.
    #[arg(long, value_enum, default_value_t = Side::Program)]
    pub(crate) second: Side,
    /// Positions that the program looks at for a move; when they are not enough for the exact value, it looks two moves ahead.
    #[arg(long, value_name = "N", default_value_t = 300_000, value_parser = whole(0..=u64::MAX))]
    pub(crate) nodes: u64,
    /// Seed for the choice among moves that are equally good to the program.
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = whole(0..=u64::MAX))]
    pub(crate) seed: u64,
    /// Write the board with the moves to this file when the game ends or is left.
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}

/// Who plays.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Side {
    /// Moves come from standard input.
    Human,
    /// The program chooses.
    Program,
}

#[derive(Debug, Group)]
#[command(allow_negative_numbers = true)]
pub(crate) struct CliquerValue {
    /// The file of a board of up to 11 dots; what is asked for is the value after the moves in it.
    pub(crate) file: PathBuf,
    /// Wall-clock limit in seconds.
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub(crate) time_limit: Option<Duration>,
    /// Limit on positions looked at; then bounds are told.
    #[arg(long, value_name = "N", value_parser = whole(0..=u64::MAX))]
    pub(crate) node_limit: Option<u64>,
}

#[derive(Debug, Group)]
#[command(allow_negative_numbers = true)]
pub(crate) struct CliquerExtremes {
    /// The file of a board; the games looked at are those that begin with the moves in it.
    pub(crate) file: PathBuf,
    /// The integer programme with HiGHS, where no theorem settles the total, or a visit of all triangulations, for up to 16 dots.
    #[arg(long, value_enum, default_value_t = ExtremesMethod::Highs)]
    pub(crate) method: ExtremesMethod,
    /// Which of the two.
    #[arg(long, value_enum, default_value_t = Extremes::Both)]
    pub(crate) side: Extremes,
    /// Write a game with the extreme total to this file; needs --side largest or smallest.
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Write the integer programme to this file (.lp, .mps or .opb) instead of solving it; needs --side likewise.
    #[arg(long, value_name = "FILE", conflicts_with = "output")]
    pub(crate) model: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) solver: Solver,
}

/// How extremes are found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ExtremesMethod {
    /// The integer programme, with HiGHS, in floating point.
    Highs,
    /// All triangulations, each from another by a flip.
    Flips,
}

/// Which extremes are wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Extremes {
    /// The largest total and the smallest.
    Both,
    /// The largest total.
    Largest,
    /// The smallest total.
    Smallest,
}

#[derive(Debug, Group)]
pub(crate) struct CliquerDraw {
    /// The file of a board, perhaps with moves.
    pub(crate) file: PathBuf,
    /// The title; the name of the file when absent.
    #[arg(long, value_name = "TEXT")]
    pub(crate) title: Option<String>,
    /// The SVG file.
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: PathBuf,
}

/// The numbers of dots that tables may have.
const TABLE_DOTS: RangeInclusive<usize> = 3..=10;

#[derive(Debug, Group)]
#[command(allow_negative_numbers = true)]
pub(crate) struct CliquerTable {
    /// The numbers of dots.
    #[arg(long, value_name = "N..N", default_value = "5..7", value_parser = |text: &str| range(text, &TABLE_DOTS))]
    pub(crate) dots: RangeInclusive<usize>,
    /// Boards for each number of dots and each number of them on the hull.
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = whole(1..=1_000_000))]
    pub(crate) boards: u64,
    /// Games of best play on each board, in which positions are counted.
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub(crate) games: usize,
    /// Seed of the first board; the others follow.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = whole(0..=u64::MAX))]
    pub(crate) seed: u64,
    /// Write a row for each board to this CSV file.
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Print what the columns of the CSV file mean instead, as CSV.
    #[arg(long, conflicts_with = "output")]
    pub(crate) columns: bool,
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
