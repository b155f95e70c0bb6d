//! `ndq lab`

mod child;
mod compare;
mod plan;
mod plot;
mod run;
mod table;
mod view;

use std::path::Path;

use clap::{Subcommand, ValueEnum};
use ndqueens_experiments::definition;
use ndqueens_experiments::evaluation::Evaluation;
use ndqueens_experiments::judge::Conflict;

use super::Exit;
use crate::args::groups::Verbosity;
use crate::output::{Output, log};

#[derive(Debug, Subcommand)]
pub(crate) enum Args {
    /// List the runs of an experiment file, each with its id.
    Plan(plan::Args),
    /// Run what is missing in a folder, each run in a process of its own. An experiment file may name commands as backends,
    /// which then run as you: see --allow-commands.
    Run(run::Args),
    /// Print a table of a folder that ndq lab run has filled.
    Table(table::Args),
    /// Draw a folder that ndq lab run has filled: performance profile, time against n, bounds over time.
    Plot(plot::Args),
    /// Test whether two folders, or the configurations in one, differ significantly.
    Compare(compare::Args),
    /// Make a run that comes on standard input; ndq lab run starts this.
    #[command(hide = true)]
    Child,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Clock {
    /// Wall clock.
    Wall,
    /// CPU time of all threads.
    Cpu,
}

pub(crate) fn run(args: &Args, verbosity: Verbosity, out: &mut Output) -> anyhow::Result<Exit> {
    match args {
        Args::Plan(args) => plan::run(args, out),
        Args::Run(args) => run::run(args, verbosity, out),
        Args::Table(args) => table::run(args, out),
        Args::Plot(args) => plot::run(args, out),
        Args::Compare(args) => compare::run(args, out),
        Args::Child => child::answer(),
    }
}

/// Reads a folder as the arguments want it.
fn evaluation(folder: &Path, clock: Option<Clock>, reference: Option<&str>) -> anyhow::Result<Evaluation> {
    let clock = clock.map(|clock| match clock {
        Clock::Wall => definition::Clock::Wall,
        Clock::Cpu => definition::Clock::Cpu,
    });
    let mut evaluation = Evaluation::read(folder, clock)?;
    if let Some(reference) = reference {
        evaluation.against(reference)?;
    }
    Ok(evaluation)
}

/// Shouts contradictions; with one, the command has failed.
fn shout(conflicts: &[Conflict]) -> Exit {
    for conflict in conflicts {
        log(&format!("CONTRADICTION: {}", conflict.words));
    }
    if conflicts.is_empty() { Exit::Yes } else { Exit::Failed }
}
