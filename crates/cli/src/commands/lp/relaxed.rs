//! Solves the LP relaxation of one formulation.

use std::time::Instant;

use anyhow::Context as _;
use ndqueens_archive::archive::Archive;
use ndqueens_model::board::Board;
use ndqueens_model::facts::Bounds;
use ndqueens_model::formulation::Formulation;
use ndqueens_model::ilp::{Ilp, Program as _, Sense};
use ndqueens_model::model::{Model, ModelError};
use ndqueens_model::variant::{Goal, Variant};
use ndqueens_notation::counted::counted;
use ndqueens_solver::backends::highs::Highs;
use ndqueens_solver::backends::{Backend as _, Options, Relaxation};
use ndqueens_system::cancel::{Deadline, StopReason};
use ndqueens_workflow::lp::cuts::OrbitCut;
use ndqueens_workflow::lp::relaxation::{self, Separation};
use ndqueens_workflow::record::Separated;
use ndqueens_workflow::run::Event;
use schemars::JsonSchema;
use serde::Serialize;

use super::cuts::{KeptCuts, binding};
use super::gap::Comparison;
use crate::progress::Display;
use crate::schema::printed;
use crate::{interrupt, memory};

#[derive(JsonSchema, Serialize)]
pub(in crate::commands) struct Relaxed {
    pub(in crate::commands) board: String,
    pub(in crate::commands) formulation: String,
    pub(in crate::commands) lp_bound: Option<f64>,
    pub(in crate::commands) lp_feasible: Option<bool>,
    /// Numbers of violated inequalities that were added, and of LPs that were solved.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(in crate::commands) separated: Option<SeparatedRows>,
    pub(in crate::commands) rows: usize,
    pub(in crate::commands) nonzeros: usize,
    pub(in crate::commands) lp_iterations: u64,
    pub(in crate::commands) seconds: f64,
    pub(in crate::commands) stop: String,
    pub(in crate::commands) refused: Option<String>,
    pub(in crate::commands) conditions: Vec<String>,
    pub(in crate::commands) solver: String,
    /// Comparison with the best known bounds; absent unless boards are compared.
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    pub(in crate::commands) comparison: Option<Comparison>,
}

printed!(Relaxed: "lp relax");

#[derive(Clone, JsonSchema, Serialize)]
pub(in crate::commands) struct SeparatedRows {
    pub(in crate::commands) rows: usize,
    pub(in crate::commands) rounds: usize,
    /// Cuts that bind at the optimum, by family.
    pub(in crate::commands) kept: Vec<KeptCuts>,
}

/// Number of nonzeros above which an LP is announced before it is solved, because it takes long.
const MOST_AT_ONCE: usize = 1_000_000;

/// Settings of the LPs of a command.
pub(in crate::commands) struct LpSettings<'a> {
    pub(in crate::commands) bounds: &'a Bounds,
    pub(in crate::commands) archive: &'a Archive,
    pub(in crate::commands) separate: &'a [Separated],
    /// Maximum number of squares of the sets of local cuts.
    pub(in crate::commands) local_squares: usize,
    /// Coefficients of the objective; `None` to count queens.
    pub(in crate::commands) weights: Option<&'a [i64]>,
    pub(in crate::commands) options: &'a Options,
    pub(in crate::commands) deadline: Deadline,
}

/// LP relaxation of a formulation with its optimum.
pub(in crate::commands) struct LpOptimum {
    pub(in crate::commands) relaxed: Relaxed,
    /// Program, with the inequalities that were separated, and its optimum; `None` if no LP was solved.
    pub(in crate::commands) solved: Option<SolvedLp>,
}

/// LP with its optimum.
pub(in crate::commands) struct SolvedLp {
    pub(in crate::commands) ilp: Ilp,
    pub(in crate::commands) relaxation: Relaxation,
    /// Separated inequalities that bind at the optimum.
    pub(in crate::commands) cuts: Vec<OrbitCut>,
}

/// Solves the LP relaxation of a formulation on a board.
pub(in crate::commands) fn relax(
    board: &Board,
    formulation: &Formulation,
    settings: &LpSettings<'_>,
    display: &mut Display,
) -> anyhow::Result<LpOptimum> {
    let LpSettings { bounds, separate, local_squares, deadline, .. } = *settings;
    let mut relaxed = Relaxed {
        board: board.name().to_string(),
        formulation: formulation.name.clone(),
        lp_bound: None,
        lp_feasible: None,
        separated: None,
        rows: 0,
        nonzeros: 0,
        lp_iterations: 0,
        seconds: 0.0,
        stop: StopReason::Finished.to_string(),
        refused: None,
        conditions: Vec::new(),
        solver: Highs.solver(),
        comparison: None,
    };
    let begin = Instant::now();
    display.work_on(format!("{} on {}", formulation.name, board.name()));
    let variant = Variant::of(Goal::Optimise);
    let model = match Model::relaxation(board, formulation, variant, bounds, memory::for_models(None)) {
        Err(refused @ (ModelError::Invalid { .. } | ModelError::TooLarge { .. })) => {
            relaxed.refused = Some(refused.to_string());
            return Ok(LpOptimum { relaxed, solved: None });
        }
        made => made?,
    };
    relaxed.conditions = crate::commands::model::conditions(&model, settings.archive);
    let mut stop = None;
    let ilp = Ilp::of_while(&model, &mut |rows| {
        let rows = rows as u64;
        // Ignore the answer: the stop is checked below, with its reason.
        let _ = display.show(&Event::Rows { rows, seconds: begin.elapsed().as_secs_f64() });
        let interrupted = interrupt::is_requested().then_some(StopReason::Interrupted);
        stop = interrupted.or(deadline.reason());
        stop.is_none()
    });
    let Some(mut ilp) = ilp else {
        relaxed.stop = stop.expect("nothing else breaks it off").to_string();
        return Ok(LpOptimum { relaxed, solved: None });
    };
    if let Some(weights) = settings.weights {
        ilp.set_objective(weights);
    }
    announce_if_large(board, formulation, &ilp, display);
    let options = Options { time_limit: deadline.left(), ..settings.options.clone() };
    let named = || format!("formulation {}", formulation.name);
    let mut cuts = Vec::new();
    let relaxation = if separate.is_empty() {
        let watch = &mut |progress: &_| display.show(&Event::Progress(*progress));
        Highs.relax(&ilp, &options, watch).with_context(named)?
    } else {
        let watch = &mut |event: &_| display.show(event);
        let separation = Separation { formulation, families: separate, local_squares };
        let tightened =
            relaxation::separate(board, &mut ilp, &separation, &options, watch).with_context(named)?;
        cuts = binding(&tightened.cuts);
        let (rows, kept) = (tightened.rows(), KeptCuts::count(&cuts));
        relaxed.separated = Some(SeparatedRows { rows, rounds: tightened.rounds, kept });
        tightened.relaxation
    };
    (relaxed.rows, relaxed.nonzeros) = (ilp.row_count(), ilp.nonzeros());
    relaxed.lp_bound = relaxation.value.filter(|_| ilp.sense() != Sense::Feasibility);
    relaxed.lp_feasible = (relaxation.stop == StopReason::Finished).then_some(relaxation.value.is_some());
    relaxed.lp_iterations = relaxation.lp_iterations;
    relaxed.seconds = relaxation.seconds;
    relaxed.stop = relaxation.stop.to_string();
    Ok(LpOptimum { relaxed, solved: Some(SolvedLp { ilp, relaxation, cuts }) })
}

/// Shows the size of a large LP before it is solved.
fn announce_if_large(board: &Board, formulation: &Formulation, ilp: &Ilp, display: &mut Display) {
    if ilp.nonzeros() > MOST_AT_ONCE {
        let (rows, nonzeros) = (ilp.row_count(), ilp.nonzeros());
        let task = format!(
            "{} on {}: LP of {} and {}",
            formulation.name,
            board.name(),
            counted(rows, "row"),
            counted(nonzeros, "nonzero")
        );
        let _ = display.show(&Event::Stage(task));
    }
}
