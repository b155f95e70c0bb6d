//! Proves that 13 queens are the maximum on 5 x 5 x 5, checks the proof, and prints the size of its tree.

#![allow(clippy::print_stdout, reason = "an example for the terminal")]

use std::error::Error;

use ndqueens_crosscheck::proof;
use ndqueens_exact::{Settings, maximum};
use ndqueens_model::board::Board;
use ndqueens_system::cancel::Control;

fn main() -> Result<(), Box<dyn Error>> {
    let board = Board::new(&"5^3".parse()?);
    // Another thread may stop the search by the control.
    let control = Control::new();
    let mut text = Vec::new();
    let found = maximum(&board, &Settings::new(&control), Some(&mut text), &mut |_| {})?;
    println!("{}: {} queens placed, at most {} fit", board.name(), found.value, found.upper);

    // The checker shares no code with the engine.
    let proved = proof::check(text.as_slice(), &|name| name.parse())?;
    assert_eq!(proved.at_most(), Some(found.value));
    println!("checked: {} nodes in {} boxes, {} bytes", proved.nodes(), proved.boxes(), text.len());
    Ok(())
}
