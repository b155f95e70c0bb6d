//! What was proved and found in earlier runs, as far as a workflow asks for it.

use std::sync::Arc;

use ndqueens_model::certificate::Certificate;
use ndqueens_model::facts::{Provenance, UpperBound};
use ndqueens_model::name::BoardName;

/// The results of earlier runs, checked again where they are used.
#[derive(Debug, Clone, Copy)]
pub struct PriorResults {
    /// The bound as a proved one, if files that are checked now show it.
    pub recheck: fn(&UpperBound) -> Option<UpperBound>,
    /// Placements on a board, each checked now.
    pub placements: fn(&BoardName) -> Vec<Certificate>,
}

impl PriorResults {
    /// Nothing is known.
    pub const NONE: Self = Self { recheck: |_| None, placements: |_| Vec::new() };
}

/// What an answer rests on besides theorems: bounds that were proved in this run, those of the archive after a check of their
/// files among them, or that a solver gave in it; and conditions, bounds that nothing in this run shows.
#[must_use]
pub fn settled(
    bounds: &[Arc<UpperBound>],
    prior: PriorResults,
) -> (Vec<Arc<UpperBound>>, Vec<Arc<UpperBound>>) {
    let rechecked = |bound: &Arc<UpperBound>| match bound.provenance {
        Provenance::Archived(_) => (prior.recheck)(bound).map_or_else(|| Arc::clone(bound), Arc::new),
        _ => Arc::clone(bound),
    };
    let resting = bounds.iter().filter(|bound| !matches!(bound.provenance, Provenance::Theorem(_)));
    resting
        .map(rechecked)
        .partition(|bound| matches!(bound.provenance, Provenance::Proved(_) | Provenance::Solved(_)))
}
