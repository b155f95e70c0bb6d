//! Work in parts for `ndq prove` and `ndq colour`: arguments, and reports on runs and folders.

use std::path::Path;
use std::time::Duration;

use crate::running::Running;
use clap::ArgGroup;
use ndqueens_notation::counted::counted;
use ndqueens_system::cancel::{Deadline, StopReason};
use ndqueens_workflow::parts::account::Total;

use crate::args::groups::{Limited, Sharing, Threads};
use crate::args::values::{duration as seconds, whole};
use crate::progress::duration;
use crate::typed::Typed;

/// The parts that a runner searches.
#[derive(Debug, clap::Args)]
#[command(group(ArgGroup::new("parts").args(["part", "all"]).required(true)))]
pub(crate) struct PartsArgs {
    /// The number of the part, counted from 0.
    #[arg(value_name = "I", value_parser = whole::<usize>(0..=u64::MAX), conflicts_with = "share")]
    pub(crate) part: Option<usize>,
    /// Run all parts that are missing and that no other runner has claimed, the heaviest first. Parts that a
    /// stopped run has finished are kept.
    #[arg(long)]
    pub(crate) all: bool,
    #[command(flatten)]
    pub(crate) sharing: Sharing,
    #[command(flatten)]
    pub(crate) threads: Threads,
    /// Wall-clock limit, in seconds or as 90s, 15m or 3h50m: a part that is not finished by then is run again
    /// later [default: none].
    #[arg(long, value_name = "SECONDS", value_parser = seconds, allow_hyphen_values = true, conflicts_with = "work_time")]
    pub(crate) time_limit: Option<Duration>,
}

impl PartsArgs {
    /// Returns the deadline of the runner.
    pub(crate) fn deadline(&self) -> Deadline {
        Deadline::after(self.time_limit())
    }
}

impl Limited for PartsArgs {
    fn time_limit(&self) -> Option<Duration> {
        self.time_limit.or(self.sharing.work_time)
    }
}

/// Result of a runner.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RunnerProgress {
    pub(crate) finished: usize,
    pub(crate) parts: usize,
    pub(crate) missing: usize,
    pub(crate) elsewhere: usize,
    pub(crate) too_long: usize,
    pub(crate) cut_again: usize,
    pub(crate) nodes: u64,
    pub(crate) stop: Option<StopReason>,
}

impl RunnerProgress {
    /// Describes the progress of a runner that was to search one part or all.
    pub(crate) fn text(&self, part: Option<usize>) -> String {
        let &Self { finished, parts, missing, elsewhere, too_long, cut_again, nodes, stop } = self;
        let mut text = stop.map(|stop| format!("stopped ({stop}): ")).unwrap_or_default();
        let (done, nodes) = (counted(finished as u64, "part"), counted(nodes, "node"));
        let there = parts - missing;
        text += &match part {
            Some(part) if elsewhere > 0 => format!("part {part} is claimed by another runner"),
            _ if finished + elsewhere + too_long > 0 || stop.is_some() => {
                format!("{done} finished in {nodes}, {missing} of {parts} missing")
            }
            Some(part) => format!("part {part} was already finished; {there} of {parts} done"),
            None => format!("all parts were already finished; {there} of {parts} done"),
        };
        for (number, what) in [
            (elsewhere, "claimed by other runners"),
            (too_long, "would not end in time"),
            (cut_again, "cut again"),
        ] {
            if number > 0 && part.is_none() {
                text += &format!("\n  {number} {what}");
            }
        }
        text
    }

    /// Returns `true` if the runner leaves some of its work undone.
    pub(crate) fn is_stopped(&self, part: Option<usize>) -> bool {
        self.stop.is_some() || self.too_long > 0 || self.elsewhere > 0 && part.is_some()
    }
}

/// Longest list of missing parts that is printed, in characters.
const LONGEST: usize = 300;

/// Describes the remaining work of a folder: its CPU time, the running parts, and the missing ones.
pub(crate) fn left(cpu_seconds: Option<f64>, running: &[Running], missing: &str) -> String {
    let mut text = String::new();
    if let Some(left) = cpu_seconds {
        text += &format!("\n  left: about {} of CPU time, if the rest is alike", duration(left));
    }
    for running in running {
        let word = if running.abandoned { "claimed" } else { "running" };
        text += &format!("\n  {word}: {running}");
    }
    if missing.len() <= LONGEST {
        text += &format!("\n  missing: {missing}");
    }
    text
}

/// Describes the effort of the finished parts on a separate line.
pub(crate) fn took(total: &Total) -> String {
    if total.nodes == 0 {
        return String::new();
    }
    let (nodes, hosts) = (counted(total.nodes, "node"), counted(total.hosts as u64, "host"));
    format!("\n  so far: {} of CPU time, {nodes}, {hosts}", duration(total.cpu_seconds))
}

/// Returns the line that names the next command on a folder.
pub(crate) fn next(command: &str, folder: &Path, all: bool) -> String {
    let mut typed = Typed::new(command);
    typed.word(folder.display());
    let all = if all { " --all" } else { "" };
    format!("\nnext: {typed}{all}")
}
