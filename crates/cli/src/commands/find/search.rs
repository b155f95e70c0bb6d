//! Finds large sets by local search.

use std::fmt::Write as _;
use std::path::PathBuf;

use anyhow::Context as _;
use ndqueens_model::board::Board;
use ndqueens_model::facts::known::{self, PublishedBounds};
use ndqueens_model::facts::volume;
use ndqueens_notation::certificate::Problem;
use ndqueens_notation::counted::counted;
use ndqueens_solver::construct::local_search::{Subgroup, Technique};
use ndqueens_system::cancel::{Deadline, StopReason};
use ndqueens_system::file;
use ndqueens_workflow::find::search::{self, Best, Improvement, SearchRequest};
use ndqueens_workflow::record::Start;
use ndqueens_workflow::run::WorkflowError;
use schemars::JsonSchema;
use serde::Serialize;

use super::args::{Args, By, name_of};
use crate::commands::certificate::draw_text;
use crate::commands::{self, Exit};
use crate::output::{Answer, Output, log};
use crate::progress::Display;
use crate::schema::printed;
use crate::typed::Typed;

#[derive(JsonSchema, Serialize)]
struct FoundBySearch {
    board: String,
    queens: usize,
    trivial_bound: u64,
    /// Published lower bound, if there is one.
    known_lower: Option<u64>,
    known_upper: Option<u64>,
    origin: String,
    squares: Vec<Vec<u32>>,
    checked: bool,
    improvements: Vec<Improvement>,
    next_round: u64,
    moves: u64,
    seconds: f64,
    stop: Option<String>,
}

printed!(FoundBySearch: "find");

impl FoundBySearch {
    /// Converts the result of a search. The second value is the error that prevented its set from being
    /// stored.
    fn new(board: &Board, published: Option<&PublishedBounds>, best: Best) -> (Self, Option<WorkflowError>) {
        let Best { certificate, improvements, next_round, moves, seconds, stop, unkept } = best;
        let found = Self {
            board: board.name().to_string(),
            queens: certificate.size(),
            trivial_bound: board.trivial_bound(),
            known_lower: published.and_then(|known| known.lower),
            known_upper: published.and_then(|known| known.upper),
            origin: certificate.origin,
            squares: certificate.squares,
            checked: true,
            improvements,
            next_round,
            moves,
            seconds,
            stop: stop.map(|stop| stop.to_string()),
        };
        (found, unkept)
    }
}

pub(super) fn run(
    args: &Args,
    technique: Technique,
    display: &mut Display,
    out: &mut Output,
) -> anyhow::Result<Exit> {
    let board = Board::new(&args.board);
    commands::refuse_to_construct(&board)?;
    let include =
        commands::read_included(&board, args.include.as_deref(), args.form, Problem::IndependentSet)?;
    let named = args.search.start.clone().unwrap_or(Start::None);
    let start = commands::start(&board, &named, args.form, &include, args.seed.seed, display)?;
    let symmetry = match args.search.symmetry.as_deref().unwrap_or("auto") {
        "auto" => None,
        text => Some(Subgroup::parse(text, &board).with_context(|| format!("--symmetry {text}"))?),
    };
    args.output.as_deref().map_or(Ok(()), file::replaceable)?;
    let request = SearchRequest {
        board: &board,
        notes: out.notes(),
        technique,
        include: &include,
        start: start.as_ref(),
        symmetry: symmetry.as_ref(),
        seed: args.seed.seed,
        from_round: args.search.from_round.unwrap_or(0),
        rounds: args.search.rounds.unwrap_or(u64::MAX),
        target: args.search.at_least.unwrap_or(u64::MAX).min(volume::or_trivial(&board)),
        threads: args.threads.number() as usize,
        deadline: Deadline::after(args.limit_of_search()),
        keep: args.output.as_deref(),
    };
    let best = search::search(&request, &mut |event| display.show(event)).map_err(|fault| match fault {
        WorkflowError::Given(_) => anyhow::Error::new(fault).context(format!("--start {named}")),
        fault => fault.into(),
    })?;
    let queens = best.certificate.size();
    let published = known::lookup(board.name());
    if let Some(contradiction) = contradiction(&board, queens as u64, published) {
        log(&format!("error: {contradiction}"));
        return Ok(Exit::Failed);
    }
    let text = text(args, &board, &best, published)?;
    let few = args.search.at_least.is_some_and(|wanted| (queens as u64) < wanted);
    let nothing = queens == 0 && best.stop.is_some();
    let exit = match few || nothing || best.stop == Some(StopReason::Interrupted) {
        true => Exit::Stopped,
        false => Exit::Yes,
    };
    let (searched, unkept) = FoundBySearch::new(&board, published, best);
    out.answer(&searched, &text)?;
    unkept.map_or(Ok(exit), |fault| Err(fault.into()))
}

/// Describes the published bound that a checked solution contradicts, if there is one.
fn contradiction(board: &Board, queens: u64, published: Option<&PublishedBounds>) -> Option<String> {
    let known = published?;
    let upper = known.upper.filter(|&upper| upper < queens)?;
    Some(format!(
        "a checked solution with {} contradicts a published bound: at most {upper} on {} [{}]",
        board.format_pieces(queens),
        known.board,
        known.source
    ))
}

fn text(
    args: &Args,
    board: &Board,
    best: &Best,
    published: Option<&PublishedBounds>,
) -> anyhow::Result<Answer> {
    let Best { certificate, moves, seconds, next_round, .. } = best;
    let queens = certificate.size() as u64;
    let (pieces, origin) = (board.format_pieces(queens), &certificate.origin);
    let verdict = format!("{pieces} on {}, checked: no two attack each other", board.name());
    let mut text = format!("{}\n{origin}\n", draw_text(board, certificate));
    writeln!(
        text,
        "{} in {seconds:.1} s ({:.0}/s)",
        counted(*moves, "move"),
        *moves as f64 / seconds.max(0.001)
    )?;
    if let Some(known) = published {
        let better = if known.lower.is_some_and(|lower| queens > lower) { ": this is better" } else { "" };
        writeln!(text, "published: {} [{}]{better}", known.best(), known.source)?;
    }
    if queens < volume::or_trivial(board) {
        writeln!(text, "to resume: {}", resume_command(args, *next_round))?;
    }
    Ok(Answer { details: text, verdict })
}

/// Returns the command that continues a search, so that both together make the same rounds as a single
/// search.
fn resume_command(args: &Args, next_round: u64) -> Typed {
    let path = |path: &PathBuf| path.display().to_string();
    let unless = |value: String, default: &str| (value != default).then_some(value);
    let mut command = Typed::new("ndq find");
    let method = match args.method {
        Some(By::Search(technique)) => name_of(technique),
        _ => "search",
    };
    command.word(&args.board).option("--method", method);
    for (name, value) in [
        ("--time-limit", args.time_limit.map(|limit| limit.as_secs_f64().to_string())),
        ("--at-least", args.search.at_least.map(|queens| queens.to_string())),
        ("--symmetry", args.search.symmetry.clone().and_then(|group| unless(group, "auto"))),
        ("--include", args.include.as_ref().map(path)),
        ("--start", args.search.start.as_ref().and_then(|start| unless(start.to_string(), "none"))),
        ("--threads", args.threads.threads.map(|threads| threads.to_string())),
        ("--seed", Some(args.seed.seed.to_string())),
        ("--from-round", Some(next_round.to_string())),
        ("--output", args.output.as_ref().map(path)),
    ] {
        if let Some(value) = value {
            command.equals_option(name, value);
        }
    }
    command
}
