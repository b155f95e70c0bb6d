//! Workflows. Each answers one question, reports its progress, and checks its results.

pub mod assembly;
pub mod boxes;
pub mod colour;
pub mod complete;
pub mod construct;
pub mod count;
mod count_run;
pub mod distant_colours;
pub mod estimate;
pub mod exact;
pub mod few_colours;
pub mod full;
pub mod graph;
pub mod orbit_lp;
pub mod polynomial;
pub mod prove;
pub mod refutation;
pub mod relax;
pub mod route;
mod run;
#[cfg(feature = "sat")]
mod sat;
pub mod search;
pub mod solve;
pub mod split;
mod start_image;
pub mod sudoku;
pub mod symmetric;
mod symmetry_name;
pub mod veripb;

pub use run::{Answered, Proven, run};
