//! `ndq estimate`

use std::fmt::Write as _;

use ndqueens_lab::estimate::{self, Estimated, Sampling};
use ndqueens_model::board::Board;
use serde::Serialize;

use super::Exit;
use crate::args;
use crate::output::Output;
use crate::progress::{Display, duration};

#[derive(Serialize)]
struct Tree {
    board: String,
    at_least: u64,
    order: String,
    nodes: f64,
    standard_error: f64,
    samples: u64,
    seconds: f64,
}

pub(super) fn run(args: &args::Estimate, display: &mut Display, out: &mut Output) -> anyhow::Result<Exit> {
    let board = Board::new(&args.board);
    let sampling = Sampling {
        at_least: args.at_least,
        samples: args.samples,
        options: args.bounding.options(),
        work: args.work.as_deref(),
    };
    let Estimated { trees, fits, stop } =
        estimate::estimate(&board, &sampling, &mut |event| display.show(event))?;
    let fitting = board.fitting(args.at_least);
    if let Some(certificate) = fits {
        out.result(
            &certificate.to_string(),
            &format!("{fitting} on {}, checked\n\n{certificate}", board.name()),
        )?;
        return Ok(Exit::No);
    }
    for tree in &trees {
        let order = format!("{:?}", tree.order).to_lowercase();
        let mut text = format!("whether {fitting} on {}: about {:.1e} nodes", board.name(), tree.nodes);
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
        display.say(&format!("stopped ({stop})"));
        return Ok(Exit::Stopped);
    }
    Ok(Exit::Yes)
}
