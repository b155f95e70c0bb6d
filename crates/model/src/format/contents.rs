//! Sizes of the contents of files.

use ndqueens_notation::counted::counted;
use std::fmt;

use schemars::JsonSchema;
use serde::Serialize;

/// Size of the contents of a file.
///
/// # Examples
/// ```
/// use ndqueens_model::board::Board;
/// use ndqueens_model::facts::Theorems;
/// use ndqueens_model::formulation::Formulation;
/// use ndqueens_model::format::{Contents, Format};
/// use ndqueens_model::model::Model;
/// use ndqueens_model::variant::{Goal, Variant};
///
/// let (board, formulation) = (Board::new(&"3^2".parse()?), Formulation::builtin("base")?);
/// let model = Model::new(&board, &formulation, Variant::of(Goal::Optimise), &Theorems, 1 << 30)?;
/// let contents = Format::Lp.write(&model, &mut Vec::new())?;
/// assert!(matches!(contents, Contents::Rows { columns: 9, .. }));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, JsonSchema, Serialize)]
#[serde(untagged)]
pub enum Contents {
    /// Program as rows.
    Rows {
        /// Number of rows.
        rows: u64,
        /// Number of columns.
        columns: usize,
        /// Number of entries in all rows.
        nonzeros: u64,
    },
    /// Program as clauses.
    Clauses {
        /// Number of variables, including auxiliary ones.
        variables: u32,
        /// Number of clauses.
        clauses: u64,
    },
    /// Graph.
    Edges {
        /// Number of vertices, which are the squares of the board.
        vertices: usize,
        /// Number of edges.
        edges: u64,
    },
}

impl fmt::Display for Contents {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Rows { rows, columns, nonzeros } => {
                let (rows, columns) = (counted(*rows, "row"), counted(*columns, "column"));
                write!(f, "{rows}, {columns}, {}", counted(*nonzeros, "nonzero"))
            }
            Self::Clauses { variables, clauses } => {
                write!(f, "{}, {}", counted(*variables, "variable"), counted(*clauses, "clause"))
            }
            Self::Edges { vertices, edges } => {
                write!(f, "{}, {}", counted(*vertices, "vertex"), counted(*edges, "edge"))
            }
        }
    }
}
