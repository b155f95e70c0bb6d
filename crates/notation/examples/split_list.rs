//! Reads a list of solutions and prints each solution as a certificate.

#![allow(clippy::print_stdout, reason = "an example for the terminal")]

use std::error::Error;

use ndqueens_notation::certificate::Certificate;
use ndqueens_notation::certificate::solutions::Solutions;
use ndqueens_notation::name::reject_files;

/// The form that `ndq count 4^2 --solutions FILE` writes.
const LIST: &str = "\
ndqueens solutions 1
board: 4^2
size: 4
list: all
solutions: 2
origin: by hand
0 1, 1 3, 2 0, 3 2
0 2, 1 0, 2 3, 3 1
";

fn main() -> Result<(), Box<dyn Error>> {
    // No board is read from a file, so a list that names a board file is an error.
    let list = Solutions::parse_with(LIST, &reject_files)?;
    for (line, squares) in list.sets {
        let origin = format!("line {line} of a list, {}", list.heading.origin);
        println!("{}", Certificate::independent(list.heading.board.clone(), squares, origin));
    }
    Ok(())
}
