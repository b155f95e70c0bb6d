//! Recipes by name.

use std::path::Path;

use ndqueens_files as files;
use ndqueens_model::board::Board;
use ndqueens_model::recipe::Recipe;
use ndqueens_model::variant::{Goal, Variant};

use super::LabError;

/// Whether a text is the path of a recipe, not the name of a shipped one.
#[must_use]
pub fn is_file(name: &str) -> bool {
    Path::new(name).extension().is_some_and(|extension| extension == "toml")
}

/// A shipped recipe, or the one in a file whose name ends in `.toml`.
///
/// # Errors
/// When there is none of this name, or the file cannot be read or is not a recipe.
pub fn named(name: &str) -> Result<Recipe, LabError> {
    if !is_file(name) {
        return Ok(Recipe::shipped(name)?);
    }
    Ok(Recipe::parse(name, &files::read(Path::new(name))?)?)
}

/// The recipe for the maximum on a board where none is named: cube where it is valid, else base.
///
/// # Errors
/// When they cannot be read.
pub fn default(board: &Board) -> Result<Recipe, LabError> {
    let cube = Recipe::shipped("cube")?;
    let plain = Variant::of(Goal::Optimise);
    let valid = cube.families.iter().all(|family| family.validity(board, cube.problem, &plain).is_ok());
    if valid { Ok(cube) } else { Ok(Recipe::shipped("base")?) }
}
