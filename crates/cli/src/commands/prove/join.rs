//! The command `ndq prove join`.

use std::path::PathBuf;

use ndqueens_model::board::Board;
use ndqueens_notation::counted::counted;
use ndqueens_workflow::parts::account::Total;
use ndqueens_workflow::split::{Definition, Folder, Joined};
use schemars::JsonSchema;
use serde::Serialize;

use super::text::certificate_answer;
use crate::args::groups::Limit;
use crate::commands::Exit;
use crate::commands::parts::took;
use crate::output::Output;
use crate::schema::printed;

#[derive(Debug, clap::Args)]
#[command(after_help = include_str!("join.txt"))]
pub(crate) struct Args {
    /// The folder that ndq prove split wrote.
    #[arg(value_name = "DIR")]
    pub(crate) folder: PathBuf,
    #[command(flatten)]
    pub(crate) limit: Limit,
    /// Write the proof to this file, gzip-compressed when its name ends in .gz; ndq check verifies it.
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}

#[derive(JsonSchema, Serialize)]
struct Join {
    board: String,
    at_least: u64,
    fit: bool,
    proof_nodes: Option<u64>,
    certificate: Option<String>,
    /// Resources that the parts used.
    total: Total,
}

printed!(Join: "prove join");

pub(crate) fn run(args: &Args, out: &mut Output) -> anyhow::Result<Exit> {
    let folder = Folder::open(&args.folder, out.notes())?;
    let Definition { board, at_least, .. } = &folder.manifest().definition;
    let joined = folder.join(args.output.as_deref())?;
    let total = folder.total()?;
    let (proof_nodes, certificate, text) = match &joined {
        Joined::DoNotFit(proved) => {
            let text = format!(
                "at most {} on {board}: proved\n  exact proof of {}, checked in integers{}",
                Board::new(board).format_fitting(at_least - 1),
                counted(proved.nodes(), "node"),
                took(&total)
            );
            (Some(proved.nodes()), None, text.into())
        }
        Joined::Fit(certificate) => {
            (None, Some(certificate.to_string()), certificate_answer(*at_least, certificate))
        }
    };
    let fit = certificate.is_some();
    out.answer(
        &Join { board: board.to_string(), at_least: *at_least, fit, proof_nodes, certificate, total },
        &text,
    )?;
    Ok(if fit { Exit::No } else { Exit::Yes })
}
