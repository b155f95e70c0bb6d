//! Command-line arguments of `ndq find`.

use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use anyhow::bail;
use ndqueens_notation::name::BoardName;
use ndqueens_notation::similar::did_you_mean;
use ndqueens_solver::construct::Method;
use ndqueens_solver::construct::local_search::Technique;
use ndqueens_workflow::record::Start;

use crate::args::groups::{FileForm, Seed, Threads};
use crate::args::values::{board, duration, target, whole};

#[derive(Debug, clap::Args)]
#[command(allow_negative_numbers = true, after_help = include_str!("help.txt"))]
pub(crate) struct Args {
    /// The board, such as 6^3 or 4x5x6.
    #[arg(value_parser = board)]
    pub(crate) board: BoardName,
    /// A construction (regular, planar, cut, extend, product, corner, stack, parity or greedy), search, the
    /// local search, or faces, the annealing among faces of a cube on boxes with sides of at most 3 [default:
    /// every construction].
    #[arg(long, value_name = "METHOD")]
    pub(crate) method: Option<By>,
    /// Count everything that --method regular or stack can construct: regular solutions, also on the torus,
    /// or all full solutions on n^3.
    #[arg(long, conflicts_with = "include")]
    pub(crate) count: bool,
    /// Construct it from these files: two certificates for the method product, one for corner, a colouring of
    /// n^2 for stack.
    #[arg(long, value_name = "FILE", num_args = 1..=2, requires = "method", conflicts_with_all = ["include", "count"])]
    pub(crate) from: Vec<PathBuf>,
    /// Queens that must be part of the solution: a certificate file, or one of the form that --as names.
    #[arg(long, value_name = "FILE")]
    pub(crate) include: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) form: FileForm,
    #[command(flatten)]
    pub(crate) threads: Threads,
    #[command(flatten)]
    pub(crate) seed: Seed,
    /// Wall-clock limit, in seconds or as 90s, 15m or 3h50m [default: none; with --method search 10,
    /// with --method faces 600, or none with --rounds].
    #[arg(long, value_name = "SECONDS", value_parser = duration, allow_hyphen_values = true)]
    pub(crate) time_limit: Option<Duration>,
    /// Write the certificate to this file; with --method search or faces, as soon as it is larger than the
    /// one in the file; with --method regular --count, all coefficient vectors as CSV.
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) search: Flags,
}

/// Method that finds a solution.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum By {
    /// Construction method.
    Construction(Method),
    /// Local search.
    Search(Technique),
}

/// Names of the local searches.
const SEARCHES: [(&str, Technique); 2] = [("search", Technique::Tabu), ("faces", Technique::Faces)];

/// Returns the name of a local search.
pub(super) fn name_of(technique: Technique) -> &'static str {
    SEARCHES.into_iter().find_map(|(name, named)| (named == technique).then_some(name)).unwrap_or_default()
}

/// Error of a name that no construction or local search has.
#[derive(Debug, thiserror::Error)]
#[error("\"{text}\" is not a construction; expected one of {}{}", names().join(", "), suggestion(text))]
pub(crate) struct UnknownMethod {
    text: String,
}

/// Returns the names of all constructions and local searches.
fn names() -> Vec<String> {
    let searches = SEARCHES.map(|(name, _)| name.to_owned());
    Method::ALL.iter().map(ToString::to_string).chain(searches).collect()
}

/// Returns the end of a message that suggests a similar name.
fn suggestion(text: &str) -> String {
    did_you_mean(text, names().iter().map(String::as_str))
}

impl FromStr for By {
    type Err = UnknownMethod;

    fn from_str(text: &str) -> Result<Self, UnknownMethod> {
        if let Some((_, technique)) = SEARCHES.into_iter().find(|(name, _)| *name == text) {
            return Ok(Self::Search(technique));
        }
        text.parse().map(Self::Construction).map_err(|_| UnknownMethod { text: text.to_owned() })
    }
}

impl Args {
    /// Returns the wall-clock limit of a search, given or by default.
    pub(super) fn limit_of_search(&self) -> Option<Duration> {
        let seconds = match self.method {
            Some(By::Search(Technique::Faces)) => 600,
            _ => 10,
        };
        self.time_limit.or_else(|| self.search.rounds.is_none().then_some(Duration::from_secs(seconds)))
    }

    /// Returns an error if a seed or threads are given but have no effect.
    pub(super) fn refuse_ignored(&self, method: Option<Method>) -> anyhow::Result<()> {
        let made = self.count || self.is_from_files();
        if self.seed.seed != 0 && (made || method.is_some_and(|method| !method.is_random())) {
            bail!("--seed decides nothing here: nothing is chosen at random");
        }
        if self.threads.threads.is_some_and(|threads| threads > 1)
            && !(self.count && method == Some(Method::Stack))
        {
            bail!(
                "--threads is for --method search and faces, and for --method stack --count; constructions take one"
            );
        }
        Ok(())
    }

    /// Returns `true` if the solution is determined by the files after `--from` alone.
    pub(crate) fn is_from_files(&self) -> bool {
        !self.from.is_empty()
    }
}

/// Options of the search only.
#[derive(Debug, clap::Args)]
pub(crate) struct Flags {
    /// With --method search or faces, the number of rounds; a round is one walk, and the same in every search
    /// with this seed, start and symmetry.
    #[arg(long, value_name = "N", value_parser = whole::<u64>(1..=u64::MAX))]
    pub(crate) rounds: Option<u64>,
    /// With --method search or faces, stop when K queens are found; the exit code is 3 when they are not.
    #[arg(long, value_name = "K", value_parser = target)]
    pub(crate) at_least: Option<u64>,
    /// With --method search or faces, the symmetry of the solution [default: auto].
    #[arg(long, value_name = "GROUP", allow_hyphen_values = true)]
    pub(crate) symmetry: Option<String>,
    /// With --method search, the solution to start from: cut, greedy, none, or the path of a certificate
    /// file [default: none].
    #[arg(long, value_name = "FILE|cut|greedy|none")]
    pub(crate) start: Option<Start>,
    /// With --method search or faces, the number of the first round, to resume a search that was
    /// stopped [default: 0].
    #[arg(long, value_name = "N", value_parser = whole::<u64>(0..=(1 << 63) - 1))]
    pub(crate) from_round: Option<u64>,
}

impl Flags {
    /// Returns the first flag that was given, if any.
    pub(super) fn first_flag(&self) -> Option<&'static str> {
        [
            ("--rounds", self.rounds.is_some()),
            ("--at-least", self.at_least.is_some()),
            ("--symmetry", self.symmetry.is_some()),
            ("--start", self.start.is_some()),
            ("--from-round", self.from_round.is_some()),
        ]
        .into_iter()
        .find_map(|(flag, given)| given.then_some(flag))
    }
}
