//! The command `ndq lab compare`.

use std::path::PathBuf;

use ndqueens_experiments::compare::{self, Effort};
use ndqueens_experiments::definition::Clock;
use ndqueens_experiments::evaluation::Evaluation;
use ndqueens_experiments::judge::Judge;

use super::folder::{evaluation, report_conflicts};
use crate::commands::Exit;
use crate::output::Output;
use crate::schema::printed;

printed!(compare::Pairs: "lab compare");

#[derive(Debug, clap::Args)]
#[command(after_help = include_str!("compare.txt"))]
pub(crate) struct Args {
    /// A folder; alone, its configurations are compared with its reference.
    pub(crate) first: PathBuf,
    /// Another folder: runs of the same board, configuration and seed are compared.
    pub(crate) second: Option<PathBuf>,
    /// The measure to compare.
    #[arg(long, value_enum, default_value_t = Effort::Seconds)]
    pub(crate) by: Effort,
    /// The clock of the seconds that are compared [default: the one that the experiment file names].
    #[arg(long, value_enum)]
    pub(crate) time: Option<Clock>,
    /// The configuration that the others are compared with [default: the one that the experiment file names,
    /// else its first].
    #[arg(long, value_name = "CONFIGURATION", conflicts_with = "second")]
    pub(crate) reference: Option<String>,
    /// Compare on this board only; may be given more than once.
    #[arg(long, value_name = "BOARD")]
    pub(crate) board: Vec<String>,
}

pub(super) fn run(args: &Args, out: &mut Output) -> anyhow::Result<Exit> {
    let mut first = evaluation(&args.first, args.time, args.reference.as_deref(), out.notes())?;
    let keep = |evaluation: &mut Evaluation| {
        if args.board.is_empty() { Ok(()) } else { evaluation.restrict_to(&args.board) }
    };
    keep(&mut first)?;
    let (comparison, conflicts) = match &args.second {
        None => (compare::configurations(&first, args.by), first.conflicts),
        Some(folder) => {
            let clock = args.time.unwrap_or(first.clock);
            let mut second = evaluation(folder, Some(clock), None, out.notes())?;
            keep(&mut second)?;
            let names = [&args.first, folder].map(|path| path.display().to_string());
            let conflicts = Judge::between(&[(&names[0], &first.judge), (&names[1], &second.judge)]);
            (compare::folders(&first, &second, (&names[0], &names[1]), args.by), conflicts)
        }
    };
    if out.json() {
        for pairs in &comparison.groups {
            out.result(pairs, "")?;
        }
    } else {
        out.result(&(), &comparison.text(first.clock))?;
    }
    Ok(report_conflicts(&conflicts))
}
