//! The command `ndq lab table`.

use std::path::PathBuf;

use anyhow::{Context as _, bail};
use ndqueens_experiments::definition::Clock;
use ndqueens_experiments::evaluation::{Evaluation, Run};
use ndqueens_experiments::table::{self, Format, Layout};
use ndqueens_system::file;

use super::folder::{evaluation, report_conflicts};
use crate::commands::Exit;
use crate::output::Output;

#[derive(Debug, clap::Args)]
#[command(after_help = include_str!("table.txt"))]
pub(crate) struct Args {
    /// The folder.
    pub(crate) folder: PathBuf,
    /// The layout of the table [default: comparison; relaxations if all runs are LP relaxations].
    #[arg(long, value_enum)]
    pub(crate) layout: Option<Layout>,
    /// The format of the table [default: markdown; csv for the raw rows].
    #[arg(long, value_enum)]
    pub(crate) format: Option<Format>,
    /// The clock of the seconds that are shown [default: the one that the experiment file names].
    #[arg(long, value_enum)]
    pub(crate) time: Option<Clock>,
    /// The configuration that speed-ups are relative to, such as "base" or "cube, k+1" [default: the one that
    /// the experiment file names, else its first].
    #[arg(long, value_name = "CONFIGURATION")]
    pub(crate) reference: Option<String>,
    /// Print the meaning of the columns of the CSV tables instead.
    #[arg(long)]
    pub(crate) columns: bool,
    /// Write the table to this file.
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}

pub(super) fn run(args: &Args, out: &mut Output) -> anyhow::Result<Exit> {
    let evaluation = evaluation(&args.folder, args.time, args.reference.as_deref(), out.notes())?;
    let layout = layout(args.layout, &evaluation)?;
    let usual = if layout == Layout::Raw { Format::Csv } else { Format::Markdown };
    let format = args.format.unwrap_or(usual);
    if out.json() && !args.columns {
        for object in table::data(&evaluation, layout).objects() {
            out.result(&object, "")?;
        }
        return Ok(report_conflicts(&evaluation.conflicts));
    }
    let text = if args.columns { Some(table::columns()) } else { table::text(&evaluation, layout, format) };
    let text = text.context("the raw rows are data: --format csv, or --json")?;
    match &args.output {
        Some(path) => file::write(path, |out| out.write_all(text.as_bytes()))?,
        None => out.result(&text, &text)?,
    }
    Ok(report_conflicts(&evaluation.conflicts))
}

/// Returns the requested layout, or the usual one of the runs.
fn layout(asked: Option<Layout>, evaluation: &Evaluation) -> anyhow::Result<Layout> {
    let mut runs = evaluation.runs.iter();
    let is_relaxation = |run: &Run| run.row.planned.is_relaxation();
    match asked {
        Some(Layout::Relaxations) if !runs.any(is_relaxation) => {
            bail!("no run is an LP relaxation: --layout relaxations shows runs of the backend relaxation")
        }
        Some(layout) => Ok(layout),
        None if !evaluation.runs.is_empty() && runs.all(is_relaxation) => Ok(Layout::Relaxations),
        None => Ok(Layout::Comparison),
    }
}
