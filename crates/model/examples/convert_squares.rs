//! Reads a placement in two conventions and prints it in a third one.

#![allow(clippy::print_stdout, reason = "an example for the terminal")]

use std::error::Error;

use ndqueens_model::import::{Convention, export, import};
use ndqueens_notation::name::reject_files;

fn main() -> Result<(), Box<dyn Error>> {
    let board = "4^2".parse()?;
    let tuples = import("(1,2) (2,4) (3,1) (4,3)", Convention::Tuples1, Some(&board), &reject_files)?;
    let heights = import("1 3 0 2", Convention::Heights0, Some(&board), &reject_files)?;
    assert_eq!(tuples.squares, heights.squares);
    // The squares are read and not checked; ndqueens_crosscheck::verify tests them for attacks.
    print!("{}", export(&heights, Convention::Picture)?);
    Ok(())
}
