//! Command-line arguments shared by several commands: groups of flags, and parsers of values.

pub mod groups;
pub mod values;
