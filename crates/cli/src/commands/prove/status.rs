//! The command `ndq prove status`.

use std::path::PathBuf;

use crate::batch::array_of;
use crate::running::Running;
use ndqueens_model::board::Board;
use ndqueens_notation::counted::counted;
use ndqueens_workflow::parts::account::Total;
use ndqueens_workflow::split::{self, Definition, Folder};
use schemars::JsonSchema;
use serde::Serialize;

use crate::commands::Exit;
use crate::commands::parts::{left, next, took};
use crate::output::Output;
use crate::schema::printed;

#[derive(Debug, clap::Args)]
#[command(after_help = include_str!("status.txt"))]
pub(crate) struct Args {
    /// The folder that ndq prove split wrote.
    #[arg(value_name = "DIR")]
    pub(crate) folder: PathBuf,
}

#[derive(JsonSchema, Serialize)]
struct Status {
    board: String,
    at_least: u64,
    /// Number of parts; a part that was split again is replaced by its pieces.
    parts: usize,
    /// Parts that are missing or have missing pieces.
    missing: Vec<usize>,
    /// The missing parts as a value of Slurm's option --array.
    array: String,
    /// Fraction of the tree that is done, from 0 to 1, by the estimate made at the split.
    done: f64,
    running: Vec<Running>,
    /// Resources that the parts have used so far.
    total: Total,
    /// Estimated CPU time of the remaining work, if it is like the work that is done.
    cpu_seconds_left: Option<f64>,
    fit: bool,
}

printed!(Status: "prove status");

/// Returns [`Exit::Yes`] if every part is done, [`Exit::No`] if the queens fit, and [`Exit::Stopped`] if
/// parts are missing.
pub(crate) fn run(args: &Args, out: &mut Output) -> anyhow::Result<Exit> {
    let folder = Folder::open(&args.folder, out.notes())?;
    let found = folder.status()?;
    let certificate = folder.certificate()?;
    if found.numbers.is_empty() && certificate.is_none() {
        folder.ensure_sound()?;
    }
    let split::Status { parts, missing, numbers, done, total, cpu_seconds_left, .. } = found;
    let running: Vec<Running> = found.running.into_iter().map(Running::of).collect();
    let Definition { board, at_least, .. } = &folder.manifest().definition;
    let status = Status {
        board: board.to_string(),
        at_least: *at_least,
        parts,
        array: array_of(&numbers),
        missing: numbers,
        done,
        running,
        total,
        cpu_seconds_left,
        fit: certificate.is_some(),
    };
    let fitting = Board::new(board).format_fitting(*at_least);
    let (text, exit) = match (&certificate, status.missing.is_empty()) {
        (Some(certificate), _) => (super::text::certificate_answer(*at_least, certificate), Exit::No),
        (None, true) => {
            let parts = counted(parts as u64, "part");
            let took = took(&status.total);
            let next = next("ndq prove join", &args.folder, false);
            (format!("whether {fitting} on {board}: {parts}, all done{took}{next}").into(), Exit::Yes)
        }
        (None, false) => {
            // Never show 100 % while parts are missing.
            let percent = (100.0 * status.done).min(99.9);
            let mut text = format!(
                "whether {fitting} on {board}: {missing} of {} missing, about {percent:.1} % of the tree done",
                counted(parts as u64, "part"),
            );
            text += &took(&status.total);
            text += &left(cpu_seconds_left, &status.running, &status.array);
            text += &next("ndq prove run", &args.folder, true);
            (text.into(), Exit::Stopped)
        }
    };
    out.answer(&status, &text)?;
    Ok(exit)
}
