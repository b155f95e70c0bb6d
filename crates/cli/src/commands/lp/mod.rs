//! `ndq lp`

mod certify;
mod relax;
mod relaxed;

use std::time::Duration;

use clap::Subcommand;

use super::Exit;
use crate::args::groups::Verbosity;
use crate::output::Output;
use crate::progress::Display;

#[derive(Debug, Subcommand)]
pub(crate) enum Args {
    /// Solve the LP relaxations of formulations and show their bounds side by side (floating point).
    Relax(relax::Args),
    /// Bound the queens on a box from above by the orbit LP, with a certificate in exact fractions.
    Certify(certify::Args),
}

impl Args {
    /// The wall-clock limit that was given.
    pub(crate) fn time_limit(&self) -> Option<Duration> {
        match self {
            Self::Relax(relax) => relax.solver.time_limit,
            Self::Certify(certify) => certify.solver.time_limit,
        }
    }
}

pub(crate) fn run(args: &Args, verbosity: Verbosity, out: &mut Output) -> anyhow::Result<Exit> {
    let display = &mut Display::new(verbosity, args.time_limit());
    match args {
        Args::Relax(relax) => relax::run(relax, display, out),
        Args::Certify(certify) => certify::run(certify, display, out),
    }
}
