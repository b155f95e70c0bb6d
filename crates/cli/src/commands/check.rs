//! `ndq check`

use std::fmt::Write as _;
use std::path::Path;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context as _, anyhow, bail};
use clap::Args as Group;
use ndqueens_crosscheck::bound::{Shown, mixed};
use ndqueens_crosscheck::proof::Proved;
use ndqueens_crosscheck::solutions::{ListFault, verify_list};
use ndqueens_crosscheck::{colouring as crosscheck, verify};
use ndqueens_files as files;
use ndqueens_lab::evidence::veripb::{self, Accepted, CheckerError, Refusal};
use ndqueens_lab::evidence::{drat, orbit_lp, tree};
use ndqueens_lab::run::settled;
use ndqueens_lab::store::ARCHIVE;
use ndqueens_lab::workflow::colour;
use ndqueens_model::board::Board;
use ndqueens_model::certificate::colouring::Colouring;
use ndqueens_model::certificate::import::{self, Convention};
use ndqueens_model::certificate::solutions::{self, Heading, Listed, Solutions};
use ndqueens_model::certificate::{Certificate, CertificateError};
use ndqueens_model::facts::ledger;
use ndqueens_model::facts::{Bounds, UpperBound};
use ndqueens_model::formulation::Formulation;
use ndqueens_model::ilp::Program as _;
use ndqueens_model::name::BoardName;
use ndqueens_solver::backends::solution_file::{self, SolutionFile};
use ndqueens_solver::control::Deadline;
use serde::Serialize;

use super::Exit;
use crate::args::groups::Asked;
use crate::args::values::{board, queens, seconds};
use crate::memory;
use crate::output::{Output, counted, report};

#[derive(Debug, Group)]
#[command(allow_negative_numbers = true)]
pub(crate) struct Args {
    /// The file to check: a certificate, a list of solutions written by ndq count --solutions, a proof written by ndq prove --proof, or a proof for VeriPB (.pbp, its formula beside
    /// it), which the program veripb checks.
    pub(crate) file: PathBuf,
    /// How the squares are written: native, tuples, tuples1, flat, flat1, degroot (on hex:n and three:n), heights or heights1
    /// (1: counted from 1).
    #[arg(long = "as", value_name = "CONVENTION", default_value = "native")]
    pub(crate) convention: String,
    /// The board that the file must be for; needed for all conventions but the native one.
    #[arg(long, value_parser = board)]
    pub(crate) board: Option<BoardName>,
    /// The file is a solution file of HiGHS, CBC, SCIP or Gurobi for the programme of this recipe on the board.
    #[arg(short, long, value_name = "RECIPE", requires = "board", conflicts_with = "convention")]
    pub(crate) formulation: Option<String>,
    /// That programme asked for at least K queens.
    #[arg(long, value_name = "K", value_parser = queens, requires = "formulation", conflicts_with_all = ["at_most", "exactly"])]
    pub(crate) at_least: Option<u64>,
    /// That programme asked for a dominating set of at most K queens.
    #[arg(long, value_name = "K", value_parser = queens, requires = "formulation", conflicts_with = "exactly")]
    pub(crate) at_most: Option<u64>,
    /// The queens in this certificate file had to be part of its solution.
    #[arg(long, value_name = "FILE", requires = "formulation")]
    pub(crate) include: Option<PathBuf>,
    /// That programme asked for exactly K queens.
    #[arg(long, value_name = "K", value_parser = queens, requires = "formulation")]
    pub(crate) exactly: Option<u64>,
    /// Wall-clock limit in seconds.
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub(crate) time_limit: Option<Duration>,
    /// Write the certificate to this file, in the native form.
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}

#[derive(Serialize)]
struct Checked {
    file: String,
    board: String,
    problem: String,
    size: usize,
    holds: bool,
    fault: Option<String>,
}

pub(super) fn run(args: &Args, out: &mut Output) -> anyhow::Result<Exit> {
    let convention: Convention = args.convention.parse()?;
    if veripb::is_proof(&args.file) {
        refuse_flags(args)?;
        return check_veripb(args, out);
    }
    if drat::is_proof(&args.file) {
        refuse_flags(args)?;
        return check_drat(args, out);
    }
    let input = files::input(&args.file, tree::size_limit)?;
    if tree::is_proof(input.path())? {
        refuse_flags(args)?;
        return check_proof(args, input.path(), out);
    }
    if orbit_lp::is_bound(input.path())? {
        refuse_flags(args)?;
        return check_bound(args, input.path(), out);
    }
    let name = args.file.display();
    let text = files::read(input.path()).map_err(|fault| fault.of(&args.file))?;
    if solutions::is_list(&text) {
        refuse_flags(args)?;
        return check_list(args, &text, out);
    }
    if ndqueens_cliquer::text::is_board(&text) {
        if args.output.is_some()
            || args.formulation.is_some()
            || args.board.is_some()
            || args.convention != "native"
        {
            bail!(
                "{name} is a board of CliqueR: -o, --as, --board and -f are for certificates and solution files"
            );
        }
        return super::cliquer::check(&args.file, &text, out);
    }
    if Colouring::is_colouring(&text) {
        refuse_flags(args)?;
        return check_colouring(args, &text, out);
    }
    let (certificate, violation) = match (&args.formulation, &args.board) {
        (Some(recipe), Some(board)) => {
            solution(&text, recipe, board, args).with_context(|| name.to_string())?
        }
        _ => {
            let certificate = import::read(&text, convention, args.board.as_ref(), &files::open);
            (certificate.with_context(|| name.to_string())?, None)
        }
    };
    if text.trim().is_empty() {
        bail!("{name}: there is nothing in it to check");
    }
    let verified = verify::verify(&certificate).map_err(|fault| fault.to_string());
    let verdict = verified.and_then(|_| violation.map_or(Ok(()), Err));
    let checked = Checked {
        file: name.to_string(),
        board: certificate.board.to_string(),
        problem: certificate.claim.to_string(),
        size: certificate.size(),
        holds: verdict.is_ok(),
        fault: verdict.as_ref().err().cloned(),
    };
    let Checked { board, size, .. } = &checked;
    let text = match &verdict {
        Ok(()) => {
            let squares = Board::new(&certificate.board).places(*size as u64);
            let are = if *size == 1 { "is" } else { "are" };
            format!("{name}: holds; {squares} of {board} {are} {}", certificate.claim.with_article())
        }
        Err(fault) => {
            let told = if convention.base() > 0 { " (coordinates are told from 0)" } else { "" };
            format!("{name}: does not hold; {fault}{told}")
        }
    };
    if verdict.is_ok()
        && let Some(path) = &args.output
    {
        files::write(path, |file| write!(file, "{certificate}"))?;
    }
    out.result(&checked, &text)?;
    Ok(if verdict.is_ok() { Exit::Yes } else { Exit::No })
}

/// The squares in another solver's solution file, and what is wrong with them in the programme that it solved.
fn solution(
    text: &str,
    recipe: &str,
    board: &BoardName,
    args: &Args,
) -> anyhow::Result<(Certificate, Option<String>)> {
    let board = Board::new(board);
    let recipe = super::named_recipe(recipe)?;
    let asked = Asked {
        at_least: args.at_least,
        at_most: args.at_most,
        exactly: args.exactly,
        include: args.include.clone(),
        ..Asked::default()
    };
    let variant = super::variant(&board, recipe.problem, &asked)?;
    let bounds = Bounds::with_reported();
    let formulation = Formulation::new(&board, &recipe, variant, &bounds, memory::for_models(None))?;
    let SolutionFile { solver, point, .. } = solution_file::read(text, &formulation)?;
    let Some(point) = point else { bail!("the file of {solver} holds no solution") };
    let squares = formulation.squares(&point).into_iter().map(|square| board.coordinates(square)).collect();
    let origin = format!("solution file of {solver}, recipe {}", recipe.name);
    let certificate = Certificate {
        claim: recipe.problem,
        ..Certificate::independent(board.name().clone(), squares, origin)
    };
    Ok((certificate, formulation.violation(&point)))
}

#[derive(Serialize)]
struct CheckedColouring {
    file: String,
    holds: bool,
    board: String,
    classes: String,
    colours: usize,
    symmetry: Option<String>,
    fault: Option<String>,
}

fn check_colouring(args: &Args, text: &str, out: &mut Output) -> anyhow::Result<Exit> {
    let name = args.file.display();
    let colouring = Colouring::read(text, &files::open).with_context(|| name.to_string())?;
    if let Some(board) = args.board.as_ref().filter(|&board| *board != colouring.board) {
        bail!("{name}: the colouring is for {}, but {board} was asked for", colouring.board);
    }
    let fault = crosscheck::verify(&colouring).err().map(|fault| fault.to_string());
    let holds = fault.is_none();
    let symmetry =
        if holds { colour::symmetry(&colouring).map(|symmetry| symmetry.to_string()) } else { None };
    let colours = counted(colouring.colours() as u64, "colour");
    let words = match (&fault, &symmetry) {
        (Some(fault), _) => format!("{name}: does not hold; {fault}"),
        (None, None) => format!(
            "{name}: holds; {} is coloured in {colours}, the classes are {}",
            colouring.board, colouring.claim
        ),
        (None, Some(symmetry)) => format!(
            "{name}: holds; {} is coloured in {colours}, the classes are {}; its symmetry is {symmetry}",
            colouring.board, colouring.claim
        ),
    };
    let checked = CheckedColouring {
        file: name.to_string(),
        holds,
        board: colouring.board.to_string(),
        classes: colouring.claim.to_string(),
        colours: colouring.colours(),
        symmetry,
        fault,
    };
    out.result(&checked, &words)?;
    Ok(if holds { Exit::Yes } else { Exit::No })
}

#[derive(Serialize)]
struct CheckedProof {
    file: String,
    holds: bool,
    board: Option<String>,
    at_most: Option<u64>,
    nodes: Option<u64>,
    boxes: Option<u64>,
    fault: Option<String>,
}

/// Refuses what means nothing for a proof.
fn refuse_flags(args: &Args) -> anyhow::Result<()> {
    if args.output.is_some() || args.formulation.is_some() || args.convention != "native" {
        bail!(
            "{} is no certificate: -o, --as and -f are for certificates and solution files",
            args.file.display()
        );
    }
    Ok(())
}

#[derive(Serialize)]
struct CheckedList {
    file: String,
    board: String,
    size: usize,
    list: String,
    solutions: usize,
    /// How many solutions lie in the orbits of those listed, when one of each is listed.
    in_orbits: Option<u64>,
    /// Whether every image of a solution under the board's symmetry is listed too, when all are listed; nothing when that was
    /// not looked at.
    closed: Option<bool>,
    holds: bool,
    fault: Option<String>,
}

fn check_list(args: &Args, text: &str, out: &mut Output) -> anyhow::Result<Exit> {
    let name = args.file.display();
    let list = Solutions::read(text, &files::open).map_err(|CertificateError { line, column, fault }| {
        anyhow!("{name}, line {line}, column {column}: {fault}")
    })?;
    let Heading { board, size, listed, solutions, .. } = &list.heading;
    if let Some(asked) = args.board.as_ref().filter(|asked| *asked != board) {
        bail!("{name}: the list is for the board {board}, but {asked} was asked for");
    }
    let result = verify_list(&list);
    let text = match &result {
        Ok(verified) => {
            let of = verified.in_orbits.map_or_else(String::new, |all| {
                format!(" of different orbits, which hold {}", counted(all, "solution"))
            });
            let images = match (listed, verified.closed) {
                (Listed::Fundamental, _) => "",
                (Listed::All, true) => ", with all their images under the board's symmetry",
                (Listed::All, false) => {
                    "; whether their images under the board's symmetry are listed is not checked"
                }
            };
            let solutions = counted(*solutions as u64, "solution");
            format!(
                "{name}: holds; {solutions} of size {size} on {board}{of}{images}; that none is missing is not checked"
            )
        }
        Err(fault) => format!("{name}: does not hold; {fault}"),
    };
    let checked = CheckedList {
        file: name.to_string(),
        board: board.to_string(),
        size: *size,
        list: listed.to_string(),
        solutions: *solutions,
        in_orbits: result.as_ref().ok().and_then(|verified| verified.in_orbits),
        closed: match &result {
            Ok(verified) => verified.closed.then_some(true),
            Err(ListFault::Missing { .. }) => Some(false),
            Err(_) => None,
        },
        holds: result.is_ok(),
        fault: result.as_ref().err().map(ToString::to_string),
    };
    out.result(&checked, &text)?;
    Ok(if result.is_ok() { Exit::Yes } else { Exit::No })
}

fn check_proof(args: &Args, file: &Path, out: &mut Output) -> anyhow::Result<Exit> {
    let name = args.file.display();
    let result = tree::check(file);
    let proved = result.as_ref().ok();
    if let (Some(proved), Some(board)) = (proved, &args.board)
        && proved.board() != board
    {
        bail!("{name}: the proof is about {}, but {board} was asked for", proved.board());
    }
    let checked = CheckedProof {
        file: name.to_string(),
        holds: proved.is_some(),
        board: proved.map(|proved| proved.board().to_string()),
        at_most: proved.map(Proved::at_most),
        nodes: proved.map(Proved::nodes),
        boxes: proved.map(Proved::boxes),
        fault: result.as_ref().err().map(ToString::to_string),
    };
    let text = match &result {
        Ok(proved) => format!(
            "{name}: holds; at most {} on {} ({}, {})",
            Board::new(proved.board()).fitting(proved.at_most()),
            proved.board(),
            counted(proved.nodes(), "node"),
            counted(proved.boxes(), "bound")
        ),
        Err(fault) => format!("{name}: does not hold; {fault}"),
    };
    out.result(&checked, &text)?;
    Ok(if result.is_ok() { Exit::Yes } else { Exit::No })
}

#[derive(Serialize)]
struct CheckedBound {
    file: String,
    holds: bool,
    board: Option<String>,
    at_most: Option<u64>,
    value: Option<String>,
    inequalities: Option<usize>,
    /// Bounds of smaller boards that were checked in this run.
    rests_on: Vec<String>,
    /// Bounds of smaller boards that were not.
    conditions: Vec<String>,
    /// Whether the sum holds, and everything that it rests on.
    checked: bool,
    fault: Option<String>,
}

/// What a bound rests on is looked up in the archive, and checked there as far as the files are kept.
fn check_bound(args: &Args, file: &Path, out: &mut Output) -> anyhow::Result<Exit> {
    let name = args.file.display();
    let result = orbit_lp::check(file).map_err(|fault| fault.to_string());
    if let (Ok(shown), Some(board)) = (&result, &args.board)
        && *shown.board() != board.sorted()
    {
        bail!("{name}: the bound is about {}, but {board} was asked for", shown.board());
    }
    let (mut archived, mut open) = (Vec::new(), Vec::new());
    for (board, most) in result.iter().flat_map(Shown::needs) {
        match ledger::upper(board).filter(|known| known.value <= *most) {
            Some(known) => archived.push(Arc::new(UpperBound { value: *most, ..known.clone() })),
            None => open.push(format!("alpha({board}) <= {most}")),
        }
    }
    let (lemmas, conditions) = settled(&archived, ARCHIVE);
    let fault = match &result {
        Err(fault) => Some(fault.clone()),
        Ok(_) if open.is_empty() => None,
        Ok(_) => Some(format!("it rests on {}, which the ledger does not have", open.join(" and "))),
    };
    let shown = result.as_ref().ok();
    let checked = CheckedBound {
        file: name.to_string(),
        holds: fault.is_none(),
        board: shown.map(|shown| shown.board().to_string()),
        at_most: shown.map(Shown::at_most),
        value: shown.map(|shown| mixed(shown.sum())),
        inequalities: shown.map(Shown::rows),
        rests_on: lemmas.iter().map(ToString::to_string).collect(),
        checked: fault.is_none() && conditions.is_empty(),
        conditions: conditions.iter().map(ToString::to_string).collect(),
        fault,
    };
    let holds = if conditions.is_empty() { "holds" } else { "holds conditionally" };
    let mut text = match (&checked.fault, shown) {
        (None, Some(shown)) => format!(
            "{name}: {holds}; at most {} on {} ({})\n",
            Board::new(shown.board()).fitting(shown.at_most()),
            shown.board(),
            orbit_lp::added_up(shown.rows() as u64, &mixed(shown.sum()))
        ),
        (fault, _) => format!("{name}: does not hold; {}\n", fault.as_deref().unwrap_or_default()),
    };
    for below in &checked.rests_on {
        writeln!(text, "  rests on  {below}")?;
    }
    for condition in &checked.conditions {
        writeln!(text, "  holds if  {condition}")?;
    }
    out.result(&checked, &text)?;
    Ok(match (checked.holds, checked.checked) {
        (true, true) => Exit::Yes,
        (true, false) => Exit::Stopped,
        (false, _) => Exit::No,
    })
}

#[derive(Serialize)]
struct CheckedByVeripb {
    file: String,
    holds: bool,
    board: Option<String>,
    at_most: Option<u64>,
    attained: Option<bool>,
    checker: Option<String>,
    fault: Option<String>,
}

fn check_veripb(args: &Args, out: &mut Output) -> anyhow::Result<Exit> {
    let name = args.file.display();
    let deadline = Deadline::after(args.time_limit);
    let result = veripb::check(&args.file, args.board.as_ref(), &|| deadline.is_over());
    let fault = match &result {
        Err(Refusal::Checker(CheckerError::Stopped(_))) => None,
        Err(refusal) if !refusal.is_verdict() => return unchecked(args, refusal, refusal.is_failure()),
        result => result.as_ref().err().map(ToString::to_string),
    };
    let accepted = result.as_ref().ok();
    let checked = CheckedByVeripb {
        file: name.to_string(),
        holds: accepted.is_some(),
        board: accepted.map(|accepted| accepted.board.to_string()),
        at_most: accepted.map(|accepted| accepted.at_most),
        attained: accepted.map(|accepted| accepted.attained),
        checker: accepted.map(|accepted| accepted.checker.clone()),
        fault,
    };
    let (text, exit) = match (&result, &checked.fault) {
        (Ok(Accepted { board, at_most, attained, checker }), _) => {
            let also = if *attained {
                format!(", and {at_most} {}", if *at_most == 1 { "does" } else { "do" })
            } else {
                String::new()
            };
            let fit = Board::new(board).fitting(*at_most);
            (format!("{name}: holds; at most {fit} on {board}{also} ({checker})"), Exit::Yes)
        }
        (Err(_), Some(fault)) => (format!("{name}: does not hold; {fault}"), Exit::No),
        (Err(stopped), None) => (format!("{name}: {stopped}"), Exit::Stopped),
    };
    out.result(&checked, &text)?;
    Ok(exit)
}

/// Tells why a proof could not be checked, which is a failure of the system or the fault of what was given.
fn unchecked(args: &Args, refusal: &dyn std::fmt::Display, failed: bool) -> anyhow::Result<Exit> {
    let fault = anyhow!("{}: {refusal}", args.file.display());
    if !failed {
        return Err(fault);
    }
    report(&fault);
    Ok(Exit::Failed)
}

#[derive(Serialize)]
struct CheckedByRate {
    file: String,
    holds: bool,
    board: Option<String>,
    at_most: Option<u64>,
    checker: Option<String>,
    fault: Option<String>,
}

fn check_drat(args: &Args, out: &mut Output) -> anyhow::Result<Exit> {
    let name = args.file.display();
    let deadline = Deadline::after(args.time_limit);
    let result = drat::check(&args.file, &|| deadline.is_over());
    let fault = match &result {
        Err(drat::Refusal::Checker(CheckerError::Stopped(_))) => None,
        Err(refusal) if !refusal.is_verdict() => return unchecked(args, refusal, refusal.is_failure()),
        result => result.as_ref().err().map(ToString::to_string),
    };
    let accepted = result.as_ref().ok();
    if let (Some(accepted), Some(board)) = (accepted, &args.board)
        && accepted.board != *board
    {
        bail!("{name}: the proof is about {}, but {board} was asked for", accepted.board);
    }
    let checked = CheckedByRate {
        file: name.to_string(),
        holds: accepted.is_some(),
        board: accepted.map(|accepted| accepted.board.to_string()),
        at_most: accepted.map(|accepted| accepted.at_most),
        checker: accepted.map(|accepted| accepted.checker.clone()),
        fault,
    };
    let (text, exit) = match (&result, &checked.fault) {
        (Ok(drat::Accepted { board, at_most, checker }), _) => {
            let fit = Board::new(board).fitting(*at_most);
            (format!("{name}: holds; at most {fit} on {board} ({checker})"), Exit::Yes)
        }
        (Err(_), Some(fault)) => (format!("{name}: does not hold; {fault}"), Exit::No),
        (Err(stopped), None) => (format!("{name}: {stopped}"), Exit::Stopped),
    };
    out.result(&checked, &text)?;
    Ok(exit)
}
