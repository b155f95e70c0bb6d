//! `ndq count`

use std::time::Instant;

use ndqueens_crosscheck::count::{self, CountError};
use ndqueens_model::board::Board;
use serde::Serialize;

use super::Exit;
use crate::args;
use crate::interrupt;
use crate::output::Output;

#[derive(Serialize)]
struct Counted {
    board: String,
    independence_number: usize,
    maximum_solutions: u64,
    fundamental_solutions: Option<u64>,
    method: &'static str,
    seconds: f64,
}

/// What is known when a count is stopped.
#[derive(Serialize)]
struct Stopped {
    board: String,
    incumbent: usize,
    squares: Vec<Vec<u32>>,
    trivial_bound: u64,
    seconds: f64,
}

pub(super) fn run(args: &args::Count, out: &mut Output) -> anyhow::Result<Exit> {
    let begin = Instant::now();
    let over = || interrupt::asked() || args.time_limit.is_some_and(|limit| begin.elapsed() >= limit);
    match count::count(&args.board, &over) {
        Ok(count) => {
            let counted = Counted {
                board: args.board.to_string(),
                independence_number: count.independence_number,
                maximum_solutions: count.maximum_sets,
                fundamental_solutions: count.orbits,
                method: "Bron-Kerbosch with pivot, every maximum solution visited",
                seconds: begin.elapsed().as_secs_f64(),
            };
            let fundamental = count.orbits.map_or_else(
                || "not counted: the symmetry group is not known or too large to be listed".to_owned(),
                |orbits| format!("{orbits}, true orbits under the board's symmetry group"),
            );
            let text = format!(
                "board                  {}\nindependence number    {}\nmaximum solutions      {}\n\
                 fundamental solutions  {fundamental}\nmethod                 {}\nseconds                {:.2}",
                counted.board,
                counted.independence_number,
                counted.maximum_solutions,
                counted.method,
                counted.seconds
            );
            out.result(&counted, &text)?;
            Ok(Exit::Yes)
        }
        Err(CountError::Stopped { incumbent }) => {
            let stopped = Stopped {
                board: args.board.to_string(),
                incumbent: incumbent.len(),
                squares: incumbent,
                trivial_bound: Board::new(&args.board).trivial_bound(),
                seconds: begin.elapsed().as_secs_f64(),
            };
            let text = format!(
                "the count of {} was stopped before it was done: {} queens found, trivial bound {}",
                stopped.board, stopped.incumbent, stopped.trivial_bound
            );
            out.result(&stopped, &text)?;
            Ok(Exit::Stopped)
        }
        Err(error) => Err(error.into()),
    }
}
