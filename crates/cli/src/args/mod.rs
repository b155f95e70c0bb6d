//! Command-line arguments shared by several commands: groups of flags, and parsers of values.

pub(crate) mod groups;
pub(crate) mod values;
