//! The command `ndq lp`.

mod bounded;
mod certify;
pub(super) mod comparison;
mod cuts;
mod gap;
pub(super) mod optimum;
mod relax;
pub(super) mod relaxed;

use std::time::Duration;

use clap::Subcommand;
use ndqueens_archive::archive::Archive;

use super::Exit;
use crate::args::groups::Limited;
use crate::output::Output;
use crate::progress::Display;

#[derive(Debug, Subcommand)]
#[command(after_help = include_str!("help.txt"))]
pub(crate) enum Args {
    /// Solve the LP relaxations of formulations and show their bounds side by side (floating point).
    Relax(relax::Args),
    /// Bound the queens on a box from above by the orbit LP, with a certificate in exact fractions.
    Certify(certify::Args),
}

impl Limited for Args {
    fn time_limit(&self) -> Option<Duration> {
        match self {
            Self::Relax(relax) => relax.solver.limit.time_limit,
            Self::Certify(certify) => certify.solver.limit.time_limit,
        }
    }
}

pub(crate) fn run(
    args: &Args,
    archive: &Archive,
    display: &mut Display,
    out: &mut Output,
) -> anyhow::Result<Exit> {
    match args {
        Args::Relax(relax) => relax::run(relax, archive, display, out),
        Args::Certify(certify) => certify::run(certify, archive, display, out),
    }
}
