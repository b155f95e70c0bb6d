//! Certificates in the native format, checked by crosscheck.

use std::io::Read as _;

use ndqueens_crosscheck::verify;
use ndqueens_notation::certificate::Certificate;
use ndqueens_system::file::{self, packed};

use super::{CheckedFile, Evidence, EvidenceError, Given, Refusal, Statement};

/// Name of the kind with its article.
const WITH_ARTICLE: &str = "a certificate";

/// Evidence in the form of certificates.
#[derive(Debug)]
pub(super) struct ArchivedPlacement;

impl Evidence for ArchivedPlacement {
    fn name(&self) -> &'static str {
        "certificate"
    }

    fn archived_as(&self) -> Option<&'static str> {
        Some("txt")
    }

    fn check(&self, given: Given<'_>) -> Result<CheckedFile, EvidenceError> {
        let mut text = String::new();
        let read = packed::read(given.text)
            .and_then(|unpacked| unpacked.take(file::LARGEST).read_to_string(&mut text));
        read.map_err(|fault| Refusal::from_read_error(&fault, WITH_ARTICLE))?;
        let certificate = Certificate::parse_with(&text, &file::open)
            .map_err(|fault| Refusal::Unreadable(fault.to_string()))?;
        verify::verify(&certificate).map_err(|fault| Refusal::new(&fault, WITH_ARTICLE))?;
        Ok(Statement::of_placement(certificate).into())
    }
}
