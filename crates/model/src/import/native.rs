//! The native convention: certificate files, and pictures that show pieces by letters.

use ndqueens_notation::certificate::{
    Certificate, CertificateError, FileKind, HEADER, certificate_error, colouring, has_header, solutions,
};
use ndqueens_notation::proof;
use ndqueens_notation::similar::did_you_mean;

use super::convention::Inexpressible;
use super::picture;
use super::signature::{ParserInput, Placements, WriterInput};

/// Parses a certificate file, or a picture that shows pieces by letters.
///
/// # Errors
/// Returns an error if the text is neither, or if it is for a board other than the given one.
pub(super) fn parse(input: &ParserInput<'_>) -> Result<Placements, CertificateError> {
    let &ParserInput { text, board, open, .. } = input;
    if !has_header(text, HEADER) && picture::is_picture(text, board) {
        return picture::parse_letters(input);
    }
    let certificate = Certificate::parse_with(text, open).map_err(|mut error| {
        if !has_header(text, HEADER) {
            error.file = FileKind::Unknown;
            if let Some(fault) = unknown_header(text) {
                return CertificateError { fault, ..error };
            }
            error.fault += ", or show pieces by letters; other sets of squares are read with --as picture, tuples, flat or heights";
        }
        error
    })?;
    match board {
        Some(board) if *board != certificate.board => Err(certificate_error(
            1 + text.lines().take_while(|line| !line.trim_start().starts_with("board:")).count(),
            1,
            format!("the file is for the board {}, not for {board}", certificate.board),
        )),
        _ => Ok(vec![(1, certificate)]),
    }
}

/// Returns the fault of a file whose first line begins with "ndqueens" but is not the first line
/// of a known format.
fn unknown_header(text: &str) -> Option<String> {
    let first = text.lines().next()?.trim();
    let headers = [HEADER, colouring::HEADER, solutions::HEADER].into_iter().chain(proof::HEADERS);
    let is_ours = first.strip_prefix("ndqueens").is_some_and(|rest| rest.is_empty() || rest.starts_with(' '));
    if !is_ours || headers.clone().any(|header| header == first) {
        return None;
    }
    let quoted: Vec<String> = headers.clone().map(|header| format!("\"{header}\"")).collect();
    let (known, hint) = (quoted.join(", "), did_you_mean(first, headers));
    Some(format!("the file begins with \"{first}\", which is not one of {known}{hint}"))
}

/// Writes a certificate file. Never fails.
#[expect(clippy::unnecessary_wraps, reason = "all writers have one signature")]
pub(super) fn write(input: &WriterInput<'_>) -> Result<String, Inexpressible> {
    Ok(input.certificate.to_string())
}
