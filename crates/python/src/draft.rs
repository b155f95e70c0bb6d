//! Checks of proofs, which get their file name only after the check.

use std::io::{BufRead, BufReader};

use ndqueens_crosscheck::proof::{self, ProofError, ProofResult};
use ndqueens_notation::name::BoardName;
use ndqueens_system::cancel::{Control, StoppableReader};
use ndqueens_system::file::{self, Draft, packed};
use pyo3::PyResult;

use crate::fault::{Failure, engine, file};

/// Checks a proof, and gives it its file name if it proves the bound `at_most` for `board`. Returns `None` if
/// the control stopped the check.
pub(crate) fn finish(
    draft: Draft,
    board: &BoardName,
    at_most: u64,
    control: &Control,
) -> PyResult<Option<ProofResult>> {
    let refused =
        |words: String| Failure::new_err(format!("the proof of the exact engine was refused: {words}"));
    let result = read(draft.text().map_err(engine)?, control);
    match result {
        Err(_) if control.is_stopped() => Ok(None),
        Err(fault) => Err(refused(fault.to_string())),
        Ok(proved) if *proved.board() == *board && proved.at_most() == Some(at_most) => {
            draft.persist().map_err(file)?;
            Ok(Some(proved))
        }
        Ok(_) => Err(refused("it shows something else than was found".to_owned())),
    }
}

/// Checks a proof, which may be compressed, until the control stops the check.
///
/// # Errors
/// Returns an error at the first invalid step.
pub(crate) fn read(text: impl BufRead, control: &Control) -> Result<ProofResult, ProofError> {
    let text = packed::read(text)?;
    let read_board = |name: &str| BoardName::parse_with(name, &file::open);
    proof::check(BufReader::new(StoppableReader { reader: text, control }), &read_board)
}
