//! Solving: formulation -> backend -> outcome -> certificate -> crosscheck -> record.

use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use ndqueens_crosscheck::bound::BoundError;
use ndqueens_crosscheck::colouring::ColouringFault;
use ndqueens_crosscheck::opb::FormulaFault;
use ndqueens_crosscheck::partition::PartitionFault;
use ndqueens_crosscheck::proof::ProofError;
use ndqueens_crosscheck::verify::{self, Fault};
use ndqueens_model::board::{Board, Square};
use ndqueens_model::certificate::{Certificate, Claim};
use ndqueens_model::facts::known;
use ndqueens_model::facts::{Provenance, UpperBound, UpperBounds};
use ndqueens_model::formulation::{Formulation, FormulationError};
use ndqueens_model::ilp::{Ilp, Program as _};
use ndqueens_model::recipe::Recipe;
use ndqueens_model::variant::{Goal, Variant};
use ndqueens_solver::backends::{Backend, BackendError, Options, Outcome, Progress, Run};
use ndqueens_solver::colouring::operator::Misfit;
use ndqueens_solver::construct::ConstructionError;
use ndqueens_solver::construct::local_search::SearchError;
use ndqueens_solver::control::{Deadline, StopReason};
use ndqueens_solver::orbit_lp::OrbitLpError;

use crate::construct::Trying;
use crate::count::CountError;
use crate::drat;
use crate::few_colours::ColourError;
use crate::file::FileError;
use crate::ledger;
use crate::machine;
use crate::record::Answer;
use crate::refutation;
use crate::search::{Searched, Unfit};
use crate::split::{PartsDone, SplitError};
use crate::verdict::{self, Stated, Verdict};

/// What a workflow tells while it runs; the answer says whether to go on.
pub type Watch<'a> = dyn FnMut(&Event) -> ControlFlow<()> + 'a;

/// One thing that a workflow tells.
#[derive(Debug, Clone, PartialEq)]
pub enum Event {
    /// A new stage begins or something is known; a sentence without its full stop.
    Stage(String),
    /// How far the model is.
    Rows {
        /// Rows made.
        rows: u64,
        /// Seconds it took.
        seconds: f64,
    },
    /// How far the solver is.
    Progress(Progress),
    /// How far the parts of a proof are.
    Parts(PartsDone),
    /// How far a search for large sets is.
    Search(Searched),
    /// How far the constructions are.
    Trying(Trying),
}

/// Why a workflow gave no answer.
#[derive(Debug, thiserror::Error)]
pub enum LabError {
    /// There is no such formulation.
    #[error(transparent)]
    Formulation(#[from] FormulationError),
    /// The recipe asks something else than how many queens fit.
    #[error(
        "a maximum is proved with a recipe of independent sets that asks for most queens, and recipe {recipe} asks something \
         else; solve answers it, with a checked certificate and the solver's bound"
    )]
    NotAMaximum {
        /// The recipe.
        recipe: String,
    },
    /// The backend failed.
    #[error(transparent)]
    Backend(#[from] BackendError),
    /// There is nothing to start from.
    #[error(transparent)]
    Construction(#[from] ConstructionError),
    /// A search for large sets cannot begin.
    #[error(transparent)]
    Search(#[from] SearchError),
    /// A question about colours cannot be asked.
    #[error(transparent)]
    Colour(#[from] ColourError),
    /// A file holds what a search cannot find.
    #[error(transparent)]
    Unfit(#[from] Unfit),
    /// A file that was asked for cannot be written.
    #[error(transparent)]
    File(#[from] FileError),
    /// The board is too large for the exact engine.
    #[error(
        "{board} has more than {most} squares, the most that the exact engine takes; ndq prove --engine highs takes larger \
         boards"
    )]
    TooLarge {
        /// The board.
        board: String,
        /// The most squares.
        most: usize,
    },
    /// The exact engine does not get what it needs from the system, such as room for its temporary files.
    #[error(
        "the exact engine cannot go on: {fault}; its temporary files are in {folder}, which TMPDIR changes",
        fault = .0,
        folder = std::env::temp_dir().display()
    )]
    Engine(std::io::Error),
    /// A proof that was found is wrong.
    #[error(
        "{found_by} gave a proof that the independent check refuses: {fault}{}",
        file.as_ref().map_or_else(String::new, |file| format!("; this step was taken from {}", file.display()))
    )]
    RefusedProof {
        /// Who found the proof.
        found_by: &'static str,
        /// What is wrong with it.
        fault: ProofError,
        /// The file that the step was taken from.
        file: Option<PathBuf>,
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

impl LabError {
    /// A fault that ended a run of the exact engine: of a file that was to be written, or else its own.
    pub(crate) fn engine(fault: std::io::Error) -> Self {
        fault.downcast().map_or_else(Self::Engine, Self::File)
    }

    /// The verdict on the answer that this refuses: on an answer that is wrong, not on one that is missing.
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
}

/// What is to be solved.
#[derive(Debug)]
pub struct Problem<'a> {
    /// The board.
    pub board: &'a Board,
    /// The recipe.
    pub recipe: &'a Recipe,
    /// Goal, included squares, rows kept.
    pub variant: Variant,
    /// A solution to start from.
    pub start: Option<&'a Certificate>,
    /// The backend's settings.
    pub options: Options,
    /// What the model may take, in bytes.
    pub memory: u64,
}

/// A checked answer.
#[derive(Debug)]
pub struct Solved {
    /// The backend's account.
    pub run: Run,
    /// The solution, checked.
    pub certificate: Option<Certificate>,
    /// Bounds shown in this run that the answer rests on.
    pub lemmas: Vec<Arc<UpperBound>>,
    /// Bounds that nothing in this run shows, and that the answer rests on.
    pub conditions: Vec<Arc<UpperBound>>,
    /// The columns of the record.
    pub answer: Answer,
}

/// A certificate of these squares, once it has passed the independent check.
///
/// # Errors
/// [`LabError::Refused`] when it does not pass.
pub fn checked(
    board: &Board,
    squares: &[Square],
    claim: Claim,
    include: &[Square],
    found_by: &str,
) -> Result<Certificate, LabError> {
    let coordinates = |squares: &[Square]| squares.iter().map(|&s| board.coordinates(s)).collect::<Vec<_>>();
    let certificate = Certificate {
        claim,
        ..Certificate::independent(board.name().clone(), coordinates(squares), found_by)
    };
    verify::verify(&certificate)
        .and_then(|_| verify::includes(&certificate, &coordinates(include)))
        .map_err(|fault| LabError::Refused { found_by: found_by.to_owned(), fault })?;
    Ok(certificate)
}

/// The squares of a certificate that was given, once it has passed the independent check for this board and claim.
///
/// # Errors
/// [`LabError::Given`] when it does not pass.
pub fn given(board: &Board, claim: Claim, certificate: &Certificate) -> Result<Vec<Square>, LabError> {
    verify::verify_on(board.name(), claim, certificate).map_err(LabError::Given)?;
    Ok(certificate.squares.iter().filter_map(|square| board.square(square)).collect())
}

/// The squares of a certificate that must be part of a solution, once the independent check has found that they may be.
///
/// # Errors
/// [`LabError::Included`] when they may not.
pub fn included(board: &Board, certificate: &Certificate, solution: Claim) -> Result<Vec<Square>, LabError> {
    verify::verify_part(board.name(), certificate, solution).map_err(LabError::Included)?;
    Ok(certificate.squares.iter().filter_map(|square| board.square(square)).collect())
}

/// Solves a problem with a backend and checks the answer.
///
/// # Errors
/// When there is no such formulation, the backend fails or is refuted by a solution that local search finds, or a solution,
/// given or found, does not pass the check.
pub fn solve(
    problem: &Problem<'_>,
    bounds: &dyn UpperBounds,
    backend: &dyn Backend,
    watch: &mut Watch<'_>,
) -> Result<Solved, LabError> {
    let (began, cpu_before) = (Instant::now(), machine::cpu_time());
    let Problem { board, recipe, variant, start, options, memory } = problem;
    let formulation = Formulation::new(board, recipe, variant.clone(), bounds, *memory)?;
    let mut options = options.clone();
    let deadline = Deadline::since(began, options.time_limit);
    if let Some(start) = start {
        let squares = given(board, start.claim, start)?;
        let point = formulation.point(&squares);
        if let Some(violation) = formulation.violation(&point) {
            return Err(BackendError::BadStart(violation).into());
        }
        options.start = Some(point);
    }
    let mut stop = None;
    let ilp = Ilp::of_while(&formulation, &mut |rows| {
        let seconds = began.elapsed().as_secs_f64();
        if watch(&Event::Rows { rows: rows as u64, seconds }).is_break() {
            stop = Some(StopReason::Interrupted);
        } else {
            stop = deadline.reason();
        }
        stop.is_none()
    });
    let Some(ilp) = ilp else {
        let stop = stop.expect("nothing else breaks it off");
        return Ok(unasked(backend.solver(), stop, began.elapsed()));
    };
    options.time_limit = deadline.left();
    let mut answer = Answer::default();
    answer.note_model(&ilp);
    let stage = format!(
        "{} rows, {} columns, {} nonzeros of recipe {}, to {}",
        ilp.row_count(),
        ilp.columns().len(),
        ilp.nonzeros(),
        recipe.name,
        backend.solver()
    );
    let stopped_before = watch(&Event::Stage(stage)).is_break();
    if stopped_before {
        options.time_limit = Some(Duration::ZERO);
    }
    let mut run = backend.solve(&ilp, &options, &mut |progress| watch(&Event::Progress(*progress)))?;
    if stopped_before && run.stop == StopReason::TimeLimit {
        run.stop = StopReason::Interrupted;
    }
    let certificate = match &run.outcome {
        Outcome::Optimal { solution, .. } | Outcome::Feasible { solution, .. } => {
            let squares = formulation.squares(solution);
            Some(checked(board, &squares, recipe.problem, &variant.include, &found_by(&run, &recipe.name))?)
        }
        Outcome::Infeasible | Outcome::Unknown { .. } => None,
    };
    let (lemmas, conditions) = settled(formulation.bounds());
    answer.note_run(&run);
    if let Some(certificate) = &certificate {
        answer.note_certificate(certificate);
    }
    answer.lemmas = lemmas.iter().map(|bound| bound.to_string()).collect();
    answer.conditions = conditions.iter().map(|bound| bound.to_string()).collect();
    answer.cpu_seconds = (machine::cpu_time() - cpu_before).as_secs_f64();
    answer.peak_memory_bytes = machine::peak_memory();
    if let Some(solution) = refutation::of(&formulation, &ilp, &run.outcome)? {
        return Err(LabError::Refuted { solver: run.solver, solution });
    }
    answer.verdict = verdict_of(&formulation, &run.outcome);
    if answer.proved_bound.is_some() || run.outcome == Outcome::Infeasible {
        answer.proof = Some(format!("floating-point solve, not certified: {}", run.solver));
    }
    Ok(Solved { run, certificate, lemmas, conditions, answer })
}

/// What an answer rests on besides theorems: bounds that were proved in this run, those of the archive after a check of their
/// files among them, or that a solver gave in it; and conditions, bounds that nothing in this run shows.
#[must_use]
pub fn settled(bounds: &[Arc<UpperBound>]) -> (Vec<Arc<UpperBound>>, Vec<Arc<UpperBound>>) {
    let rechecked = |bound: &Arc<UpperBound>| match bound.provenance {
        Provenance::Archived(_) => ledger::recheck(bound).map_or_else(|| Arc::clone(bound), Arc::new),
        _ => Arc::clone(bound),
    };
    let resting = bounds.iter().filter(|bound| !matches!(bound.provenance, Provenance::Theorem(_)));
    resting
        .map(rechecked)
        .partition(|bound| matches!(bound.provenance, Provenance::Proved(_) | Provenance::Solved(_)))
}

/// The answer when the model was not finished.
fn unasked(solver: String, stop: StopReason, time: Duration) -> Solved {
    let seconds = time.as_secs_f64();
    let outcome = Outcome::Unknown { bound: None };
    let run = Run { solver, outcome, stop, dual_bound: None, nodes: None, lp_iterations: None, seconds };
    let mut answer = Answer::default();
    answer.note_run(&run);
    answer.cpu_seconds = machine::cpu_time().as_secs_f64();
    answer.peak_memory_bytes = machine::peak_memory();
    answer.verdict = Some(Verdict::Ok);
    Solved { run, certificate: None, lemmas: Vec::new(), conditions: Vec::new(), answer }
}

fn found_by(run: &Run, recipe: &str) -> String {
    format!("{}, recipe {recipe}", run.solver)
}

/// Published values are those of maximum independent sets with nothing included.
fn verdict_of(formulation: &Formulation<'_>, outcome: &Outcome) -> Option<Verdict> {
    let Variant { goal, include, .. } = formulation.variant();
    if formulation.recipe().problem != Claim::IndependentSet || !include.is_empty() {
        return None;
    }
    let asked = match *goal {
        Goal::Optimise => None,
        Goal::AtLeast(k) | Goal::Exactly(k) => Some(k),
        Goal::AtMost(_) => return None,
    };
    Some(verdict::on_maximum(&Stated::of(outcome, asked), known::lookup(formulation.board().name())))
}
