//! Solution from which a run starts.

use std::path::Path;

use crate::record::Start;
use ndqueens_model::board::{Board, Square};
use ndqueens_model::import::Convention;
use ndqueens_notation::certificate::Certificate;
use ndqueens_solver::construct::{self as construction, Effort};

use super::{Event, StartError, Watch, WorkflowError, certificate};

/// Returns the solution that a start names, not yet checked. A file is read in the given convention; a
/// construction contains the squares of `include`. `memory` is the memory limit in bytes.
///
/// # Errors
/// Returns an error if the construction fails, the board is too large for it, or the file cannot be read.
pub fn solution(
    start: &Start,
    convention: Convention,
    board: &Board,
    include: &[Square],
    seed: u32,
    memory: u64,
    watch: &mut Watch<'_>,
) -> Result<Option<Certificate>, WorkflowError> {
    match start {
        Start::None => Ok(None),
        Start::Construction(method) => {
            construction::ensure_constructible(board, memory)?;
            let made = construction::construct(*method, board, include, u64::from(seed), Effort::default());
            made.map(Some).map_err(|fault| {
                let (board, fault) = (board.name().to_string(), Box::new(fault));
                StartError::NotConstructed { method: *method, board, fault }.into()
            })
        }
        Start::File(path) if !Path::new(path).exists() => Err(StartError::Missing(path.clone()).into()),
        Start::File(path) => {
            let given = certificate::read_for(board.name(), Path::new(path), convention)?;
            if let Some(note) = given.note {
                // The answer of the watcher is ignored here, because it is called again when the work starts.
                let _ = watch(&Event::Note(note));
            }
            Ok(Some(given.certificate))
        }
    }
}
