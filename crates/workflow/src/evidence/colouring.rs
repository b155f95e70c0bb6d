//! Colourings in the native form, checked by crosscheck.

use std::io;
use std::path::Path;

use ndqueens_crosscheck::colouring as crosscheck;
use ndqueens_notation::certificate::colouring::Colouring;
use ndqueens_notation::counted::counted;
use ndqueens_system::file;
use schemars::JsonSchema;
use serde::Serialize;

use super::{
    CheckOptions, CheckedFile, Evidence, EvidenceError, FileReport, FileVerdict, Given, OptionsError, Refusal,
};
use crate::run::CertificateFileError;
use crate::square_colouring;

/// Evidence in the form of colourings.
#[derive(Debug)]
pub(super) struct Coloured;

/// JSON object of a colouring.
#[derive(Debug, JsonSchema, Serialize)]
pub struct CheckedColouring {
    file: String,
    holds: bool,
    board: String,
    classes: String,
    colours: usize,
    symmetry: Option<String>,
    fault: Option<String>,
}

impl Evidence for Coloured {
    fn name(&self) -> &'static str {
        "colouring"
    }

    fn is_text(&self, text: &str, _: &CheckOptions<'_>) -> bool {
        Colouring::is_colouring(text)
    }

    fn check_options(&self, name: &Path, options: &CheckOptions<'_>) -> Result<(), OptionsError> {
        options.refuse_squares(name)?;
        options.refuse_verified(name)
    }

    fn check(&self, given: Given<'_>) -> Result<CheckedFile, EvidenceError> {
        let text = io::read_to_string(given.text)
            .map_err(|fault| Refusal::from_read_error(&fault, "a colouring"))?;
        let colouring = Colouring::parse_with(&text, &file::open)
            .map_err(|fault| CertificateFileError::Malformed { path: given.name.to_owned(), fault })?;
        given.options.notes.report_all(colouring.board.notes());
        if let Some(board) = given.options.board.filter(|&board| *board != colouring.board) {
            let words = format!("the colouring is for {}, but {board} was asked for", colouring.board);
            return Err(Refusal::Unreadable(words).into());
        }
        Ok(report(given.name, &colouring).into())
    }
}

/// Checks a colouring and reports the result.
pub(super) fn report(name: &Path, colouring: &Colouring) -> FileReport {
    let name = name.display();
    let fault = crosscheck::verify(colouring).err().map(|fault| fault.to_string());
    let holds = fault.is_none();
    let symmetry =
        if holds { square_colouring::symmetry(colouring).map(|symmetry| symmetry.to_string()) } else { None };
    let colours = counted(colouring.colours() as u64, "colour");
    let text = match (&fault, &symmetry) {
        (Some(fault), _) => format!("{name}: does not hold; {fault}"),
        (None, None) => format!(
            "{name}: holds; {} is coloured in {colours}, the classes are {}",
            colouring.board, colouring.kind
        ),
        (None, Some(symmetry)) => format!(
            "{name}: holds; {} is coloured in {colours}, the classes are {}; its symmetry is {symmetry}",
            colouring.board, colouring.kind
        ),
    };
    let checked = CheckedColouring {
        file: name.to_string(),
        holds,
        board: colouring.board.to_string(),
        classes: colouring.kind.to_string(),
        colours: colouring.colours(),
        symmetry,
        fault,
    };
    let verdict = if holds { FileVerdict::Holds } else { FileVerdict::False };
    FileReport { native: holds.then(|| colouring.to_string()), ..FileReport::new(verdict, text, checked) }
}
