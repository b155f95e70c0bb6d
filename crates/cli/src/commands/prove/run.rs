//! The command `ndq prove run`.

use std::path::PathBuf;

use ndqueens_workflow::split::{Definition, Folder, Ran, Running};
use schemars::JsonSchema;
use serde::Serialize;

use crate::args::values::whole;
use crate::commands::Exit;
use crate::commands::parts::{PartsArgs, RunnerProgress, next};
use crate::output::Output;
use crate::progress::Display;
use crate::schema::printed;

#[derive(Debug, clap::Args)]
#[command(
    after_help = include_str!("run.txt"),
    allow_negative_numbers = true,
    override_usage = "ndq prove run [OPTIONS] <DIR> <I|--all>"
)]
pub(crate) struct Args {
    /// The folder that ndq prove split wrote.
    #[arg(value_name = "DIR")]
    pub(crate) folder: PathBuf,
    #[command(flatten)]
    pub(crate) runner: PartsArgs,
    /// Split a part again if it takes more nodes than this, and run its pieces in its place [default: none;
    /// with --for, a part that takes more than half of the time is split again].
    #[arg(long, value_name = "N", value_parser = whole::<u64>(1..=u64::MAX))]
    pub(crate) cut_above: Option<u64>,
}

#[derive(JsonSchema, Serialize)]
struct Run {
    board: String,
    at_least: u64,
    parts: usize,
    finished: usize,
    missing: usize,
    /// Number of missing parts that other runners have claimed.
    elsewhere: usize,
    /// Number of missing parts that would not end in the remaining time.
    too_long: usize,
    /// Number of parts that were split again.
    cut_again: usize,
    nodes: u64,
    /// File of a certificate; absent unless a part has found that the queens fit.
    certificate: Option<String>,
    stop: Option<String>,
}

printed!(Run: "prove run");

pub(crate) fn run(args: &Args, display: &mut Display, out: &mut Output) -> anyhow::Result<Exit> {
    let folder = Folder::open(&args.folder, out.notes())?;
    let definition = &folder.manifest().definition;
    display.work_on(format!("parts of {}", definition.board));
    let PartsArgs { part, sharing, threads, .. } = &args.runner;
    let running = Running {
        only: *part,
        share: sharing.share,
        threads: threads.number() as usize,
        deadline: args.runner.deadline(),
        fitting: sharing.work_time.is_some(),
        most_nodes: args.cut_above,
    };
    let ran = folder.run(&running, &mut |event| display.show(event))?;
    let Definition { board, at_least, .. } = &folder.manifest().definition;
    let Ran { finished, parts, missing, elsewhere, too_long, cut_again, nodes, fits, stop } = ran;
    let progress = RunnerProgress { finished, parts, missing, elsewhere, too_long, cut_again, nodes, stop };
    let mut text = progress.text(*part);
    if fits.is_none() && missing == 0 {
        text += &next("ndq prove join", &args.folder, false);
    }
    let answer = match &fits {
        Some(certificate) => super::text::certificate_answer(*at_least, certificate),
        None => text.into(),
    };
    let run = Run {
        board: board.to_string(),
        at_least: *at_least,
        parts,
        finished,
        missing,
        elsewhere,
        too_long,
        cut_again,
        nodes,
        certificate: fits.as_ref().map(ToString::to_string),
        stop: stop.map(|stop| stop.to_string()),
    };
    out.answer(&run, &answer)?;
    Ok(match fits {
        Some(_) => Exit::No,
        None if progress.is_stopped(*part) => Exit::Stopped,
        None => Exit::Yes,
    })
}
