//! Formulations by name.

use std::path::Path;

use ndqueens_model::board::Board;
use ndqueens_model::formulation::Formulation;
use ndqueens_system::cancel::Deadline;
use ndqueens_system::file;

use super::own::prove_own;
use super::{Watch, WorkflowError};

/// Returns `true` if the text is the path of a formulation file rather than the name of a shipped
/// formulation.
#[must_use]
pub fn is_file(name: &str) -> bool {
    Path::new(name).extension().is_some_and(|extension| extension == "toml")
}

/// Returns a shipped formulation, or reads the one in a file whose name ends in `.toml`. Files that it names
/// are relative to its folder.
///
/// # Errors
/// Returns an error if there is no formulation of this name, or if the file or one that it names cannot be
/// read or is malformed.
pub fn load(name: &str) -> Result<Formulation, WorkflowError> {
    if !is_file(name) {
        return Ok(Formulation::builtin(name)?);
    }
    let path = Path::new(name);
    let folder = path.parent().unwrap_or(Path::new(""));
    let read = &mut |file: &str| file::read(&folder.join(file)).map_err(|fault| fault.cause);
    Ok(Formulation::parse_with(name, &file::read(path)?, read)?)
}

/// Returns the paths of the files that a formulation names; none if the formulation cannot be read.
#[must_use]
pub fn files(name: &str) -> Vec<String> {
    let folder = Path::new(name).parent().unwrap_or(Path::new(""));
    let loaded = is_file(name).then(|| load(name).ok()).flatten();
    let files = loaded.iter().flat_map(|formulation| formulation.own.files());
    files.map(|file| folder.join(file).to_string_lossy().into_owned()).collect()
}

/// Returns the formulation of [`load`], with its own inequalities proved on a board where that succeeds.
///
/// # Errors
/// Returns an error in the same cases as [`load`], and if a placement violates an inequality.
pub fn load_for(
    name: &str,
    board: &Board,
    deadline: Deadline,
    watch: &mut Watch<'_>,
) -> Result<Formulation, WorkflowError> {
    let mut formulation = load(name)?;
    prove_own(&mut formulation, board, deadline, watch)?;
    Ok(formulation)
}
