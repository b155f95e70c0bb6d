//! Reports on placements.

use std::path::Path;

use ndqueens_crosscheck::verify;
use ndqueens_model::board::Board;
use ndqueens_notation::certificate::Certificate;
use schemars::JsonSchema;
use serde::Serialize;

use super::verified::Acceptance;
use super::{CheckOptions, CheckedFile, FileReport, FileVerdict, Statement};

/// JSON object of a placement.
#[derive(Debug, JsonSchema, Serialize)]
pub struct CheckedSquares {
    file: String,
    board: String,
    problem: String,
    size: usize,
    verdict: FileVerdict,
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

/// Checks squares from the definition. A `violation` of the model that they answer also makes them invalid.
pub(super) fn check(
    name: &Path,
    certificate: Certificate,
    violation: Option<String>,
    options: &CheckOptions<'_>,
) -> CheckedFile {
    let fault = verify::verify(&certificate).err().map(|fault| fault.to_string()).or(violation);
    match fault {
        None => Statement::of_placement(certificate).into(),
        Some(fault) => report_fault(name, &certificate, FileVerdict::False, fault, options).into(),
    }
}

/// Reports squares that hold. `acceptance` is that of the verified checker, if it was requested.
pub(super) fn report(name: &Path, certificate: &Certificate, acceptance: Option<&Acceptance>) -> FileReport {
    let object = CheckedSquares {
        verified: acceptance.map(|acceptance| acceptance.version.clone()),
        verified_build: acceptance.map(Acceptance::build),
        ..CheckedSquares::new(name, certificate, FileVerdict::Holds, None)
    };
    let squares = Board::new(&certificate.board).format_squares(object.size as u64);
    let are = if object.size == 1 { "is" } else { "are" };
    let problem = certificate.problem.with_article();
    let mut text = format!("{}: holds; {squares} of {} {are} {problem}", object.file, object.board);
    text.extend(acceptance.map(|acceptance| format!("\n  accepted  by {acceptance}")));
    let native = Some(certificate.to_string());
    FileReport { native, ..FileReport::new(FileVerdict::Holds, text, object) }
}

/// Reports squares that do not hold or were not checked.
pub(super) fn report_fault(
    name: &Path,
    certificate: &Certificate,
    verdict: FileVerdict,
    fault: String,
    options: &CheckOptions<'_>,
) -> FileReport {
    let base_note = if options.convention.base() > 0 { " (coordinates count from 0)" } else { "" };
    let text = format!("{}: {}; {fault}{base_note}", name.display(), verdict.words());
    FileReport::new(verdict, text, CheckedSquares::new(name, certificate, verdict, Some(fault)))
}

impl CheckedSquares {
    fn new(name: &Path, certificate: &Certificate, verdict: FileVerdict, fault: Option<String>) -> Self {
        Self {
            file: name.display().to_string(),
            board: certificate.board.to_string(),
            problem: certificate.problem.to_string(),
            size: certificate.size(),
            verdict,
            holds: verdict.holds(),
            verified: None,
            verified_build: None,
            fault,
        }
    }
}
