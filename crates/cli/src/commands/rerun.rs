//! `ndq rerun`

use std::fmt::Write as _;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context as _, bail};
use clap::Args as Group;
use ndqueens_crosscheck::verify;
use ndqueens_files::{self as files, digest};
use ndqueens_lab::record::{Answer, Command, Question, Record};
use ndqueens_model::board::Board;
use ndqueens_model::certificate::Certificate;
use serde::Serialize;

use super::Exit;
use super::prove::CHEAPEST;
use super::{prove, solve};
use crate::args::groups::{Asked, Commands, Engine, Keep, Rows, Solver, Switch, Verbosity};
use crate::output::Output;
use crate::progress::Display;

#[derive(Debug, Group)]
pub(crate) struct Args {
    /// The record: a JSON file written by --record.
    pub(crate) record: PathBuf,
    #[command(flatten)]
    pub(crate) commands: Commands,
}

#[derive(Serialize)]
struct Compared {
    same_answer: bool,
    differences: Vec<String>,
    before: Answer,
    now: Answer,
}

pub(crate) fn run(args: &Args, verbosity: Verbosity, out: &mut Output) -> anyhow::Result<Exit> {
    let before = Record::read(&args.record)?;
    let question = &before.question;
    super::allow_commands(&args.record, [&*question.backend], &args.commands)?;
    ensure_certificate(&before).with_context(|| args.record.display().to_string())?;
    let mut display = Display::new(verbosity, limit(question)?);
    let now = answer(question, before.answer.root_lp_bound.is_some(), None, &mut display)?;
    drop(display);
    let differences = differences(&before, &now);
    let same_answer = differences.is_empty();
    let mut text = format!(
        "{}: {}\n",
        args.record.display(),
        if same_answer { "the same answer" } else { "another answer" }
    );
    for difference in &differences {
        writeln!(text, "  {difference}")?;
    }
    writeln!(text, "  seconds: {:.2} then, {:.2} now", before.answer.wall_seconds, now.answer.wall_seconds)?;
    out.result(&Compared { same_answer, differences, before: before.answer, now: now.answer }, &text)?;
    Ok(if same_answer { Exit::Yes } else { Exit::No })
}

/// Refuses a record whose certificate does not hold, is of another board, or has changed since it was written.
fn ensure_certificate(record: &Record) -> anyhow::Result<()> {
    let Answer { certificate: Some(text), certificate_sha256, .. } = &record.answer else {
        return Ok(());
    };
    let certificate = Certificate::read(text, &record.question.board.opener())?;
    verify::verify(&certificate).context("the recorded certificate does not hold")?;
    if certificate.board != record.question.board {
        bail!("the recorded certificate is for {}, not for {}", certificate.board, record.question.board);
    }
    if certificate_sha256.as_ref().is_some_and(|recorded| *recorded != digest::of(text)) {
        bail!("the recorded certificate has another digest than the one beside it");
    }
    Ok(())
}

fn limit(question: &Question) -> anyhow::Result<Option<Duration>> {
    Ok(question.time_limit_seconds.map(Duration::try_from_secs_f64).transpose()?)
}

/// Answers a question that stands in a record or a plan. `memory` is what a model may take, in GiB.
pub(super) fn answer(
    question: &Question,
    root_bound: bool,
    memory: Option<u64>,
    display: &mut Display,
) -> anyhow::Result<Record> {
    let solver = Solver {
        threads: question.threads,
        seed: question.seed,
        time_limit: limit(question)?,
        node_limit: question.node_limit,
        presolve: question.presolve.map(switch),
        symmetry: question.symmetry.map(switch),
        memory,
    };
    let keep = Keep { output: None, record: None };
    let by_highs = question.engine == "highs";
    let engine = match question.engine.as_str() {
        "highs" => Engine::Highs,
        "sat" => Engine::Sat,
        _ => Engine::Exact,
    };
    match question.command {
        Command::Solve => {
            let included = included(question)?;
            let asked = Asked {
                at_least: question.at_least,
                at_most: question.at_most,
                exactly: question.exactly,
                include: included.as_ref().map(|file| file.path().to_owned()),
                rows: rows(&question.rows_kept)?,
            };
            let solve = solve::Args {
                board: question.board.clone(),
                formulation: by_highs.then(|| question.formulation.clone()),
                asked,
                start: question.start.clone(),
                backend: question.backend.clone(),
                engine,
                solver,
                keep,
                root_bound,
            };
            Ok(solve::solve(&solve, display)?.0)
        }
        Command::Prove => {
            let prove = prove::Args {
                board: question.board.clone(),
                k: question.claimed,
                engine: (question.engine != CHEAPEST).then_some(engine),
                proof: None,
                work: None,
                veripb: None,
                certified: false,
                formulation: by_highs.then(|| question.formulation.clone()),
                exactly: question.exactly.is_some(),
                assume_reported: question.assume_reported,
                start: question.start.clone(),
                backend: by_highs.then(|| question.backend.clone()),
                solver,
                keep,
            };
            Ok(prove::prove(&prove, display)?.1)
        }
    }
}

/// What an answer says apart from the effort; squares of a solution may differ.
fn differences(before: &Record, now: &Record) -> Vec<String> {
    let says = |record: &Record| {
        let answer = &record.answer;
        [
            ("outcome", Some(answer.outcome.clone())),
            ("stop", Some(answer.stop.clone())),
            ("incumbent", answer.incumbent.map(|n| n.to_string())),
            ("proved bound", answer.proved_bound.map(|n| n.to_string())),
            ("proof", answer.proof.clone()),
            ("conditions", Some(answer.conditions.join("; "))),
            ("model digest", answer.model_sha256.clone()),
            ("verdict", answer.verdict.map(|verdict| verdict.to_string())),
        ]
    };
    let pairs = says(before).into_iter().zip(says(now));
    let told = |value: Option<String>| value.unwrap_or_else(|| "none".to_owned());
    let differing = pairs.filter(|(then, now)| then != now);
    differing
        .map(|((what, then), (_, now))| format!("{what}: {} then, {} now", told(then), told(now)))
        .collect()
}

fn switch(on: bool) -> Switch {
    if on { Switch::On } else { Switch::Off }
}

fn rows(kept: &str) -> anyhow::Result<Rows> {
    match kept {
        "all" => Ok(Rows::All),
        "distinct" => Ok(Rows::Distinct),
        "undominated" => Ok(Rows::Undominated),
        other => bail!("the record's rows_kept is \"{other}\"; known are all, distinct and undominated"),
    }
}

/// The included squares as a certificate file of their own.
fn included(question: &Question) -> anyhow::Result<Option<tempfile::NamedTempFile>> {
    if question.include.is_empty() {
        return Ok(None);
    }
    let board = Board::new(&question.board);
    let certificate =
        Certificate::independent(board.name().clone(), question.include.clone(), "included squares");
    let file = tempfile::NamedTempFile::new()?;
    files::write(file.path(), |out| write!(out, "{certificate}"))?;
    Ok(Some(file))
}
