//! The command `ndq lab batch`.

use std::path::PathBuf;

use anyhow::bail;
use ndqueens_experiments::definition::Definition;
use ndqueens_experiments::plan;
use ndqueens_experiments::planned::Planned;

use crate::args::groups::Job;
use crate::commands::Exit;
use crate::commands::job::{self, memory, name, program};
use crate::output::Output;
use crate::progress::duration;
use crate::typed::Typed;

#[derive(Debug, clap::Args)]
#[command(after_help = include_str!("batch.txt"), allow_negative_numbers = true)]
pub(crate) struct Args {
    /// The experiment file.
    pub(crate) file: PathBuf,
    /// The folder for rows and tables.
    #[arg(long, value_name = "DIR", help_heading = "Output")]
    pub(crate) folder: PathBuf,
    #[command(flatten)]
    pub(crate) job: Job,
}

pub(super) fn run(args: &Args, out: &mut Output) -> anyhow::Result<Exit> {
    let definition = Definition::read(&args.file)?;
    let plan = plan::plan(&definition)?;
    if args.folder.exists() && !args.folder.is_dir() {
        bail!("{}: it is a file, not a folder", args.folder.display());
    }
    // A run that does not fit into a task would be started again and again.
    let limit = |run: &Planned| run.question.time_limit_seconds.unwrap_or(f64::INFINITY);
    let longest = plan.iter().map(limit).fold(0.0, f64::max);
    if longest > args.job.time.as_secs_f64() / 2.0 {
        bail!(
            "a run may take {}, and a task has {}: a task needs twice the time of a run at least, and every run a limit (time_seconds)",
            if longest.is_finite() { duration(longest) } else { "any time".to_owned() },
            duration(args.job.time.as_secs_f64())
        );
    }
    let program = program()?;
    let command = || {
        let mut typed = Typed::program(&program);
        typed.word("lab").word("run").word(name(&args.file)).option("-o", name(&args.folder));
        typed
    };
    let mut run = command();
    run.word("--no-tables").option("--jobs", args.job.cores);
    memory(&args.job, &mut run);
    let run = run.to_string();
    let title = format!("ndq {}", definition.contents.title);
    job::write(&args.job, title, args.folder.display().to_string(), run, command().to_string(), out)
}
