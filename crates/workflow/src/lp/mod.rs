//! Upper bounds by linear programs.

pub mod bound;
pub mod cuts;
pub mod orbit_lp;
pub mod relaxation;
