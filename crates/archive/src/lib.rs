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
pub mod ledger;
pub mod next;
pub mod queens_constant;
pub mod tables;

use std::sync::Arc;

use ndqueens_workflow::run::PriorResults;

/// The archive of this run, as the workflows use it.
pub const ARCHIVE: PriorResults = PriorResults {
    archived: || Arc::clone(archive::bounds()),
    recheck: ledger::recheck,
    placements: certificates::placements,
};
