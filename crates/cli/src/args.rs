//! What commands share of the command line.

pub(crate) mod groups;
pub(crate) use ndqueens_console::typed;
pub(crate) mod values;
