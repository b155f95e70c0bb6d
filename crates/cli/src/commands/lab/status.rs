//! The command `ndq lab status`.

use std::fmt::Write as _;
use std::path::PathBuf;

use crate::running::Running;
use ndqueens_experiments::store::{self, Found};
use ndqueens_notation::counted::counted;
use schemars::JsonSchema;
use serde::Serialize;

use crate::commands::Exit;
use crate::output::Output;
use crate::progress::duration;
use crate::schema::printed;

#[derive(Debug, clap::Args)]
#[command(after_help = include_str!("status.txt"))]
pub(crate) struct Args {
    /// The folder that ndq lab run fills.
    #[arg(value_name = "DIR")]
    pub(crate) folder: PathBuf,
}

#[derive(JsonSchema, Serialize)]
struct Status {
    title: String,
    runs: usize,
    done: usize,
    failed: usize,
    missing: usize,
    running: Vec<Running>,
    /// CPU time of the finished runs.
    cpu_seconds: f64,
    /// Estimated CPU time of the remaining work, if it is like the work that is done.
    cpu_seconds_left: Option<f64>,
}

printed!(Status: "lab status");

pub(super) fn run(args: &Args, out: &mut Output) -> anyhow::Result<Exit> {
    let Found { title, rows, missing, .. } = store::read(&args.folder, out.notes())?;
    let done = rows.len();
    let failed = rows.iter().filter(|row| row.failure.is_some()).count();
    let running: Vec<Running> = store::running(&args.folder, &rows)?.into_iter().map(Running::of).collect();
    let cpu_seconds = rows.iter().fold(0.0, |sum, row| sum + row.process.cpu_seconds);
    let cpu_seconds_left = (done > 0).then(|| cpu_seconds / done as f64 * missing as f64);
    let runs = done + missing;
    let mut text = format!("{title}: {done} of {} done, {failed} failed", counted(runs as u64, "run"));
    write!(text, "\n  so far: {} of CPU time", duration(cpu_seconds))?;
    if let Some(left) = cpu_seconds_left.filter(|_| missing > 0) {
        write!(text, "\n  left: about {} of CPU time, if the rest is alike", duration(left))?;
    }
    for running in &running {
        write!(text, "\n  running: {running}")?;
    }
    out.result(
        &Status { title, runs, done, failed, missing, running, cpu_seconds, cpu_seconds_left },
        &text,
    )?;
    Ok(if missing > 0 { Exit::Stopped } else { Exit::Yes })
}
