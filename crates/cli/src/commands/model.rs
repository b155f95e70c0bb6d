//! `ndq model` and `ndq relax`

use std::fmt::Write as _;

use anyhow::{Context as _, bail};
use ndqueens_lab::file;
use ndqueens_lab::solve::{self, Event};
use ndqueens_model::board::{Board, Extent};
use ndqueens_model::bound::Bounds;
use ndqueens_model::format::{Contents, FileFormat, Format, GraphFormat};
use ndqueens_model::formulation::{Formulation, FormulationError, Goal, Variant};
use ndqueens_model::ilp::{Ilp, Program as _, Sense};
use ndqueens_model::recipe::{Recipe, shipped_names};
use ndqueens_solver::backends::highs::Highs;
use ndqueens_solver::backends::{Backend as _, Options};
use ndqueens_solver::control::{Deadline, StopReason};
use serde::Serialize;

use super::Exit;
use crate::args;
use crate::interrupt;
use crate::memory;
use crate::output::Output;
use crate::progress::Display;

#[derive(Serialize)]
struct Written {
    board: String,
    formulation: Option<String>,
    file: String,
    #[serde(flatten)]
    contents: Contents,
    conditions: Vec<String>,
}

pub(super) fn write(args: &args::Model, out: &mut Output) -> anyhow::Result<Exit> {
    let format = FileFormat::of_path(&args.output)?;
    let board = Board::new(&args.board);
    match format {
        FileFormat::Program(format) => write_program(format, &board, args, out),
        FileFormat::Graph(format) => write_graph(format, &board, args, out),
    }
}

fn write_program(
    format: Format,
    board: &Board,
    args: &args::Model,
    out: &mut Output,
) -> anyhow::Result<Exit> {
    let recipe = super::recipe(args.formulation.as_deref(), board)?;
    let bounds = Bounds::with_reported();
    let variant = super::variant(board, recipe.problem, &args.asked)?;
    let formulation = Formulation::streamed(board, &recipe, variant, &bounds, memory::for_models(None))?;
    let Extent { rows, nonzeros } = formulation.extent();
    refuse_if_too_long(args, &format!("{rows} rows with {nonzeros} nonzeros"), nonzeros * 8 + rows * 8)?;
    let contents = file::write(&args.output, |file| format.write(&formulation, file))?;
    let written = Written {
        board: board.name().to_string(),
        formulation: Some(recipe.name.clone()),
        file: args.output.display().to_string(),
        contents,
        conditions: conditions(&formulation),
    };
    let mut text = format!("{}: {contents} of recipe {} on {}\n", written.file, recipe.name, written.board);
    for condition in &written.conditions {
        writeln!(text, "holds if {condition}")?;
    }
    out.result(&written, &text)?;
    Ok(Exit::Yes)
}

fn write_graph(
    format: GraphFormat,
    board: &Board,
    args: &args::Model,
    out: &mut Output,
) -> anyhow::Result<Exit> {
    if args.formulation.is_some() || args.asked != args::Asked::default() {
        bail!(
            "{} is to hold the graph of the board: a recipe, a number of queens, --include and --rows do not apply to it",
            args.output.display()
        );
    }
    super::refuse_if_too_large(board, "its graph", board.size() as u64 * 8)?;
    let squares = board.size() as u128;
    let edges = match format {
        GraphFormat::Clq => squares * squares.saturating_sub(1) / 2,
        // As on the first square of a box, or about so.
        GraphFormat::Col => squares * board.degree(0) as u128 / 2,
    };
    refuse_if_too_long(args, &format!("about {edges} edges"), edges * 10)?;
    let contents = file::write(&args.output, |file| format.write(board, file))?;
    let written = Written {
        board: board.name().to_string(),
        formulation: None,
        file: args.output.display().to_string(),
        contents,
        conditions: Vec::new(),
    };
    let graph = match format {
        GraphFormat::Clq => "the complement of the graph",
        GraphFormat::Col => "the graph",
    };
    out.result(&written, &format!("{}: {contents} of {graph} of {}", written.file, written.board))?;
    Ok(Exit::Yes)
}

/// What a file may hold that is written without being asked for twice, in bytes.
const LONG: u128 = 4 << 30;

/// Refuses to write a very long file, unless it is asked for.
fn refuse_if_too_long(args: &args::Model, what: &str, bytes: u128) -> anyhow::Result<()> {
    if args.large || bytes <= LONG {
        return Ok(());
    }
    bail!(
        "{} would hold {what}, about {} GiB; --large writes it all the same",
        args.output.display(),
        bytes.div_ceil(1 << 30)
    );
}

fn conditions(formulation: &Formulation<'_>) -> Vec<String> {
    let (_, conditions) = solve::settled(formulation.bounds());
    conditions.iter().map(|bound| bound.to_string()).collect()
}

#[derive(Serialize)]
struct Relaxed {
    board: String,
    formulation: String,
    lp_bound: Option<f64>,
    lp_feasible: Option<bool>,
    rows: usize,
    nonzeros: usize,
    lp_iterations: u64,
    seconds: f64,
    stop: String,
    refused: Option<String>,
    conditions: Vec<String>,
    solver: String,
}

pub(super) fn relax(args: &args::Relax, display: &mut Display, out: &mut Output) -> anyhow::Result<Exit> {
    let board = Board::new(&args.board);
    let bounds = Bounds::with_reported();
    let recipes: Vec<Recipe> = if args.formulation.is_empty() {
        let shipped = shipped_names().into_iter().map(Recipe::shipped).collect::<Result<Vec<_>, _>>()?;
        shipped.into_iter().filter(Recipe::maximises).collect()
    } else {
        args.formulation.iter().map(|name| super::named_recipe(name)).collect::<anyhow::Result<_>>()?
    };
    let deadline = Deadline::after(args.solver.time_limit);
    let mut exit = Exit::Yes;
    let width = recipes.iter().map(|recipe| recipe.name.len()).fold("recipe".len(), usize::max);
    let mut table = format!(
        "{:width$}  {:>10}  {:>9}  {:>9}  {:>10}  {:>8}\n",
        "recipe", "LP bound", "rows", "nonzeros", "iterations", "seconds"
    );
    let mut notes: Vec<String> = Vec::new();
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
                writeln!(
                    table,
                    "{formulation:width$}  {bound:>10}  {rows:9}  {nonzeros:9}  {lp_iterations:10}  {seconds:8.2}"
                )?;
                notes.extend(relaxed.conditions.iter().map(|c| format!("{formulation} holds if {c}")));
            }
        }
        if relaxed.stop != StopReason::Finished.to_string() {
            exit = Exit::Stopped;
        }
        if out.json() {
            out.result(&relaxed, "")?;
        }
    }
    if !out.json() {
        let head = format!("{}, LP relaxations by {} (floating point)\n", board.name(), Highs.solver());
        out.result(&(), &(head + &table + &notes.join("\n")))?;
    }
    Ok(exit)
}

fn relax_one(
    board: &Board,
    recipe: &Recipe,
    bounds: &Bounds,
    (args, deadline): (&args::Relax, Deadline),
    display: &mut Display,
) -> anyhow::Result<Relaxed> {
    let mut relaxed = Relaxed {
        board: board.name().to_string(),
        formulation: recipe.name.clone(),
        lp_bound: None,
        lp_feasible: None,
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
        Formulation::relaxation(board, recipe, Variant::of(Goal::Optimise), bounds, args.solver.memory());
    let formulation = match made {
        Err(invalid @ FormulationError::Invalid { .. }) => {
            relaxed.refused = Some(invalid.to_string());
            return Ok(relaxed);
        }
        made => made?,
    };
    relaxed.conditions = conditions(&formulation);
    let mut stop = None;
    let ilp = Ilp::of_while(&formulation, &mut |_| {
        let asked = interrupt::asked().then_some(StopReason::Interrupted);
        stop = asked.or(deadline.reason());
        stop.is_none()
    });
    let Some(ilp) = ilp else {
        relaxed.stop = stop.expect("nothing else breaks it off").to_string();
        return Ok(relaxed);
    };
    (relaxed.rows, relaxed.nonzeros) = (ilp.row_count(), ilp.nonzeros());
    let options = Options { time_limit: deadline.left(), ..args.solver.options() };
    let run = Highs
        .relax(&ilp, &options, &mut |progress| display.show(&Event::Progress(*progress)))
        .with_context(|| format!("recipe {}", recipe.name))?;
    relaxed.lp_bound = run.value.filter(|_| ilp.sense() != Sense::Feasibility);
    relaxed.lp_feasible = (run.stop == StopReason::Finished).then_some(run.value.is_some());
    relaxed.lp_iterations = run.lp_iterations;
    relaxed.seconds = run.seconds;
    relaxed.stop = run.stop.to_string();
    Ok(relaxed)
}
