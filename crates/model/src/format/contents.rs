//! How much there is in a file.

use std::fmt;

use schemars::JsonSchema;
use serde::Serialize;

/// How much there is in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, JsonSchema, Serialize)]
#[serde(untagged)]
pub enum Contents {
    /// A program as rows.
    Rows {
        /// Rows of the program.
        rows: u64,
        /// Columns of the program.
        columns: usize,
        /// Entries in all rows.
        nonzeros: u64,
    },
    /// A program as clauses.
    Clauses {
        /// Columns of the program and auxiliary variables.
        variables: u32,
        /// Clauses.
        clauses: u64,
    },
    /// A graph.
    Edges {
        /// Squares of the board.
        vertices: usize,
        /// Edges between them.
        edges: u64,
    },
}

impl fmt::Display for Contents {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Rows { rows, columns, nonzeros } => {
                write!(f, "{rows} rows, {columns} columns, {nonzeros} nonzeros")
            }
            Self::Clauses { variables, clauses } => write!(f, "{variables} variables, {clauses} clauses"),
            Self::Edges { vertices, edges } => write!(f, "{vertices} vertices, {edges} edges"),
        }
    }
}
