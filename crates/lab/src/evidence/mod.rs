//! What shows that a bound holds, and how each kind of it is detected and checked.

mod checker;
pub mod drat;
pub mod orbit_lp;
pub mod partition;
pub mod tree;
pub mod veripb;
