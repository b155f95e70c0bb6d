//! What was proved and found in earlier runs, as far as a workflow asks for it.

use std::sync::Arc;

use ndqueens_model::facts::{ArchivedBounds, Bounds, Provenance, UpperBound};
use ndqueens_notation::certificate::Certificate;
use ndqueens_notation::name::BoardName;
use ndqueens_system::cancel::Deadline;

/// The results of earlier runs, checked again where they are used.
#[derive(Debug, Clone, Copy)]
pub struct PriorResults {
    /// The bounds of the archive, which count only with what their check came to.
    pub archived: fn() -> Arc<ArchivedBounds>,
    /// The bound with what the check of its files came to: proved, refused, or as it was where time was up before.
    pub recheck: fn(&UpperBound, Deadline) -> UpperBound,
    /// Placements on a board, each checked now.
    pub placements: fn(&BoardName) -> Vec<Certificate>,
}

impl PriorResults {
    /// Nothing is known.
    pub const NONE: Self = Self {
        archived: ArchivedBounds::builtin,
        recheck: |bound, _| bound.clone(),
        placements: |_| Vec::new(),
    };

    /// Theorems, and besides them what is in the archive and passes the check of its proof before time is up.
    #[must_use]
    pub fn checked_bounds(self, deadline: Deadline) -> Bounds {
        Bounds::with_checked_archive(&(self.archived)(), move |bound| {
            Some((self.recheck)(bound, deadline)).filter(|checked| checked.provenance.is_proof())
        })
    }
}

/// What an answer rests on besides theorems: bounds that were proved in this run, those of the archive after a check of their
/// files among them, or that a solver gave in it; and conditions, bounds that nothing in this run shows.
#[must_use]
pub fn settled(
    bounds: &[Arc<UpperBound>],
    prior: PriorResults,
) -> (Vec<Arc<UpperBound>>, Vec<Arc<UpperBound>>) {
    let rechecked = |bound: &Arc<UpperBound>| match bound.provenance {
        Provenance::Archived(_) => (prior.recheck)(bound, Deadline::NEVER).into(),
        _ => Arc::clone(bound),
    };
    let resting = bounds.iter().filter(|bound| !matches!(bound.provenance, Provenance::Theorem(_)));
    resting
        .map(rechecked)
        .partition(|bound| matches!(bound.provenance, Provenance::Proved(_) | Provenance::Solved(_)))
}
