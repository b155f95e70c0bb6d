//! Errors of results that the independent check refuses.

use std::path::PathBuf;

use ndqueens_crosscheck::bound::BoundError;
use ndqueens_crosscheck::colouring::ColouringFault;
use ndqueens_crosscheck::partition::PartitionFault;
use ndqueens_crosscheck::proof::ProofError;
use ndqueens_crosscheck::verify::Fault;
use ndqueens_crosscheck::vipr::ViprError;

/// Result of this program or of a solver that the independent check refuses.
#[derive(Debug, thiserror::Error)]
pub enum RefusedError {
    /// Invalid proof.
    #[error("{found_by} gave a proof that the independent check refuses: {fault}")]
    Proof {
        /// Program that found the proof.
        found_by: &'static str,
        /// Error found by the check.
        fault: ProofError,
    },
    /// Invalid VIPR file.
    #[error("branch and bound gave a VIPR file that the independent check refuses: {0}")]
    Vipr(ViprError),
    /// Invalid step that was read from a file.
    #[error(
        "the independent check refuses the proof: {fault}; this step was read from {file}; delete that file, or the file of an earlier \
         step, to compute it again; if it is refused again, the exact engine is wrong",
        file = file.display()
    )]
    File {
        /// Path of the file.
        file: PathBuf,
        /// Error found by the check.
        fault: ProofError,
    },
    /// Invalid bound.
    #[error("the orbit LP gave a bound that the independent check refuses: {0}")]
    Bound(BoundError),
    /// Invalid partition for the trivial bound.
    #[error("the trivial bound rests on a partition that the independent check refuses: {0}")]
    Partition(PartitionFault),
    /// Invalid colouring.
    #[error("a colouring was found that the independent check refuses: {0}")]
    Colouring(ColouringFault),
    /// Solver that excludes solutions although there is one.
    #[error("{solver} gave an answer that does not hold: {solution}")]
    Excluded {
        /// Name and version of the solver.
        solver: String,
        /// Excluded solutions and the solution that was found.
        solution: String,
    },
    /// Invalid solution.
    #[error("{found_by} gave a solution that the independent check refuses: {fault}")]
    Solution {
        /// Program that found the solution.
        found_by: String,
        /// Error found by the check.
        fault: Fault,
    },
}

impl RefusedError {
    /// Returns `true` if this program or a solver is wrong, and `false` if an input file may be.
    pub(super) fn is_failure(&self) -> bool {
        !matches!(self, Self::File { .. } | Self::Partition(_))
    }
}
