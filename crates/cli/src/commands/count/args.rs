//! Command-line arguments of `ndq count`.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::bail;
use clap::ValueEnum;
use ndqueens_notation::name::BoardName;

use crate::args::groups::{FileForm, Threads};
use crate::args::values::{board, duration, queens};

#[derive(Debug, clap::Args)]
#[command(allow_negative_numbers = true, after_help = include_str!("help.txt"))]
pub(crate) struct Args {
    /// The board, such as 4^3 or 8^2.
    #[arg(value_parser = board)]
    pub(crate) board: BoardName,
    /// The method of counting; fast, bk and recursive share only the definition of the board. The methods
    /// recursive and max-clique find the maximum only.
    #[arg(long, value_enum, default_value_t)]
    pub(crate) method: Method,
    /// For --method bk: the order in which squares are chosen at the root of the search.
    #[arg(long, value_enum)]
    pub(crate) ordering: Option<RootOrder>,
    /// Count the non-attacking sets of exactly K queens instead of the maximum solutions.
    #[arg(long, value_name = "K", value_parser = queens)]
    pub(crate) exactly: Option<u64>,
    /// Count only the solutions that contain the queens in this file: a certificate, or a file of the
    /// form that --as names.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["solutions", "density", "proof", "threshold", "work"])]
    pub(crate) include: Option<PathBuf>,
    /// Count the maximal non-attacking sets, those that no queen can join, by size; --solutions lists them.
    #[arg(long, conflicts_with_all = ["method", "exactly", "include", "symmetry", "list", "density", "proof", "threshold", "work"])]
    pub(crate) maximal: bool,
    #[command(flatten)]
    pub(crate) form: FileForm,
    /// Count only the solutions that are invariant under the group GROUP, or, with each, all of them by their
    /// symmetry.
    #[arg(
        long,
        value_name = "GROUP|each",
        allow_hyphen_values = true,
        conflicts_with_all = ["include", "solutions", "density", "proof", "threshold", "work"]
    )]
    pub(crate) symmetry: Option<String>,
    /// Write the solutions to this file; ndq check reads it.
    #[arg(long, value_name = "FILE")]
    pub(crate) solutions: Option<PathBuf>,
    /// The solutions that the file lists.
    #[arg(long, value_enum, default_value_t, requires = "solutions")]
    pub(crate) list: List,
    /// Write the number of solutions that occupy each square to this CSV file; ndq draw draws it.
    #[arg(long, value_name = "FILE")]
    pub(crate) density: Option<PathBuf>,
    /// Write a proof to this file, gzip-compressed when its name ends in .gz: it lists the solutions and
    /// shows that there are no others. It is checked; ndq check reads it.
    #[arg(long, value_name = "FILE", conflicts_with = "work")]
    pub(crate) proof: Option<PathBuf>,
    /// Find the completion threshold: the largest t such that every non-attacking set of at most t queens is
    /// part of a maximum solution.
    #[arg(long, conflicts_with = "exactly")]
    pub(crate) threshold: bool,
    /// Store finished parts and settled sub-boxes in this folder, created if needed; the same
    /// command resumes from it.
    #[arg(long, value_name = "DIR")]
    pub(crate) work: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) threads: Threads,
    /// Wall-clock limit, in seconds or as 90s, 15m or 3h50m, for all methods together [default: none].
    #[arg(long, value_name = "SECONDS", value_parser = duration, allow_hyphen_values = true)]
    pub(crate) time_limit: Option<Duration>,
}

/// Method of counting solutions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(crate) enum Method {
    /// The exact engine, which enumerates solutions up to symmetry; on 11^3 and 13^3, when only numbers are
    /// asked for, every stack of full layers.
    #[default]
    Fast,
    /// Bron-Kerbosch, which visits every maximum solution.
    #[value(alias = "bron-kerbosch")]
    Bk,
    /// Plain recursion, which finds the independence number only.
    Recursive,
    /// Branch and bound with a colouring bound (MaxCliqueDyn), which finds the independence number only.
    MaxClique,
    /// The methods fast, bk and recursive, one after the other; their numbers must agree.
    All,
}

/// Order in which Bron-Kerbosch chooses squares at the root.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum RootOrder {
    /// The pivot, as in the rest of the search (Tomita, Tanaka and Takahashi); the default.
    Pivot,
    /// The degeneracy ordering of the complement (Eppstein, Löffler and Strash).
    Degeneracy,
}

/// Solutions that are listed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(crate) enum List {
    /// One solution of each orbit under the board's symmetry group (de Groot's fundamental solutions).
    #[default]
    UpToSymmetry,
    /// All solutions.
    All,
}

impl Args {
    /// Returns `true` if the exact engine counts.
    pub(super) fn takes_fast(&self) -> bool {
        matches!(self.method, Method::Fast | Method::All)
    }

    /// Returns an error if options are combined that exclude each other. The reference algorithms support
    /// only plain counts of maximum solutions.
    pub(super) fn refuse_conflicts(&self) -> anyhow::Result<()> {
        self.form.refuse_without(self.include.is_some(), "--include")?;
        if self.include.is_some() && self.method != Method::Fast {
            bail!("--include goes with the method fast");
        }
        if self.ordering.is_some() && self.method != Method::Bk {
            bail!("--ordering goes with the method bk");
        }
        if self.maximal && self.threads.threads.is_some_and(|threads| threads > 1) {
            bail!("--maximal takes one thread");
        }
        let fast = self.takes_fast();
        let only_fast = [
            (self.exactly.is_some(), "--exactly"),
            (self.density.is_some(), "--density"),
            (self.solutions.is_some(), "--solutions"),
            (self.threshold, "--threshold"),
            (self.proof.is_some(), "--proof"),
            (self.work.is_some(), "--work"),
            (self.symmetry.is_some(), "--symmetry"),
            (self.threads.threads.is_some_and(|threads| threads > 1), "--threads"),
        ];
        if let Some((_, flag)) = only_fast.iter().find(|(given, _)| *given && !fast) {
            let methods = if ["--exactly", "--symmetry"].contains(flag) {
                "the method fast"
            } else {
                "the method fast, or with all"
            };
            bail!("{flag} goes with {methods}");
        }
        if self.symmetry.is_some() && self.method == Method::All {
            bail!("--symmetry goes with the method fast");
        }
        if self.exactly.is_some() && self.method == Method::All {
            bail!(
                "--method all is about maximum solutions, and --exactly asks for others; leave one of them away"
            );
        }
        Ok(())
    }
}
