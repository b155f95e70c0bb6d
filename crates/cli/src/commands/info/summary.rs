//! What is known of a board.

use ndqueens_knowledge::best::Best;
use ndqueens_model::facts::known::Best as Published;
use schemars::JsonSchema;
use serde::Serialize;

use super::symmetry::Symmetry;
use crate::schema::printed;

#[derive(JsonSchema, Serialize)]
pub(super) struct Info {
    pub(super) board: String,
    pub(super) squares: u128,
    pub(super) lines: Option<u128>,
    pub(super) trivial_bound: Option<u64>,
    /// The symmetry; null when it was not computed.
    #[serde(serialize_with = "of_ok")]
    #[schemars(with = "Option<Symmetry>")]
    pub(super) symmetry: Result<Symmetry, &'static str>,
    /// How many parts a drawing falls into, when its squares do not all hang together by their sides.
    pub(super) parts: Option<usize>,
    pub(super) lower: Best,
    pub(super) upper: Best,
    /// The published bounds; null when there are none.
    pub(super) published: Option<Published>,
    /// Files of the archive that show bounds of the board, with the commands that make them again.
    pub(super) files: Vec<File>,
    pub(super) next: Vec<String>,
    /// The estimated effort of each of these commands, if the maximum is open.
    pub(super) next_effort: Vec<String>,
    /// Why no command is known to lower the upper bound; null if one is, or if the maximum is settled.
    pub(super) obstacle: Option<String>,
}

printed!(Info: "info");

#[derive(JsonSchema, Serialize)]
pub(super) struct File {
    pub(super) file: String,
    pub(super) kind: String,
    pub(super) command: String,
}

fn of_ok<T: Serialize, E, S: serde::Serializer>(
    result: &Result<T, E>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    result.as_ref().ok().serialize(serializer)
}
