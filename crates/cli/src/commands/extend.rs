//! The command `ndq extend`.

use std::path::PathBuf;
use std::time::Instant;

use anyhow::bail;
use ndqueens_model::board::Board;
use ndqueens_notation::certificate::{Certificate, Problem};
use ndqueens_notation::counted::counted;
use ndqueens_notation::name::BoardName;
use ndqueens_solver::backends::Options;
use ndqueens_system::cancel::{Deadline, StopReason};
use ndqueens_system::file;
use ndqueens_workflow::evidence::partition;
use ndqueens_workflow::find::complete::{self, Completion, Conflict};
use ndqueens_workflow::prove::engine_run;
use schemars::JsonSchema;
use serde::Serialize;

use super::Exit;
use super::certificate::draw_text;
use crate::args::groups::{FileForm, Limit, Threads};
use crate::args::values::{board, queens};
use crate::output::{Answer, Output};
use crate::progress::Display;
use crate::schema::printed;

#[derive(Debug, clap::Args)]
#[command(allow_negative_numbers = true, after_help = include_str!("extend.txt"))]
pub(crate) struct Args {
    /// The board, such as 6^3 or 8^2.
    #[arg(value_parser = board)]
    pub(crate) board: BoardName,
    /// Queens that must be part of the solution: a certificate file, or a list of solutions, of which
    /// the first is taken.
    #[arg(long, value_name = "FILE")]
    pub(crate) include: PathBuf,
    #[command(flatten)]
    pub(crate) form: FileForm,
    /// The solution has exactly K queens [default: the independence number, which is proved first].
    #[arg(long, value_name = "K", value_parser = queens)]
    pub(crate) exactly: Option<u64>,
    #[command(flatten)]
    pub(crate) threads: Threads,
    #[command(flatten)]
    pub(crate) limit: Limit,
    /// Write the completed solution to this file.
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}

#[derive(JsonSchema, Serialize)]
struct Summary {
    board: String,
    /// Number of queens of a solution.
    size: u64,
    /// `true` if the queens can be extended to a solution, `false` if not; null if that is not known.
    completes: Option<bool>,
    squares: Option<Vec<Vec<u32>>>,
    /// Queens that rule out a solution; `minimal` is `true` if no smaller part of them does.
    clash: Option<Vec<Vec<u32>>>,
    minimal: Option<bool>,
    how: String,
    seconds: f64,
}

printed!(Summary: "extend");

pub(crate) fn run(args: &Args, display: &mut Display, out: &mut Output) -> anyhow::Result<Exit> {
    let begin = Instant::now();
    display.work_on(format!("completions on {}", args.board));
    let board = Board::new(&args.board);
    let part = super::certificate::read_for(&args.board, &args.include, args.form)?;
    let given = super::within(&board, &args.include, &part, Problem::IndependentSet)?;
    args.output.as_deref().map_or(Ok(()), file::writable)?;
    let options = Options {
        threads: Some(args.threads.number()),
        time_limit: args.limit.time_limit,
        ..Options::default()
    };
    let deadline = Deadline::since(begin, args.limit.time_limit);
    let mut watch = |event: &_| display.show(event);
    let summary = |size, how: String| Summary {
        board: args.board.to_string(),
        size,
        completes: None,
        squares: None,
        clash: None,
        minimal: None,
        how,
        seconds: begin.elapsed().as_secs_f64(),
    };
    let size = match args.exactly {
        Some(size) => size,
        None => {
            let found = engine_run::run(&board, &options, None, None, None, &mut watch)?;
            let value = found.maximum.value;
            match found.proved {
                Ok(_) => value,
                Err(reason) => return report_stopped(&board, summary(value, String::new()), reason, out),
            }
        }
    };
    if given.len() as u64 > size {
        bail!("{} are given, more than a solution of {size} has", board.format_pieces(given.len() as u64));
    }
    let partitioned = partition::best(&board)?;
    if size > partitioned.sets {
        let how = format!(
            "at most {}, for a partition of the board into {partitioned}, checked from the definition",
            board.format_fitting(partitioned.sets)
        );
        return report_no_solution(&board, summary(size, how), out);
    }
    match complete::complete(&board, &given, size, &options, deadline, &mut watch)? {
        Completion::Found(certificate) => {
            let how = "a certificate, checked from the definition".to_owned();
            let summary = Summary { completes: Some(true), ..summary(size, how) };
            report_found(args, &board, given.len(), certificate, summary, out)
        }
        Completion::None(conflict) => {
            report_conflict(&board, &conflict, summary(size, describe_proof(&conflict)), out)
        }
        Completion::Stopped(reason) => report_stopped(&board, summary(size, String::new()), reason, out),
    }
}

/// Describes the proof that queens are part of no solution.
fn describe_proof(conflict: &Conflict) -> String {
    match conflict.nodes {
        Some(nodes) => {
            let nodes = counted(nodes, "node");
            format!("exact proof of {nodes} on the squares left free, checked in integers")
        }
        None => "they leave no square free".to_owned(),
    }
}

fn no_solution(board: &Board, size: u64, how: &str) -> String {
    format!("no solution of {} exists on {} at all: {how}", board.format_pieces(size), board.name())
}

/// Reports that the board has no solution of this size, whatever queens are given.
fn report_no_solution(board: &Board, summary: Summary, out: &mut Output) -> anyhow::Result<Exit> {
    let text = format!("{}\n", no_solution(board, summary.size, &summary.how));
    let (completes, clash) = (Some(false), Some(Vec::new()));
    out.result(&Summary { completes, clash, minimal: Some(true), ..summary }, &text)?;
    Ok(Exit::No)
}

fn report_found(
    args: &Args,
    board: &Board,
    given: usize,
    certificate: Certificate,
    summary: Summary,
    out: &mut Output,
) -> anyhow::Result<Exit> {
    // Report the solution even if it cannot be written to a file.
    let keep = |path: &PathBuf| file::write(path, |file| write!(file, "{certificate}"));
    let kept = args.output.as_ref().map_or(Ok(()), keep);
    let verdict = format!(
        "{} {} to {} on {}: {}",
        board.format_pieces(given as u64),
        if given == 1 { "completes" } else { "complete" },
        board.format_pieces(summary.size),
        board.name(),
        summary.how
    );
    let text = Answer { details: draw_text(board, &certificate), verdict };
    out.answer(&Summary { squares: Some(certificate.squares), ..summary }, &text)?;
    Ok(kept.map(|()| Exit::Yes)?)
}

fn report_conflict(
    board: &Board,
    conflict: &Conflict,
    summary: Summary,
    out: &mut Output,
) -> anyhow::Result<Exit> {
    let Conflict { queens, minimal, .. } = conflict;
    let coordinates = queens.iter().map(|&queen| board.coordinates(queen)).collect();
    let clash = Certificate::independent(board.name().clone(), coordinates, "completion");
    let (one, solution, how) = (board.name(), board.format_pieces(summary.size), &summary.how);
    let text = if queens.is_empty() {
        no_solution(board, summary.size, how).into()
    } else {
        let least = if *minimal { "minimal conflicting subset" } else { "conflicting subset" };
        let part = board.format_pieces(queens.len() as u64);
        let verdict = format!("not extendable to {solution} on {one}; {least} ({part})");
        Answer { details: format!("{}\n{how}", draw_text(board, &clash)), verdict }
    };
    let (completes, clash, minimal) = (Some(false), Some(clash.squares), Some(*minimal));
    out.answer(&Summary { completes, clash, minimal, ..summary }, &text)?;
    Ok(Exit::No)
}

fn report_stopped(
    board: &Board,
    summary: Summary,
    reason: StopReason,
    out: &mut Output,
) -> anyhow::Result<Exit> {
    let text =
        format!("stopped ({reason}) before it was known whether the queens complete on {}", board.name());
    out.result(&Summary { how: format!("stopped: {reason}"), ..summary }, &text)?;
    Ok(Exit::Stopped)
}
