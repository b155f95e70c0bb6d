//! What commands share of the command line.

pub(crate) mod groups;
pub(crate) mod typed;
pub(crate) mod values;
