//! Finding large independent sets: constructions, local search, and completion of given ones.

pub mod complete;
pub mod construct;
pub mod search;
