//! One file for each command or group of commands.

pub(crate) mod board;
pub(crate) mod bound;
pub(crate) mod bounds;
pub(crate) mod boxes;
mod certificate;
pub(crate) mod check;
pub(crate) mod cliquer;
pub(crate) mod colour;
pub(crate) mod complete;
pub(crate) mod construct;
pub(crate) mod count;
pub(crate) mod draw;
pub(crate) mod estimate;
pub(crate) mod join;
pub(crate) mod known;
pub(crate) mod lab;
pub(crate) mod ledger;
pub(crate) mod model;
pub(crate) mod prove;
pub(crate) mod relax;
pub(crate) mod rerun;
pub(crate) mod run_part;
pub(crate) mod search;
pub(crate) mod solve;
pub(crate) mod split;
pub(crate) mod store;
pub(crate) mod sudoku;

use std::collections::BTreeSet;
use std::path::Path;

use anyhow::{Context as _, bail};
use ndqueens_files::{self as files};
use ndqueens_lab::record::Record;
use ndqueens_lab::record::verdict::Verdict;
use ndqueens_model::board::{Board, Square};
use ndqueens_model::certificate::{Certificate, Claim};
use ndqueens_model::ilp::reduce;
use ndqueens_model::recipe::Recipe;
use ndqueens_model::variant::{Goal, Variant};
use ndqueens_solver::backends::choice;
use ndqueens_solver::construct::{self as construction, Effort};

use crate::args::groups::{Asked, Commands, Keep, Rows};
pub(crate) use crate::exit::Exit;
use crate::memory;
use crate::output::log;

/// The exit of a run, which failed when its answer contradicts a published value: one of the two is wrong.
fn judged(record: &Record, exit: Exit) -> Exit {
    if !record.answer.verdict.is_some_and(Verdict::is_failure) {
        return exit;
    }
    let board = &record.question.board;
    let published = ndqueens_model::facts::known::lookup(board).map_or_else(String::new, |known| {
        format!(": {} on {board} [{}]", Board::new(board).fitting(known.lower), known.source)
    });
    log(&format!("error: this answer contradicts a published value{published}; one of the two is wrong"));
    Exit::Failed
}

/// The recipe of this name; without one, cube where it is valid and else base.
fn recipe(name: Option<&str>, board: &Board) -> anyhow::Result<Recipe> {
    if let Some(name) = name {
        return named_recipe(name);
    }
    let cube = Recipe::shipped("cube")?;
    let plain = Variant::of(Goal::Optimise);
    let valid = cube.families.iter().all(|family| family.validity(board, cube.problem, &plain).is_ok());
    if valid { Ok(cube) } else { Ok(Recipe::shipped("base")?) }
}

/// A shipped recipe, or the one in a file whose name ends in `.toml`.
fn named_recipe(name: &str) -> anyhow::Result<Recipe> {
    let path = Path::new(name);
    if path.extension().is_none_or(|extension| extension != "toml") {
        return Ok(Recipe::shipped(name)?);
    }
    Ok(Recipe::parse(name, &files::read(path)?)?)
}

/// What a command that keeps something for every square may take, in bytes: minutes of work.
const MEMORY: u64 = 4 << 30;

/// Refuses a board whose squares are too many for what is to be done with them, before it begins.
fn refuse_if_too_large(board: &Board, work: &str, bytes: u64) -> anyhow::Result<()> {
    let allowed = MEMORY.min(memory::for_models(None));
    if bytes <= allowed {
        return Ok(());
    }
    bail!(
        "{} has {} squares, too many for {work}, which would take about {} GiB; {} GiB of memory are allowed",
        board.name(),
        board.size(),
        bytes.div_ceil(1 << 30),
        allowed >> 30
    );
}

/// Refuses a board that is too large for the constructions. They keep 10 bytes for every residue modulo a number that is
/// about the longest side, and a queen's coordinates, two or three times.
fn refuse_to_construct(board: &Board) -> anyhow::Result<()> {
    let longest = board.grid().and_then(|grid| grid.sides().iter().max()).map_or(0, |&side| u64::from(side));
    refuse_if_too_large(board, "the constructions", longest * 10 + board.trivial_bound() * 200)
}

/// Shows the commands among the backends that a file names, which are about to be run; refuses them unless that is allowed.
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

/// Finds out whether what is to be kept can be written, before the work for it begins.
fn make_ready(keep: &Keep) -> anyhow::Result<()> {
    keep.output.as_deref().map_or(Ok(()), files::writable)?;
    Ok(keep.record.as_deref().map_or(Ok(()), Record::make_folder)?)
}

/// The queens in a file that must be part of the solution, checked.
fn included(board: &Board, path: Option<&Path>, solution: Claim) -> anyhow::Result<Vec<Square>> {
    let Some(path) = path else { return Ok(Vec::new()) };
    within(board, path, &certificate::read(path)?, solution)
}

/// The squares of a certificate that must be part of the solution, checked.
fn within(board: &Board, path: &Path, part: &Certificate, solution: Claim) -> anyhow::Result<Vec<Square>> {
    let included = ndqueens_lab::run::check::included(board, part, solution);
    included.with_context(|| path.display().to_string())
}

fn variant(board: &Board, problem: Claim, asked: &Asked) -> anyhow::Result<Variant> {
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
    Ok(Variant { goal, include: included(board, asked.include.as_deref(), problem)?, keep })
}

/// The solution that `--start` names: a construction, or a certificate file. Nothing for `none`.
fn start(board: &Board, text: &str, include: &[Square], seed: u32) -> anyhow::Result<Option<Certificate>> {
    if text == "none" {
        return Ok(None);
    }
    if let Ok(method) = text.parse::<construction::Method>() {
        refuse_to_construct(board)?;
        let made = construction::construct(method, board, include, u64::from(seed), Effort::default());
        return Ok(Some(made.with_context(|| format!("--start {text} on {}", board.name()))?));
    }
    let path = Path::new(text);
    if !path.exists() {
        bail!("--start \"{text}\": neither cut, greedy or none, nor a certificate file that is there");
    }
    Ok(Some(certificate::read(path)?))
}
