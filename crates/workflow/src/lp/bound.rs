//! Answer to the question for the LP bound of a formulation.

use std::time::Instant;

use ndqueens_model::board::Board;
use ndqueens_model::facts::Bounds;
use ndqueens_model::facts::known;
use ndqueens_model::formulation::Formulation;
use ndqueens_model::ilp::{Ilp, Program as _, Sense};
use ndqueens_model::model::Model;
use ndqueens_model::variant::{Goal, Variant};
use ndqueens_notation::certificate::Problem;
use ndqueens_solver::backends::highs::Highs;
use ndqueens_solver::backends::{Backend as _, Options, Relaxation};
use ndqueens_system::cancel::{Deadline, StopReason};

use super::relaxation::{self, LOCAL_SQUARES, Separation};
use crate::record::verdict::{self, Stated};
use crate::record::{Answer, Outcome, Separated, machine};
use crate::run::{Event, GoalError, PriorResults, Watch, WorkflowError, note_foundation};

/// Tolerance when a bound in floating point is rounded to a number of queens.
const ROUNDING: f64 = 0.01;

/// Request for the LP bound of a formulation.
#[derive(Debug)]
pub struct BoundRequest<'a> {
    /// Board of the program.
    pub board: &'a Board,
    /// Formulation of the program.
    pub formulation: &'a Formulation,
    /// Families whose violated inequalities are added.
    pub separate: &'a [Separated],
    /// `true` to compute the bound of HiGHS at the root node of the integer program, too.
    pub highs_root: bool,
    /// Settings of HiGHS; the time limit covers the whole work.
    pub options: &'a Options,
    /// Memory limit of the model, in bytes.
    pub memory: u64,
    /// Results of earlier runs.
    pub prior: &'a PriorResults,
}

/// Solves the LP relaxation of a formulation. The answer has its optimum as a bound in floating point, and no
/// solution.
///
/// # Errors
/// Returns an error if the formulation does not suit the board or asks for a number of queens, a family cannot
/// be separated on the board, or HiGHS fails.
pub fn answer(request: &BoundRequest<'_>, watch: &mut Watch<'_>) -> Result<Answer, WorkflowError> {
    let (began, cpu_before) = (Instant::now(), machine::cpu_time());
    let BoundRequest { board, formulation, separate, highs_root, options, memory, prior } = *request;
    relaxation::ensure_separable(separate, board, formulation)?;
    let deadline = Deadline::since(began, options.time_limit);
    let bounds = Bounds::with_publications(prior.bounds());
    let model = Model::relaxation(board, formulation, Variant::of(Goal::Optimise), &bounds, memory)?;
    let mut answer = Answer { solver: Some(Highs.solver()), ..Answer::default() };
    let mut broken = false;
    let ilp = Ilp::of_while(&model, &mut |rows| {
        let seconds = began.elapsed().as_secs_f64();
        broken = watch(&Event::Rows { rows: rows as u64, seconds }).is_break();
        !broken && !deadline.is_over()
    });
    let Some(mut ilp) = ilp else {
        let stop = if broken { StopReason::Interrupted } else { StopReason::TimeLimit };
        answer.stop = stop.into();
        return Ok(answer);
    };
    if ilp.sense() == Sense::Feasibility {
        return Err(GoalError::NoBound(formulation.name.clone()).into());
    }
    answer.note_model(&ilp, deadline);
    let limited = || Options { time_limit: deadline.left(), ..options.clone() };
    if highs_root {
        // The bound is that of the formulation, before inequalities are added.
        answer.highs_root_bound = relaxation::highs_root_bound(&ilp, &limited(), watch)?;
    }
    let relaxed = if separate.is_empty() {
        Highs.relax(&ilp, &limited(), &mut |progress| watch(&Event::Progress(*progress)))?
    } else {
        let separation = Separation { formulation, families: separate, local_squares: LOCAL_SQUARES };
        let tightened = relaxation::separate(board, &mut ilp, &separation, &limited(), watch)?;
        answer.cuts = Some(tightened.rows() as u64);
        tightened.relaxation
    };
    note_bound(&mut answer, &relaxed, board, formulation);
    note_foundation(&mut answer, &model, prior);
    answer.cpu_seconds = (machine::cpu_time() - cpu_before).as_secs_f64();
    answer.peak_memory_bytes = machine::peak_memory();
    Ok(answer)
}

/// Records the optimum of a relaxation, and compares it with the published values.
fn note_bound(answer: &mut Answer, relaxed: &Relaxation, board: &Board, formulation: &Formulation) {
    answer.stop = relaxed.stop.into();
    answer.root_lp_bound = relaxed.value;
    answer.dual_bound = relaxed.value;
    answer.lp_iterations = Some(relaxed.lp_iterations);
    answer.wall_seconds = relaxed.seconds;
    answer.outcome = match relaxed.value {
        None if relaxed.stop == StopReason::Finished => Outcome::Infeasible,
        _ => Outcome::Unknown,
    };
    if formulation.problem == Problem::IndependentSet {
        let excluded = relaxed.value.map(|bound| (bound + ROUNDING).floor().max(0.0) as u64 + 1);
        let stated = Stated { found: None, excluded, settled: false };
        answer.verdict = Some(verdict::on_maximum(&stated, known::lookup(board.name())));
    }
}
