//! Formulations by name.

use std::path::Path;

use ndqueens_model::formulation::Formulation;
use ndqueens_system::file;

use super::LabError;

/// Whether a text is the path of a formulation, not the name of a shipped one.
#[must_use]
pub fn is_file(name: &str) -> bool {
    Path::new(name).extension().is_some_and(|extension| extension == "toml")
}

/// A shipped formulation, or the one in a file whose name ends in `.toml`.
///
/// # Errors
/// When there is none of this name, or the file cannot be read or is not a formulation.
pub fn named(name: &str) -> Result<Formulation, LabError> {
    if !is_file(name) {
        return Ok(Formulation::builtin(name)?);
    }
    Ok(Formulation::parse(name, &file::read(Path::new(name))?)?)
}
