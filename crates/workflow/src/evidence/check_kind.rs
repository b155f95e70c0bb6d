//! Reports what a check proves, after second opinions and a check of the bounds that a statement needs.

use std::fs::File;
use std::io::BufReader;
use std::path::Path;

use ndqueens_model::board::Board;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value};

use super::foundation::Foundation;
use super::refusal::Refusal;
use super::report::{FileReport, FileVerdict};
use super::statement::{Conclusion, Statement};
use super::verified::Acceptance;
use super::{CheckOptions, CheckedFile, Evidence, EvidenceError, Given, squares};
use crate::solve::refutation;

/// JSON object of a proof or a bound.
#[derive(Debug, Default, JsonSchema, Serialize)]
pub struct CheckedBound {
    file: String,
    verdict: FileVerdict,
    /// `true` or `false` if that was shown, `null` if the verdict is conditional or the
    /// check reached a limit.
    holds: Option<bool>,
    /// `true` if the file holds and everything that it rests on was checked in this run.
    checked: bool,
    board: Option<String>,
    at_most: Option<u64>,
    /// Further results of this kind of file.
    #[serde(flatten)]
    details: Map<String, Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    checker: Option<String>,
    /// The verified checker that also accepts the file.
    #[serde(skip_serializing_if = "Option::is_none")]
    verified: Option<String>,
    /// The SHA-256 digest of that program if scripts/setup --verified built it, or "an unknown build".
    #[serde(skip_serializing_if = "Option::is_none")]
    verified_build: Option<String>,
    #[serde(flatten)]
    foundation: Foundation,
    /// The first fault of a file that does not hold, or the limit that the check reached.
    fault: Option<String>,
}

/// Checks a file of a kind and reports the result. `contents` is a path at which the file can be read again.
pub(super) fn check(
    kind: &dyn Evidence,
    given: Given<'_>,
    contents: &Path,
) -> Result<FileReport, EvidenceError> {
    let Given { name, options, .. } = given;
    kind.check_options(name, options)?;
    let statement = match kind.check(given) {
        Ok(CheckedFile::Statement(statement)) => statement,
        Ok(CheckedFile::Report(report)) => return Ok(report),
        Err(EvidenceError::Refusal(refusal)) => return Ok(report_refusal(name, refusal)?),
        Err(error) => return Err(error),
    };
    options.notes.report_all(statement.board.notes());
    let acceptance = match request_acceptance(kind, &statement, contents, options) {
        Ok(acceptance) => acceptance,
        Err(refusal) => return Ok(report_rejection(name, &statement, refusal, options)?),
    };
    if let Conclusion::Fit(certificate) = &statement.conclusion {
        return Ok(squares::report(name, certificate, acceptance.as_ref()));
    }
    let board = &statement.board;
    if let Some(asked) = options.board.filter(|asked| asked.with_sorted_sides() != board.with_sorted_sides())
    {
        let words = format!("the {} is about {board}, but {asked} was asked for", kind.name());
        return Err(Refusal::Unchecked(words).into());
    }
    if let Some(refuted) = find_refutation(&statement, options)? {
        return Err(Refusal::Failed(refuted).into());
    }
    Ok(report_statement(name, statement, acceptance, options))
}

/// Runs the verified checker on a file if that is requested.
fn request_acceptance(
    kind: &dyn Evidence,
    statement: &Statement,
    contents: &Path,
    options: &CheckOptions<'_>,
) -> Result<Option<Acceptance>, Refusal> {
    if !options.verified {
        return Ok(None);
    }
    let file = File::open(contents).map_err(|fault| Refusal::Failed(fault.to_string()))?;
    Acceptance::request(&mut BufReader::new(file), kind.name(), statement, options.stop).map(Some)
}

/// Reports a file that is wrong, or whose check reached a limit. Returns all other refusals.
fn report_refusal(name: &Path, refusal: Refusal) -> Result<FileReport, Refusal> {
    let Some(verdict) = verdict_of(&refusal) else { return Err(refusal) };
    let text = format!("{}: {}; {refusal}", name.display(), verdict.words());
    let mut object = CheckedBound { file: name.display().to_string(), ..CheckedBound::default() };
    object.judge(verdict);
    object.fault = Some(refusal.to_string());
    Ok(FileReport::new(verdict, text, object))
}

/// Reports a file that the verified checker rejects, or whose check by it reached a limit. Returns all other
/// refusals.
fn report_rejection(
    name: &Path,
    statement: &Statement,
    refusal: Refusal,
    options: &CheckOptions<'_>,
) -> Result<FileReport, Refusal> {
    match (&statement.conclusion, verdict_of(&refusal)) {
        (Conclusion::Fit(certificate), Some(verdict)) => {
            Ok(squares::report_fault(name, certificate, verdict, refusal.to_string(), options))
        }
        _ => report_refusal(name, refusal),
    }
}

/// Returns the verdict that a refusal gives, or `None` if it is an error.
fn verdict_of(refusal: &Refusal) -> Option<FileVerdict> {
    match refusal {
        Refusal::Wrong(_) => Some(FileVerdict::False),
        Refusal::Limit(_) => Some(FileVerdict::NotChecked),
        Refusal::Unreadable(_) | Refusal::Unchecked(_) | Refusal::NoBoard(_) | Refusal::Failed(_) => None,
    }
}

/// Reports a statement that a file proves, under the bounds that it needs.
fn report_statement(
    name: &Path,
    statement: Statement,
    acceptance: Option<Acceptance>,
    options: &CheckOptions<'_>,
) -> FileReport {
    let name = name.display();
    let (words, at_most) = (statement.sentence(), statement.at_most());
    let foundation = Foundation::of(&statement, options.prior);
    let Foundation { rests_on, conditions, missing } = &foundation;
    let fault = (!missing.is_empty())
        .then(|| format!("it rests on {}, which the ledger does not have", missing.join(" and ")));
    let verdict = match (&fault, conditions.as_slice()) {
        (Some(_), _) => FileVerdict::False,
        (None, []) => FileVerdict::Holds,
        (None, _) => FileVerdict::Conditional,
    };
    let because = fault.as_ref().unwrap_or(&words);
    let mut text = format!("{name}: {}; {because}\n", verdict.words());
    text.extend(acceptance.iter().map(|acceptance| format!("  accepted  by {acceptance}\n")));
    text.extend(rests_on.iter().map(|bound| format!("  rests on  {bound}\n")));
    text.extend(conditions.iter().map(|bound| format!("  holds if  {bound}\n")));
    let mut object = CheckedBound {
        file: name.to_string(),
        board: Some(statement.board.to_string()),
        at_most,
        details: statement.details,
        checker: statement.checker,
        verified_build: acceptance.as_ref().map(Acceptance::build),
        verified: acceptance.map(|acceptance| acceptance.version),
        foundation,
        fault,
        ..CheckedBound::default()
    };
    object.judge(verdict);
    FileReport::new(verdict, text, object)
}

impl CheckedBound {
    /// Sets the verdict, and what follows from it.
    fn judge(&mut self, verdict: FileVerdict) {
        (self.verdict, self.holds, self.checked) = (verdict, verdict.holds(), verdict == FileVerdict::Holds);
    }
}

/// Searches for a placement that refutes a bound accepted by an external checker. Returns a message if there
/// is one.
fn find_refutation(
    statement: &Statement,
    options: &CheckOptions<'_>,
) -> Result<Option<String>, EvidenceError> {
    let Some((checker, at_most)) = statement.checker.as_ref().zip(statement.at_most()) else {
        return Ok(None);
    };
    let board = Board::new(&statement.board);
    let found = refutation::of_bound(&board, at_most, options.prior)?;
    Ok(found.map(|found| {
        let fitting = board.format_fitting(at_most);
        format!("{checker} accepted it as a proof that at most {fitting} on {}, and {found}", board.name())
    }))
}
