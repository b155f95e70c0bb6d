//! Why a workflow gave no answer.

mod certificate;
mod colour;
mod parts;

use std::path::PathBuf;

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
use ndqueens_record::{QuestionError, Verdict};
use ndqueens_solver::backends::BackendError;
use ndqueens_solver::backends::choice::UnknownBackend;
use ndqueens_solver::branch_and_bound;
use ndqueens_solver::colouring::operator::Misfit;
use ndqueens_solver::construct::local_search::SearchError;
use ndqueens_solver::construct::{ConstructionError, Method};
use ndqueens_solver::orbit_lp::OrbitLpError;
use ndqueens_system::file::FileError;

use crate::evidence::drat;
pub use certificate::CertificateFileError;
pub use colour::ColourError;
pub use parts::{CountError, SplitError};

/// Why a workflow gave no answer.
#[derive(Debug, thiserror::Error)]
pub enum LabError {
    /// There is no such question.
    #[error(transparent)]
    Question(#[from] QuestionError),
    /// There is no such formulation.
    #[error(transparent)]
    Formulation(#[from] FormulationError),
    /// There is no such formulation.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// The formulation asks something else than how many queens fit.
    #[error(
        "a maximum is proved with a formulation of independent sets that asks for most queens, and formulation {formulation} asks something \
         else; prove --engine lp proves it, and solve answers it with the solver's bound"
    )]
    NotAMaximum {
        /// The formulation.
        formulation: String,
    },
    /// Squares are to be included in a maximum.
    #[error(
        "included squares are for formulations that complete them and for dominating sets, not for formulation {0}"
    )]
    NothingToInclude(String),
    /// The number asked for is less than that of the included squares.
    #[error("--k {asked} is less than the {included} that --include names, which every solution contains")]
    FewerThanIncluded {
        /// Number asked for.
        asked: u64,
        /// The included pieces, in words.
        included: String,
    },
    /// Smallest dominating sets have a limit from above only.
    #[error(
        "the engine lp asks how few squares dominate a board: formulation {0} is for \"minimise\" and \"at most K\""
    )]
    OnlyFewest(String),
    /// Largest independent sets have a limit from below only.
    #[error("the engine lp asks how many pieces fit: formulation {0} takes no limit from above")]
    OnlyMost(String),
    /// A number of queens is missing.
    #[error("formulation {0} needs a number of queens: --k K")]
    NoNumber(String),
    /// There is no such backend.
    #[error(transparent)]
    UnknownBackend(#[from] UnknownBackend),
    /// The backend failed.
    #[error(transparent)]
    Backend(#[from] BackendError),
    /// This build has no SAT solver.
    #[error("this build has no SAT solver")]
    NoSat,
    /// There is nothing to start from.
    #[error(transparent)]
    Construction(#[from] ConstructionError),
    /// What a run is to start from is neither a construction nor a file that is there.
    #[error("the start \"{0}\" is neither cut, greedy or none, nor a certificate file that is there")]
    NoStart(String),
    /// The construction that a run is to start from makes nothing.
    #[error("the start {method} on {board}: {fault}")]
    NotConstructed {
        /// The construction.
        method: Method,
        /// The board.
        board: String,
        /// Why there is nothing.
        fault: Box<ConstructionError>,
    },
    /// A certificate file cannot be read.
    #[error(transparent)]
    Certificate(#[from] CertificateFileError),
    /// The board has too many squares.
    #[error(transparent)]
    TooMuchMemory(#[from] TooMuchMemory),
    /// The board has too many squares for a reference algorithm.
    #[error(transparent)]
    TooManySquares(#[from] TooManySquares),
    /// A search for large sets cannot begin.
    #[error(transparent)]
    Search(#[from] SearchError),
    /// A file holds what a search cannot find.
    #[error("{} holds a set that this search cannot find; refusing to overwrite it: {why}", path.display())]
    IncompatibleStart {
        /// The file.
        path: PathBuf,
        /// Why the search cannot find it.
        why: String,
    },
    /// A file that was asked for cannot be written.
    #[error(transparent)]
    File(#[from] FileError),
    /// The board is too large for the exact engine.
    #[error("{board} has more than {most} squares, the most that the exact engine takes")]
    TooLarge {
        /// The board.
        board: String,
        /// The most squares.
        most: usize,
    },
    /// The exact engine does not get what it needs from the system, such as room for its temporary files.
    #[error(
        "the exact engine cannot continue: {fault}; its temporary files are in {folder}, which TMPDIR changes",
        fault = .0,
        folder = std::env::temp_dir().display()
    )]
    Engine(std::io::Error),
    /// A proof that was found is wrong.
    #[error("{found_by} gave a proof that the independent check refuses: {fault}")]
    RefusedProof {
        /// Who found the proof.
        found_by: &'static str,
        /// What is wrong with it.
        fault: ProofError,
    },
    /// A VIPR file that was found is wrong.
    #[error("branch and bound gave a VIPR file that the independent check refuses: {0}")]
    RefusedVipr(ViprError),
    /// A step that was taken from a file is wrong.
    #[error(
        "the independent check refuses the proof: {fault}; this step was taken from {file}; it, or the file of a step before, \
         is made again when it is deleted; if it is refused again, the exact engine is wrong",
        file = file.display()
    )]
    RefusedFile {
        /// The file.
        file: PathBuf,
        /// What is wrong with the step.
        fault: ProofError,
    },
    /// The formula of a proof for VeriPB cannot be made.
    #[error(transparent)]
    Formula(#[from] FormulaFault),
    /// A DRAT proof is refused, or cannot be checked.
    #[error(transparent)]
    Drat(#[from] drat::Refusal),
    /// There is no orbit LP, or it has no answer.
    #[error(transparent)]
    OrbitLp(#[from] OrbitLpError),
    /// A bound that was found is wrong.
    #[error("the orbit LP gave a bound that the independent check refuses: {0}")]
    RefusedBound(BoundError),
    /// Branch and bound on LP relaxations has no answer.
    #[error(transparent)]
    BranchAndBound(#[from] branch_and_bound::ProofError),
    /// A proof in parts cannot go on.
    #[error(transparent)]
    Split(#[from] SplitError),
    /// The partition that gives the trivial bound is none.
    #[error("the trivial bound rests on a partition that the independent check refuses: {0}")]
    Partition(#[from] PartitionFault),
    /// Finished parts of a count cannot be used or kept.
    #[error(transparent)]
    Count(#[from] CountError),
    /// No colouring has the symmetry that was asked for.
    #[error(transparent)]
    Misfit(#[from] Misfit),
    /// A folder holds the work on another question.
    #[error("{} holds the work on \"{found}\", not on \"{asked}\"", folder.display())]
    OtherWork {
        /// The folder.
        folder: PathBuf,
        /// What it is about.
        found: String,
        /// What was asked.
        asked: String,
    },
    /// A search for colourings in parts cannot go on.
    #[error(transparent)]
    ColourParts(SplitError),
    /// A question about colours cannot be asked.
    #[error(transparent)]
    Colour(#[from] ColourError),
    /// A colouring that was found is wrong.
    #[error("a colouring was found that the independent check refuses: {0}")]
    RefusedColouring(ColouringFault),
    /// A certificate that was given is wrong.
    #[error("the certificate does not hold: {0}")]
    Given(Fault),
    /// What is to be part of a solution cannot be.
    #[error("it cannot be included: {0}")]
    Included(Fault),
    /// A solver excludes solutions, and there is one.
    #[error("{solver} gave an answer that does not hold: {solution}")]
    Refuted {
        /// Name and version of the solver.
        solver: String,
        /// What it excludes and what was found.
        solution: String,
    },
    /// A solution that was found is wrong.
    #[error("{found_by} gave a solution that the independent check refuses: {fault}")]
    Refused {
        /// Who found the solution.
        found_by: String,
        /// What is wrong with it.
        fault: Fault,
    },
}

impl Classified for LabError {
    fn class(&self) -> ErrorClass {
        match self {
            Self::Model(fault) => fault.class(),
            fault if fault.is_failure() => ErrorClass::Failure,
            _ => ErrorClass::BadInput,
        }
    }
}

impl LabError {
    /// Names another program as the one that gave a refused proof.
    pub(crate) fn found_by(self, name: &'static str) -> Self {
        match self {
            Self::RefusedProof { fault, .. } => Self::RefusedProof { found_by: name, fault },
            fault => fault,
        }
    }

    /// Returns `true` if the system, a solver or this program failed, and not what was given.
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

    /// The verdict on the answer that is refused: on an answer that is wrong, not on one that is missing.
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

    /// A fault that ended a run of the exact engine: of a file that was to be written, or else its own.
    pub(crate) fn engine(fault: std::io::Error) -> Self {
        fault.downcast().map_or_else(Self::Engine, Self::File)
    }
}
