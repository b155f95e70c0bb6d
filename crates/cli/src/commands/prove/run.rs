//! `ndq prove run`

use std::fmt::Write as _;
use std::path::PathBuf;
use std::time::Duration;

use clap::{ArgGroup, Args as Group};
use ndqueens_control::Deadline;
use ndqueens_lab::workflow::split::{Definition, Folder, Ran, Running};
use schemars::JsonSchema;
use serde::Serialize;

use crate::args::groups::{Sharing, Threads};
use crate::args::values::{duration, whole};
use crate::commands::Exit;
use crate::output::{Output, counted};
use crate::progress::Display;
use crate::schema::printed;
use crate::typed::Typed;

#[derive(Debug, Group)]
#[command(
    after_help = include_str!("run.txt"),
    allow_negative_numbers = true,
    override_usage = "ndq prove run [OPTIONS] <DIR> <I|--all>",
    group(ArgGroup::new("parts").args(["part", "all"]).required(true))
)]
pub(crate) struct Args {
    /// The folder that ndq prove split made.
    #[arg(value_name = "DIR")]
    pub(crate) folder: PathBuf,
    /// The number of the part, counted from 0.
    #[arg(value_name = "I", value_parser = whole::<usize>(0..=u64::MAX), conflicts_with = "share")]
    pub(crate) part: Option<usize>,
    /// Run all parts that are missing and that no other runner has claimed, the heaviest first. What a stopped run has
    /// finished stays.
    #[arg(long)]
    pub(crate) all: bool,
    #[command(flatten)]
    pub(crate) sharing: Sharing,
    /// Cut a part again that takes more nodes than this, and run its pieces in its place [default: none; with --for,
    /// a part that takes more than half of the time is cut again].
    #[arg(long, value_name = "N", value_parser = whole::<u64>(1..=u64::MAX))]
    pub(crate) cut_above: Option<u64>,
    #[command(flatten)]
    pub(crate) threads: Threads,
    /// Wall-clock limit, in seconds or as 90s, 15m or 3h50m: a part that is not finished by then is run again later [default: none].
    #[arg(long, value_name = "SECONDS", value_parser = duration, allow_hyphen_values = true, conflicts_with = "work_time")]
    pub(crate) time_limit: Option<Duration>,
}

#[derive(JsonSchema, Serialize)]
struct Run {
    board: String,
    at_least: u64,
    parts: usize,
    finished: usize,
    missing: usize,
    /// Of the missing parts, those that other runners have claimed.
    elsewhere: usize,
    /// Of the missing parts, those that would not end in the time that is left.
    too_long: usize,
    /// Parts that were cut again.
    cut_again: usize,
    nodes: u64,
    /// Absent when the parts do not say that the queens fit.
    certificate: Option<String>,
    stop: Option<String>,
}

printed!(Run: "prove run");

pub(crate) fn run(args: &Args, display: &mut Display, out: &mut Output) -> anyhow::Result<Exit> {
    let folder = Folder::open(&args.folder)?;
    let definition = &folder.manifest().definition;
    display.work_on(format!("parts of {}", definition.board));
    let running = Running {
        only: args.part,
        share: args.sharing.share,
        threads: args.threads.number() as usize,
        deadline: Deadline::after(args.sharing.work_time.or(args.time_limit)),
        fitting: args.sharing.work_time.is_some(),
        most_nodes: args.cut_above,
    };
    let ran = folder.run(&running, &mut |event| display.show(event))?;
    let Definition { board, at_least, .. } = &folder.manifest().definition;
    let Ran { finished, parts, missing, elsewhere, too_long, cut_again, nodes, fits, stop } = ran;
    let mut text = match &stop {
        Some(stop) => format!("stopped ({stop}): "),
        None => String::new(),
    };
    let (done, nodes_done) = (counted(finished as u64, "part"), counted(nodes, "node"));
    let there = parts - missing;
    match args.part {
        Some(part) if elsewhere > 0 => write!(text, "part {part} is claimed by another runner")?,
        _ if finished + elsewhere + too_long > 0 || stop.is_some() => {
            write!(text, "{done} finished in {nodes_done}, {missing} of {parts} missing")?;
        }
        Some(part) => write!(text, "part {part} was already finished; {there} of {parts} done")?,
        None => write!(text, "all parts were already finished; {there} of {parts} done")?,
    }
    for (number, what) in [
        (elsewhere, "claimed by other runners"),
        (too_long, "would not end in time"),
        (cut_again, "cut again"),
    ] {
        if number > 0 && args.part.is_none() {
            write!(text, "\n  {number} {what}")?;
        }
    }
    if fits.is_none() && missing == 0 {
        write!(text, "\nnext: {}", Typed::new("ndq prove join").word(args.folder.display()))?;
    }
    let answer = match &fits {
        Some(certificate) => super::text::found(*at_least, certificate),
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
    Ok(match (fits, stop) {
        (Some(_), _) => Exit::No,
        (None, Some(_)) => Exit::Stopped,
        (None, None) if too_long > 0 || elsewhere > 0 && args.part.is_some() => Exit::Stopped,
        (None, None) => Exit::Yes,
    })
}
