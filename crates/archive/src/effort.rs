//! `effort.csv` of an archive: attempts to improve the bounds of open boards, with their effort and results.

use ndqueens_model::facts::{Side, reading};
use ndqueens_notation::name::BoardName;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::error::ArchiveError;
use crate::files::ArchiveFiles;

const FILE: &str = "effort.csv";

/// An attempt to improve a bound.
#[derive(Debug, Clone, PartialEq, JsonSchema, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Effort {
    /// The board.
    pub board: BoardName,
    /// The bound that was to be improved.
    pub side: Side,
    /// Method that was run.
    pub method: String,
    /// The best bound, in queens.
    pub best: u64,
    /// Running time, in minutes.
    pub minutes: f64,
    /// Clock of the running time: `cpu` or `wall`.
    pub clock: Clock,
    /// Moves of a local search, nodes of a proof, or LPs.
    pub steps: u64,
    /// The folder of the batch.
    pub source: String,
}

/// Clock that measures a running time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Clock {
    /// CPU time.
    Cpu,
    /// Wall-clock time.
    Wall,
}

/// Reads the attempts on record in an archive; empty if the table does not exist.
///
/// # Errors
/// Returns an error if the table exists and cannot be read.
pub fn of(archive: &ArchiveFiles) -> Result<Vec<Effort>, ArchiveError> {
    let text = archive.read(FILE)?.unwrap_or_default();
    reading::parse_rows(&text)
        .map_err(|fault| ArchiveError::Malformed { path: archive.display_path(FILE), fault })
}
