//! The command `ndq colour batch`.

use std::path::PathBuf;

use ndqueens_workflow::colour::folder::ColouringFolder;

use crate::args::groups::Job;
use crate::commands::Exit;
use crate::commands::job::{self, memory, name, program};
use crate::output::Output;
use crate::typed::Typed;

#[derive(Debug, clap::Args)]
#[command(after_help = include_str!("batch.txt"), allow_negative_numbers = true)]
pub(crate) struct Args {
    /// The folder that ndq colour split wrote.
    #[arg(value_name = "DIR")]
    pub(crate) folder: PathBuf,
    #[command(flatten)]
    pub(crate) job: Job,
}

pub(crate) fn run(args: &Args, out: &mut Output) -> anyhow::Result<Exit> {
    let folder = ColouringFolder::open(&args.folder, out.notes())?;
    let program = program()?;
    let command = |what: &str| {
        let mut typed = Typed::program(&program);
        typed.word("colour").word(what).word(name(&args.folder));
        typed
    };
    let mut run = command("run");
    run.word("--all").option("--threads", args.job.cores);
    memory(&args.job, &mut run);
    let title = format!("ndq colour {side}^2", side = folder.question().side);
    let (run, join) = (run.to_string(), command("join").to_string());
    job::write(&args.job, title, args.folder.display().to_string(), run, join, out)
}
