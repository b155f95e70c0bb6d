//! How it is found: backends, constructions, exact search.

pub mod backend;
pub mod construction;
pub mod highs;
