//! `ndq lp relax`

use anyhow::{Context as _, bail};
use clap::{Args as Group, ValueEnum};
use ndqueens_control::{Deadline, StopReason};
use ndqueens_lab::run::{Event, recipe};
use ndqueens_lab::workflow::relax;
use ndqueens_model::board::Board;
use ndqueens_model::facts::Bounds;
use ndqueens_model::formulation::{Formulation, FormulationError};
use ndqueens_model::ilp::{Ilp, Program as _, Sense};
use ndqueens_model::name::BoardName;
use ndqueens_model::recipe::{Recipe, shipped_names};
use ndqueens_model::variant::{Goal, Variant};
use ndqueens_report::sheet::aligned;
use ndqueens_solver::backends::highs::Highs;
use ndqueens_solver::backends::{Backend as _, Options};
use serde::Serialize;

use crate::args::groups::Solver;
use crate::args::values::board;
use crate::commands::Exit;
use crate::interrupt;
use crate::memory;
use crate::output::Output;
use crate::progress::Display;

#[derive(Debug, Group)]
pub(crate) struct Args {
    /// The board, such as 6^3 or 4x5x6.
    #[arg(value_parser = board)]
    pub(crate) board: BoardName,
    /// The formulations to compare, such as base,cube [default: all shipped ones for a maximum].
    #[arg(short, long, value_name = "FORMULATION", value_delimiter = ',')]
    pub(crate) formulation: Vec<String>,
    /// Add inequalities of this family that the optimum violates, until there are none.
    #[arg(long, value_enum, value_name = "FAMILY")]
    pub(crate) separate: Option<Separated>,
    #[command(flatten)]
    pub(crate) solver: Solver,
}

/// A family that is separated exactly.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Separated {
    /// At most (k - 1) / 2 queens on a cycle of odd length k of squares that attack each other in turn.
    OddCycle,
}

#[derive(Serialize)]
struct Relaxed {
    board: String,
    formulation: String,
    lp_bound: Option<f64>,
    lp_feasible: Option<bool>,
    /// Inequalities that were added because they were violated, and the LPs that were solved.
    #[serde(skip_serializing_if = "Option::is_none")]
    separated: Option<SeparatedRows>,
    rows: usize,
    nonzeros: usize,
    lp_iterations: u64,
    seconds: f64,
    stop: String,
    refused: Option<String>,
    conditions: Vec<String>,
    solver: String,
}

#[derive(Clone, Copy, Serialize)]
struct SeparatedRows {
    rows: usize,
    rounds: usize,
}

/// The columns of the table.
const HEADS: [&str; 6] = ["formulation", "LP bound", "rows", "nonzeros", "iterations", "seconds"];

/// Further ones where odd cycles are separated.
const SEPARATED: [&str; 2] = ["odd cycles", "LPs"];

pub(crate) fn run(args: &Args, display: &mut Display, out: &mut Output) -> anyhow::Result<Exit> {
    let board = Board::new(&args.board);
    let bounds = Bounds::with_reported();
    let recipes: Vec<Recipe> = if args.formulation.is_empty() {
        let shipped = shipped_names().into_iter().map(Recipe::shipped).collect::<Result<Vec<_>, _>>()?;
        shipped.into_iter().filter(Recipe::maximises).collect()
    } else {
        args.formulation.iter().map(|name| Ok(recipe::named(name)?)).collect::<anyhow::Result<_>>()?
    };
    let deadline = Deadline::after(args.solver.time_limit);
    let mut exit = Exit::Yes;
    let more: &[&str] = if args.separate.is_some() { &SEPARATED } else { &[] };
    let mut table = vec![HEADS.iter().chain(more).map(ToString::to_string).collect::<Vec<_>>()];
    let mut notes: Vec<String> = Vec::new();
    // A board on which every recipe is refused is refused itself, and nothing is printed.
    let (mut rows, mut answered) = (Vec::new(), false);
    for recipe in &recipes {
        let relaxed = relax_one(&board, recipe, &bounds, (args, deadline), display)?;
        match (&relaxed.refused, relaxed.lp_bound) {
            (Some(reason), _) if args.formulation.is_empty() => notes.push(reason.clone()),
            (Some(reason), _) => return Err(anyhow::Error::msg(reason.clone())),
            (None, bound) => {
                let bound = match (bound, relaxed.lp_feasible) {
                    (Some(bound), _) => format!("{bound:.4}"),
                    (None, Some(true)) => "feasible".to_owned(),
                    (None, Some(false)) => "infeasible".to_owned(),
                    (None, None) => relaxed.stop.clone(),
                };
                let Relaxed { formulation, rows, nonzeros, lp_iterations, seconds, .. } = &relaxed;
                let [rows, nonzeros] = [rows, nonzeros].map(ToString::to_string);
                let (iterations, seconds) = (lp_iterations.to_string(), format!("{seconds:.2}"));
                let mut line = vec![formulation.clone(), bound, rows, nonzeros, iterations, seconds];
                line.extend(
                    relaxed
                        .separated
                        .iter()
                        .flat_map(|added| [added.rows, added.rounds])
                        .map(|n| n.to_string()),
                );
                table.push(line);
                if relaxed.separated.is_some() && relaxed.stop != StopReason::Finished.to_string() {
                    let stop = &relaxed.stop;
                    notes.push(format!("{formulation} stopped ({stop}): further odd cycles may be violated"));
                }
                let answered = relaxed.lp_feasible.is_some();
                notes.extend(
                    relaxed
                        .conditions
                        .iter()
                        .filter(|_| answered)
                        .map(|c| format!("{formulation} holds if {c}")),
                );
            }
        }
        if relaxed.stop != StopReason::Finished.to_string() {
            exit = Exit::Stopped;
        }
        answered |= relaxed.refused.is_none();
        rows.push(relaxed);
        if out.json() && answered {
            rows.drain(..).try_for_each(|row| out.result(&row, ""))?;
        }
    }
    if let (false, Some(reason)) = (answered, rows.iter().find_map(|row| row.refused.as_deref())) {
        bail!("{reason}");
    }
    if !out.json() {
        let head = format!("{}, LP relaxations by {} (floating point)\n", board.name(), Highs.solver());
        out.result(&(), &(head + &aligned(table, &[0]) + &notes.join("\n")))?;
    }
    Ok(exit)
}

fn relax_one(
    board: &Board,
    recipe: &Recipe,
    bounds: &Bounds,
    (args, deadline): (&Args, Deadline),
    display: &mut Display,
) -> anyhow::Result<Relaxed> {
    let mut relaxed = Relaxed {
        board: board.name().to_string(),
        formulation: recipe.name.clone(),
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
    let made =
        Formulation::relaxation(board, recipe, Variant::of(Goal::Optimise), bounds, memory::for_models(None));
    let formulation = match made {
        Err(refused @ (FormulationError::Invalid { .. } | FormulationError::TooLarge { .. })) => {
            relaxed.refused = Some(refused.to_string());
            return Ok(relaxed);
        }
        made => made?,
    };
    relaxed.conditions = crate::commands::model::conditions(&formulation);
    let mut stop = None;
    let ilp = Ilp::of_while(&formulation, &mut |_| {
        let asked = interrupt::asked().then_some(StopReason::Interrupted);
        stop = asked.or(deadline.reason());
        stop.is_none()
    });
    let Some(mut ilp) = ilp else {
        relaxed.stop = stop.expect("nothing else breaks it off").to_string();
        return Ok(relaxed);
    };
    let options = Options { time_limit: deadline.left(), ..args.solver.options() };
    let named = || format!("formulation {}", recipe.name);
    let run = match args.separate {
        None => {
            let watch = &mut |progress: &_| display.show(&Event::Progress(*progress));
            Highs.relax(&ilp, &options, watch).with_context(named)?
        }
        Some(Separated::OddCycle) => {
            let watch = &mut |event: &_| display.show(event);
            let tightened =
                relax::without_odd_cycles(board, &mut ilp, &options, watch).with_context(named)?;
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
