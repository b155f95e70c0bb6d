//! The command `ndq prove`.

mod args;
mod batch;
pub(crate) mod estimate;
pub(crate) mod join;
mod maximum;
mod other;
mod outputs;
mod question;
pub(crate) mod run;
pub(crate) mod split;
pub(crate) mod status;
mod text;

use std::time::Duration;

use clap::Subcommand;
use ndqueens_archive::archive::Archive;

pub(super) use self::text::{write_drawn, write_effort};
use super::Exit;
use crate::args::groups::Limited;
use crate::output::Output;
use crate::progress::Display;

#[derive(Debug, clap::Args)]
#[command(
    after_help = include_str!("help.txt"),
    allow_negative_numbers = true,
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true,
    override_usage = "ndq prove [OPTIONS] <BOARD>\n       ndq prove <COMMAND>"
)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) part: Option<Part>,
    #[command(flatten)]
    pub(crate) maximum: args::Maximum,
}

/// A proof in parts.
#[derive(Debug, Subcommand)]
pub(crate) enum Part {
    /// Estimate the time for a proof that K queens do not fit.
    Estimate(estimate::Args),
    /// Split the decision whether K queens fit into parts, for many machines or sessions.
    Split(split::Args),
    /// Run one part of a split, or all that are missing.
    Run(run::Args),
    /// Report which parts of a split are done.
    Status(status::Args),
    /// Write a job script for Slurm that runs the parts of a split.
    Batch(batch::Args),
    /// Join the parts of a split into one proof, and check it.
    Join(join::Args),
}

impl Limited for Args {
    fn time_limit(&self) -> Option<Duration> {
        match &self.part {
            None => self.maximum.solver.time_limit,
            Some(Part::Estimate(estimate)) => estimate.bounding.limit.time_limit,
            Some(Part::Split(split)) => split.bounding.limit.time_limit,
            Some(Part::Run(run)) => run.runner.time_limit(),
            Some(Part::Join(join)) => join.limit.time_limit,
            Some(Part::Status(_) | Part::Batch(_)) => None,
        }
    }
}

pub(crate) fn run(
    args: &Args,
    archive: &Archive,
    display: &mut Display,
    out: &mut Output,
) -> anyhow::Result<Exit> {
    match &args.part {
        None => maximum::run(&args.maximum, archive, display, out),
        Some(Part::Estimate(estimate)) => estimate::run(estimate, display, out),
        Some(Part::Split(split)) => split::run(split, display, out),
        Some(Part::Run(run)) => run::run(run, display, out),
        Some(Part::Status(status)) => status::run(status, out),
        Some(Part::Batch(batch)) => batch::run(batch, out),
        Some(Part::Join(join)) => join::run(join, out),
    }
}
