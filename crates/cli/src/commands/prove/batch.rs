//! The command `ndq prove batch`.

use std::path::PathBuf;

use ndqueens_workflow::split::{Definition, Folder};

use crate::args::groups::Job;
use crate::args::values::whole;
use crate::commands::Exit;
use crate::commands::job::{self, memory, name, program};
use crate::output::Output;
use crate::typed::Typed;

#[derive(Debug, clap::Args)]
#[command(after_help = include_str!("batch.txt"), allow_negative_numbers = true)]
pub(crate) struct Args {
    /// The folder that ndq prove split wrote.
    #[arg(value_name = "DIR")]
    pub(crate) folder: PathBuf,
    /// Split a part again if it takes more nodes than this; see ndq prove run.
    #[arg(long, value_name = "N", value_parser = whole::<u64>(1..=u64::MAX))]
    pub(crate) cut_above: Option<u64>,
    #[command(flatten)]
    pub(crate) job: Job,
}

pub(crate) fn run(args: &Args, out: &mut Output) -> anyhow::Result<Exit> {
    let folder = Folder::open(&args.folder, out.notes())?;
    let Definition { board, at_least, .. } = &folder.manifest().definition;
    let program = program()?;
    let command = |what: &str| {
        let mut typed = Typed::program(&program);
        typed.word("prove").word(what).word(name(&args.folder));
        typed
    };
    let mut run = command("run");
    run.word("--all").option("--threads", args.job.cores);
    if let Some(nodes) = args.cut_above {
        run.option("--cut-above", nodes);
    }
    memory(&args.job, &mut run);
    let run = run.to_string();
    let join = command("join").option("-o", name(&args.folder.join("proof.gz"))).to_string();
    let title = format!("ndq {board} {at_least}");
    job::write(&args.job, title, args.folder.display().to_string(), run, join, out)
}
