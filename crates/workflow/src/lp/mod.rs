//! Upper bounds by linear programs.

pub mod orbit_lp;
pub mod relaxation;
