//! Errors of start solutions.

use std::path::PathBuf;

use ndqueens_solver::construct::{ConstructionError, Method};

/// Start solution that does not exist or does not suit a search.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// Start that is neither a construction nor an existing file.
    #[error("the start \"{0}\" is neither cut, greedy or none, nor an existing certificate file")]
    Missing(String),
    /// Construction of a start that gives no solution.
    #[error("the start {method} on {board}: {fault}")]
    NotConstructed {
        /// Construction that failed.
        method: Method,
        /// Board of the run.
        board: String,
        /// Error of the construction.
        fault: Box<ConstructionError>,
    },
    /// File with a set that a search cannot find.
    #[error("{} holds a set that this search cannot find; refusing to overwrite it: {why}", path.display())]
    Incompatible {
        /// Path of the file.
        path: PathBuf,
        /// Reason why the search cannot find the set.
        why: String,
    },
}
