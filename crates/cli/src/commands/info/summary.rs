//! Summary of the known facts on a board.

use std::fmt;

use ndqueens_archive::best::Best;
use ndqueens_archive::bounds::Cube;
use ndqueens_archive::queens_constant::{PUBLISHED, ln_estimate, scientific};
use ndqueens_model::facts::full_counts::{self, PublishedCount};
use ndqueens_model::facts::known;
use ndqueens_notation::name::BoardName;
use ndqueens_workflow::graph::{GraphFigures, NoFigures};
use schemars::JsonSchema;
use serde::Serialize;

use super::cells::CellGraph;
use super::optimal::Optimality;
use super::printed::{Printed, Solutions};
use super::symmetry::Symmetry;
use crate::schema::printed;

#[derive(JsonSchema, Serialize)]
pub(super) struct Info {
    pub(super) board: String,
    pub(super) squares: u128,
    pub(super) lines: Option<u128>,
    pub(super) trivial_bound: Option<u64>,
    /// The symmetry; null if it was not computed.
    #[serde(serialize_with = "of_ok")]
    #[schemars(with = "Option<Symmetry>")]
    pub(super) symmetry: Result<Symmetry, &'static str>,
    /// Figures of the graph of the board; null on boards with more than 4096 squares.
    #[serde(serialize_with = "of_ok")]
    #[schemars(with = "Option<GraphFigures>")]
    pub(super) graph: Result<GraphFigures, NoFigures>,
    /// Number of parts of a drawing whose squares are not all connected by their sides.
    pub(super) parts: Option<usize>,
    /// `true` if maximum solutions have exactly one piece on every row and every column; null on boards where
    /// this is not defined.
    pub(super) optimal: Option<Optimality>,
    /// The number of maximum solutions; null if it is not in the table of known counts.
    pub(super) solutions: Option<Solutions>,
    /// Rows of tables in the sources, and their status.
    pub(super) printed: Vec<Printed>,
    pub(super) lower: Best,
    pub(super) upper: Best,
    /// The published bounds; null if no source publishes one.
    pub(super) published: Option<known::Best>,
    /// The graph of the cells of a Sudoku; null for other boards and orders above 5.
    pub(super) cell_graph: Option<CellGraph>,
    /// The published number of full solutions of n^2, and its estimate; null on other boards.
    pub(super) full_solutions: Option<FullSolutions>,
    /// Files of the archive that show bounds of the board, with the commands that regenerate them.
    pub(super) files: Vec<File>,
    pub(super) next: Vec<String>,
    /// The estimated effort of each of these commands, if the maximum is open.
    pub(super) next_effort: Vec<String>,
    /// Reason for which no command is known to lower the upper bound; null if one is, or if the maximum is
    /// settled.
    pub(super) obstacle: Option<String>,
}

printed!(Info: "info");

/// Number of solutions of n queens on n^2.
#[derive(JsonSchema, Serialize)]
pub(super) struct FullSolutions {
    /// The published number; null where none is published.
    pub(super) published: Option<PublishedCount>,
    /// (n e^-a)^n in scientific notation, a the n-queens constant.
    pub(super) estimate: String,
}

impl FullSolutions {
    /// Returns the numbers of a board, if it is n^2 for queens.
    pub(super) fn of(board: &BoardName) -> Option<Self> {
        let square = Cube::of(board).filter(|cube| cube.dimension == 2)?;
        let published = full_counts::lookup(board).cloned();
        Some(Self { published, estimate: scientific(ln_estimate(square.side.into())) })
    }
}

impl fmt::Display for FullSolutions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.published {
            Some(published) => write!(f, "{published}")?,
            None => f.write_str("none published")?,
        }
        write!(f, "; (n e^-a)^n = {} with a = {:.3}", self.estimate, PUBLISHED[0])
    }
}

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
