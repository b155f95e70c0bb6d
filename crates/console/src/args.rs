//! What commands share of the command line: groups of flags, and what their words may be.

pub mod groups;
pub mod values;
