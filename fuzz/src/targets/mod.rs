//! Fuzz targets.

mod certificates;
mod definitions;
mod formulas;
#[cfg(feature = "highs")]
mod highs;
mod names;
mod proofs;
mod puzzles;
mod tables;

pub use self::certificates::{certificate, colouring, solutions, squares};
pub use self::definitions::formulation;
pub use self::formulas::{cnf, heading, opb};
#[cfg(feature = "highs")]
pub use self::highs::{cliquer, experiment, solution_file};
pub use self::names::{graph, name};
pub use self::proofs::{bound, proof, vipr};
pub use self::puzzles::sudoku;
pub use self::tables::ledger;
use crate::Target;

/// All targets.
pub const ALL: &[Target] = &[
    Target { name: "name", seeds: names::name_seeds, check: name },
    Target { name: "graph", seeds: names::graph_seeds, check: graph },
    Target { name: "certificate", seeds: certificates::certificate_seeds, check: certificate },
    Target { name: "colouring", seeds: certificates::colouring_seeds, check: colouring },
    Target { name: "solutions", seeds: certificates::solutions_seeds, check: solutions },
    Target { name: "squares", seeds: certificates::squares_seeds, check: squares },
    Target { name: "proof", seeds: proofs::proof_seeds, check: proof },
    Target { name: "bound", seeds: proofs::bound_seeds, check: bound },
    Target { name: "vipr", seeds: proofs::vipr_seeds, check: vipr },
    Target { name: "opb", seeds: formulas::opb_seeds, check: opb },
    Target { name: "cnf", seeds: formulas::cnf_seeds, check: cnf },
    Target { name: "heading", seeds: formulas::heading_seeds, check: heading },
    Target { name: "formulation", seeds: definitions::formulation_seeds, check: formulation },
    Target { name: "ledger", seeds: tables::ledger_seeds, check: ledger },
    Target { name: "sudoku", seeds: puzzles::sudoku_seeds, check: sudoku },
    #[cfg(feature = "highs")]
    Target { name: "solution-file", seeds: highs::solution_file_seeds, check: solution_file },
    #[cfg(feature = "highs")]
    Target { name: "experiment", seeds: highs::experiment_seeds, check: experiment },
    #[cfg(feature = "highs")]
    Target { name: "cliquer", seeds: highs::cliquer_seeds, check: cliquer },
];

/// Returns a text if it is UTF-8.
fn utf8(bytes: &[u8]) -> Option<&str> {
    str::from_utf8(bytes).ok()
}
