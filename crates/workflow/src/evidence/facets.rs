//! Certificates of facets, checked by crosscheck.

use std::io;
use std::path::Path;

use ndqueens_crosscheck::facets::verify_facets;
use ndqueens_notation::certificate::facets::FacetCertificates;
use ndqueens_notation::counted::counted;
use ndqueens_notation::error_class::{Classified as _, ErrorClass};
use ndqueens_system::file;
use schemars::JsonSchema;
use serde::Serialize;

use super::{
    CheckOptions, CheckedFile, Evidence, EvidenceError, FileReport, FileVerdict, Given, OptionsError, Refusal,
};
use crate::run::CertificateFileError;

/// Evidence in the form of certificates of facets.
#[derive(Debug)]
pub(super) struct Facets;

/// JSON object of certificates of facets of the convex hull of the independent sets of a board.
#[derive(Debug, JsonSchema, Serialize)]
pub struct CheckedFacets {
    file: String,
    verdict: FileVerdict,
    holds: Option<bool>,
    board: String,
    /// Number of facets.
    facets: usize,
    fault: Option<String>,
}

impl Evidence for Facets {
    fn name(&self) -> &'static str {
        "certificate of facets"
    }

    fn is_text(&self, text: &str, _: &CheckOptions<'_>) -> bool {
        FacetCertificates::is_certificate(text)
    }

    fn check_options(&self, name: &Path, options: &CheckOptions<'_>) -> Result<(), OptionsError> {
        options.refuse_squares(name)?;
        options.refuse_verified(name)
    }

    fn check(&self, given: Given<'_>) -> Result<CheckedFile, EvidenceError> {
        let name = given.name.display();
        let text = io::read_to_string(given.text)
            .map_err(|fault| Refusal::from_read_error(&fault, "a certificate of facets"))?;
        let certificates = FacetCertificates::parse_with(&text, &file::open)
            .map_err(|fault| CertificateFileError::Malformed { path: given.name.to_owned(), fault })?;
        let board = &certificates.board;
        given.options.notes.report_all(board.notes());
        if let Some(asked) = given.options.board.filter(|&asked| asked != board) {
            let words = format!("the facets are those of {board}, but {asked} was asked for");
            return Err(Refusal::Unreadable(words).into());
        }
        let stop = given.options.stop;
        let fault = verify_facets(&certificates, &|| stop()).err();
        let verdict = match fault.as_ref().map(|fault| fault.class()) {
            None => FileVerdict::Holds,
            Some(ErrorClass::Limit) => FileVerdict::NotChecked,
            Some(_) => FileVerdict::False,
        };
        let fault = fault.map(|fault| fault.to_string());
        let facets = certificates.facets.len();
        let text = match &fault {
            Some(fault) => format!("{name}: {}; {fault}", verdict.words()),
            None => format!(
                "{name}: holds; {} of the convex hull of the independent sets of {board}",
                counted(facets as u64, "facet")
            ),
        };
        let (file, board) = (name.to_string(), board.to_string());
        let checked = CheckedFacets { file, verdict, holds: verdict.holds(), board, facets, fault };
        Ok(FileReport::new(verdict, text, checked).into())
    }
}
