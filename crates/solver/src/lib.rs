//! How it is found: backends, constructions, local search, exact search.

pub mod backends;
pub mod colouring;
pub mod construct;
pub mod control;
pub mod exact;
pub mod orbit_lp;
pub mod process;
