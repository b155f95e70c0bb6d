//! The command `ndq prove estimate`.

use std::fmt::Write as _;
use std::path::PathBuf;

use ndqueens_model::board::Board;
use ndqueens_notation::name::BoardName;
use ndqueens_solver::backends::Options;
use ndqueens_workflow::prove::estimate::{self, Estimated, Sampling};
use schemars::JsonSchema;
use serde::Serialize;

use crate::args::groups::Bounding;
use crate::args::values::{board, queens, whole};
use crate::commands::Exit;
use crate::output::Output;
use crate::progress::{Display, duration};
use crate::schema::printed;

printed!(String: "prove estimate");

#[derive(Debug, clap::Args)]
#[command(after_help = include_str!("estimate.txt"), allow_negative_numbers = true)]
pub(crate) struct Args {
    /// The board, such as 6^3 or 4x5x6.
    #[arg(value_parser = board)]
    pub(crate) board: BoardName,
    /// Target K: the proof would show that no placement of K queens exists.
    #[arg(long, value_name = "K", value_parser = queens)]
    pub(crate) at_least: u64,
    /// Number of random walks down the tree.
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = whole::<u64>(1..=1_000_000_000))]
    pub(crate) samples: u64,
    /// Store settled sub-boxes in this folder, and read them from it; ndq prove --work accepts the same
    /// folder.
    #[arg(long, value_name = "DIR")]
    pub(crate) work: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) bounding: Bounding,
}

#[derive(JsonSchema, Serialize)]
struct Tree {
    board: String,
    at_least: u64,
    order: String,
    nodes: f64,
    standard_error: f64,
    samples: u64,
    seconds: f64,
}

printed!(Tree: "prove estimate");

pub(crate) fn run(args: &Args, display: &mut Display, out: &mut Output) -> anyhow::Result<Exit> {
    let board = Board::new(&args.board);
    display.work_on(format!("estimate for {}", args.board));
    let sampling = Sampling {
        at_least: args.at_least,
        samples: args.samples,
        options: Options { notes: out.notes().clone(), ..args.bounding.options() },
        work: args.work.as_deref(),
    };
    let Estimated { trees, fits, stop } =
        estimate::estimate(&board, &sampling, &mut |event| display.show(event))?;
    let fitting = board.format_fitting(args.at_least);
    if let Some(certificate) = fits {
        out.result(
            &certificate.to_string(),
            &format!("{fitting} on {}, checked\n\n{certificate}", board.name()),
        )?;
        return Ok(Exit::No);
    }
    for tree in &trees {
        let order = format!("{:?}", tree.order).to_lowercase();
        let mut text = format!("whether {fitting} on {}: about {}", board.name(), tree.size());
        let percent = 100.0 * tree.error / tree.nodes.max(1.0);
        write!(text, " (standard error {percent:.0} %, {} samples, {order} order)", tree.samples)?;
        write!(text, ", {} on one thread", duration(tree.seconds))?;
        let tree = Tree {
            board: board.name().to_string(),
            at_least: args.at_least,
            order,
            nodes: tree.nodes,
            standard_error: tree.error,
            samples: tree.samples,
            seconds: tree.seconds,
        };
        out.result(&tree, &text)?;
    }
    if let Some(stop) = stop {
        display.print(&format!(
            "stopped ({stop}) before both orders were estimated; --work DIR stores sub-boxes"
        ));
        return Ok(Exit::Stopped);
    }
    Ok(Exit::Yes)
}
