//! What is known of boards before anything is solved: upper bounds with what they rest on, and published values.

mod bound;
mod bounds;
pub mod boxes;
pub mod known;
pub mod ledger;
mod shipped;

pub use self::bound::{Provenance, Theorems, UpperBound, UpperBounds};
pub use self::bounds::{Bounds, Recheck};
