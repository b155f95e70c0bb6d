//! Counts solutions that contain given queens: the independent sets of the squares that these neither occupy
//! nor attack.

use std::path::Path;
use std::time::Instant;

use ndqueens_crosscheck::residual::residual;
use ndqueens_model::board::Board;
use ndqueens_notation::certificate::Problem;
use ndqueens_notation::name::BoardName;
use ndqueens_solver::backends::Options;
use ndqueens_system::cancel::{Deadline, StopReason};
use ndqueens_workflow::count::{self, CountRequest};
use ndqueens_workflow::prove::engine_run;
use ndqueens_workflow::run::Interruptible;
use schemars::JsonSchema;
use serde::Serialize;

use super::args::Args;
use crate::commands::{Exit, read_included};
use crate::output::Output;
use crate::progress::Display;
use crate::schema::printed;

#[derive(Default, JsonSchema, Serialize)]
struct CountedWith {
    board: String,
    /// Number of squares of a solution, the given ones included; the independence number
    /// unless --exactly names it.
    size: Option<u64>,
    /// Given squares, which each solution contains.
    included: Vec<Vec<u32>>,
    /// Number of solutions, as text since it may exceed 64 bits; absent if the count was stopped.
    solutions: Option<String>,
    /// Search nodes of the count.
    nodes: Option<u64>,
    stopped: Option<String>,
    seconds: f64,
}

printed!(CountedWith: "count");

pub(super) fn run(
    args: &Args,
    board: &Board,
    path: &Path,
    deadline: Deadline,
    display: &mut Display,
    out: &mut Output,
) -> anyhow::Result<Exit> {
    let begin = Instant::now();
    let given = read_included(board, Some(path), args.form, Problem::IndependentSet)?;
    let coordinates: Vec<Vec<u32>> = given.iter().map(|&queen| board.coordinates(queen)).collect();
    let options =
        Options { threads: Some(args.threads.number()), time_limit: deadline.left(), ..Options::default() };
    let mut counted = CountedWith {
        board: board.name().to_string(),
        size: args.exactly,
        included: coordinates.clone(),
        ..CountedWith::default()
    };
    let size = match args.exactly {
        Some(size) => size,
        None => {
            let found = engine_run::run(board, &options, None, None, None, &mut |event| display.show(event))?;
            match found.proved {
                Ok(_) => found.maximum.value,
                Err(reason) => return report_stopped(counted, reason, board, begin, out),
            }
        }
    };
    counted.size = Some(size);
    let left = residual(board.name(), &coordinates)?;
    let solutions = match size.checked_sub(given.len() as u64) {
        Some(0) => "1".to_owned(),
        Some(more) if more <= left.squares.len() as u64 => {
            let name = BoardName::parse_with("file:what is left", &|_| Ok(left.graph.clone()))?;
            let request = CountRequest { size: Some(more), keep: 0, work: None, proof: None };
            let mut watch = |event: &_| display.show(event);
            match count::count(&Board::new(&name), &request, &options, deadline, &mut watch)? {
                Interruptible::Finished(count) => {
                    counted.nodes = Some(count.nodes);
                    count.solutions().to_string()
                }
                Interruptible::Stopped(stop) => {
                    return report_stopped(counted, stop.reason, board, begin, out);
                }
            }
        }
        _ => "0".to_owned(),
    };
    counted.seconds = begin.elapsed().as_secs_f64();
    let (queens, all) = (board.format_pieces(given.len() as u64), board.format_pieces(size));
    let what = if args.exactly.is_some() { "non-attacking set" } else { "maximum solution" };
    let (ending, verb) = if solutions == "1" { ("", "contains") } else { ("s", "contain") };
    let text = format!("{solutions} {what}{ending} of {all} on {} {verb} the given {queens}", board.name());
    counted.solutions = Some(solutions);
    out.result(&counted, &text)?;
    Ok(Exit::Yes)
}

fn report_stopped(
    counted: CountedWith,
    reason: StopReason,
    board: &Board,
    begin: Instant,
    out: &mut Output,
) -> anyhow::Result<Exit> {
    let seconds = begin.elapsed().as_secs_f64();
    let text = format!("stopped ({reason}) before the solutions on {} were counted", board.name());
    out.result(&CountedWith { stopped: Some(reason.to_string()), seconds, ..counted }, &text)?;
    Ok(Exit::Stopped)
}
