//! The command `ndq colour run`.

use std::path::PathBuf;

use ndqueens_workflow::colour::cover::{PartsRequest, PartsRun};
use ndqueens_workflow::colour::folder::ColouringFolder;
use schemars::JsonSchema;
use serde::Serialize;

use crate::commands::Exit;
use crate::commands::parts::{PartsArgs, RunnerProgress, next};
use crate::output::Output;
use crate::progress::Display;
use crate::schema::printed;

#[derive(Debug, clap::Args)]
#[command(
    after_help = include_str!("run.txt"),
    allow_negative_numbers = true,
    override_usage = "ndq colour run [OPTIONS] <DIR> <I|--all>"
)]
pub(crate) struct Args {
    /// The folder that ndq colour split wrote.
    #[arg(value_name = "DIR")]
    pub(crate) folder: PathBuf,
    #[command(flatten)]
    pub(crate) runner: PartsArgs,
}

#[derive(JsonSchema, Serialize)]
struct Run {
    board: String,
    parts: usize,
    finished: usize,
    missing: usize,
    /// Missing parts that other runners have claimed.
    elsewhere: usize,
    /// Missing parts that would not end in the time that is left.
    too_long: usize,
    nodes: u64,
    stop: Option<String>,
}

printed!(Run: "colour run");

pub(crate) fn run(args: &Args, display: &mut Display, out: &mut Output) -> anyhow::Result<Exit> {
    let folder = ColouringFolder::open(&args.folder, out.notes())?;
    let side = folder.question().side;
    display.work_on(format!("parts of {side}^2"));
    let PartsArgs { part, sharing, threads, .. } = &args.runner;
    let running = PartsRequest {
        only: *part,
        share: sharing.share,
        threads: threads.number() as usize,
        deadline: args.runner.deadline(),
        fitting: sharing.work_time.is_some(),
        claimed: false,
    };
    let run = folder.run(&running, &mut |event| display.show(event))?;
    let PartsRun { finished, missing, elsewhere, too_long, nodes, stop } = run;
    let parts = folder.parts();
    let progress =
        RunnerProgress { finished, parts, missing, elsewhere, too_long, cut_again: 0, nodes, stop };
    let mut text = progress.text(*part);
    if missing == 0 {
        text += &next("ndq colour join", &args.folder, false);
    }
    let stop = stop.map(|stop| stop.to_string());
    let run = Run { board: format!("{side}^2"), parts, finished, missing, elsewhere, too_long, nodes, stop };
    out.result(&run, &text)?;
    Ok(if progress.is_stopped(*part) { Exit::Stopped } else { Exit::Yes })
}
