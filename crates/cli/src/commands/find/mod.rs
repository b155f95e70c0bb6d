//! `ndq find`

mod construct;
mod count;
mod from;
mod search;

use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use anyhow::bail;
use clap::Args as Group;
use ndqueens_files as files;
use ndqueens_model::name::BoardName;
use ndqueens_solver::construct::Method;

use super::Exit;
use crate::args::groups::{Seed, Threads, Verbosity};
use crate::args::values::board;
use crate::output::Output;
use crate::progress::Display;

const EXAMPLES: &str = "\
GROUP:
  auto            no symmetry in half of the rounds, a random one in the others
  none            no symmetry
  central         all axes reflected
  -1,3,2          the first axis reflected, the other two exchanged; several such symmetries, separated by semicolons,
                  generate a group

Try:  ndq find 12^3                                                  every construction
      ndq find 14^3 --method search --time-limit 60 -o best.txt      local search
      ndq find 14^3 --method search --from-round 5000 -o best.txt    the next rounds of the same search
      ndq find 14^3 --method search --start best.txt -o best.txt     half of the rounds change what was found";

#[derive(Debug, Group)]
#[command(allow_negative_numbers = true, after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The board, such as 6^3 or 4x5x6.
    #[arg(value_parser = board)]
    pub(crate) board: BoardName,
    /// A construction (regular, planar, cut, extend, product, corner, stack or greedy), or search, the local search
    /// [default: every construction].
    #[arg(long, value_name = "METHOD")]
    pub(crate) method: Option<By>,
    /// Count what --method regular or stack can make in all: regular solutions, on the torus too, or all full solutions on n^3.
    #[arg(long, conflicts_with = "include")]
    pub(crate) count: bool,
    /// Make it from these files: two certificates for the method product, one for corner, a colouring of n^2 for stack.
    #[arg(long, value_name = "FILE", num_args = 1..=2, requires = "method", conflicts_with_all = ["include", "count"])]
    pub(crate) from: Vec<PathBuf>,
    /// Queens that must be part of the solution: a certificate file.
    #[arg(long, value_name = "FILE")]
    pub(crate) include: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) threads: Threads,
    #[command(flatten)]
    pub(crate) seed: Seed,
    /// Write the certificate to this file; with --method search, as soon as it beats the one that is there; with --method
    /// regular --count, all coefficient vectors as CSV.
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    #[command(flatten, next_help_heading = "Options of --method search")]
    pub(crate) search: search::Flags,
}

/// How a solution is found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum By {
    /// By a construction.
    Construction(Method),
    /// By local search.
    Search,
}

impl FromStr for By {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text == "search" {
            return Ok(Self::Search);
        }
        text.parse().map(Self::Construction).map_err(|fault| format!("{fault}, search"))
    }
}

impl Args {
    /// The wall-clock limit that was given.
    pub(crate) fn time_limit(&self) -> Option<Duration> {
        self.search.time_limit
    }

    /// Whether the files alone decide what is found.
    pub(crate) fn is_from_files(&self) -> bool {
        !self.from.is_empty()
    }
}

pub(crate) fn run(args: &Args, verbosity: Verbosity, out: &mut Output) -> anyhow::Result<Exit> {
    let method = match args.method {
        Some(By::Search) => {
            if args.count || args.is_from_files() {
                bail!(
                    "--method search takes neither --count nor --from; a solution to start from is named by --start"
                );
            }
            return search::run(args, &mut Display::new(verbosity, args.search.limit()), out);
        }
        Some(By::Construction(method)) => Some(method),
        None => None,
    };
    if let Some(flag) = args.search.given() {
        bail!("{flag} is for --method search");
    }
    args.output.as_deref().map_or(Ok(()), files::writable)?;
    let display = &mut Display::new(verbosity, None);
    if args.count {
        count::run(args, method, display, out)
    } else {
        construct::run(args, method, verbosity.quiet, display, out)
    }
}
