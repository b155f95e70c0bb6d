//! Prints the facets of the independent-set polytope of a board, one of each orbit:
//! `cargo run --profile ci -p ndqueens-polytope --example facets -- 2x3x3 [LIMIT]`, where LIMIT is the number
//! of intermediate facets above which a face is decomposed; with 0, every face is.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "an example prints")]

use std::time::Instant;

use ndqueens_model::board::Board;
use ndqueens_polytope::facets::{Limits, enumerate_facets_with};
use ndqueens_system::cancel::Control;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().collect();
    let name = arguments.get(1).map_or("3^2", String::as_str);
    let mut limits = Limits::default();
    if let Some(limit) = arguments.get(2) {
        limits.intermediate_facets = limit.parse()?;
    }
    let begin = Instant::now();
    let board = Board::new(&name.parse()?);
    let facets = enumerate_facets_with(&board, &limits, &Control::new(), &mut |orbits, untreated| {
        eprintln!("{:.1} s: {orbits} orbits, {untreated} untreated", begin.elapsed().as_secs_f64());
    })?;
    for orbit in &facets.orbits {
        println!("{} facets such as {}", orbit.size, orbit.halfspace.format(&board));
    }
    let seconds = begin.elapsed().as_secs_f64();
    println!("{} facets in {} orbits, {seconds:.1} s", facets.count(), facets.orbits.len());
    Ok(())
}
