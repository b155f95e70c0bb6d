//! What is known about the boxes inside a board: bounds, placements and proofs.

pub mod box_cache;
pub(crate) mod box_result;
pub mod box_table;
pub(crate) mod slab;
