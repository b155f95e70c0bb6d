//! Solves the LP relaxation of one formulation.

use std::time::Instant;

use anyhow::Context as _;
use clap::ValueEnum;
use ndqueens_archive::archive::Archive;
use ndqueens_model::board::Board;
use ndqueens_model::facts::Bounds;
use ndqueens_model::formulation::Formulation;
use ndqueens_model::ilp::{Ilp, Program as _, Sense};
use ndqueens_model::model::{Model, ModelError};
use ndqueens_model::variant::{Goal, Variant};
use ndqueens_notation::counted::counted;
use ndqueens_solver::backends::highs::Highs;
use ndqueens_solver::backends::{Backend as _, Options};
use ndqueens_system::cancel::{Deadline, StopReason};
use ndqueens_workflow::lp::relaxation;
use ndqueens_workflow::run::Event;
use schemars::JsonSchema;
use serde::Serialize;

use crate::progress::Display;
use crate::schema::printed;
use crate::{interrupt, memory};

#[derive(JsonSchema, Serialize)]
pub(super) struct Relaxed {
    pub(super) board: String,
    pub(super) formulation: String,
    pub(super) lp_bound: Option<f64>,
    pub(super) lp_feasible: Option<bool>,
    /// Numbers of violated inequalities that were added, and of LPs that were solved.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) separated: Option<SeparatedRows>,
    pub(super) rows: usize,
    pub(super) nonzeros: usize,
    pub(super) lp_iterations: u64,
    pub(super) seconds: f64,
    pub(super) stop: String,
    pub(super) refused: Option<String>,
    pub(super) conditions: Vec<String>,
    pub(super) solver: String,
}

printed!(Relaxed: "lp relax");

#[derive(Clone, Copy, JsonSchema, Serialize)]
pub(super) struct SeparatedRows {
    pub(super) rows: usize,
    pub(super) rounds: usize,
}

/// A family that is separated exactly.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Separated {
    /// At most (k - 1) / 2 queens on a cycle of odd length k of squares that attack each other in turn.
    OddCycle,
}

/// Number of nonzeros above which an LP is announced before it is solved, because it takes long.
const MOST_AT_ONCE: usize = 1_000_000;

pub(super) fn relax(
    archive: &Archive,
    board: &Board,
    formulation: &Formulation,
    separate: Option<Separated>,
    options: &Options,
    deadline: Deadline,
    display: &mut Display,
) -> anyhow::Result<Relaxed> {
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
    };
    let begin = Instant::now();
    display.work_on(format!("{} on {}", formulation.name, board.name()));
    let bounds = Bounds::with_publications(archive.bounds());
    let made =
        Model::relaxation(board, formulation, Variant::of(Goal::Optimise), &bounds, memory::for_models(None));
    let model = match made {
        Err(refused @ (ModelError::Invalid { .. } | ModelError::TooLarge { .. })) => {
            relaxed.refused = Some(refused.to_string());
            return Ok(relaxed);
        }
        made => made?,
    };
    relaxed.conditions = crate::commands::model::conditions(&model, archive);
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
        return Ok(relaxed);
    };
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
    let options = Options { time_limit: deadline.left(), ..options.clone() };
    let named = || format!("formulation {}", formulation.name);
    let run = match separate {
        None => {
            let watch = &mut |progress: &_| display.show(&Event::Progress(*progress));
            Highs.relax(&ilp, &options, watch).with_context(named)?
        }
        Some(Separated::OddCycle) => {
            let watch = &mut |event: &_| display.show(event);
            let tightened =
                relaxation::separate(board, &mut ilp, &[relaxation::Separated::OddCycle], &options, watch)
                    .with_context(named)?;
            relaxed.separated = Some(SeparatedRows { rows: tightened.cuts, rounds: tightened.rounds });
            tightened.relaxation
        }
    };
    (relaxed.rows, relaxed.nonzeros) = (ilp.row_count(), ilp.nonzeros());
    relaxed.lp_bound = run.value.filter(|_| ilp.sense() != Sense::Feasibility);
    relaxed.lp_feasible = (run.stop == StopReason::Finished).then_some(run.value.is_some());
    relaxed.lp_iterations = run.lp_iterations;
    relaxed.seconds = run.seconds;
    relaxed.stop = run.stop.to_string();
    Ok(relaxed)
}
