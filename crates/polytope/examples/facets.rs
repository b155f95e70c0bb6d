//! Prints the facets of the independent-set polytope of a board, one of each orbit:
//! `cargo run --profile ci -p ndqueens-polytope --example facets -- 2x3x3`.

#![allow(clippy::print_stdout, reason = "an example prints")]

use ndqueens_model::board::Board;
use ndqueens_polytope::facets::{Limits, enumerate_facets};
use ndqueens_system::cancel::Control;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let name = std::env::args().nth(1).unwrap_or_else(|| "3^2".to_owned());
    let board = Board::new(&name.parse()?);
    let facets = enumerate_facets(&board, &Limits::default(), &Control::new())?;
    for orbit in &facets.orbits {
        println!("{} facets such as {}", orbit.size, orbit.halfspace.format(&board));
    }
    println!("{} facets in {} orbits", facets.count(), facets.orbits.len());
    Ok(())
}
