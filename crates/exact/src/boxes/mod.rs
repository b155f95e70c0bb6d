//! Bounds, placements and proofs of the boxes inside a board.

pub mod box_cache;
pub(crate) mod box_result;
pub mod box_table;
pub(crate) mod slab;
