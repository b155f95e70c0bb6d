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
use std::error::Error;
use std::io;
use std::path::Path;

use anyhow::{Context as _, anyhow, bail};
use ndqueens_cliquer::extremes::ExtremesError;
use ndqueens_crosscheck::opb::FormulaFault;
use ndqueens_experiments::runner::RunnerError;
use ndqueens_experiments::store::StoreError;
use ndqueens_files::{self as files, FileError};
use ndqueens_knowledge::archive::{self, Archive, ArchiveError};
use ndqueens_knowledge::certificates::CertificateStoreError;
use ndqueens_knowledge::ledger::{Ledger, LedgerError};
use ndqueens_lab::record::Record;
use ndqueens_lab::record::verdict::Verdict;
use ndqueens_lab::run::{CountError, LabError};
use ndqueens_model::board::{Board, Square};
use ndqueens_model::certificate::import::{self, Convention};
use ndqueens_model::certificate::solutions::{self, Solutions};
use ndqueens_model::certificate::{Certificate, CertificateError, Claim};
use ndqueens_model::ilp::reduce;
use ndqueens_model::name::BoardName;
use ndqueens_model::recipe::Recipe;
use ndqueens_model::variant::{Goal, Variant};
use ndqueens_solver::backends::BackendError;
use ndqueens_solver::backends::choice;
use ndqueens_solver::construct::{self as construction, Effort};
use ndqueens_solver::orbit_lp::OrbitLpError;

use crate::args::groups::{Asked, Commands, Keep, Rows};
use crate::args::{Cli, Command};
use crate::output::{Output, log};
use crate::progress::Display;
use crate::{interrupt, memory};

/// How the command ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Exit {
    Yes = 0,
    No = 1,
    BadInput = 2,
    Stopped = 3,
    Failed = 4,
}

/// Runs a command.
pub(crate) fn run(args: &Cli, out: &mut Output) -> anyhow::Result<Exit> {
    let time_limit = args.command.time_limit();
    interrupt::limit(time_limit);
    interrupt::install(match &args.command {
        Command::Board(_)
        | Command::Model(_)
        | Command::Check(_)
        | Command::Draw(_)
        | Command::Join(_)
        | Command::Bounds(_)
        | Command::Store(_)
        | Command::Ledger(_)
        | Command::Cliquer(cliquer::Args::Check(_) | cliquer::Args::Play(_) | cliquer::Args::Draw(_)) => {
            false
        }
        Command::Construct(construct) => construct.from.is_empty(),
        _ => true,
    });
    let adds =
        matches!(args.command, Command::Ledger(ledger::Args::Add(_)) | Command::Store(store::Args::Add(_)));
    archive::choose(args.data.as_deref(), adds)?;
    if !Archive::here().is_embedded() {
        // A ledger that is none is used by no command.
        Ledger::of(Archive::here())?;
    }
    if !Archive::here().is_embedded() && !args.quiet {
        log(&format!("note: the archive in {} takes the place of the one in the program", Archive::here()));
    }
    let display = |limit| Display::new(args.quiet, args.verbose, limit);
    match &args.command {
        Command::Board(board) => board::run(board, out),
        Command::Model(model) => model::run(model, out),
        Command::Relax(relax) => relax::run(relax, &mut display(time_limit), out),
        Command::Solve(solve) => solve::run(solve, &mut display(time_limit), out),
        Command::Prove(prove) => prove::run(prove, &mut display(time_limit), out),
        Command::Boxes(boxes) => boxes::run(boxes, &mut display(None), out),
        Command::Estimate(sampling) => estimate::run(sampling, &mut display(None), out),
        Command::Split(split) => split::run(split, &mut display(None), out),
        Command::RunPart(part) => run_part::run(part, &mut display(None), out),
        Command::Join(join) => join::run(join, out),
        Command::Construct(construct) => construct::run(construct, args, out),
        Command::Search(search) => search::run(search, &mut display(search.limit()), out),
        Command::Bound(bound) => bound::run(bound, &mut display(time_limit), out),
        Command::Bounds(bounds) => bounds::run(bounds, out),
        Command::Ledger(ledger) => ledger::run(ledger, out),
        Command::Store(store) => store::run(store, out),
        Command::Check(check) => check::run(check, out),
        Command::Count(count) => count::run(count, &mut display(time_limit), out),
        Command::Complete(complete) => complete::run(complete, &mut display(time_limit), out),
        Command::Draw(draw) => draw::run(draw, out),
        Command::Colour(colour) => colour::run(colour, &mut display(time_limit), out),
        Command::Known(known) => known::run(known, out),
        Command::Rerun(rerun) => rerun::run(rerun, args, out),
        Command::Sudoku(sudoku) => sudoku::run(sudoku, args.quiet, out),
        Command::Cliquer(cliquer) => cliquer::run(cliquer, args, out),
        Command::Lab(lab) => lab::run(lab, args, out),
    }
}

/// The fault of a file that an error tells.
fn of_file<'e>(error: &'e (dyn Error + 'static)) -> Option<&'e FileError> {
    if let Some(LabError::File(fault)) = error.downcast_ref() {
        return Some(fault);
    }
    if let Some(LedgerError::File(fault) | LedgerError::Archive(ArchiveError::File(fault))) =
        error.downcast_ref()
    {
        return Some(fault);
    }
    if let Some(
        CertificateStoreError::File(fault) | CertificateStoreError::Archive(ArchiveError::File(fault)),
    ) = error.downcast_ref()
    {
        return Some(fault);
    }
    if let Some(StoreError::File(fault)) = error.downcast_ref() {
        return Some(fault);
    }
    if let Some(RunnerError::Store(StoreError::File(fault))) = error.downcast_ref() {
        return Some(fault);
    }
    error.downcast_ref()
}

/// Whose fault an error is: a solver's, the system's or our own, or else the input's.
pub(crate) fn exit_of(error: &anyhow::Error) -> Exit {
    let failed =
        |error: &BackendError| !matches!(error, BackendError::BadStart(_) | BackendError::Unsupported { .. });
    let systems = |cause: &(dyn Error + 'static)| {
        of_file(cause).is_some_and(FileError::is_of_the_system)
            || matches!(cause.downcast_ref(), Some(RunnerError::Start { .. }))
            || cause
                .downcast_ref::<io::Error>()
                .is_some_and(|fault| fault.kind() == io::ErrorKind::StorageFull)
    };
    let ours = error.chain().any(|cause| match cause.downcast_ref::<LabError>() {
        _ if systems(cause) => true,
        Some(
            LabError::Refused { .. }
            | LabError::Refuted { .. }
            | LabError::RefusedProof { .. }
            | LabError::RefusedBound(_)
            | LabError::Count(CountError::List(_))
            | LabError::RefusedColouring(_)
            | LabError::Engine(_),
        ) => true,
        Some(LabError::Drat(refusal)) => refusal.is_verdict() || refusal.is_failure(),
        Some(LabError::Formula(fault)) => matches!(fault, FormulaFault::Lines { .. }),
        Some(LabError::Backend(error) | LabError::OrbitLp(OrbitLpError::Backend(error))) => failed(error),
        _ => cause.downcast_ref::<BackendError>().is_some_and(failed),
    });
    let ours = ours || error.chain().any(|cause| cause.is::<ExtremesError>());
    if ours { Exit::Failed } else { Exit::BadInput }
}

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

/// A certificate file in the native form, or the first solution of a list.
fn certificate(path: &Path) -> anyhow::Result<Certificate> {
    placement(path, Convention::Native, None)
}

/// The squares in a file that follows a convention; of a list of solutions the first. A board that is not named in the file
/// must be given.
fn placement(path: &Path, convention: Convention, board: Option<&BoardName>) -> anyhow::Result<Certificate> {
    let text = files::read(path)?;
    let place = || path.display().to_string();
    if convention != Convention::Native || !solutions::is_list(&text) {
        return import::read(&text, convention, board, &files::open).with_context(place);
    }
    let list = Solutions::read(&text, &files::open).map_err(|CertificateError { line, column, fault }| {
        anyhow!("{}, line {line}, column {column}: {fault}", place())
    })?;
    let many = list.sets.len();
    let Some((_, squares)) = list.sets.into_iter().next() else {
        bail!("{}: the list has no solution", place())
    };
    if many > 1 {
        log(&format!("{}: the first of its {many} solutions is taken", place()));
    }
    Ok(Certificate::independent(list.heading.board, squares, list.heading.origin))
}

/// Finds out whether what is to be kept can be written, before the work for it begins.
fn make_ready(keep: &Keep) -> anyhow::Result<()> {
    keep.output.as_deref().map_or(Ok(()), files::writable)?;
    Ok(keep.record.as_deref().map_or(Ok(()), Record::make_folder)?)
}

/// The queens in a file that must be part of the solution, checked.
fn included(board: &Board, path: Option<&Path>, solution: Claim) -> anyhow::Result<Vec<Square>> {
    let Some(path) = path else { return Ok(Vec::new()) };
    within(board, path, &certificate(path)?, solution)
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
    Ok(Some(certificate(path)?))
}
