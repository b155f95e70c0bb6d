//! Proof trees of the exact engine, checked by crosscheck.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read as _};
use std::path::Path;

use ndqueens_crosscheck::proof::{self, ProofError, Proved};
use ndqueens_files::{self as files, FileError, packed};
use ndqueens_model::name::BoardName;

/// What a proof begins with that is not packed.
const HEADER: &[u8] = b"ndqueens proof 1";

/// Whether a file is a proof, packed or not, by its first bytes.
///
/// # Errors
/// When the file cannot be read.
pub fn is_proof(path: &Path) -> Result<bool, FileError> {
    let first = || -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        File::open(path)?.take(16).read_to_end(&mut bytes)?;
        Ok(bytes)
    };
    first().map(|first| begins_proof(&first)).map_err(|cause| FileError::new("read", path, cause))
}

/// How many bytes are read of a pipe that begins with these, 16 or more: there is no end to what a pipe may give.
#[must_use]
pub fn size_limit(first: &[u8]) -> u64 {
    if begins_proof(first) { LONGEST_PROOF } else { files::LARGEST }
}

/// The longest proof that is read from a pipe, in bytes.
const LONGEST_PROOF: u64 = 1 << 36;

/// Whether these bytes, 16 or more, are the first of a proof, packed or not.
pub(crate) fn begins_proof(first: &[u8]) -> bool {
    first.starts_with(HEADER) || first.starts_with(&packed::MAGIC)
}

/// Checks a proof in a file, packed or not.
///
/// # Errors
/// When the file cannot be read, or at the first step that is not accepted.
pub fn check(path: &Path) -> Result<Proved, ProofError> {
    check_text(packed::read(BufReader::new(File::open(path)?))?)
}

pub(crate) fn check_text(text: impl BufRead) -> Result<Proved, ProofError> {
    proof::check(text, &|name| BoardName::read(name, &files::open).map_err(|fault| fault.to_string()))
}
