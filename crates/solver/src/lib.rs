//! How it is found: backends, constructions, local search, exact search.

mod attend;
pub mod backend;
pub mod choice;
pub mod claim;
pub mod colouring;
pub mod command;
pub mod construction;
pub mod deadline;
pub mod exact;
pub mod good_lp;
pub mod highs;
pub mod local_search;
pub mod orbit_lp;
pub mod process;
#[cfg(feature = "sat")]
pub mod sat;
pub mod scratch;
pub mod solution_file;
mod stack;
