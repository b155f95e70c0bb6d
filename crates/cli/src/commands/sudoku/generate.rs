//! The command `ndq sudoku --generate`.

use ndqueens_notation::counted::counted;
use ndqueens_sudoku::generate;
use ndqueens_sudoku::puzzle::Puzzle;
use ndqueens_workflow::sudoku;
use schemars::JsonSchema;
use serde::Serialize;

use super::args::Args;
use crate::commands::Exit;
use crate::output::{Output, log};
use crate::schema::printed;

/// A generated puzzle.
#[derive(JsonSchema, Serialize)]
struct Made {
    puzzle: u64,
    order: usize,
    clues: usize,
    cells: String,
}

printed!(Made: "sudoku");

pub(super) fn run(
    args: &Args,
    number: u64,
    stop: &(dyn Fn() -> bool + Sync),
    out: &mut Output,
) -> anyhow::Result<Exit> {
    let order = args.order as usize;
    let (mut begin, mut written) = (0, 0);
    while begin < number {
        let chunk: Vec<u64> = (begin..number.min(begin + 256)).collect();
        begin += chunk.len() as u64;
        let made = sudoku::each(&chunk, args.threads.number(), |&at| {
            let made = generate::random_puzzle(order, args.diagonal, args.seed, at, stop)?;
            let (clues, cells) = (made.clues().count(), Puzzle::format_line(&made.cells));
            Some(Made { puzzle: at + 1, order, clues, cells })
        })?;
        for made in made {
            let Some(made) = made else {
                log(&format!("stopped after {}", counted(written, "puzzle")));
                return Ok(Exit::Stopped);
            };
            out.result(&made, &made.cells)?;
            written += 1;
        }
    }
    Ok(Exit::Yes)
}
