//! Lists of solutions, checked by crosscheck.

use std::io;
use std::path::Path;

use ndqueens_crosscheck::solutions::{ListFault, VerifiedList, verify_list};
use ndqueens_notation::certificate::solutions::{Heading, ListKind, Solutions, is_list};
use ndqueens_notation::counted::counted;
use ndqueens_system::file;
use schemars::JsonSchema;
use serde::Serialize;

use super::{
    CheckOptions, CheckedFile, Evidence, EvidenceError, FileReport, FileVerdict, Given, OptionsError, Refusal,
};
use crate::run::CertificateFileError;

/// Evidence in the form of lists of solutions.
#[derive(Debug)]
pub(super) struct List;

/// JSON object of a list.
#[derive(Debug, JsonSchema, Serialize)]
pub struct CheckedList {
    file: String,
    board: String,
    size: usize,
    list: String,
    solutions: usize,
    /// Number of solutions in the orbits of those listed, if one of each orbit is listed.
    in_orbits: Option<u64>,
    /// `true` if every image of a listed solution under the board's symmetry is listed too, for a list of all
    /// solutions; null if that was not checked.
    closed: Option<bool>,
    holds: bool,
    fault: Option<String>,
}

impl Evidence for List {
    fn name(&self) -> &'static str {
        "list of solutions"
    }

    fn is_text(&self, text: &str, _: &CheckOptions<'_>) -> bool {
        is_list(text)
    }

    fn check_options(&self, name: &Path, options: &CheckOptions<'_>) -> Result<(), OptionsError> {
        options.refuse_squares(name)?;
        options.refuse_verified(name)
    }

    fn check(&self, given: Given<'_>) -> Result<CheckedFile, EvidenceError> {
        let name = given.name.display();
        let text = io::read_to_string(given.text)
            .map_err(|fault| Refusal::from_read_error(&fault, "a list of solutions"))?;
        let list = Solutions::parse_with(&text, &file::open)
            .map_err(|fault| CertificateFileError::MalformedList { path: given.name.to_owned(), fault })?;
        let Heading { board, size, listed, solutions, .. } = &list.heading;
        given.options.notes.report_all(board.notes());
        if let Some(asked) = given.options.board.filter(|asked| *asked != board) {
            let words = format!("the list is for the board {board}, but {asked} was asked for");
            return Err(Refusal::Unreadable(words).into());
        }
        let result = verify_list(&list);
        let (verdict, text) = match &result {
            Ok(verified) => (FileVerdict::Holds, format!("{name}: {}", describe(&list.heading, verified))),
            Err(fault @ ListFault::NoGroup) => {
                (FileVerdict::NotChecked, format!("{name}: not settled; {fault}"))
            }
            Err(fault) => (FileVerdict::False, format!("{name}: does not hold; {fault}")),
        };
        let checked = CheckedList {
            file: name.to_string(),
            board: board.to_string(),
            size: *size,
            list: listed.to_string(),
            solutions: *solutions,
            in_orbits: result.as_ref().ok().and_then(|verified| verified.in_orbits),
            closed: match &result {
                Ok(verified) => verified.closed.then_some(true),
                Err(ListFault::Missing { .. }) => Some(false),
                Err(_) => None,
            },
            holds: result.is_ok(),
            fault: result.as_ref().err().map(ToString::to_string),
        };
        Ok(FileReport::new(verdict, text, checked).into())
    }
}

/// Describes a list that holds.
fn describe(heading: &Heading, verified: &VerifiedList) -> String {
    let Heading { board, size, listed, solutions, .. } = heading;
    let of = verified
        .in_orbits
        .map_or_else(String::new, |all| format!(", one of each orbit, {} in all", counted(all, "solution")));
    let images = match (listed, verified.closed) {
        (ListKind::UpToSymmetry, _) => "",
        (ListKind::All | ListKind::Maximal, true) => ", with all their images under the board's symmetry",
        (ListKind::All | ListKind::Maximal, false) => {
            "; whether their images under the board's symmetry are listed is not checked"
        }
    };
    let (noun, or_more) = match listed {
        ListKind::Maximal => ("maximal set", " or more"),
        ListKind::All | ListKind::UpToSymmetry => ("solution", ""),
    };
    let solutions = counted(*solutions as u64, noun);
    format!(
        "holds; {solutions} of size {size}{or_more} on {board}{of}{images}; that none is missing is not checked"
    )
}
