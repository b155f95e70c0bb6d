//! `ndq table`

mod bounds;
mod boxes;
pub(crate) mod columns;
mod published;

use std::time::Duration;

use clap::Subcommand;

use self::bounds::Boards;
use super::Exit;
use crate::args::groups::Verbosity;
use crate::output::Output;
use crate::progress::Display;

#[derive(Debug, Subcommand)]
pub(crate) enum Args {
    /// Bounds on |Qmax(n,d)| by all that is known here, with their status.
    Bounds(bounds::Args),
    /// The settled maxima |Qmax(n,d)|, with what settles each.
    Maxima(bounds::Args),
    /// The open cases: their bounds, what was tried, what to run next.
    Open(bounds::Args),
    /// The bounds that no publication has, with the command that checks each.
    New(bounds::Args),
    /// Bounds of all sub-boxes of a box, as CSV.
    Boxes(boxes::Args),
    /// The data dictionary: the columns of all tables; a Data Package of a folder.
    Columns(columns::Args),
    /// Published values: data to compare with, not proofs.
    Published,
}

impl Args {
    /// The wall-clock limit that was given.
    pub(crate) fn time_limit(&self) -> Option<Duration> {
        match self {
            Self::Boxes(boxes) => boxes.bounding.time_limit,
            Self::Bounds(_)
            | Self::Maxima(_)
            | Self::Open(_)
            | Self::New(_)
            | Self::Columns(_)
            | Self::Published => None,
        }
    }
}

pub(crate) fn run(args: &Args, verbosity: Verbosity, out: &mut Output) -> anyhow::Result<Exit> {
    match args {
        Args::Bounds(bounds) => bounds::run(bounds, Boards::All, out),
        Args::Maxima(maxima) => bounds::run(maxima, Boards::Settled, out),
        Args::Open(open) => bounds::run(open, Boards::Open, out),
        Args::New(new) => bounds::run(new, Boards::New, out),
        Args::Boxes(boxes) => boxes::run(boxes, &mut Display::new(verbosity, args.time_limit()), out),
        Args::Columns(columns) => columns::run(columns, out),
        Args::Published => published::run(out),
    }
}
