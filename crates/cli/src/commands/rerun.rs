//! The command `ndq rerun`.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context as _, bail};
use ndqueens_archive::archive::Archive;
use ndqueens_crosscheck::verify;
use ndqueens_notation::certificate::Certificate;
use ndqueens_system::file::digest;
use ndqueens_workflow::dispatch;
use ndqueens_workflow::record::{Answer, Record, Stop};
use ndqueens_workflow::run::RunContext;
use schemars::JsonSchema;
use serde::Serialize;

use super::Exit;
use crate::args::groups::Commands;
use crate::args::values::duration;
use crate::memory;
use crate::output::Output;
use crate::progress::{Display, Verbosity};
use crate::schema::printed;

#[derive(Debug, clap::Args)]
#[command(after_help = include_str!("rerun.txt"))]
pub(crate) struct Args {
    /// The record: a JSON file written by --record.
    pub(crate) record: PathBuf,
    #[command(flatten)]
    pub(crate) commands: Commands,
    /// Wall-clock limit, in seconds or as 90s, 15m or 3h50m [default: that of the record].
    #[arg(long, value_name = "SECONDS", value_parser = duration, allow_hyphen_values = true)]
    pub(crate) time_limit: Option<Duration>,
}

#[derive(JsonSchema, Serialize)]
struct Compared {
    /// `true` if both answers are the same; null if the rerun was stopped before an answer.
    same_answer: Option<bool>,
    differences: Vec<String>,
    before: Answer,
    now: Answer,
}

printed!(Compared: "rerun");

pub(crate) fn run(
    args: &Args,
    archive: &Archive,
    verbosity: Verbosity,
    out: &mut Output,
) -> anyhow::Result<Exit> {
    let before = Record::read(&args.record)?;
    out.notes().report_all(before.question.board.notes());
    let mut question = before.question.clone();
    if let Some(limit) = args.time_limit {
        question.time_limit_seconds = Some(limit.as_secs_f64());
    }
    super::allow_commands(&args.record, question.backend(), &args.commands)?;
    ensure_certificate(&before).with_context(|| args.record.display().to_string())?;
    let mut display = Display::new(verbosity, question.options()?.time_limit);
    let prior = archive.prior_results();
    let context = RunContext {
        root_bound: before.answer.root_lp_bound.is_some(),
        ..RunContext::new(memory::for_models(None), &prior, out.notes())
    };
    let now = dispatch::run(&question, &context, &mut |event| display.show(event))?.record;
    drop(display);
    let differences = differences(&before, &now);
    let (same_answer, exit, words) = match now.answer.stop {
        _ if differences.is_empty() => (Some(true), Exit::Yes, "the same answer"),
        Stop::TimeLimit => (None, Exit::Stopped, "the time limit ended the rerun before an answer"),
        Stop::Interrupted => (None, Exit::Stopped, "the rerun was interrupted before an answer"),
        _ => (Some(false), Exit::No, "another answer"),
    };
    let mut text = format!("{}: {words}\n", args.record.display());
    for difference in &differences {
        writeln!(text, "  {difference}")?;
    }
    writeln!(text, "  seconds: {:.2} then, {:.2} now", before.answer.wall_seconds, now.answer.wall_seconds)?;
    out.result(&Compared { same_answer, differences, before: before.answer, now: now.answer }, &text)?;
    Ok(exit)
}

/// Returns an error if the certificate of a record is invalid, is of another board, or has changed since it
/// was written.
fn ensure_certificate(record: &Record) -> anyhow::Result<()> {
    let Answer { certificate: Some(text), certificate_sha256, .. } = &record.answer else {
        return Ok(());
    };
    let certificate = Certificate::parse_with(text, &record.question.board.file_opener())?;
    verify::verify(&certificate).context("the recorded certificate does not hold")?;
    if certificate.board != record.question.board {
        bail!("the recorded certificate is for {}, not for {}", certificate.board, record.question.board);
    }
    if certificate_sha256.as_ref().is_some_and(|recorded| *recorded != digest::of(text)) {
        bail!("the recorded certificate has another digest than the one next to it");
    }
    Ok(())
}

/// Returns the differences between two answers, apart from the effort and from the squares of a solution.
fn differences(before: &Record, now: &Record) -> Vec<String> {
    let says = |record: &Record| {
        let answer = &record.answer;
        [
            ("outcome", Some(answer.outcome.to_string())),
            ("stop", Some(answer.stop.to_string())),
            ("incumbent", answer.incumbent.map(|n| n.to_string())),
            ("weight", answer.weight.map(|weight| weight.to_string())),
            ("proved bound", answer.proved_bound.map(|n| n.to_string())),
            ("proof", answer.proof.clone()),
            ("conditions", Some(answer.conditions.join("; "))),
            ("model digest", answer.model_sha256.clone()),
            ("verdict", answer.verdict.map(|verdict| verdict.to_string())),
        ]
    };
    let pairs = says(before).into_iter().zip(says(now));
    let or_none = |value: Option<String>| value.unwrap_or_else(|| "none".to_owned());
    let differing = pairs.filter(|(then, now)| then != now);
    differing
        .map(|((what, then), (_, now))| format!("{what}: {} then, {} now", or_none(then), or_none(now)))
        .collect()
}
