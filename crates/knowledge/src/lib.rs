//! What is known: the archive of earlier runs with its ledger and its certificates, and the bounds that follow from it.

pub mod archive;
pub mod best;
pub mod bounds;
pub mod boxes;
pub mod certificates;
pub mod effort;
pub mod ledger;
mod side;

use ndqueens_lab::run::PriorResults;

pub use side::Side;

/// What the archive of this run holds, for the workflows.
pub const ARCHIVE: PriorResults =
    PriorResults { recheck: ledger::recheck, placements: certificates::placements };
