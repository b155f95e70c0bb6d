//! How it is found: backends, constructions, exact search.

mod attend;
pub mod backend;
pub mod choice;
pub mod claim;
pub mod command;
pub mod construction;
pub mod exact;
pub mod good_lp;
pub mod highs;
pub mod solution_file;
