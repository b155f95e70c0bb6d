//! Proof trees of the exact engine, checked by crosscheck.

use std::io::BufRead;

use ndqueens_crosscheck::proof::{self, ProofError, Proved};
use ndqueens_files::{self as files, packed};
use ndqueens_model::name::BoardName;

use super::{Evidence, Given, Refusal, Shown};

/// What a proof begins with that is not packed.
const HEADER: &[u8] = b"ndqueens proof 1";

/// The longest proof that is read from a pipe, in bytes.
const LONGEST: u64 = 1 << 36;

/// Proof trees, packed or not.
#[derive(Debug)]
pub(super) struct Tree;

impl Evidence for Tree {
    fn begins(&self, first: &[u8]) -> bool {
        first.starts_with(HEADER) || first.starts_with(&packed::MAGIC)
    }

    fn most_bytes(&self) -> u64 {
        LONGEST
    }

    fn check(&self, given: Given<'_>) -> Result<Shown, Refusal> {
        let proved = packed::read(given.text).map_err(ProofError::from).and_then(check_text);
        proved.map(Shown::Tree).map_err(|fault| Refusal::Wrong(fault.to_string()))
    }
}

/// Checks a proof.
///
/// # Errors
/// At the first step that is not accepted.
pub fn check_text(text: impl BufRead) -> Result<Proved, ProofError> {
    proof::check(text, &|name| BoardName::read(name, &files::open).map_err(|fault| fault.to_string()))
}
