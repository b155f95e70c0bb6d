//! Solutions that families keep which break symmetry.

use schemars::JsonSchema;
use serde::Serialize;

use crate::schema::printed;

/// Solutions that satisfy a family that breaks symmetry.
#[derive(JsonSchema, Serialize)]
pub(super) struct Kept {
    pub(super) board: String,
    pub(super) family: &'static str,
    /// Number of solutions that satisfy all inequalities of the family.
    pub(super) kept: usize,
    /// Number of all solutions.
    pub(super) sets: usize,
    /// `true` if every solution has an image that satisfies them.
    pub(super) complete: bool,
}

printed!(Kept: "face");
