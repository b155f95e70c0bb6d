//! Prior results: the archive of earlier runs with its ledger, its certificates and its counts, and the
//! bounds that follow from it.

pub mod addition;
pub mod archive;
pub mod beside;
pub mod best;
pub mod bounds;
pub mod boxes;
pub mod certificates;
pub mod counts;
pub mod effort;
mod error;
pub mod files;
pub mod ledger;
pub mod next;
mod prior;
pub mod queens_constant;
pub mod tables;

pub use self::error::{ArchiveError, RefusedFile};
