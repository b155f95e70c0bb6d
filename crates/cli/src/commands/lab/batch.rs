//! `ndq lab batch`

use std::path::PathBuf;

use clap::Args as Group;
use ndqueens_experiments::definition::Definition;
use ndqueens_experiments::plan;

use crate::args::groups::Job;
use crate::args::typed::Typed;
use crate::commands::Exit;
use crate::commands::job::{self, program};
use crate::output::Output;

#[derive(Debug, Group)]
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
    plan::plan(&definition)?;
    let program = program()?;
    let command = || {
        let mut typed = Typed::program(&program);
        typed.word("lab").word("run").word(args.file.display()).option("-o", args.folder.display());
        typed
    };
    let run = command().word("--no-tables").option("--jobs", args.job.cores).to_string();
    let name = format!("ndq {}", definition.contents.title);
    job::write(&args.job, name, args.folder.display().to_string(), run, command().to_string(), out)
}
