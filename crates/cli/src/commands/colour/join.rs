//! The command `ndq colour join`.

use std::path::PathBuf;
use std::time::Instant;

use ndqueens_notation::counted::counted;
use ndqueens_system::cancel::Deadline;
use ndqueens_workflow::colour::folder::ColouringFolder;

use super::all::report;
use crate::args::groups::Limit;
use crate::commands::Exit;
use crate::commands::parts::took;
use crate::output::Output;
use crate::progress::Display;

#[derive(Debug, clap::Args)]
#[command(after_help = include_str!("join.txt"))]
pub(crate) struct Args {
    /// The folder that ndq colour split wrote.
    #[arg(value_name = "DIR")]
    pub(crate) folder: PathBuf,
    #[command(flatten)]
    pub(crate) limit: Limit,
    /// List the colourings.
    #[arg(long)]
    pub(crate) list: bool,
    /// Write the first colouring to this file.
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}

pub(crate) fn run(args: &Args, display: &mut Display, out: &mut Output) -> anyhow::Result<Exit> {
    let begin = Instant::now();
    let folder = ColouringFolder::open(&args.folder, out.notes())?;
    display.work_on(format!("parts of {side}^2", side = folder.question().side));
    let deadline = Deadline::after(args.limit.time_limit);
    let (covered, total) = folder.join(deadline, &mut |event| display.show(event))?;
    let rests_on = format!(
        "rests on                 {}: each colouring is checked; that there are no others rests on their searches{}\n",
        counted(folder.parts() as u64, "part"),
        took(&total)
    );
    let seconds = begin.elapsed().as_secs_f64();
    report(folder.question(), &covered, seconds, &rests_on, args.list, args.output.as_deref(), out)
}
