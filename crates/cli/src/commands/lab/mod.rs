//! The command `ndq lab`.

mod batch;
mod child;
mod compare;
mod folder;
mod plan;
mod plot;
mod report;
mod run;
mod status;
mod table;
mod view;

use std::time::Duration;

use clap::Subcommand;
use ndqueens_archive::archive::Archive;

use super::Exit;
use crate::args::groups::Limited;
use crate::output::Output;
use crate::progress::Verbosity;

#[derive(Debug, Subcommand)]
#[command(after_help = include_str!("help.txt"))]
pub(crate) enum Args {
    /// List the runs of an experiment file, each with its id.
    Plan(plan::Args),
    /// Execute the missing runs of a folder, each in its own process. An experiment file may name commands as
    /// backends, which then run as you: see --allow-commands.
    Run(run::Args),
    /// Report which runs of a folder are done, and which are running.
    Status(status::Args),
    /// Write a job script for Slurm that executes the runs of an experiment file.
    Batch(batch::Args),
    /// Print a table of a folder that ndq lab run has filled.
    Table(table::Args),
    /// Draw a folder that ndq lab run has filled: performance profile, time against n, bounds over time.
    Plot(plot::Args),
    /// Write an HTML page on a folder that ndq lab run has filled: verdicts, tables, plots and runs in one
    /// file.
    Report(report::Args),
    /// Test whether two folders, or the configurations in one, differ significantly.
    Compare(compare::Args),
    /// Execute a run that is read from standard input; ndq lab run starts this command.
    #[command(hide = true)]
    Child,
}

impl Limited for Args {
    fn time_limit(&self) -> Option<Duration> {
        match self {
            Self::Run(run) => run.time_limit.or(run.sharing.work_time),
            Self::Plan(_)
            | Self::Status(_)
            | Self::Batch(_)
            | Self::Table(_)
            | Self::Plot(_)
            | Self::Report(_)
            | Self::Compare(_)
            | Self::Child => None,
        }
    }
}

pub(crate) fn run(
    args: &Args,
    archive: &Archive,
    verbosity: Verbosity,
    out: &mut Output,
) -> anyhow::Result<Exit> {
    match args {
        Args::Plan(args) => plan::run(args, out),
        Args::Run(args) => run::run(args, archive, verbosity, out),
        Args::Status(args) => status::run(args, out),
        Args::Batch(args) => batch::run(args, out),
        Args::Table(args) => table::run(args, out),
        Args::Plot(args) => plot::run(args, out),
        Args::Report(args) => report::run(args, out),
        Args::Compare(args) => compare::run(args, out),
        Args::Child => child::answer(archive),
    }
}
