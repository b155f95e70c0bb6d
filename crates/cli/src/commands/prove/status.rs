//! `ndq prove status`

use std::fmt::Write as _;
use std::path::PathBuf;

use clap::Args as Group;
use ndqueens_console::batch::array_of;
use ndqueens_console::running::Running;
use ndqueens_lab::parts::account::Total;
use ndqueens_lab::workflow::split::{self, Definition, Folder};
use ndqueens_model::board::Board;
use schemars::JsonSchema;
use serde::Serialize;

use crate::commands::Exit;
use crate::output::{Output, counted};
use crate::progress::duration;
use crate::schema::printed;
use crate::typed::Typed;

#[derive(Debug, Group)]
#[command(after_help = include_str!("status.txt"))]
pub(crate) struct Args {
    /// The folder that ndq prove split made.
    #[arg(value_name = "DIR")]
    pub(crate) folder: PathBuf,
}

#[derive(JsonSchema, Serialize)]
struct Status {
    board: String,
    at_least: u64,
    /// Parts, and in place of those that were cut again their pieces.
    parts: usize,
    /// The parts that are missing, or have pieces that are.
    missing: Vec<usize>,
    /// The same as the option --array of Slurm takes it.
    array: String,
    /// What part of the tree is done, from 0 to 1, by the estimate that was made when it was cut.
    done: f64,
    running: Vec<Running>,
    /// What the parts took so far.
    total: Total,
    /// CPU time for what is missing if it is like the rest.
    cpu_seconds_left: Option<f64>,
    fit: bool,
}

printed!(Status: "prove status");

/// Exit code 0 when every part is there, 1 when the queens fit, 3 when parts are missing.
pub(crate) fn run(args: &Args, out: &mut Output) -> anyhow::Result<Exit> {
    let folder = Folder::open(&args.folder)?;
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
    let fitting = Board::new(board).fitting(*at_least);
    let shown = args.folder.display();
    let (text, exit) = match (&certificate, status.missing.is_empty()) {
        (Some(certificate), _) => (super::text::found(*at_least, certificate), Exit::No),
        (None, true) => {
            let next = Typed::new("ndq prove join").word(shown).to_string();
            let parts = counted(parts as u64, "part");
            let took = took(&status.total);
            (format!("whether {fitting} on {board}: {parts}, all done{took}\nnext: {next}").into(), Exit::Yes)
        }
        (None, false) => {
            // Something is left.
            let percent = (100.0 * status.done).min(99.9);
            let next = Typed::new("ndq prove run").word(shown).word("--all").to_string();
            let mut text = format!(
                "whether {fitting} on {board}: {missing} of {} missing, about {percent:.1} % of the tree done",
                counted(parts as u64, "part"),
            );
            text += &took(&status.total);
            if let Some(left) = cpu_seconds_left {
                write!(text, "\n  left: about {} of CPU time, if the rest is alike", duration(left))?;
            }
            for running in &status.running {
                let word = if running.abandoned { "claimed" } else { "running" };
                write!(text, "\n  {word}: {running}")?;
            }
            if status.array.len() <= LONGEST {
                write!(text, "\n  missing: {}", status.array)?;
            }
            write!(text, "\nnext: {next}")?;
            (text.into(), Exit::Stopped)
        }
    };
    out.answer(&status, &text)?;
    Ok(exit)
}

/// The longest list of missing parts that is printed.
const LONGEST: usize = 300;

/// What the parts took, on a line of its own.
pub(super) fn took(total: &Total) -> String {
    if total.nodes == 0 {
        return String::new();
    }
    let (nodes, hosts) = (counted(total.nodes, "node"), counted(total.hosts as u64, "host"));
    format!("\n  so far: {} of CPU time, {nodes}, {hosts}", duration(total.cpu_seconds))
}
