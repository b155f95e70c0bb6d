//! An archive as the workflows use it.

use std::sync::Arc;

use ndqueens_model::facts::{ArchivedBounds, UpperBound};
use ndqueens_notation::certificate::Certificate;
use ndqueens_notation::name::BoardName;
use ndqueens_system::cancel::Deadline;
use ndqueens_workflow::run::{PriorResults, ResultArchive};

use crate::archive::Archive;
use crate::certificates;

impl ResultArchive for Archive {
    fn bounds(&self) -> &Arc<ArchivedBounds> {
        Self::bounds(self)
    }

    fn recheck(&self, bound: &UpperBound, deadline: Deadline) -> UpperBound {
        Self::recheck(self, bound, deadline)
    }

    fn placements(&self, board: &BoardName) -> Vec<Certificate> {
        certificates::placements(self, board)
    }
}

impl Archive {
    /// Returns the results of earlier runs in the archive, as the workflows use them.
    #[must_use]
    pub fn prior_results(&self) -> PriorResults {
        PriorResults::of(self.clone())
    }
}
