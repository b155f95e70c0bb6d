//! Formulations by name.

use std::path::Path;

use ndqueens_model::formulation::Formulation;
use ndqueens_system::file;

use super::WorkflowError;

/// Returns `true` if the text is the path of a formulation file rather than the name of a shipped
/// formulation.
#[must_use]
pub fn is_file(name: &str) -> bool {
    Path::new(name).extension().is_some_and(|extension| extension == "toml")
}

/// Returns a shipped formulation, or reads the one in a file whose name ends in `.toml`.
///
/// # Errors
/// Returns an error if there is no formulation of this name, or if the file cannot be read or is malformed.
pub fn load(name: &str) -> Result<Formulation, WorkflowError> {
    if !is_file(name) {
        return Ok(Formulation::builtin(name)?);
    }
    Ok(Formulation::parse(name, &file::read(Path::new(name))?)?)
}
