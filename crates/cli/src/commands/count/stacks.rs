//! Counts full solutions on boards where these are the maximum solutions and are all found by stacking
//! layers.

use std::time::Instant;

use ndqueens_model::board::Board;
use ndqueens_system::cancel::Deadline;
use ndqueens_workflow::count::Stopped;
use ndqueens_workflow::count::full;
use ndqueens_workflow::run::Interruptible;
use serde_json::json;

use super::answer::{MethodCount, Summary, verdict};
use super::args::{Args, Method};
use super::report::text;
use super::stopped::report_stopped;
use crate::commands::Exit;
use crate::output::Output;
use crate::progress::Display;

const STACKS: &str = "stacks of full layers, every one visited; each solution checked, its images under the symmetries are there";

/// Returns `true` if only numbers are requested and stacking layers finds all maximum solutions of the board.
pub(super) fn answers(args: &Args) -> bool {
    let listed = args.solutions.is_some() || args.density.is_some() || args.threshold || args.work.is_some();
    let listed = listed || args.proof.is_some();
    args.method == Method::Fast && args.exactly.is_none() && !listed && full::are_maximum(&args.board)
}

pub(super) fn run(
    args: &Args,
    board: &Board,
    mut summary: Summary,
    deadline: Deadline,
    display: &mut Display,
    out: &mut Output,
) -> anyhow::Result<Exit> {
    let begin = Instant::now();
    let threads = args.threads.number() as usize;
    match full::count_maximum(board, threads, deadline, &mut |event| display.show(event))? {
        Interruptible::Finished(full) => {
            summary.methods.push(MethodCount {
                independence_number: Some(full.queens),
                solutions: Some(json!(full.solutions)),
                solutions_up_to_symmetry: Some(json!(full.up_to_symmetry)),
                finished: true,
                ..MethodCount::unfinished(STACKS, begin)
            });
            out.answer(&summary, &text(&summary)?)?;
            Ok(verdict(&summary))
        }
        Interruptible::Stopped(reason) => {
            let stopped = Stopped { reason, size: None, met: 0, parts: None };
            report_stopped(STACKS, board, &stopped, None, begin, out)
        }
    }
}
