//! Verifies a placement and a proof that no larger one exists; together they show that alpha(3^2) = 2.

#![allow(clippy::print_stdout, reason = "an example for the terminal")]

use std::error::Error;

use ndqueens_crosscheck::{proof, verify};
use ndqueens_notation::certificate::Certificate;

const CERTIFICATE: &str = "\
ndqueens certificate 1
board: 3^2
problem: independent set
size: 2
origin: by hand
0 0
1 2
";

/// The form that `ndq prove 3^2 --proof FILE` writes.
const PROOF: &str = "\
ndqueens proof 2
board 3^2
box 1x1 1 lines
box 1x2 1 lines
box 1x3 1 lines
box 2x3 2 lines
box 3x3 2 search
order lexicographic
slab 1 0-0 1
slab 1 2-2 1
slab 2 0-0 1
slab 2 2-2 1
orbit 6 -1,2 2,1 1,-2
nodes aa
at most 2
end
";

fn main() -> Result<(), Box<dyn Error>> {
    let certificate: Certificate = CERTIFICATE.parse()?;
    let placement = verify::verify(&certificate)?;
    let bound = proof::check(PROOF.as_bytes(), &|name| name.parse())?;
    assert_eq!(placement.board(), bound.board());
    println!("at least {} queens fit on {}", placement.size(), placement.board());
    println!("at most {} fit, by a proof of {} nodes", bound.at_most().ok_or("a count")?, bound.nodes());
    Ok(())
}
