//! Arguments and results that the parsers and writers of all conventions share.

use ndqueens_notation::certificate::{Certificate, CertificateError};
use ndqueens_notation::name::{BoardName, OpenFile};

use super::convention::{Convention, Inexpressible};
use crate::board::{Board, Square};

/// Certificates read from a text, each with its first line.
pub(super) type Placements = Vec<(usize, Certificate)>;

/// A parser: returns the placements of a text, at least one.
pub(super) type ParseFn = fn(&ParserInput<'_>) -> Result<Placements, CertificateError>;

/// A writer: returns the text of a certificate.
pub(super) type WriteFn = fn(&WriterInput<'_>) -> Result<String, Inexpressible>;

/// A text to be parsed.
#[derive(Clone, Copy)]
pub(super) struct ParserInput<'a> {
    /// The text.
    pub(super) text: &'a str,
    /// The board that the caller gives; `None` if the text has to name it.
    pub(super) board: Option<&'a BoardName>,
    /// The function that opens the board file that the text names.
    pub(super) open: OpenFile<'a>,
    /// The convention that the text follows.
    pub(super) convention: Convention,
    /// The number from which the convention counts, 0 or 1.
    pub(super) base: u64,
}

/// A certificate to be written.
pub(super) struct WriterInput<'a> {
    /// The certificate.
    pub(super) certificate: &'a Certificate,
    /// The board of the certificate.
    pub(super) board: &'a Board,
    /// The convention to write in.
    pub(super) convention: Convention,
    /// The number from which the convention counts, 0 or 1.
    pub(super) base: u64,
}

impl WriterInput<'_> {
    /// Returns the number of a square on the board.
    ///
    /// # Errors
    /// Returns an error if the square is off the board.
    pub(super) fn number(&self, square: &[u32]) -> Result<Square, Inexpressible> {
        self.board.square(square).ok_or_else(|| Inexpressible::OffBoard {
            square: square.to_vec(),
            board: self.certificate.board.clone(),
            convention: self.convention,
        })
    }
}
