//! `ndq colour`

mod all;
mod few;

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::bail;
use clap::{ArgGroup, Args as Group, ValueEnum};
use ndqueens_control::Deadline;
use ndqueens_files as files;
use ndqueens_lab::workflow::few_colours::{self, Asked};
use ndqueens_model::board::Board;
use ndqueens_model::colouring::ColouringProgram;
use ndqueens_model::format::FileFormat;
use ndqueens_model::name::BoardName;
use ndqueens_solver::colouring::operator::Operator;
use serde::Serialize;

use super::Exit;
use crate::args::groups::{Seed, Threads};
use crate::args::values::{board, colours, seconds, whole};
use crate::output::Output;
use crate::progress::Display;

const HELP: &str = "\
Symmetries: h and v are the reflections that reverse rows and columns, hv both, r2 the half turn, r4 the quarter turns. They
            permute the classes of a colouring. Those that no n-colouring of n^2 has are refused, with the reason.";

/// How a colouring is found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(crate) enum Method {
    /// What suits the board.
    #[default]
    Auto,
    /// Closed forms, for n^2.
    Closed,
    /// The complete algorithm, for n^2.
    Cover,
    /// Random partial colourings, each extended exhaustively, for n^2.
    Draw,
    /// DSATUR branch and bound.
    Dsatur,
}

#[derive(Debug, Group)]
#[command(allow_negative_numbers = true, after_help = HELP, group(ArgGroup::new("listing").args(["all", "count"])))]
pub(crate) struct Args {
    /// The board, such as 12^2 or 3^3.
    #[arg(value_parser = board)]
    pub(crate) board: BoardName,
    /// Ask whether K colours are enough, instead of for the fewest.
    #[arg(long, value_name = "K", value_parser = colours)]
    pub(crate) colours: Option<u64>,
    /// Give the first colouring that is found; this is the default.
    #[arg(long, conflicts_with = "listing")]
    pub(crate) first: bool,
    /// Visit all n-colourings of n^2, and list them up to colours.
    #[arg(long)]
    pub(crate) all: bool,
    /// Visit all n-colourings of n^2, and count them: up to colours, up to symmetry, and by their symmetries.
    #[arg(long)]
    pub(crate) count: bool,
    /// Which symmetry the colouring is to have: none (it may have any), h, v, hv, r2, r4, or auto.
    #[arg(long, value_name = "OPERATOR", default_value = "auto")]
    pub(crate) symmetry: String,
    /// How a colouring is found: auto, closed (closed forms), cover (complete, by lists of solutions), draw (random beginnings,
    /// extended exhaustively) or dsatur (branch and bound on any board).
    #[arg(long, value_enum, default_value_t)]
    pub(crate) method: Method,
    /// Leave out the clique filter of the complete algorithm.
    #[arg(long, requires = "listing")]
    pub(crate) no_filter: bool,
    /// Take the layers of this full solution of n^d as classes: the board is n^(d-1).
    #[arg(long, value_name = "FILE", conflicts_with_all = ["listing", "colours", "symmetry", "method", "write"])]
    pub(crate) layers: Option<PathBuf>,
    /// The axis along which the layers are taken, counted from 1.
    #[arg(long, value_name = "K", default_value_t = 1, value_parser = whole::<u16>(1..=u16::MAX.into()), requires = "layers")]
    pub(crate) axis: u16,
    /// The work folder of --all or --count, created if needed; the same command resumes there.
    #[arg(long, value_name = "DIR", requires = "listing")]
    pub(crate) work: Option<PathBuf>,
    /// Write the question, with --colours, as a file for other solvers instead (.lp, .mps, .opb or .cnf).
    #[arg(long, value_name = "FILE", requires = "colours", conflicts_with_all = ["first", "listing", "symmetry", "method", "output"])]
    pub(crate) write: Option<PathBuf>,
    /// Wall-clock limit in seconds [default: none].
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub(crate) time_limit: Option<Duration>,
    #[command(flatten)]
    pub(crate) threads: Threads,
    #[command(flatten)]
    pub(crate) seed: Seed,
    /// Keep the colouring, the first one, in this file.
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}

pub(crate) fn run(args: &Args, display: &mut Display, out: &mut Output) -> anyhow::Result<Exit> {
    let board = Board::new(&args.board);
    args.output.as_deref().map_or(Ok(()), files::writable)?;
    let asked = asked(args, &board)?;
    few_colours::ensure_symmetry(&asked)?;
    if let Some(path) = &args.write {
        return write(args, &board, path, out);
    }
    if args.all || args.count {
        return all::run(args, &asked, display, out);
    }
    few::run(args, &asked, display, out)
}

fn asked<'a>(args: &Args, board: &'a Board) -> anyhow::Result<Asked<'a>> {
    let symmetry = match args.symmetry.as_str() {
        "auto" => None,
        name => Some(name.parse::<Operator>()?),
    };
    Ok(Asked {
        board,
        colours: args.colours,
        // A colouring that may have any symmetry is looked for as well as one can.
        symmetry: symmetry.filter(|&operator| operator != Operator::None),
        method: args.method.into(),
        filter: !args.no_filter,
        threads: args.threads.number() as usize,
        seed: args.seed.seed,
        deadline: Deadline::after(args.time_limit),
    })
}

impl From<Method> for few_colours::Method {
    fn from(method: Method) -> Self {
        match method {
            Method::Auto => Self::Auto,
            Method::Closed => Self::Closed,
            Method::Cover => Self::Cover,
            Method::Draw => Self::Draw,
            Method::Dsatur => Self::Dsatur,
        }
    }
}

#[derive(Serialize)]
struct Written {
    board: String,
    colours: u64,
    file: String,
    #[serde(flatten)]
    contents: ndqueens_model::format::Contents,
}

fn write(args: &Args, board: &Board, path: &Path, out: &mut Output) -> anyhow::Result<Exit> {
    let colours = args.colours.unwrap_or_default();
    let FileFormat::Program(format) = FileFormat::of_path(path)? else {
        bail!("{} would hold a graph; ndq model writes it", path.display());
    };
    let extent = board.lines_extent();
    let entries = (extent.nonzeros + board.size() as u128).saturating_mul(u128::from(colours));
    super::refuse_if_too_large(board, "its programme", u64::try_from(entries * 24).unwrap_or(u64::MAX))?;
    let program = ColouringProgram::new(board, colours as usize);
    let contents = files::write(path, |file| format.write(&program, file))?;
    let text = format!("{}: {contents}: is {} coloured in {colours} colours?", path.display(), board.name());
    let written =
        Written { board: board.name().to_string(), colours, file: path.display().to_string(), contents };
    out.result(&written, &text)?;
    Ok(Exit::Yes)
}
