//! Solving: formulation -> backend -> outcome -> certificate -> crosscheck -> record.

mod heaviest;
pub mod refutation;
mod start_image;

use std::time::{Duration, Instant};

use crate::record::Answer;
use crate::record::machine;
use crate::record::verdict::{self, Stated, Verdict};
use ndqueens_model::board::Board;
use ndqueens_model::facts::UpperBounds;
use ndqueens_model::facts::known;
use ndqueens_model::formulation::Formulation;
use ndqueens_model::ilp::{Ilp, Program as _};
use ndqueens_model::model::{Model, two_on_each_line};
use ndqueens_model::variant::{Goal, Variant};
use ndqueens_notation::certificate::{Certificate, Problem};
use ndqueens_notation::counted::counted;
use ndqueens_solver::backends::{Backend, BackendError, Options, Outcome, Run};
use ndqueens_system::cancel::{Deadline, StopReason};

use crate::run::{Event, PriorResults, RefusedError, Watch, WorkflowError, note_foundation, placement_check};
use crate::solve::heaviest::Weigher;
use crate::solve::refutation::Refutation;
use crate::solve::start_image::{NoImage, StartImage, feasible_image};

/// Request to solve a problem with a backend.
#[derive(Debug)]
pub struct SolveRequest<'a> {
    /// Board to solve on.
    pub board: &'a Board,
    /// Formulation of the model.
    pub formulation: &'a Formulation,
    /// Goal, included squares, and rows of the model.
    pub variant: Variant,
    /// Weight of each square, whose sum is maximised in place of the number of queens.
    pub weights: Option<&'a [i64]>,
    /// Solution to start from.
    pub start: Option<&'a Certificate>,
    /// Settings of the backend.
    pub options: Options,
    /// Memory limit of the model, in bytes.
    pub memory: u64,
    /// Results of earlier runs.
    pub prior: &'a PriorResults,
}

/// Result of a solve, checked.
#[derive(Debug)]
pub struct Solved {
    /// Report of the backend.
    pub run: Run,
    /// Solution, checked.
    pub certificate: Option<Certificate>,
    /// Columns of the record.
    pub answer: Answer,
}

/// Solves a problem with a backend, and checks the answer.
///
/// # Errors
/// Returns an error if the formulation does not suit the board, the backend fails or is refuted by a solution
/// that local search finds, or a given or computed solution does not pass the check.
pub fn solve(
    request: &SolveRequest<'_>,
    bounds: &dyn UpperBounds,
    backend: &dyn Backend,
    watch: &mut Watch<'_>,
) -> Result<Solved, WorkflowError> {
    let (began, cpu_before) = (Instant::now(), machine::cpu_time());
    let SolveRequest { board, formulation, variant, weights, start, options, memory, prior } = request;
    let model = Model::new(board, formulation, variant.clone(), bounds, *memory)?;
    let mut options = options.clone();
    let deadline = Deadline::since(began, options.time_limit);
    let mut start_moved = "";
    if let Some(start) = start {
        let image = image_of_start(&model, start, deadline, watch)?;
        start_moved = if image.is_moved { " moved by a symmetry of the board" } else { "" };
        options.start = Some(image.point);
    }
    let ilp = match build(&model, *weights, began, deadline, watch) {
        Ok(ilp) => ilp,
        Err(stop) => return Ok(stopped_before_solve(backend.solver(), stop, began.elapsed())),
    };
    let mut answer = Answer::default();
    answer.note_model(&ilp, deadline);
    options.time_limit = deadline.left();
    let run = run_backend(backend, &ilp, &formulation.name, &mut options, watch)?;
    // If the solution equals the start, its origin is that of the start.
    let origin = |solution: &Vec<i64>| match start.filter(|_| options.start.as_ref() == Some(solution)) {
        Some(start) => format!("{}{start_moved}", start.origin),
        None => format!("{}, formulation {}", run.solver, formulation.name),
    };
    let certificate = match &run.outcome {
        Outcome::Optimal { solution, .. } | Outcome::Feasible { solution, .. } => {
            let (squares, origin) = (model.squares(solution), origin(solution));
            Some(placement_check::certify(board, &squares, formulation.problem, &variant.include, &origin)?)
        }
        Outcome::Infeasible | Outcome::Unknown { .. } => None,
    };
    answer.note_run(&run);
    if let Some(certificate) = &certificate {
        answer.note_certificate(certificate);
    }
    note_foundation(&mut answer, &model, prior);
    answer.cpu_seconds = (machine::cpu_time() - cpu_before).as_secs_f64();
    answer.peak_memory_bytes = machine::peak_memory();
    let refutation = match (weights, &certificate) {
        (None, _) => refutation::of(&model, &ilp, &run.outcome, prior)?,
        (Some(weights), Some(certificate)) => {
            let mut weigher = Weigher { model: &model, ilp: &ilp, weights, deadline, watch };
            weigher.weigh(certificate, &run.outcome, &mut answer)?
        }
        (Some(_), None) => None,
    };
    if let Some(refutation) = refutation {
        return Err(refused(refutation, run.solver, &model));
    }
    answer.verdict = verdict_of(&model, &run.outcome).filter(|_| weights.is_none());
    if answer.proof.is_none() {
        answer.proof = proof(&model, certificate.as_ref(), &run);
    }
    Ok(Solved { run, certificate, answer })
}

/// Returns the kind of proof of the bound of a run, if it has a bound.
fn proof(model: &Model<'_>, certificate: Option<&Certificate>, run: &Run) -> Option<String> {
    let size = certificate.map(|certificate| certificate.size() as u64);
    let is_full = size == Some(two_on_each_line(model.board()));
    let has_bound = match &run.outcome {
        Outcome::Optimal { .. } | Outcome::Infeasible => true,
        Outcome::Feasible { bound, .. } | Outcome::Unknown { bound } => bound.is_some(),
    };
    match model.formulation().problem {
        // The certificate is checked, and the bound needs no solver.
        Problem::NoThreeInLine if is_full => Some(TWO_ON_EACH_LINE.to_owned()),
        _ => has_bound.then(|| format!("floating-point solve, not certified: {}", run.solver)),
    }
}

/// Returns the error of an answer that a solution refutes.
fn refused(refutation: Refutation, solver: String, model: &Model<'_>) -> WorkflowError {
    let formulation = model.formulation();
    let unproved = formulation.own.lemmas_and_conditions(model.board()).conditions.join("; ");
    match refutation {
        Refutation::Inequality { row, solution } => {
            let formulation = formulation.name.clone();
            WorkflowError::ExcludedByInequality { formulation, row, solution, unproved }
        }
        Refutation::Table(solution) if !unproved.is_empty() => {
            let solution =
                format!("{solution}; an inequality that is not proved may be the cause: {unproved}");
            RefusedError::Excluded { solver, solution }.into()
        }
        Refutation::Solver(solution) | Refutation::Table(solution) => {
            RefusedError::Excluded { solver, solution }.into()
        }
    }
}

/// Returns an image of a start that satisfies the model. Reports a note if it is not the start itself.
fn image_of_start(
    model: &Model<'_>,
    start: &Certificate,
    deadline: Deadline,
    watch: &mut Watch<'_>,
) -> Result<StartImage, WorkflowError> {
    let formulation = model.formulation();
    let name = &formulation.name;
    let squares = placement_check::verify_given(model.board(), start.problem, start)?;
    match feasible_image(model, &squares, deadline) {
        Ok(image) => {
            if image.is_moved {
                // The answer of the watcher is ignored here, because it is called again when the solver
                // starts.
                let _ = watch(&Event::Note(format!(
                    "the start is moved by a symmetry of the board, so that it satisfies formulation {name}"
                )));
            }
            Ok(image)
        }
        Err(NoImage { violation, images, all }) if formulation.breaks_symmetry() => {
            let visited = if all { "none" } else { "none that was visited" };
            let images = counted(images, "image");
            Err(BackendError::BadStart(format!(
                "{violation}; of its {images} under the symmetry of the board, {visited} satisfies formulation {name}"
            ))
            .into())
        }
        Err(NoImage { violation, .. }) => Err(BackendError::BadStart(violation).into()),
    }
}

/// Builds the integer program, or returns the reason of a stop.
fn build(
    model: &Model<'_>,
    weights: Option<&[i64]>,
    began: Instant,
    deadline: Deadline,
    watch: &mut Watch<'_>,
) -> Result<Ilp, StopReason> {
    let mut stop = None;
    let ilp = Ilp::of_while(model, &mut |rows| {
        let seconds = began.elapsed().as_secs_f64();
        let broken = watch(&Event::Rows { rows: rows as u64, seconds }).is_break();
        stop = if broken { Some(StopReason::Interrupted) } else { deadline.reason() };
        stop.is_none()
    });
    let mut ilp = ilp.ok_or_else(|| stop.expect("nothing else breaks it off"))?;
    if let Some(weights) = weights {
        ilp.set_objective(weights);
    }
    Ok(ilp)
}

/// Runs the backend. If the watcher requests a stop before, the time limit is set to 0.
fn run_backend(
    backend: &dyn Backend,
    ilp: &Ilp,
    formulation: &str,
    options: &mut Options,
    watch: &mut Watch<'_>,
) -> Result<Run, WorkflowError> {
    let stage = format!(
        "{}, {}, {} of formulation {formulation}, to {}",
        counted(ilp.row_count(), "row"),
        counted(ilp.columns().len(), "column"),
        counted(ilp.nonzeros(), "nonzero"),
        backend.solver()
    );
    let stopped_before = watch(&Event::Stage(stage)).is_break();
    if stopped_before {
        options.time_limit = Some(Duration::ZERO);
    }
    let mut run = backend.solve(ilp, options, &mut |progress| watch(&Event::Progress(*progress)))?;
    if stopped_before && run.stop == StopReason::TimeLimit {
        run.stop = StopReason::Interrupted;
    }
    Ok(run)
}

/// Theorem that bounds the size of no-three-in-line sets.
pub(super) const TWO_ON_EACH_LINE: &str = "theorem: at most two on each of the lines along an axis";

/// Returns the answer if the model was not finished.
fn stopped_before_solve(solver: String, stop: StopReason, time: Duration) -> Solved {
    let seconds = time.as_secs_f64();
    let outcome = Outcome::Unknown { bound: None };
    let run = Run { solver, outcome, stop, dual_bound: None, nodes: None, lp_iterations: None, seconds };
    let mut answer = Answer::default();
    answer.note_run(&run);
    answer.cpu_seconds = machine::cpu_time().as_secs_f64();
    answer.peak_memory_bytes = machine::peak_memory();
    answer.verdict = Some(Verdict::Ok);
    Solved { run, certificate: None, answer }
}

/// Compares the outcome with published values. These exist only for maximum independent sets without included
/// squares.
fn verdict_of(model: &Model<'_>, outcome: &Outcome) -> Option<Verdict> {
    let Variant { goal, include, .. } = model.variant();
    if model.formulation().problem != Problem::IndependentSet || !include.is_empty() {
        return None;
    }
    let target = match *goal {
        Goal::Optimise => None,
        Goal::AtLeast(k) | Goal::Exactly(k) => Some(k),
        Goal::AtMost(_) => return None,
    };
    Some(verdict::on_maximum(&Stated::of(outcome, target), known::lookup(model.board().name())))
}
