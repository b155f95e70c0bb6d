//! The command `ndq colour`.

mod all;
mod args;
mod batch;
mod few;
pub(crate) mod join;
mod polynomial;
pub(crate) mod run;
pub(crate) mod split;
pub(crate) mod status;

use std::path::Path;
use std::time::Duration;

use anyhow::{Context as _, anyhow, bail};
use clap::Subcommand;
use ndqueens_model::board::Board;
use ndqueens_model::colouring::ColouringProgram;
use ndqueens_model::format::FileFormat;
use ndqueens_notation::counted::counted;
use ndqueens_solver::colouring::operator::Operator;
use ndqueens_system::cancel::Deadline;
use ndqueens_system::file;
use ndqueens_workflow::colour::few_colours::{self, ColourRequest};
use schemars::JsonSchema;
use serde::Serialize;

use self::args::Colours;
use super::Exit;
use crate::args::groups::Limited;
use crate::output::Output;
use crate::progress::Display;
use crate::schema::printed;

#[derive(Debug, clap::Args)]
#[command(
    after_help = include_str!("help.txt"),
    allow_negative_numbers = true,
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true,
    override_usage = "ndq colour [OPTIONS] <BOARD>\n       ndq colour <COMMAND>"
)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) part: Option<Part>,
    #[command(flatten)]
    pub(crate) colours: Colours,
}

/// All n-colourings of n^2 in parts.
#[derive(Debug, Subcommand)]
pub(crate) enum Part {
    /// Split the search for all n-colourings of n^2 into parts, for many machines or sessions.
    Split(split::Args),
    /// Run one part of a split, or all that are missing.
    Run(run::Args),
    /// Report which parts of a split are done.
    Status(status::Args),
    /// Write a job script for Slurm that runs the parts of a split.
    Batch(batch::Args),
    /// Join the parts of a split: the number of colourings, each of them checked.
    Join(join::Args),
}

impl Limited for Args {
    fn time_limit(&self) -> Option<Duration> {
        match &self.part {
            None => self.colours.limit.time_limit,
            Some(Part::Split(split)) => split.limit.time_limit,
            Some(Part::Run(run)) => run.runner.time_limit(),
            Some(Part::Join(join)) => join.limit.time_limit,
            Some(Part::Status(_) | Part::Batch(_)) => None,
        }
    }
}

pub(crate) fn run(args: &Args, display: &mut Display, out: &mut Output) -> anyhow::Result<Exit> {
    match &args.part {
        None => colour(&args.colours, display, out),
        Some(Part::Split(split)) => split::run(split, display, out),
        Some(Part::Run(run)) => run::run(run, display, out),
        Some(Part::Status(status)) => status::run(status, out),
        Some(Part::Batch(batch)) => batch::run(batch, out),
        Some(Part::Join(join)) => join::run(join, display, out),
    }
}

fn colour(args: &Colours, display: &mut Display, out: &mut Output) -> anyhow::Result<Exit> {
    let name = args.board.as_ref().context("a board is required")?;
    let board = Board::new(name);
    display.work_on(format!("colourings of {name}"));
    args.output.as_deref().map_or(Ok(()), file::writable)?;
    if args.polynomial {
        return polynomial::run(args, &board, display, out);
    }
    args.refuse_ignored(few_colours::side(name).is_some())?;
    let request = request(args, &board)?;
    few_colours::ensure_symmetry(&request)?;
    if let Some(path) = &args.write {
        return write(args, &board, path, out);
    }
    if args.all || args.count {
        return all::run(args, &request, display, out);
    }
    few::run(args, &request, display, out)
}

fn request<'a>(args: &Colours, board: &'a Board) -> anyhow::Result<ColourRequest<'a>> {
    let symmetry = match args.symmetry.as_str() {
        "auto" => None,
        name => Some(name.parse::<Operator>().map_err(|error| anyhow!("{error}, or auto"))?),
    };
    Ok(ColourRequest {
        board,
        colours: args.colours,
        symmetry,
        method: args.method,
        filter: !args.no_filter,
        threads: args.threads.number() as usize,
        seed: args.seed.seed,
        deadline: Deadline::after(args.limit.time_limit),
    })
}

#[derive(JsonSchema, Serialize)]
struct Written {
    board: String,
    colours: u64,
    file: String,
    #[serde(flatten)]
    contents: ndqueens_model::format::Contents,
}

printed!(Written: "colour");

fn write(args: &Colours, board: &Board, path: &Path, out: &mut Output) -> anyhow::Result<Exit> {
    let colours = args.colours.unwrap_or_default();
    let Ok(FileFormat::Program(format)) = FileFormat::of_path(path) else {
        bail!("{}: the question is written as .lp, .mps, .opb, .cnf or .mtx", path.display());
    };
    let extent = board.lines_extent();
    let entries = (extent.nonzeros + board.size() as u128).saturating_mul(u128::from(colours));
    super::refuse_if_too_large(board, "its program", u64::try_from(entries * 24).unwrap_or(u64::MAX))?;
    let program = ColouringProgram::new(board, colours as usize);
    let contents = file::write(path, |file| format.write(&program, file))?;
    let text = format!(
        "{}: {contents}: is {} coloured in {}?",
        path.display(),
        board.name(),
        counted(colours, "colour")
    );
    let written =
        Written { board: board.name().to_string(), colours, file: path.display().to_string(), contents };
    out.result(&written, &text)?;
    Ok(Exit::Yes)
}
