//! Data known before a computation: upper bounds with their provenance, published values and counts, and
//! archived results.

mod bound;
#[cfg(feature = "tables")]
mod bounds;
#[cfg(feature = "tables")]
pub mod boxes;
#[cfg(feature = "tables")]
pub mod colourings;
#[cfg(feature = "tables")]
pub mod counts;
#[cfg(feature = "tables")]
pub mod full_counts;
#[cfg(feature = "tables")]
pub mod known;
#[cfg(feature = "tables")]
pub mod ledger;
#[cfg(feature = "tables")]
pub mod reading;
mod side;
pub mod volume;

pub use self::bound::{Provenance, Theorems, UpperBound, UpperBounds};
#[cfg(feature = "tables")]
pub use self::bounds::{ArchivedBounds, Bounds};
pub use self::side::Side;
