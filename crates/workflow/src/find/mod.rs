//! Finding large independent sets: constructions, local search, assembly from smaller sets, and completion.

pub mod assembly;
pub mod complete;
pub mod construct;
pub mod search;
