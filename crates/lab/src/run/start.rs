//! The solution that a run begins with.

use std::path::Path;

use ndqueens_model::board::{Board, Square};
use ndqueens_model::import::Convention;
use ndqueens_notation::certificate::Certificate;
use ndqueens_record::Start;
use ndqueens_solver::construct::{self as construction, Effort};

use super::{Event, LabError, Watch, certificate};

/// The solution that a start names, in a file of this convention where it is a file, with these squares in it where a construction makes it; not yet checked. `memory` is what
/// there is, in bytes.
///
/// # Errors
/// When the construction makes nothing, the board is too large for it, or the file cannot be read.
pub fn solution(
    (start, convention): (&Start, Convention),
    board: &Board,
    include: &[Square],
    seed: u32,
    memory: u64,
    watch: &mut Watch<'_>,
) -> Result<Option<Certificate>, LabError> {
    match start {
        Start::None => Ok(None),
        Start::Construction(method) => {
            construction::ensure_constructible(board, memory)?;
            let made = construction::construct(*method, board, include, u64::from(seed), Effort::default());
            made.map(Some).map_err(|fault| LabError::NotConstructed {
                method: *method,
                board: board.name().to_string(),
                fault: Box::new(fault),
            })
        }
        Start::File(path) if !Path::new(path).exists() => Err(LabError::NoStart(path.clone())),
        Start::File(path) => {
            let given = certificate::read_for(board.name(), Path::new(path), convention)?;
            if let Some(note) = given.note {
                // Whether to go on is asked again as soon as the work begins.
                let _ = watch(&Event::Note(note));
            }
            Ok(Some(given.certificate))
        }
    }
}
