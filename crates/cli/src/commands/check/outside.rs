//! Proofs that a program of somebody else checks: VeriPB, rate.

use anyhow::{anyhow, bail};
use ndqueens_control::Deadline;
use ndqueens_lab::evidence::drat;
use ndqueens_lab::evidence::veripb::{self, Accepted, CheckerError, Refusal};
use ndqueens_model::board::Board;
use serde::Serialize;

use super::Args;
use crate::commands::Exit;
use crate::output::{Output, report};

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

pub(super) fn check_veripb(args: &Args, out: &mut Output) -> anyhow::Result<Exit> {
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

#[derive(Serialize)]
struct CheckedByRate {
    file: String,
    holds: bool,
    board: Option<String>,
    at_most: Option<u64>,
    checker: Option<String>,
    fault: Option<String>,
}

pub(super) fn check_drat(args: &Args, out: &mut Output) -> anyhow::Result<Exit> {
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
/// Tells why a proof could not be checked, which is a failure of the system or the fault of what was given.
fn unchecked(args: &Args, refusal: &dyn std::fmt::Display, failed: bool) -> anyhow::Result<Exit> {
    let fault = anyhow!("{}: {refusal}", args.file.display());
    if !failed {
        return Err(fault);
    }
    report(&fault);
    Ok(Exit::Failed)
}
