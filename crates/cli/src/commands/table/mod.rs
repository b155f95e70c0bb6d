//! The command `ndq table`.

mod bounds;
mod boxes;
pub(crate) mod columns;
mod constant;
mod counts;
mod published;
mod written;

use std::time::Duration;

use clap::Subcommand;
use ndqueens_archive::archive::Archive;

use self::bounds::Boards;
use super::Exit;
use crate::args::groups::Limited;
use crate::output::Output;
use crate::progress::Display;

#[derive(Debug, Subcommand)]
#[command(after_help = include_str!("help.txt"))]
pub(crate) enum Args {
    /// The best known bounds on |Qmax(n,d)|, with their status.
    #[command(after_help = include_str!("bounds.txt"))]
    Bounds(bounds::Args),
    /// The settled maxima |Qmax(n,d)|, with the results that settle them.
    #[command(after_help = include_str!("maxima.txt"))]
    Maxima(bounds::Args),
    /// The open cases: their bounds, earlier attempts and the next commands to run.
    #[command(after_help = include_str!("open.txt"))]
    Open(bounds::Args),
    /// The bounds that no publication has, with the command that checks each.
    #[command(after_help = include_str!("new.txt"))]
    New(bounds::Args),
    /// R(n) = |Qmax(n,d)| / n^(d-1), the fraction of the trivial bound that is reached.
    #[command(after_help = include_str!("ratios.txt"))]
    Ratios(bounds::Args),
    /// Bounds of all sub-boxes of a box, as CSV.
    Boxes(boxes::Args),
    /// The data dictionary: the columns of all tables; a Data Package of a folder.
    Columns(columns::Args),
    /// Published values: data to compare with, not proofs.
    #[command(after_help = include_str!("published.txt"))]
    Published,
    /// Published numbers of solutions of n queens on n^2, with the estimate (n e^-a)^n.
    #[command(after_help = include_str!("counts.txt"))]
    Counts(counts::Args),
    /// Bounds on the n-queens constant a, computed on grids by convex programs.
    #[command(after_help = include_str!("constant.txt"))]
    Constant(constant::Args),
}

impl Limited for Args {
    fn time_limit(&self) -> Option<Duration> {
        match self {
            Self::Bounds(bounds)
            | Self::Maxima(bounds)
            | Self::Open(bounds)
            | Self::New(bounds)
            | Self::Ratios(bounds) => bounds.limit.time_limit,
            Self::Boxes(boxes) => boxes.bounding.limit.time_limit,
            Self::Constant(constant) => constant.limit.time_limit,
            Self::Columns(_) | Self::Published | Self::Counts(_) => None,
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
        Args::Bounds(bounds) => bounds::run(bounds, archive, Boards::All, out),
        Args::Maxima(maxima) => bounds::run(maxima, archive, Boards::Settled, out),
        Args::Open(open) => bounds::run(open, archive, Boards::Open, out),
        Args::New(new) => bounds::run(new, archive, Boards::New, out),
        Args::Boxes(boxes) => boxes::run(boxes, display, out),
        Args::Columns(columns) => columns::run(columns, out),
        Args::Ratios(ratios) => bounds::run(ratios, archive, Boards::Ratios, out),
        Args::Published => published::run(out),
        Args::Counts(counts) => counts::run(counts, out),
        Args::Constant(constant) => constant::run(constant, out),
    }
}
