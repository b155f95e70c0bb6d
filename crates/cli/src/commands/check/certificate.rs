//! Certificates, in several conventions, and solution files of other solvers.

use std::collections::BTreeMap;

use anyhow::{Context as _, anyhow, bail};
use ndqueens_control::Deadline;
use ndqueens_crosscheck::verify;
use ndqueens_files as files;
use ndqueens_lab::evidence::verified::{self, confirm};
use ndqueens_lab::evidence::{CERTIFICATE, Conclusion, Refusal};
use ndqueens_model::board::Board;
use ndqueens_model::certificate::Certificate;
use ndqueens_model::certificate::import::{self, Convention};
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
    /// The verified checker that accepts it, too.
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
    let certificate = import::read(text, convention, args.board.as_ref(), &files::open);
    let certificate = certificate.with_context(|| name.to_string())?;
    check(args, (certificate, None), text, convention, out)
}

/// Checks squares from the definition; a violation of the model that they answer makes them wrong, too.
pub(super) fn check(
    args: &Args,
    (certificate, violation): (Certificate, Option<String>),
    text: &str,
    convention: Convention,
    out: &mut Output,
) -> anyhow::Result<Exit> {
    let name = args.file.display();
    if text.trim().is_empty() {
        bail!("{name}: there is nothing in it to check");
    }
    let holds = verify::verify(&certificate).map_err(|fault| fault.to_string());
    let mut verdict = holds.and_then(|_| violation.map_or(Ok(()), Err));
    let mut accepted = None;
    if args.verified && verdict.is_ok() {
        let deadline = Deadline::after(args.limit.time_limit);
        let (fits, stop) = (Conclusion::Fit(certificate.clone()), || deadline.is_over());
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
            let squares = Board::new(&certificate.board).places(*size as u64);
            let are = if *size == 1 { "is" } else { "are" };
            let mut text =
                format!("{name}: holds; {squares} of {board} {are} {}", certificate.problem.with_article());
            text.extend(checked.verified.iter().map(|checker| {
                format!("\n  accepted  by {}", verified::described(checker, build.as_deref()))
            }));
            text
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
