//! The command `ndq prove split`.

use std::path::PathBuf;

use ndqueens_model::board::Board;
use ndqueens_notation::counted::counted;
use ndqueens_notation::name::BoardName;
use ndqueens_solver::backends::Options;
use ndqueens_workflow::run::Interruptible;
use ndqueens_workflow::split::{self, Cutting, Definition};
use schemars::JsonSchema;
use serde::Serialize;

use crate::args::groups::Bounding;
use crate::args::values::{board, queens, whole};
use crate::commands::Exit;
use crate::output::Output;
use crate::progress::Display;
use crate::schema::printed;
use crate::typed::Typed;

#[derive(Debug, clap::Args)]
#[command(after_help = include_str!("split.txt"), allow_negative_numbers = true)]
pub(crate) struct Args {
    /// The board, such as 6^3 or 4x5x6.
    #[arg(value_parser = board)]
    pub(crate) board: BoardName,
    /// Target K: prove that no placement of K queens exists.
    #[arg(long, value_name = "K", value_parser = queens)]
    pub(crate) at_least: u64,
    /// A new folder for the parts.
    #[arg(short, long, value_name = "DIR")]
    pub(crate) output: PathBuf,
    /// The minimum number of parts; a small tree has fewer.
    #[arg(long, value_name = "N", default_value_t = 256, value_parser = whole::<usize>(1..=u64::MAX))]
    pub(crate) parts: usize,
    #[command(flatten)]
    pub(crate) bounding: Bounding,
}

#[derive(JsonSchema, Serialize)]
struct Cut<'a> {
    board: String,
    at_least: u64,
    parts: usize,
    depth: u32,
    digest: &'a str,
}

printed!(Cut<'static>: "prove split");

pub(crate) fn run(args: &Args, display: &mut Display, out: &mut Output) -> anyhow::Result<Exit> {
    display.work_on(format!("split of {}", args.board));
    let options = Options { notes: out.notes().clone(), ..args.bounding.options() };
    let cutting = Cutting { at_least: args.at_least, parts: args.parts, options };
    let folder = match split::split(&args.board, &cutting, &args.output, &mut |event| display.show(event))? {
        Interruptible::Finished(folder) => folder,
        Interruptible::Stopped(stop) => {
            let folder = args.output.display();
            display.print(&format!(
                "stopped ({stop}): settled sub-boxes are stored in {folder}; the same command resumes"
            ));
            return Ok(Exit::Stopped);
        }
    };
    let manifest = folder.manifest();
    let Definition { board, at_least, parts, depth, .. } = &manifest.definition;
    let cut = Cut {
        board: board.to_string(),
        at_least: *at_least,
        parts: *parts,
        depth: *depth,
        digest: &manifest.digest,
    };
    let folder_name = args.output.display();
    let next = match *parts {
        0 => Typed::new("ndq prove join").word(folder_name).to_string(),
        _ => Typed::new("ndq prove run").word(folder_name).word("--all").to_string(),
    };
    let text = format!(
        "question whether {} on {board}: split into {}, after {}\nnext: {next}",
        Board::new(board).format_fitting(*at_least),
        counted(*parts as u64, "part"),
        counted(*depth as u64, "decision")
    );
    out.result(&cut, &text)?;
    Ok(Exit::Yes)
}
