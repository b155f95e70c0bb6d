//! `ndq prove`

mod args;
pub(crate) mod estimate;
pub(crate) mod join;
mod maximum;
mod outputs;
mod question;
pub(crate) mod run;
pub(crate) mod split;
mod status;
mod text;

use std::time::Duration;

use clap::{Args as Group, Subcommand};

pub(super) use self::text::write_rest;
use super::Exit;
use crate::args::groups::Verbosity;
use crate::output::Output;
use crate::progress::Display;

const EXAMPLES: &str = "\
Try:  ndq prove 6^3                                 a maximum, with a certificate and a proof that is checked
      ndq prove 6^3 --proof 6.proof.gz -o best.txt  the same, and archive proof and certificate
      ndq prove split 7^3 --at-least 33 -o parts    the same question in parts, for many machines or sessions";

#[derive(Debug, Group)]
#[command(
    after_help = EXAMPLES,
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
    /// Split the question whether K queens fit into parts, for many machines or sessions.
    Split(split::Args),
    /// Run one part of a split, or all that are missing.
    Run(run::Args),
    /// Report which parts of a split are done.
    Status(status::Args),
    /// Join the parts of a split into one proof, and check it.
    Join(join::Args),
}

impl Args {
    /// The wall-clock limit that was given.
    pub(crate) fn time_limit(&self) -> Option<Duration> {
        match &self.part {
            None => self.maximum.solver.time_limit,
            Some(Part::Estimate(estimate)) => estimate.bounding.time_limit,
            Some(Part::Split(split)) => split.bounding.time_limit,
            Some(Part::Run(run)) => run.time_limit,
            Some(Part::Status(_) | Part::Join(_)) => None,
        }
    }
}

pub(crate) fn run(args: &Args, verbosity: Verbosity, out: &mut Output) -> anyhow::Result<Exit> {
    let display = &mut Display::new(verbosity, args.time_limit());
    match &args.part {
        None => maximum::run(&args.maximum, display, out),
        Some(Part::Estimate(estimate)) => estimate::run(estimate, display, out),
        Some(Part::Split(split)) => split::run(split, display, out),
        Some(Part::Run(run)) => run::run(run, display, out),
        Some(Part::Status(status)) => status::run(status, out),
        Some(Part::Join(join)) => join::run(join, out),
    }
}
