//! Commands of the program: one module for each command or group of commands.

pub(crate) mod archive;
mod archived;
mod certificate;
pub(crate) mod check;
pub(crate) mod colour;
pub(crate) mod count;
pub(crate) mod dots;
pub(crate) mod draw;
pub(crate) mod extend;
pub(crate) mod face;
pub(crate) mod facets;
pub(crate) mod find;
pub(crate) mod generate;
pub(crate) mod info;
mod job;
pub(crate) mod lab;
pub(crate) mod lp;
pub(crate) mod model;
mod model_row;
pub(crate) mod parts;
pub(crate) mod prove;
pub(crate) mod rerun;
pub(crate) mod site;
pub(crate) mod solve;
pub(crate) mod sudoku;
pub(crate) mod table;
mod watched;

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::path::Path;

use anyhow::{Context as _, bail};
use ndqueens_model::board::{Board, Square, ensure_memory};
use ndqueens_model::formulation::Formulation;
use ndqueens_model::ilp::reduce;
use ndqueens_model::variant::{Goal, Variant};
use ndqueens_notation::certificate::{Certificate, Problem};
use ndqueens_solver::backends::choice;
use ndqueens_solver::construct::ensure_constructible;
use ndqueens_system::cancel::Deadline;
use ndqueens_system::file;
use ndqueens_system::note::Notes;
use ndqueens_workflow::record::verdict::Verdict;
use ndqueens_workflow::record::{Record, Start};
use ndqueens_workflow::run::{self, Event, formulation};

use crate::args::groups::{Asked, Commands, FileForm, Outputs, Rows};
pub(crate) use crate::exit::Exit;
use crate::output::log;
use crate::progress::Display;
use crate::{interrupt, memory};

/// Returns the exit code of a run, which is a failure if its answer contradicts a published value.
fn exit_of_verdict(record: &Record, exit: Exit) -> Exit {
    if !record.answer.verdict.is_some_and(Verdict::is_failure) {
        return exit;
    }
    let board = &record.question.board;
    let published = ndqueens_model::facts::known::lookup(board)
        .map_or_else(String::new, |known| format!(": {} on {board} [{}]", known.best(), known.source));
    let conditions = match record.answer.conditions.as_slice() {
        [] => String::new(),
        conditions => format!(", or a condition of the answer does not hold: {}", conditions.join("; ")),
    };
    log(&format!(
        "error: this answer contradicts a published value{published}; one of the two is wrong{conditions}"
    ));
    Exit::Failed
}

/// Returns the formulation with this name. Without a name, it is cube if that is valid, else base.
fn formulation(name: Option<&str>, board: &Board) -> anyhow::Result<Formulation> {
    Ok(match name {
        Some(name) => formulation::load(name)?,
        None => Formulation::of_board(board)?,
    })
}

/// Returns the formulation of [`formulation()`], with its own inequalities proved on the board where that
/// succeeds.
fn proved_formulation(name: Option<&str>, board: &Board) -> anyhow::Result<Formulation> {
    let mut formulation = formulation(name, board)?;
    run::own::prove_own(&mut formulation, board, Deadline::NEVER, &mut |_| {
        if interrupt::is_requested() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    })?;
    Ok(formulation)
}

/// Returns an error if the squares of a board need too much memory for `work`; `bytes` is the amount.
fn refuse_if_too_large(board: &Board, work: &'static str, bytes: u64) -> anyhow::Result<()> {
    Ok(ensure_memory(board, work, bytes, memory::for_models(None))?)
}

/// Returns an error if a board is too large for the constructions.
fn refuse_to_construct(board: &Board) -> anyhow::Result<()> {
    Ok(ensure_constructible(board, memory::for_models(None))?)
}

/// Shows the external commands among the backends of a file before they run. Returns an error if they are not
/// allowed.
fn allow_commands<'b>(
    path: &Path,
    backends: impl IntoIterator<Item = &'b str>,
    allowed: &Commands,
) -> anyhow::Result<()> {
    let commands: BTreeSet<&str> =
        backends.into_iter().filter(|backend| choice::is_command(backend)).collect();
    for command in commands {
        let command = command.escape_debug();
        if !allowed.allow_commands {
            bail!(
                "{} would run the command \"{command}\"; read it, and run it with --allow-commands",
                path.display()
            );
        }
        log(&format!("{} runs the command \"{command}\"", path.display()));
    }
    Ok(())
}

/// Checks that the output files can be written, before the work starts.
fn make_ready(outputs: &Outputs) -> anyhow::Result<()> {
    outputs.output.as_deref().map_or(Ok(()), file::writable)?;
    Ok(outputs.record.as_deref().map_or(Ok(()), Record::make_folder)?)
}

/// Writes the certificate and the run record of an answer to the requested places.
fn keep(record: &Record, outputs: &Outputs, display: &Display, notes: &Notes) -> anyhow::Result<()> {
    if let (Some(certificate), Some(path)) = (&record.answer.certificate, &outputs.output) {
        file::write(path, |file| file.write_all(certificate.as_bytes()))?;
    }
    if let Some(folder) = &outputs.record {
        let path = record.store(folder, notes)?;
        display.print(&format!("record: {}", path.display()));
    }
    Ok(())
}

/// Reads and checks the queens that a solution must contain.
fn read_included(
    board: &Board,
    path: Option<&Path>,
    form: FileForm,
    solution: Problem,
) -> anyhow::Result<Vec<Square>> {
    let Some(path) = path else { return Ok(Vec::new()) };
    within(board, path, &certificate::read_for(board.name(), path, form)?, solution)
}

/// Returns the squares of a certificate that a solution must contain, after checking them.
fn within(board: &Board, path: &Path, part: &Certificate, solution: Problem) -> anyhow::Result<Vec<Square>> {
    let included = run::placement_check::verify_included(board, part, solution);
    included.with_context(|| path.display().to_string())
}

fn variant(board: &Board, problem: Problem, asked: &Asked) -> anyhow::Result<Variant> {
    let goal = match (asked.at_least, asked.at_most, asked.exactly) {
        (Some(k), ..) => Goal::AtLeast(k),
        (_, Some(k), _) => Goal::AtMost(k),
        (.., Some(k)) => Goal::Exactly(k),
        (None, None, None) => Goal::Optimise,
    };
    let keep = match asked.rows {
        Rows::All => reduce::RowFilter::All,
        Rows::Distinct => reduce::RowFilter::Distinct,
        Rows::Undominated => reduce::RowFilter::Undominated,
    };
    Ok(Variant { goal, include: read_included(board, asked.include.as_deref(), asked.form, problem)?, keep })
}

/// Returns the solution given by `--start`: a construction, the contents of a certificate file, or `None` for
/// `none`.
fn start(
    board: &Board,
    start: &Start,
    form: FileForm,
    include: &[Square],
    seed: u32,
    display: &mut Display,
) -> anyhow::Result<Option<Certificate>> {
    let watch = &mut |event: &_| display.show(event);
    Ok(run::start::solution(start, form.convention, board, include, seed, memory::for_models(None), watch)?)
}

/// Advice for commands that accept `--work`.
const WITH_WORK: &str = "to keep it, give the same command with --work DIR, which also resumes from there";

/// Reports that the intermediate work of a stopped run was discarded. `how` says how it can be kept.
fn report_discarded(how: &str, display: &mut Display) {
    let _ = display.show(&Event::Stage(format!("intermediate work was discarded; {how}")));
}
