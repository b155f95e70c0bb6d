//! The command `ndq dots extremes`.

mod found;

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::bail;
use clap::ValueEnum;
use ndqueens_cliquer::board::Board;
use ndqueens_cliquer::extremes::{Extreme, ExtremeKind, Model, extreme};
use ndqueens_cliquer::scoring::Scoring;
use ndqueens_cliquer::text;
use ndqueens_cliquer::triangulation::census;
use ndqueens_model::format::{Contents, FileFormat, Format};
use ndqueens_solver::backends::Progress;
use ndqueens_system::cancel::StopReason;
use ndqueens_system::file;
use ndqueens_workflow::run::Event;
use schemars::JsonSchema;
use serde::Serialize;

use self::found::Found;
use super::board_file;
use super::watch::Watch;
use crate::args::groups::Solver;
use crate::commands::Exit;
use crate::interrupt;
use crate::output::Output;
use crate::progress::Display;
use crate::schema::printed;

#[derive(Debug, clap::Args)]
#[command(after_help = include_str!("../extremes.txt"), allow_negative_numbers = true)]
#[command(mut_arg("threads", |arg| arg.help("Threads; the run of HiGHS depends on their number [default: 1]")))]
#[command(mut_arg("node_limit", |arg| arg.help("Limit on branch-and-bound nodes, or triangulations visited")))]
pub(crate) struct Args {
    /// The file of a board; only games that begin with the moves in it are considered.
    pub(crate) file: PathBuf,
    /// Rules instead of those of the file, such as 2=1,3=3,4=5: the points of cliques of 2, 3 and 4 dots.
    #[arg(long, value_name = "RULES")]
    pub(crate) rules: Option<Scoring>,
    /// The integer program with HiGHS, where no theorem settles the total, or a visit of all triangulations,
    /// for up to 16 dots.
    #[arg(long, value_enum, default_value_t = Method::Highs)]
    pub(crate) method: Method,
    /// The totals to find.
    #[arg(long, value_enum, default_value_t = Sides::Both)]
    pub(crate) side: Sides,
    /// Write a game with the extreme total to this file; needs --side largest or smallest.
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Write the integer program to this file (.lp, .mps, .opb or .mtx) instead of solving it;
    /// needs --side likewise.
    #[arg(long, value_name = "FILE", conflicts_with = "output")]
    pub(crate) model: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) solver: Solver,
}

/// Method of finding extremes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Method {
    /// The integer program, with HiGHS, in floating point.
    Highs,
    /// All triangulations, each from another by a flip.
    Flips,
}

/// Totals to find.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Sides {
    /// The largest total and the smallest.
    Both,
    /// The largest total.
    Largest,
    /// The smallest total.
    Smallest,
}

impl Sides {
    fn sides(self) -> &'static [ExtremeKind] {
        match self {
            Self::Both => &[ExtremeKind::Largest, ExtremeKind::Smallest],
            Self::Largest => &[ExtremeKind::Largest],
            Self::Smallest => &[ExtremeKind::Smallest],
        }
    }
}

pub(super) fn run(args: &Args, display: &mut Display, out: &mut Output) -> anyhow::Result<Exit> {
    let (board, drawn) = board_file::read_with(&args.file, args.rules)?;
    let sides = args.side.sides();
    if (args.output.is_some() || args.model.is_some()) && sides.len() > 1 {
        bail!("-o and --model write what belongs to one side: --side largest or --side smallest is needed");
    }
    if args.model.is_some() && args.method == Method::Flips {
        bail!("--model writes the integer program, which is for --method highs");
    }
    if let Some(path) = &args.model {
        return write_model(args, path, &board, &drawn, sides[0], out);
    }
    if let (Method::Flips, Some(flag)) = (args.method, args.solver.first_flag(false)) {
        bail!("{flag} is for --method highs");
    }
    args.output.as_deref().map_or(Ok(()), file::writable)?;
    args.solver.highs.make_ready(&[("-o", args.output.as_deref())]).map_err(anyhow::Error::msg)?;
    let found = match args.method {
        Method::Highs => solve(args, &board, &drawn, display)?,
        Method::Flips => visit(args, &board, &drawn, display)?,
    };
    let mut exit = Exit::Yes;
    for found in &found {
        if !found.is_extreme {
            exit = Exit::Stopped;
        }
        let mut text = found.text()?;
        if let (Some(path), Some(moves)) = (&args.output, &found.moves) {
            let remark = format!("a game with the total score {}", found.total.unwrap_or_default());
            let written = text::write(&board, moves, &[remark]);
            file::write(path, |out| out.write_all(written.as_bytes()))?;
            writeln!(text, "  saved   {}", path.display())?;
        }
        out.result(found, &text)?;
    }
    Ok(exit)
}

#[derive(JsonSchema, Serialize)]
struct Written {
    file: String,
    model: String,
    side: String,
    #[serde(flatten)]
    contents: Contents,
}

printed!(Written: "dots extremes");

fn write_model(
    args: &Args,
    path: &Path,
    board: &Board,
    drawn: &[usize],
    side: ExtremeKind,
    out: &mut Output,
) -> anyhow::Result<Exit> {
    let model = Model::new(board, side, drawn);
    let format = match FileFormat::of_path(path) {
        Ok(FileFormat::Program(format)) if format != Format::Cnf => format,
        _ => bail!("{}: the program is written as .lp, .mps, .opb or .mtx", path.display()),
    };
    let contents = file::write(path, |file| format.write(&model, file))?;
    let model = path.display().to_string();
    let text = format!("{model}: {contents}");
    let file = args.file.display().to_string();
    out.result(&Written { file, model, side: side.to_string(), contents }, &text)?;
    Ok(Exit::Yes)
}

/// Computes each requested extreme by integer programming.
fn solve(args: &Args, board: &Board, drawn: &[usize], display: &mut Display) -> anyhow::Result<Vec<Found>> {
    let mut all = Vec::new();
    for &side in args.side.sides() {
        let monitor = &mut |progress: &Progress| display.show(&Event::Progress(*progress));
        let begin = Instant::now();
        let extreme = extreme(board, side, drawn, &args.solver.options(), monitor)?;
        let run = extreme.run.as_ref();
        all.push(Found {
            shown_by: format!("{}; game checked", extreme.justification(board, side)),
            nodes: run.and_then(|run| run.nodes),
            stop: run.map_or(StopReason::Finished, |run| run.stop).to_string(),
            seconds: begin.elapsed().as_secs_f64(),
            ..Found::of(&args.file, board, side, drawn, Some(&extreme))
        });
        if interrupt::is_requested() {
            break;
        }
    }
    Ok(all)
}

/// Computes each requested extreme by enumerating all triangulations.
fn visit(args: &Args, board: &Board, drawn: &[usize], display: &mut Display) -> anyhow::Result<Vec<Found>> {
    let mut watch = Watch::new(args.solver.time_limit, args.solver.node_limit, display);
    let census = census(board, drawn, &mut |met| watch.go_on(met as u64))?;
    let mut all = Vec::new();
    for &side in args.side.sides() {
        let extreme = census.as_ref().map(|census| Extreme::from_census(board, side, census)).transpose()?;
        all.push(Found {
            shown_by: "all triangulations visited; game checked".to_owned(),
            triangulations: census.as_ref().map(|census| census.triangulations),
            stop: watch.stop_reason().to_string(),
            seconds: watch.seconds(),
            ..Found::of(&args.file, board, side, drawn, extreme.as_ref())
        });
    }
    Ok(all)
}
