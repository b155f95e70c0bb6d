//! Placements in several conventions, checked by crosscheck.

use std::io;
use std::path::Path;

use ndqueens_crosscheck::verify;
use ndqueens_model::board::Board;
use ndqueens_model::import;
use ndqueens_notation::certificate::Certificate;
use ndqueens_system::file;
use schemars::JsonSchema;
use serde::Serialize;

use super::{
    CheckOptions, CheckedFile, Evidence, EvidenceError, FileReport, FileVerdict, Given, OptionsError,
    Refusal, squares,
};
use crate::run::CertificateFileError;

/// Evidence in the form of placements: certificates, drawings, and squares in other conventions.
#[derive(Debug)]
pub(super) struct Placement;

/// JSON object of several placements in a file.
#[derive(Debug, JsonSchema, Serialize)]
pub struct CheckedPlacements {
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

impl Evidence for Placement {
    fn name(&self) -> &'static str {
        "placement"
    }

    fn is_text(&self, _: &str, _: &CheckOptions<'_>) -> bool {
        true
    }

    fn check_options(&self, name: &Path, options: &CheckOptions<'_>) -> Result<(), OptionsError> {
        if options.convention.is_native() { Ok(()) } else { options.refuse_verified(name) }
    }

    fn check(&self, given: Given<'_>) -> Result<CheckedFile, EvidenceError> {
        let Given { name, text, options } = given;
        let text =
            io::read_to_string(text).map_err(|fault| Refusal::from_read_error(&fault, "a placement"))?;
        let mut read = import::read_all(&text, options.convention, options.board, &file::open)
            .map_err(|fault| CertificateFileError::Malformed { path: name.to_owned(), fault })?;
        let boards = read.iter().map(|(_, certificate)| &certificate.board);
        boards.for_each(|board| options.notes.report_all(board.notes()));
        if read.len() > 1 {
            return Ok(check_all(name, &read, options)?.into());
        }
        let (_, certificate) = read.pop().expect("a file holds a placement");
        refuse_empty(&text)?;
        Ok(squares::check(name, certificate, None, options))
    }
}

/// Returns an error if a text is blank.
pub(super) fn refuse_empty(text: &str) -> Result<(), Refusal> {
    match text.trim().is_empty() {
        true => Err(Refusal::Unreadable("there is nothing in it to check".to_owned())),
        false => Ok(()),
    }
}

/// Checks several placements of one file, each with its line.
fn check_all(
    name: &Path,
    read: &[(usize, Certificate)],
    options: &CheckOptions<'_>,
) -> Result<FileReport, Refusal> {
    let name = name.display();
    if options.rewrites || options.verified {
        let words = format!("-o and --verified are for one placement, and the file has {}", read.len());
        return Err(Refusal::Unchecked(words));
    }
    let fault = read.iter().find_map(|(line, certificate)| {
        verify::verify(certificate).err().map(|fault| (*line, fault.to_string()))
    });
    let (_, first) = &read[0];
    let sizes: Vec<usize> = read.iter().map(|(_, certificate)| certificate.size()).collect();
    let text = match &fault {
        None => format!(
            "{name}: holds; each of {} placements, of {} of {}, is {}",
            read.len(),
            describe_sizes(&Board::new(&first.board), &sizes),
            first.board,
            first.problem.with_article()
        ),
        Some((line, fault)) => format!("{name}: does not hold; the placement of line {line}: {fault}"),
    };
    let verdict = if fault.is_none() { FileVerdict::Holds } else { FileVerdict::False };
    let (line, fault) = fault.unzip();
    let checked = CheckedPlacements {
        file: name.to_string(),
        board: first.board.to_string(),
        problem: first.problem.to_string(),
        sizes,
        holds: fault.is_none(),
        line,
        fault,
    };
    Ok(FileReport::new(verdict, text, checked))
}

/// Formats the sizes of placements: `5 squares` or `3 to 5 squares`.
fn describe_sizes(board: &Board, sizes: &[usize]) -> String {
    match (sizes.iter().min(), sizes.iter().max()) {
        (Some(least), Some(most)) if least < most => {
            format!("{least} to {}", board.format_squares(*most as u64))
        }
        _ => board.format_squares(sizes[0] as u64),
    }
}
