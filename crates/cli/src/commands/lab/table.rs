//! The command `ndq lab table`.

use std::path::PathBuf;

use anyhow::Context as _;
use clap::ValueEnum;
use ndqueens_experiments::table::{self, Format, Layout};
use ndqueens_system::file;

use super::folder::{Clock, evaluation, report_conflicts};
use crate::args::groups;
use crate::commands::Exit;
use crate::output::Output;

#[derive(Debug, clap::Args)]
#[command(after_help = include_str!("table.txt"))]
pub(crate) struct Args {
    /// The folder.
    pub(crate) folder: PathBuf,
    /// The layout of the table.
    #[arg(long, value_enum, default_value_t = Holds::Comparison)]
    pub(crate) layout: Holds,
    /// The format of the table [default: markdown; csv for the raw rows].
    #[arg(long, value_enum)]
    pub(crate) format: Option<groups::Format>,
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

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Holds {
    /// A table for every configuration, a row for every board: mean, minimum, maximum of time, simplex
    /// iterations and nodes.
    Kunt,
    /// All configurations side by side, the fastest marked, with a summary.
    Comparison,
    /// A row for every run.
    Raw,
}

pub(super) fn run(args: &Args, out: &mut Output) -> anyhow::Result<Exit> {
    let layout = match args.layout {
        Holds::Kunt => Layout::Kunt,
        Holds::Comparison => Layout::Comparison,
        Holds::Raw => Layout::Raw,
    };
    let format = match args.format {
        Some(groups::Format::Csv) => Format::Csv,
        Some(groups::Format::Markdown) => Format::Markdown,
        Some(groups::Format::Latex) => Format::Latex,
        None if layout == Layout::Raw => Format::Csv,
        None => Format::Markdown,
    };
    let evaluation = evaluation(&args.folder, args.time, args.reference.as_deref())?;
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
