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
use ndqueens_workflow::prove::exact_proof;
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
            let bounded = exact_proof::prove(&board, &options, None, None, None, &mut watch)?;
            match bounded.proved {
                Ok(_) => bounded.maximum.value,
                Err(reason) => {
                    return report_stopped(
                        &board,
                        summary(bounded.maximum.value, String::new()),
                        reason,
                        out,
                    );
                }
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
        let text = format!(
            "no solution of {} exists on {} at all: {how}\n",
            board.format_pieces(size),
            board.name()
        );
        let (completes, clash) = (Some(false), Some(Vec::new()));
        out.result(&Summary { completes, clash, minimal: Some(true), ..summary(size, how) }, &text)?;
        return Ok(Exit::No);
    }
    match complete::complete(&board, &given, size, &options, deadline, &mut watch)? {
        Completion::Found(certificate) => {
            let keep = |path: &PathBuf| file::write(path, |file| write!(file, "{certificate}"));
            let kept = args.output.as_ref().map_or(Ok(()), keep);
            let how = "a certificate, checked from the definition".to_owned();
            let verdict = format!(
                "{} {} to {} on {}: {how}",
                board.format_pieces(given.len() as u64),
                if given.len() == 1 { "completes" } else { "complete" },
                board.format_pieces(size),
                board.name()
            );
            let text = Answer { details: draw_text(&board, &certificate), verdict };
            let squares = Some(certificate.squares);
            out.answer(&Summary { completes: Some(true), squares, ..summary(size, how) }, &text)?;
            Ok(kept.map(|()| Exit::Yes)?)
        }
        Completion::None(Conflict { queens, minimal, nodes }) => {
            let how = match nodes {
                Some(nodes) => {
                    let nodes = counted(nodes, "node");
                    format!("exact proof of {nodes} on the squares left free, checked in integers")
                }
                None => "they leave no square free".to_owned(),
            };
            let coordinates = queens.iter().map(|&queen| board.coordinates(queen)).collect();
            let clash = Certificate::independent(board.name().clone(), coordinates, "completion");
            let (one, solution) = (board.name(), board.format_pieces(size));
            let text = if queens.is_empty() {
                format!("no solution of {solution} exists on {one} at all: {how}").into()
            } else {
                let least = if minimal { "minimal conflicting subset" } else { "conflicting subset" };
                let part = board.format_pieces(queens.len() as u64);
                let verdict = format!("not extendable to {solution} on {one}; {least} ({part})");
                Answer { details: format!("{}\n{how}", draw_text(&board, &clash)), verdict }
            };
            let clash = Some(clash.squares);
            out.answer(
                &Summary { completes: Some(false), clash, minimal: Some(minimal), ..summary(size, how) },
                &text,
            )?;
            Ok(Exit::No)
        }
        Completion::Stopped(reason) => report_stopped(&board, summary(size, String::new()), reason, out),
    }
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
