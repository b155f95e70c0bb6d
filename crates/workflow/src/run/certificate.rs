//! Certificates read from files, not yet checked.

use std::path::Path;

use ndqueens_model::import::{self, Convention};
use ndqueens_notation::certificate::solutions::{self, Solutions};
use ndqueens_notation::certificate::{Certificate, is_certificate};
use ndqueens_notation::name::BoardName;
use ndqueens_system::file;

use super::{CertificateFileError, WorkflowError};

/// Certificate read from a file.
#[derive(Debug)]
pub struct Given {
    /// Certificate, not yet checked.
    pub certificate: Certificate,
    /// Warning about the file, as a sentence without its full stop.
    pub note: Option<String>,
}

/// Reads the squares in a file for a question about `board`. The certificate may be of another board; its
/// check reports that.
///
/// # Errors
/// Returns the errors of [`read`].
pub fn read_for(board: &BoardName, path: &Path, convention: Convention) -> Result<Given, WorkflowError> {
    read_with(path, convention, |text| {
        let names_its_board = convention.is_native() && (is_certificate(text) || solutions::is_list(text));
        (!names_its_board).then_some(board)
    })
}

/// Reads the squares in a file that follows a convention. Of a list of solutions, the first is returned.
/// `board` is required if the file does not name its board.
///
/// # Errors
/// Returns an error if the file cannot be read, does not follow the convention, is of another board, or is an
/// empty list of solutions.
pub fn read(path: &Path, convention: Convention, board: Option<&BoardName>) -> Result<Given, WorkflowError> {
    read_with(path, convention, |_| board)
}

fn read_with<'b>(
    path: &Path,
    convention: Convention,
    board: impl FnOnce(&str) -> Option<&'b BoardName>,
) -> Result<Given, WorkflowError> {
    let text = file::read(path)?;
    let board = board(&text);
    if convention != Convention::Native || !solutions::is_list(&text) {
        let certificate = import::import(&text, convention, board, &file::open)
            .map_err(|fault| CertificateFileError::Malformed { path: path.to_owned(), fault })?;
        return Ok(Given { certificate, note: None });
    }
    let list = Solutions::parse_with(&text, &file::open)
        .map_err(|fault| CertificateFileError::MalformedList { path: path.to_owned(), fault })?;
    let many = list.sets.len();
    let (_, squares) =
        list.sets.into_iter().next().ok_or_else(|| CertificateFileError::EmptyList(path.to_owned()))?;
    let note = (many > 1).then(|| format!("{}: the first of its {many} solutions is taken", path.display()));
    let certificate = Certificate::independent(list.heading.board, squares, list.heading.origin);
    Ok(Given { certificate, note })
}
