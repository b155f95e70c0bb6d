//! What defines a run.

use ndqueens_model::name::BoardName;
use ndqueens_solver::backends::Options;
use serde::{Deserialize, Deserializer, Serialize};

/// Everything that defines a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Question {
    /// `solve` or `prove`.
    pub command: Command,
    /// The board; its name in the record, and a board file is opened again when the record is read.
    #[serde(deserialize_with = "opened")]
    pub board: BoardName,
    /// SHA-256 of the board file, when the board has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub board_sha256: Option<String>,
    /// The recipe: its name, or the path of its file.
    pub formulation: String,
    /// The least number of queens asked for, when that was the goal.
    pub at_least: Option<u64>,
    /// The largest number of queens asked for, when that was the goal.
    pub at_most: Option<u64>,
    /// The exact number of queens asked for, when that was the goal.
    pub exactly: Option<u64>,
    /// The number claimed to be the maximum, for `prove`.
    pub claimed: Option<u64>,
    /// Squares that had to be part of the solution.
    pub include: Vec<Vec<u32>>,
    /// Which rows were kept: `all`, `distinct` or `undominated`.
    pub rows_kept: String,
    /// The warm start: `none`, `cut`, `greedy`, or the path of a certificate.
    pub start: String,
    /// Whether published right sides were taken as given.
    pub assume_reported: bool,
    /// What proved the upper bound, for `prove`: `exact`, or `highs` for the integer programme.
    #[serde(default = "highs")]
    pub engine: String,
    /// The backend: its name, or the command that is run.
    #[serde(default = "highs")]
    pub backend: String,
    /// The solver's seed.
    pub seed: u32,
    /// The solver's threads.
    pub threads: u32,
    /// Wall-clock limit in seconds.
    pub time_limit_seconds: Option<f64>,
    /// Node limit.
    pub node_limit: Option<u64>,
    /// Presolve on or off, when not left to the solver.
    pub presolve: Option<bool>,
    /// Symmetry detection on or off, when not left to the solver.
    pub symmetry: Option<bool>,
}

/// Engine and backend of records that do not name them.
fn highs() -> String {
    "highs".to_owned()
}

/// Which workflow ran.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Command {
    /// [`crate::solve`]
    Solve,
    /// [`crate::prove`]
    Prove,
}

impl Question {
    /// A question with the solver's settings filled in and nothing else asked.
    #[must_use]
    pub fn new(command: Command, board: &BoardName, formulation: &str, options: &Options) -> Self {
        Self {
            command,
            board: board.clone(),
            board_sha256: board_digest(board),
            formulation: formulation.to_owned(),
            at_least: None,
            at_most: None,
            exactly: None,
            claimed: None,
            include: Vec::new(),
            rows_kept: "all".to_owned(),
            start: "none".to_owned(),
            assume_reported: false,
            engine: highs(),
            backend: highs(),
            seed: options.seed,
            threads: options.threads.unwrap_or(1),
            time_limit_seconds: options.time_limit.map(|limit| limit.as_secs_f64()),
            node_limit: options.node_limit,
            presolve: options.presolve,
            symmetry: options.symmetry,
        }
    }

    /// The number of queens asked for, when there is one.
    #[must_use]
    pub fn asked(&self) -> Option<u64> {
        self.at_least.or(self.at_most).or(self.exactly)
    }
}

pub(crate) fn opened<'de, D: Deserializer<'de>>(deserializer: D) -> Result<BoardName, D::Error> {
    BoardName::read(&String::deserialize(deserializer)?, &ndqueens_files::open)
        .map_err(serde::de::Error::custom)
}

pub(crate) fn board_digest(board: &BoardName) -> Option<String> {
    match board {
        BoardName::File(file) => Some(file.digest()),
        _ => None,
    }
}
