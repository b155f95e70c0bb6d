//! What commands share of the command line.

pub(crate) mod groups;
pub(crate) mod values;
