//! Results of earlier runs that the workflows use.

use std::fmt;
use std::sync::Arc;

use ndqueens_model::facts::{ArchivedBounds, Bounds, Provenance, UpperBound};
use ndqueens_model::model::Model;
use ndqueens_notation::certificate::Certificate;
use ndqueens_notation::name::BoardName;
use ndqueens_system::cancel::Deadline;

use crate::record::Answer;

/// Archive of the results of earlier runs.
pub trait ResultArchive: fmt::Debug + Send + Sync {
    /// Returns the bounds of the archive, which count only after their check.
    fn bounds(&self) -> &Arc<ArchivedBounds>;

    /// Checks the files of a bound again, and returns it with the result: proved, rejected, or unchanged if
    /// the deadline is over.
    fn recheck(&self, bound: &UpperBound, deadline: Deadline) -> UpperBound;

    /// Returns placements on a board, each checked when this is called.
    fn placements(&self, board: &BoardName) -> Vec<Certificate>;
}

/// Results of earlier runs, which are checked again where they are used. Clones share the archive.
#[derive(Debug, Clone)]
pub struct PriorResults(Arc<dyn ResultArchive>);

impl PriorResults {
    /// Creates the results of an archive.
    #[must_use]
    pub fn of(archive: impl ResultArchive + 'static) -> Self {
        Self(Arc::new(archive))
    }

    /// Creates the results of no earlier runs: only the bounds shipped with the program, which are not
    /// checked again.
    #[must_use]
    pub fn none() -> Self {
        Self::of(ShippedBounds(ArchivedBounds::builtin()))
    }

    /// Returns the bounds of the archive, which count only after their check.
    #[must_use]
    pub fn bounds(&self) -> &Arc<ArchivedBounds> {
        self.0.bounds()
    }

    /// Returns placements on a board, each checked now.
    #[must_use]
    pub fn placements(&self, board: &BoardName) -> Vec<Certificate> {
        self.0.placements(board)
    }

    /// Returns theorems, and the bounds of the archive whose proofs pass the check before the deadline.
    #[must_use]
    pub fn checked_bounds(&self, deadline: Deadline) -> Bounds {
        let archive = Arc::clone(&self.0);
        Bounds::with_checked_archive(self.bounds(), move |bound| {
            Some(archive.recheck(bound, deadline)).filter(|checked| checked.provenance.is_proof())
        })
    }
}

/// The bounds shipped with the program, without their files.
#[derive(Debug)]
struct ShippedBounds(Arc<ArchivedBounds>);

impl ResultArchive for ShippedBounds {
    fn bounds(&self) -> &Arc<ArchivedBounds> {
        &self.0
    }

    fn recheck(&self, bound: &UpperBound, _: Deadline) -> UpperBound {
        bound.clone()
    }

    fn placements(&self, _: &BoardName) -> Vec<Certificate> {
        Vec::new()
    }
}

/// Records the bounds and the inequalities of the formulation on which an answer rests, as lemmas and conditions.
pub(crate) fn note_foundation(answer: &mut Answer, model: &Model<'_>, prior: &PriorResults) {
    let (lemmas, conditions) = lemmas_and_conditions(model.bounds(), prior);
    let own = model.formulation().own.lemmas_and_conditions(model.board());
    answer.lemmas = lemmas.iter().map(|bound| bound.to_string()).chain(own.lemmas).collect();
    answer.conditions = conditions.iter().map(|bound| bound.to_string()).chain(own.conditions).collect();
}

/// Splits the bounds on which an answer rests, apart from theorems, into lemmas and conditions. Lemmas were
/// proved or solved in this run; this includes bounds of the archive whose files pass a check now. Conditions
/// are all others.
#[must_use]
pub fn lemmas_and_conditions(
    bounds: &[Arc<UpperBound>],
    prior: &PriorResults,
) -> (Vec<Arc<UpperBound>>, Vec<Arc<UpperBound>>) {
    let rechecked = |bound: &Arc<UpperBound>| match bound.provenance {
        Provenance::Archived(_) => prior.0.recheck(bound, Deadline::NEVER).into(),
        _ => Arc::clone(bound),
    };
    let resting = bounds.iter().filter(|bound| !matches!(bound.provenance, Provenance::Theorem(_)));
    resting
        .map(rechecked)
        .partition(|bound| matches!(bound.provenance, Provenance::Proved(_) | Provenance::Solved(_)))
}
