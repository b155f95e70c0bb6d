//! Checks certificates in several conventions and solution files of other solvers.

use std::collections::BTreeMap;

use crate::interrupt;
use anyhow::{Context as _, anyhow, bail};
use ndqueens_crosscheck::verify;
use ndqueens_model::board::Board;
use ndqueens_model::import::{self, Convention};
use ndqueens_notation::certificate::Certificate;
use ndqueens_system::cancel::Deadline;
use ndqueens_system::file;
use ndqueens_workflow::evidence::verified::{self, confirm};
use ndqueens_workflow::evidence::{CERTIFICATE, Conclusion, Refusal};
use schemars::JsonSchema;
use serde::Serialize;

use super::args::Args;
use super::bound::UNKNOWN_BUILD;
use super::verdict::Verdict;
use crate::advice::report;
use crate::commands::Exit;
use crate::output::{Output, log};
use crate::schema::printed;

#[derive(JsonSchema, Serialize)]
struct Checked {
    file: String,
    board: String,
    problem: String,
    size: usize,
    verdict: Verdict,
    /// `true` or `false` if that was shown, `null` if the check reached a limit.
    holds: Option<bool>,
    /// The verified checker that also accepts the file.
    #[serde(skip_serializing_if = "Option::is_none")]
    verified: Option<String>,
    /// The SHA-256 digest of that program if scripts/setup --verified built it, or "an unknown build".
    #[serde(skip_serializing_if = "Option::is_none")]
    verified_build: Option<String>,
    fault: Option<String>,
}

printed!(Checked: "check");

pub(super) fn check_certificate(
    args: &Args,
    text: &str,
    convention: Convention,
    out: &mut Output,
) -> anyhow::Result<Exit> {
    let name = args.file.display();
    let read = import::read_all(text, convention, args.board.as_ref(), &file::open);
    let mut read = read.with_context(|| name.to_string())?;
    if read.len() > 1 {
        return check_placements(args, &read, out);
    }
    let (_, certificate) = read.pop().expect("a file holds a placement");
    check(args, &certificate, None, text, convention, out)
}

/// Checks squares from the definition. A `violation` of the model that they answer also makes them invalid.
pub(super) fn check(
    args: &Args,
    certificate: &Certificate,
    violation: Option<String>,
    text: &str,
    convention: Convention,
    out: &mut Output,
) -> anyhow::Result<Exit> {
    let name = args.file.display();
    if text.trim().is_empty() {
        bail!("{name}: there is nothing in it to check");
    }
    let holds = verify::verify(certificate).map_err(|fault| fault.to_string());
    let mut verdict = holds.and_then(|_| violation.map_or(Ok(()), Err));
    let mut accepted = None;
    if args.verified && verdict.is_ok() {
        let deadline = Deadline::after(args.limit.time_limit);
        let (fits, stop) =
            (Conclusion::Fit(certificate.clone()), || interrupt::is_requested() || deadline.is_over());
        let (mut again, board) = (text.as_bytes(), &certificate.board);
        match confirm(&mut again, CERTIFICATE.name(), board, &fits, &BTreeMap::new(), &stop) {
            Ok(checker) => accepted = Some(checker),
            Err(Refusal::Wrong(words)) => verdict = Err(words),
            Err(Refusal::Unreadable(words) | Refusal::Unchecked(words) | Refusal::NoBoard(words)) => {
                bail!("{name}: {words}")
            }
            Err(Refusal::Failed(words)) => {
                report(&anyhow!("{name}: {words}"));
                return Ok(Exit::Failed);
            }
            Err(Refusal::Limit(words)) => {
                log(&format!("{name}: {words}"));
                return Ok(Exit::Stopped);
            }
        }
    }
    let build = accepted.as_ref().and_then(|_| verified::build());
    let outcome = if verdict.is_ok() { Verdict::Holds } else { Verdict::False };
    let checked = Checked {
        file: name.to_string(),
        board: certificate.board.to_string(),
        problem: certificate.problem.to_string(),
        size: certificate.size(),
        verdict: outcome,
        holds: outcome.holds(),
        verified_build: accepted.as_ref().map(|_| build.clone().unwrap_or_else(|| UNKNOWN_BUILD.to_owned())),
        verified: accepted,
        fault: verdict.as_ref().err().cloned(),
    };
    let Checked { board, size, .. } = &checked;
    let text = match &verdict {
        Ok(()) => {
            let squares = Board::new(&certificate.board).format_squares(*size as u64);
            let are = if *size == 1 { "is" } else { "are" };
            let mut text =
                format!("{name}: holds; {squares} of {board} {are} {}", certificate.problem.with_article());
            text.extend(checked.verified.iter().map(|checker| {
                format!("\n  accepted  by {}", verified::describe(checker, build.as_deref()))
            }));
            text
        }
        Err(fault) => {
            let base_note = if convention.base() > 0 { " (coordinates count from 0)" } else { "" };
            format!("{name}: does not hold; {fault}{base_note}")
        }
    };
    if verdict.is_ok()
        && let Some(path) = &args.output
    {
        file::write(path, |file| write!(file, "{certificate}"))?;
    }
    out.result(&checked, &text)?;
    Ok(if verdict.is_ok() { Exit::Yes } else { Exit::No })
}

#[derive(JsonSchema, Serialize)]
struct CheckedPlacements {
    file: String,
    board: String,
    problem: String,
    /// Number of squares of each placement.
    sizes: Vec<usize>,
    holds: bool,
    /// Line of the first placement that does not hold.
    line: Option<usize>,
    fault: Option<String>,
}

printed!(CheckedPlacements: "check");

/// Checks several placements of one file.
fn check_placements(args: &Args, read: &[(usize, Certificate)], out: &mut Output) -> anyhow::Result<Exit> {
    let name = args.file.display();
    if args.output.is_some() || args.verified {
        bail!("{name}: -o and --verified are for one placement, and the file has {}", read.len());
    }
    let fault = read.iter().find_map(|(line, certificate)| {
        verify::verify(certificate).err().map(|fault| (*line, fault.to_string()))
    });
    let (_, first) = &read[0];
    let board = first.board.to_string();
    let sizes: Vec<usize> = read.iter().map(|(_, certificate)| certificate.size()).collect();
    let text = match &fault {
        None => {
            let (least, most) = (sizes.iter().min().copied(), sizes.iter().max().copied());
            let squares = match (least, most) {
                (Some(least), Some(most)) if least < most => {
                    format!("{least} to {}", Board::new(&first.board).format_squares(most as u64))
                }
                _ => Board::new(&first.board).format_squares(sizes[0] as u64),
            };
            format!(
                "{name}: holds; each of {} placements, of {squares} of {board}, is {}",
                read.len(),
                first.problem.with_article()
            )
        }
        Some((line, fault)) => format!("{name}: does not hold; the placement of line {line}: {fault}"),
    };
    let (line, fault) = fault.unzip();
    let problem = first.problem.to_string();
    let holds = fault.is_none();
    out.result(
        &CheckedPlacements { file: name.to_string(), board, problem, sizes, holds, line, fault },
        &text,
    )?;
    Ok(if holds { Exit::Yes } else { Exit::No })
}
