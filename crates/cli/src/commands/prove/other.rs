//! Answers of `ndq prove` other than maxima: smallest dominating sets, full solutions and completions.

use std::fmt::Write as _;

use ndqueens_model::board::Board;
use ndqueens_notation::certificate::Problem;
use ndqueens_system::cancel::StopReason;
use ndqueens_workflow::prove::{SmallestSet, Status};
use ndqueens_workflow::record::{Outcome, Record, Stop, Task};

use super::args::Maximum;
use super::outputs::ProveResult;
use super::text::{write_drawn, write_effort};
use crate::commands::{self, Exit};
use crate::output::{Answer, Output};
use crate::progress::Display;

/// Reports the size of a smallest dominating set.
pub(super) fn smallest(
    args: &Maximum,
    proof: &SmallestSet,
    record: Record,
    display: &mut Display,
    out: &mut Output,
) -> anyhow::Result<Exit> {
    let exit = match proof.status {
        Status::Proved | Status::Solved | Status::Conditional => Exit::Yes,
        Status::Refuted => Exit::No,
        Status::Open => Exit::Stopped,
    };
    if proof.status == Status::Open {
        commands::report_discarded("this engine stores none; the same command starts again", display);
    }
    let not_written = match proof.status {
        Status::Open => Some("the run was stopped"),
        Status::Refuted if proof.lower <= args.k.unwrap_or_default() => {
            Some("the certificate refutes the claim")
        }
        _ => None,
    };
    let text = smallest_text(args, proof, &record)?;
    print_answer(args, not_written, record, &text, exit, display, out)
}

fn smallest_text(args: &Maximum, proof: &SmallestSet, record: &Record) -> anyhow::Result<Answer> {
    let SmallestSet { certificate, lower, included, .. } = proof;
    let board = Board::new(&certificate.board);
    let (name, found) = (board.name(), certificate.size() as u64);
    let symbol = match certificate.problem {
        Problem::IndependentDominatingSet => "i",
        Problem::IndependentSet | Problem::DominatingSet | Problem::NoThreeInLine => "gamma",
    };
    let with = match included {
        0 => String::new(),
        included => format!(", {} included", board.format_pieces(*included)),
    };
    let value = format!("{symbol}({name}{with})");
    let dominate = |number: u64| if number == 1 { "dominates" } else { "dominate" };
    let verdict = match (proof.status, args.k) {
        (Status::Refuted, Some(k)) if found < k => {
            format!("{value} = {k}: refuted; {} {} {name}\n", board.format_pieces(found), dominate(found))
        }
        (Status::Refuted, k) => {
            let k = k.unwrap_or_default();
            format!(
                "{value} = {k}: refuted; at least {} {} {name}\n",
                board.format_pieces(*lower),
                dominate(*lower)
            )
        }
        (Status::Open, _) => {
            let why = match proof.stop {
                StopReason::Finished => String::new(),
                stop => format!(", stopped ({stop})"),
            };
            format!("{value}: not settled in this run{why}; {lower} <= {symbol} <= {found}\n")
        }
        _ => format!("{value} = {found}: proved\n"),
    };
    let mut text = String::new();
    write_drawn(&mut text, record)?;
    let origin = &certificate.origin;
    writeln!(text, "  upper bound  {found}: a certificate, checked from the definition; {origin}")?;
    if let Some(kind) = &proof.kind {
        writeln!(text, "  lower bound  {lower}: {kind}")?;
    }
    write_effort(&mut text, record)?;
    Ok(Answer { details: text, verdict })
}

/// Reports a placement of a number of queens, or that no such placement exists.
pub(super) fn placement(
    args: &Maximum,
    asked: u64,
    record: Record,
    display: &mut Display,
    out: &mut Output,
) -> anyhow::Result<Exit> {
    let board = Board::new(&record.question.board);
    let included = match &record.question.task {
        Task::Prove { include, .. } | Task::Solve { include, .. } => include.len() as u64,
    };
    let with = match included {
        0 => String::new(),
        included => format!(" with {} included", board.format_pieces(included)),
    };
    let (name, fitting, pieces) = (board.name(), board.format_fitting(asked), board.format_pieces(asked));
    let stopped = record.answer.stop != Stop::Finished;
    let (verdict, exit, not_written) = match record.answer.outcome {
        Outcome::Feasible => (
            format!("{fitting} on {name}{with}: a certificate, checked from the definition\n"),
            Exit::Yes,
            Some("there is a placement"),
        ),
        Outcome::Infeasible => {
            let not_written = record.answer.nodes.is_none().then_some("the answer needs no tree");
            (format!("no {pieces} fit on {name}{with}: proved\n"), Exit::No, not_written)
        }
        _ => {
            let why = if stopped { format!(", stopped ({})", record.answer.stop) } else { String::new() };
            let verdict = format!("whether {fitting} on {name}{with}: not settled in this run{why}\n");
            (verdict, Exit::Stopped, Some("the run was stopped"))
        }
    };
    let mut text = String::new();
    write_drawn(&mut text, &record)?;
    if let Some(proof) = &record.answer.proof {
        writeln!(text, "  proof  {proof}")?;
    }
    write_effort(&mut text, &record)?;
    print_answer(args, not_written, record, &Answer { details: text, verdict }, exit, display, out)
}

/// Writes the files of an answer, and prints it.
fn print_answer(
    args: &Maximum,
    not_written: Option<&str>,
    record: Record,
    text: &Answer,
    exit: Exit,
    display: &mut Display,
    out: &mut Output,
) -> anyhow::Result<Exit> {
    if let Some((path, why)) = args.proof.as_deref().zip(not_written) {
        display.print(&format!("{} is not written: {why}", path.display()));
    }
    // The answer is printed even if a file cannot be written.
    let kept = commands::keep(&record, &args.outputs, display, out.notes());
    let exit = commands::exit_of_verdict(&record, exit);
    out.answer(&ProveResult { record, known: None, veripb: None }, text)?;
    kept.map(|()| exit)
}
