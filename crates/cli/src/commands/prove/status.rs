//! `ndq prove status`

use std::path::PathBuf;

use clap::Args as Group;
use ndqueens_lab::workflow::split::{Definition, Folder};
use ndqueens_model::board::Board;
use schemars::JsonSchema;
use serde::Serialize;

use crate::args::typed::Typed;
use crate::commands::Exit;
use crate::output::{Output, counted};
use crate::schema::printed;

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
    parts: usize,
    missing: Vec<usize>,
    /// What part of the tree is done, from 0 to 1, by the estimate that was made when it was cut.
    done: f64,
    fit: bool,
}

printed!(Status: "prove status");

/// Exit code 0 when every part is there, 1 when the queens fit, 3 when parts are missing.
pub(crate) fn run(args: &Args, out: &mut Output) -> anyhow::Result<Exit> {
    let folder = Folder::open(&args.folder)?;
    let missing = folder.missing()?;
    if missing.is_empty() {
        folder.ensure_sound()?;
    }
    let manifest = folder.manifest();
    let Definition { board, at_least, parts, .. } = &manifest.definition;
    let found = folder.certificate()?;
    let left: f64 = missing.iter().map(|&number| manifest.weights[number]).sum();
    let status = Status {
        board: board.to_string(),
        at_least: *at_least,
        parts: *parts,
        done: (1.0 - left).clamp(0.0, 1.0),
        missing,
        fit: found.is_some(),
    };
    let fitting = Board::new(board).fitting(*at_least);
    let shown = args.folder.display();
    let (text, exit) = match (&found, status.missing.is_empty()) {
        (Some(certificate), _) => (super::join::found(*at_least, certificate), Exit::No),
        (None, true) => {
            let next = Typed::new("ndq prove join").word(shown).to_string();
            let parts = counted(*parts as u64, "part");
            (format!("whether {fitting} on {board}: {parts}, all done\nnext: {next}"), Exit::Yes)
        }
        (None, false) => {
            let (missing, percent) = (status.missing.len(), 100.0 * status.done);
            let next = Typed::new("ndq prove run").word(shown).word("--all").to_string();
            let text = format!(
                "whether {fitting} on {board}: {missing} of {} missing, about {percent:.1} % of the tree done\nnext: {next}",
                counted(*parts as u64, "part"),
            );
            (text, Exit::Stopped)
        }
    };
    out.result(&status, &text)?;
    Ok(exit)
}
