//! Errors of workflows.

mod certificate;
mod colour;
mod goal;
mod parts;
mod refused;
mod start;

use std::path::PathBuf;

use crate::record::{QuestionError, Verdict};
use ndqueens_crosscheck::graph::TooManySquares;
use ndqueens_crosscheck::opb::FormulaFault;
use ndqueens_crosscheck::partition::PartitionFault;
use ndqueens_crosscheck::verify::Fault;
use ndqueens_model::board::TooMuchMemory;
use ndqueens_model::formulation::FormulationError;
use ndqueens_model::model::ModelError;
use ndqueens_notation::error_class::{Classified, ErrorClass};
use ndqueens_solver::backends::BackendError;
use ndqueens_solver::backends::choice::UnknownBackend;
use ndqueens_solver::branch_and_bound;
use ndqueens_solver::colouring::operator::Misfit;
use ndqueens_solver::construct::ConstructionError;
use ndqueens_solver::construct::local_search::SearchError;
use ndqueens_solver::orbit_lp::OrbitLpError;
use ndqueens_system::file::FileError;

use crate::external_checker::drat;
pub use certificate::CertificateFileError;
pub use colour::ColourError;
pub use goal::GoalError;
pub use parts::{CountError, SplitError};
pub use refused::RefusedError;
pub use start::StartError;

/// Error that ended a workflow without an answer.
#[derive(Debug, thiserror::Error)]
pub enum WorkflowError {
    /// Invalid question.
    #[error(transparent)]
    Question(#[from] QuestionError),
    /// Unknown or malformed formulation.
    #[error(transparent)]
    Formulation(#[from] FormulationError),
    /// Inequality of a formulation's file that a placement violates.
    #[error("formulation {formulation}: {label} does not hold: {claim}, and {violation}")]
    RefutedInequality {
        /// Name of the formulation.
        formulation: String,
        /// Name of the inequality.
        label: String,
        /// The inequality with its board.
        claim: String,
        /// The placement, and the sum of its coefficients.
        violation: String,
    },
    /// Row of an unproved inequality that a solution violates, although the answer excludes the solution.
    #[error(
        "formulation {formulation}: the answer excludes a solution, because an inequality that is not proved does not hold: {row}, \
         and {solution}; not proved: {unproved}"
    )]
    ExcludedByInequality {
        /// Name of the formulation.
        formulation: String,
        /// Violated row.
        row: String,
        /// Solution that was found.
        solution: String,
        /// Inequalities of the formulation that are not proved.
        unproved: String,
    },
    /// Formulation that does not suit the board or the goal.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// Goal or included squares that do not suit the formulation.
    #[error(transparent)]
    Goal(#[from] GoalError),
    /// Unknown backend.
    #[error(transparent)]
    UnknownBackend(#[from] UnknownBackend),
    /// Error of a backend.
    #[error(transparent)]
    Backend(#[from] BackendError),
    /// Build without a SAT solver.
    #[error("this build has no SAT solver")]
    NoSat,
    /// Construction of a start that failed.
    #[error(transparent)]
    Construction(#[from] ConstructionError),
    /// Start solution that does not exist or does not suit the search.
    #[error(transparent)]
    Start(#[from] StartError),
    /// Certificate file that cannot be read.
    #[error(transparent)]
    Certificate(#[from] CertificateFileError),
    /// Board with too many squares.
    #[error(transparent)]
    TooMuchMemory(#[from] TooMuchMemory),
    /// Board with too many squares for a reference algorithm.
    #[error(transparent)]
    TooManySquares(#[from] TooManySquares),
    /// Search for large sets that cannot start.
    #[error(transparent)]
    Search(#[from] SearchError),
    /// Output file that cannot be written.
    #[error(transparent)]
    File(#[from] FileError),
    /// Board that is too large for the exact engine.
    #[error("{board} has more than {most} squares, the most that the exact engine takes")]
    TooLarge {
        /// Name of the board.
        board: String,
        /// Maximum number of squares.
        most: usize,
    },
    /// Failure of the system in the exact engine, such as a full disk.
    #[error(
        "the exact engine cannot continue: {fault}; its temporary files are in {folder}, which TMPDIR changes",
        fault = .0,
        folder = std::env::temp_dir().display()
    )]
    Engine(std::io::Error),
    /// Result that the independent check refuses.
    #[error(transparent)]
    Refused(#[from] RefusedError),
    /// Formula of a proof for VeriPB that cannot be written.
    #[error(transparent)]
    Formula(#[from] FormulaFault),
    /// DRAT proof that is rejected or cannot be checked.
    #[error(transparent)]
    Drat(#[from] drat::Refusal),
    /// Orbit LP that does not exist or has no answer.
    #[error(transparent)]
    OrbitLp(#[from] OrbitLpError),
    /// Error of branch and bound on LP relaxations.
    #[error(transparent)]
    BranchAndBound(#[from] branch_and_bound::ProofError),
    /// Proof in parts that cannot be continued.
    #[error(transparent)]
    Split(#[from] SplitError),
    /// Finished parts of a count that cannot be used or stored.
    #[error(transparent)]
    Count(#[from] CountError),
    /// Symmetry that no colouring has.
    #[error(transparent)]
    Misfit(#[from] Misfit),
    /// Folder with the work on another question.
    #[error("{} holds the work on \"{found}\", not on \"{asked}\"", folder.display())]
    OtherWork {
        /// Path of the folder.
        folder: PathBuf,
        /// Question of the work in the folder.
        found: String,
        /// Requested question.
        asked: String,
    },
    /// Search for colourings in parts that cannot be continued.
    #[error(transparent)]
    ColourParts(SplitError),
    /// Invalid question about colours.
    #[error(transparent)]
    Colour(#[from] ColourError),
    /// Invalid certificate in the input.
    #[error("the certificate does not hold: {0}")]
    Given(Fault),
    /// Included squares that cannot be part of a solution.
    #[error("it cannot be included: {0}")]
    Included(Fault),
}

// The conversion does not set a source, because the message contains the fault.
impl From<PartitionFault> for WorkflowError {
    fn from(fault: PartitionFault) -> Self {
        RefusedError::Partition(fault).into()
    }
}

impl Classified for WorkflowError {
    fn class(&self) -> ErrorClass {
        match self {
            Self::Model(fault) => fault.class(),
            Self::RefutedInequality { .. } | Self::ExcludedByInequality { .. } => ErrorClass::Refuted,
            fault if fault.is_failure() => ErrorClass::Failure,
            _ => ErrorClass::BadInput,
        }
    }
}

impl WorkflowError {
    /// Replaces the name of the program that gave an invalid proof.
    pub(crate) fn found_by(self, name: &'static str) -> Self {
        match self {
            Self::Refused(RefusedError::Proof { fault, .. }) => {
                RefusedError::Proof { found_by: name, fault }.into()
            }
            fault => fault,
        }
    }

    /// Returns `true` if the system, a solver or this program failed, and `false` if the input is wrong.
    fn is_failure(&self) -> bool {
        match self {
            Self::File(fault) => fault.is_failure(),
            Self::Backend(error) | Self::OrbitLp(OrbitLpError::Backend(error)) => error.is_failure(),
            Self::BranchAndBound(fault) => fault.is_failure(),
            Self::Drat(refusal) => refusal.is_verdict() || refusal.is_failure(),
            Self::Refused(fault) => fault.is_failure(),
            Self::Engine(_) | Self::Count(CountError::List(_) | CountError::Classes { .. }) => true,
            Self::Formula(fault) => fault.class() == ErrorClass::Failure,
            _ => false,
        }
    }

    /// Returns the verdict on a wrong answer, or `None` if there is no answer.
    #[must_use]
    pub fn verdict(&self) -> Option<Verdict> {
        match self {
            Self::Refused(RefusedError::Excluded { .. }) | Self::Backend(BackendError::Refuted { .. }) => {
                Some(Verdict::FailInconsistent)
            }
            Self::Refused(RefusedError::Solution { .. }) | Self::Backend(BackendError::Wrong { .. }) => {
                Some(Verdict::FailSolutionInfeasible)
            }
            _ => None,
        }
    }

    /// Converts an error of the exact engine: that of an output file if it contains one.
    pub(crate) fn engine(fault: std::io::Error) -> Self {
        fault.downcast().map_or_else(Self::Engine, Self::File)
    }
}
