//! The command `ndq colour status`.

use std::path::PathBuf;

use crate::batch::array_of;
use crate::running::Running;
use ndqueens_notation::counted::counted;
use ndqueens_workflow::colour::folder::{ColouringFolder, ColouringStatus};
use ndqueens_workflow::parts::account::Total;
use schemars::JsonSchema;
use serde::Serialize;

use crate::commands::Exit;
use crate::commands::parts::{left, next, took};
use crate::output::Output;
use crate::schema::printed;

#[derive(Debug, clap::Args)]
#[command(after_help = include_str!("status.txt"))]
pub(crate) struct Args {
    /// The folder that ndq colour split wrote.
    #[arg(value_name = "DIR")]
    pub(crate) folder: PathBuf,
}

#[derive(JsonSchema, Serialize)]
struct Status {
    board: String,
    parts: usize,
    missing: Vec<usize>,
    /// The missing parts as a value of Slurm's option --array.
    array: String,
    /// Estimated fraction of the tree that is done, from 0 to 1.
    done: f64,
    /// Number of colourings found so far, up to symmetry; some may be found twice.
    found: usize,
    running: Vec<Running>,
    /// Resources that the parts have used so far.
    total: Total,
    /// Estimated CPU time of the remaining work, if it is like the work that is done.
    cpu_seconds_left: Option<f64>,
}

printed!(Status: "colour status");

/// Returns [`Exit::Yes`] if every part is done and [`Exit::Stopped`] if parts are missing.
pub(crate) fn run(args: &Args, out: &mut Output) -> anyhow::Result<Exit> {
    let folder = ColouringFolder::open(&args.folder, out.notes())?;
    let question = folder.question();
    let ColouringStatus { parts, missing, done, found, running, total, cpu_seconds_left } =
        folder.status()?;
    let running: Vec<Running> = running.into_iter().map(Running::of).collect();
    let (counted, took) = (counted(parts as u64, "part"), took(&total));
    let array = array_of(&missing);
    let (text, exit) = if missing.is_empty() {
        let next = next("ndq colour join", &args.folder, false);
        (format!("{question}: {counted}, all done{took}{next}"), Exit::Yes)
    } else {
        // Never show 100 % while parts are missing.
        let percent = (100.0 * done).min(99.9);
        let missing = missing.len();
        let left = left(cpu_seconds_left, &running, &array);
        let next = next("ndq colour run", &args.folder, true);
        let text = format!(
            "{question}: {missing} of {counted} missing, about {percent:.1} % of the tree done{took}{left}{next}"
        );
        (text, Exit::Stopped)
    };
    let board = format!("{side}^2", side = question.side);
    let status = Status { board, parts, missing, array, done, found, running, total, cpu_seconds_left };
    out.result(&status, &text)?;
    Ok(exit)
}
