//! Errors of workflows.

mod certificate;
mod colour;
mod parts;

use std::path::PathBuf;

use crate::record::{QuestionError, Verdict};
use ndqueens_crosscheck::bound::BoundError;
use ndqueens_crosscheck::colouring::ColouringFault;
use ndqueens_crosscheck::graph::TooManySquares;
use ndqueens_crosscheck::opb::FormulaFault;
use ndqueens_crosscheck::partition::PartitionFault;
use ndqueens_crosscheck::proof::ProofError;
use ndqueens_crosscheck::verify::Fault;
use ndqueens_crosscheck::vipr::ViprError;
use ndqueens_model::board::TooMuchMemory;
use ndqueens_model::formulation::FormulationError;
use ndqueens_model::model::ModelError;
use ndqueens_notation::error_class::{Classified, ErrorClass};
use ndqueens_solver::backends::BackendError;
use ndqueens_solver::backends::choice::UnknownBackend;
use ndqueens_solver::branch_and_bound;
use ndqueens_solver::colouring::operator::Misfit;
use ndqueens_solver::construct::local_search::SearchError;
use ndqueens_solver::construct::{ConstructionError, Method};
use ndqueens_solver::orbit_lp::OrbitLpError;
use ndqueens_system::file::FileError;

use crate::external_checker::drat;
pub use certificate::CertificateFileError;
pub use colour::ColourError;
pub use parts::{CountError, SplitError};

/// Error that ended a workflow without an answer.
#[derive(Debug, thiserror::Error)]
pub enum WorkflowError {
    /// Invalid question.
    #[error(transparent)]
    Question(#[from] QuestionError),
    /// Unknown or malformed formulation.
    #[error(transparent)]
    Formulation(#[from] FormulationError),
    /// Formulation that does not suit the board or the goal.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// Formulation whose objective is not the maximum number of queens.
    #[error(
        "branch and bound proves maxima of independent sets, and formulation {formulation} has another goal; prove --engine lp proves \
         it, and solve answers it with the solver's bound"
    )]
    NotAMaximum {
        /// Name of the formulation.
        formulation: String,
    },
    /// Included squares for a formulation that takes none.
    #[error(
        "included squares are for formulations that complete them and for dominating sets, not for formulation {0}"
    )]
    NothingToInclude(String),
    /// Number of queens below that of the included squares.
    #[error("--k {asked} is less than the {included} that --include names, which every solution contains")]
    FewerThanIncluded {
        /// Requested number.
        asked: u64,
        /// Number of included pieces in words, such as `3 queens`.
        included: String,
    },
    /// Lower limit for smallest dominating sets.
    #[error("the engine lp minimises dominating sets: formulation {0} is for \"minimise\" and \"at most K\"")]
    OnlyFewest(String),
    /// Upper limit for largest independent sets.
    #[error("the engine lp maximises independent sets: formulation {0} takes no upper limit")]
    OnlyMost(String),
    /// Missing number of queens.
    #[error("formulation {0} needs a number of queens: --k K")]
    NoNumber(String),
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
    /// Start that is neither a construction nor an existing file.
    #[error("the start \"{0}\" is neither cut, greedy or none, nor an existing certificate file")]
    NoStart(String),
    /// Construction of a start that gives no solution.
    #[error("the start {method} on {board}: {fault}")]
    NotConstructed {
        /// Construction that failed.
        method: Method,
        /// Board of the run.
        board: String,
        /// Error of the construction.
        fault: Box<ConstructionError>,
    },
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
    /// File with a set that a search cannot find.
    #[error("{} holds a set that this search cannot find; refusing to overwrite it: {why}", path.display())]
    IncompatibleStart {
        /// Path of the file.
        path: PathBuf,
        /// Reason why the search cannot find the set.
        why: String,
    },
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
    /// Invalid proof.
    #[error("{found_by} gave a proof that the independent check refuses: {fault}")]
    RefusedProof {
        /// Program that found the proof.
        found_by: &'static str,
        /// Error found by the check.
        fault: ProofError,
    },
    /// Invalid VIPR file.
    #[error("branch and bound gave a VIPR file that the independent check refuses: {0}")]
    RefusedVipr(ViprError),
    /// Invalid step that was read from a file.
    #[error(
        "the independent check refuses the proof: {fault}; this step was read from {file}; delete that file, or the file of an earlier \
         step, to compute it again; if it is refused again, the exact engine is wrong",
        file = file.display()
    )]
    RefusedFile {
        /// Path of the file.
        file: PathBuf,
        /// Error found by the check.
        fault: ProofError,
    },
    /// Formula of a proof for VeriPB that cannot be written.
    #[error(transparent)]
    Formula(#[from] FormulaFault),
    /// DRAT proof that is rejected or cannot be checked.
    #[error(transparent)]
    Drat(#[from] drat::Refusal),
    /// Orbit LP that does not exist or has no answer.
    #[error(transparent)]
    OrbitLp(#[from] OrbitLpError),
    /// Invalid bound.
    #[error("the orbit LP gave a bound that the independent check refuses: {0}")]
    RefusedBound(BoundError),
    /// Error of branch and bound on LP relaxations.
    #[error(transparent)]
    BranchAndBound(#[from] branch_and_bound::ProofError),
    /// Proof in parts that cannot be continued.
    #[error(transparent)]
    Split(#[from] SplitError),
    /// Invalid partition for the trivial bound.
    #[error("the trivial bound rests on a partition that the independent check refuses: {0}")]
    Partition(PartitionFault),
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
    /// Invalid colouring.
    #[error("a colouring was found that the independent check refuses: {0}")]
    RefusedColouring(ColouringFault),
    /// Invalid certificate in the input.
    #[error("the certificate does not hold: {0}")]
    Given(Fault),
    /// Included squares that cannot be part of a solution.
    #[error("it cannot be included: {0}")]
    Included(Fault),
    /// Solver that excludes solutions although there is one.
    #[error("{solver} gave an answer that does not hold: {solution}")]
    Refuted {
        /// Name and version of the solver.
        solver: String,
        /// Excluded solutions and the solution that was found.
        solution: String,
    },
    /// Invalid solution.
    #[error("{found_by} gave a solution that the independent check refuses: {fault}")]
    Refused {
        /// Program that found the solution.
        found_by: String,
        /// Error found by the check.
        fault: Fault,
    },
}

// The conversion does not set a source, because the message contains the fault.
impl From<PartitionFault> for WorkflowError {
    fn from(fault: PartitionFault) -> Self {
        Self::Partition(fault)
    }
}

impl Classified for WorkflowError {
    fn class(&self) -> ErrorClass {
        match self {
            Self::Model(fault) => fault.class(),
            fault if fault.is_failure() => ErrorClass::Failure,
            _ => ErrorClass::BadInput,
        }
    }
}

impl WorkflowError {
    /// Replaces the name of the program that gave an invalid proof.
    pub(crate) fn found_by(self, name: &'static str) -> Self {
        match self {
            Self::RefusedProof { fault, .. } => Self::RefusedProof { found_by: name, fault },
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
            Self::Engine(_)
            | Self::Refused { .. }
            | Self::Refuted { .. }
            | Self::RefusedProof { .. }
            | Self::RefusedVipr(_)
            | Self::RefusedBound(_)
            | Self::RefusedColouring(_)
            | Self::Count(CountError::List(_) | CountError::Classes { .. }) => true,
            Self::Formula(fault) => fault.class() == ErrorClass::Failure,
            _ => false,
        }
    }

    /// Returns the verdict on a wrong answer, or `None` if there is no answer.
    #[must_use]
    pub fn verdict(&self) -> Option<Verdict> {
        match self {
            Self::Refuted { .. } | Self::Backend(BackendError::Refuted { .. }) => {
                Some(Verdict::FailInconsistent)
            }
            Self::Refused { .. } | Self::Backend(BackendError::Wrong { .. }) => {
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
