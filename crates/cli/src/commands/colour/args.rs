//! Command-line arguments of `ndq colour BOARD`.

use std::path::PathBuf;

use anyhow::bail;
use clap::ArgGroup;
use ndqueens_notation::name::BoardName;
use ndqueens_workflow::colour::few_colours::ColouringMethod;

use crate::args::groups::{Limit, Seed, Threads};
use crate::args::values::{board, colours, whole};

#[derive(Debug, clap::Args)]
#[command(group(ArgGroup::new("listing").args(["all", "count"])))]
pub(crate) struct Colours {
    /// The board, such as 12^2 or 3^3.
    // Absent where a subcommand stands.
    #[arg(value_parser = board, required = true)]
    pub(crate) board: Option<BoardName>,
    /// Decide whether K colours are enough, instead of finding the smallest number.
    #[arg(long, value_name = "K", value_parser = colours)]
    pub(crate) colours: Option<u64>,
    /// Require a distance of at least K attacks between squares of one colour; 2 means that no two of them
    /// attack each other.
    #[arg(long, value_name = "K", default_value_t = 2, value_parser = whole::<u32>(2..=u32::MAX.into()), conflicts_with_all = ["listing", "symmetry", "layers", "write"])]
    pub(crate) distance: u32,
    /// Print the number of colourings of a small board as a polynomial in the number k of colours, and its
    /// value at --colours.
    #[arg(long, conflicts_with_all = ["listing", "symmetry", "method", "distance", "layers", "write", "output", "seed", "threads"])]
    pub(crate) polynomial: bool,
    /// Visit all n-colourings of n^2, and list them up to colours.
    #[arg(long)]
    pub(crate) all: bool,
    /// Visit all n-colourings of n^2, and count them: up to colours, up to symmetry, and by their symmetries.
    #[arg(long)]
    pub(crate) count: bool,
    /// The symmetry that the colouring must have: h, v, hv, r2 or r4. With none and auto, any symmetry is
    /// allowed: none searches without a symmetry, by the complete algorithm, auto with the one that suits the
    /// side.
    #[arg(long, value_name = "OPERATOR", default_value = "auto")]
    pub(crate) symmetry: String,
    /// The method of finding a colouring: auto, closed (closed forms), cover (complete, by lists of
    /// solutions), draw (random partial colourings, extended exhaustively), dsatur (branch and bound on any
    /// board), greedy (each square in the first colour that is free) or edges (edge by edge, the second
    /// square of an edge with equal colours receives the next colour).
    #[arg(long, value_enum, default_value_t)]
    pub(crate) method: ColouringMethod,
    /// Leave out the clique filter of the complete algorithm.
    #[arg(long, requires = "listing")]
    pub(crate) no_filter: bool,
    /// Take the layers of this full solution of n^d as classes: the board is n^(d-1).
    #[arg(long, value_name = "FILE", conflicts_with_all = ["listing", "colours", "symmetry", "method", "write"])]
    pub(crate) layers: Option<PathBuf>,
    /// The axis along which the layers are taken, counted from 1.
    #[arg(long, value_name = "K", default_value_t = 1, value_parser = whole::<u16>(1..=u16::MAX.into()), requires = "layers")]
    pub(crate) axis: u16,
    /// The work folder of --all or --count, created if needed; the same command resumes there.
    #[arg(long, value_name = "DIR", requires = "listing")]
    pub(crate) work: Option<PathBuf>,
    /// Write the question, with --colours, as a file for other solvers instead (.lp, .mps,
    /// .opb, .cnf or .mtx).
    #[arg(long, value_name = "FILE", requires = "colours", conflicts_with_all = ["listing", "symmetry", "method", "output"])]
    pub(crate) write: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) limit: Limit,
    #[command(flatten)]
    pub(crate) threads: Threads,
    #[command(flatten)]
    pub(crate) seed: Seed,
    /// Write the colouring, the first one, to this file.
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}

impl Colours {
    /// Returns an error if a seed or threads are given but have no effect. `square` is `true` if the board is
    /// n^2.
    pub(super) fn refuse_ignored(&self, square: bool) -> anyhow::Result<()> {
        let (all, given) = (self.all || self.count, self.layers.is_some() || self.write.is_some());
        let draws = square
            && self.distance == 2
            && !all
            && !given
            && matches!(self.method, ColouringMethod::Auto | ColouringMethod::Draw);
        if self.seed.seed != 0 && !draws {
            bail!("--seed decides nothing here: only --method draw, on n^2, and auto begin at random");
        }
        if self.threads.threads.is_some_and(|threads| threads > 1)
            && !(draws || square && !given && self.method == ColouringMethod::Cover || all)
        {
            bail!(
                "--threads is for --all, --count and --method cover, draw or auto, on n^2; what is asked takes one"
            );
        }
        Ok(())
    }
}
