//! Results of earlier runs that the workflows use.

use std::sync::Arc;

use ndqueens_model::facts::{ArchivedBounds, Bounds, Provenance, UpperBound};
use ndqueens_notation::certificate::Certificate;
use ndqueens_notation::name::BoardName;
use ndqueens_system::cancel::Deadline;

/// Results of earlier runs, which are checked again where they are used.
#[derive(Debug, Clone, Copy)]
pub struct PriorResults {
    /// Returns the bounds of the archive, which count only after their check.
    pub archived: fn() -> Arc<ArchivedBounds>,
    /// Checks the files of a bound again, and returns it with the result: proved, rejected, or unchanged if
    /// the deadline is over.
    pub recheck: fn(&UpperBound, Deadline) -> UpperBound,
    /// Returns placements on a board, each checked when this is called.
    pub placements: fn(&BoardName) -> Vec<Certificate>,
}

impl PriorResults {
    /// No earlier results: only the archive shipped with the program, whose bounds are not checked again.
    pub const NONE: Self = Self {
        archived: ArchivedBounds::builtin,
        recheck: |bound, _| bound.clone(),
        placements: |_| Vec::new(),
    };

    /// Returns theorems, and the bounds of the archive whose proofs pass the check before the deadline.
    #[must_use]
    pub fn checked_bounds(self, deadline: Deadline) -> Bounds {
        Bounds::with_checked_archive(&(self.archived)(), move |bound| {
            Some((self.recheck)(bound, deadline)).filter(|checked| checked.provenance.is_proof())
        })
    }
}

/// Splits the bounds on which an answer rests, apart from theorems, into lemmas and conditions. Lemmas were
/// proved or solved in this run; this includes bounds of the archive whose files pass a check now. Conditions
/// are all others.
#[must_use]
pub fn lemmas_and_conditions(
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
