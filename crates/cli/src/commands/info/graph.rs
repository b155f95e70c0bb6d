//! Figures of the graph of a board as text.

use std::fmt::Write as _;

use ndqueens_model::board::Board;
use ndqueens_notation::certificate::format_squares;
use ndqueens_notation::counted::counted;
use ndqueens_workflow::graph::{GraphFigures, NoFigures};

/// Largest clique that is listed, in squares.
const MOST_SHOWN: usize = 12;

pub(super) fn write_graph(
    text: &mut String,
    board: &Board,
    graph: &Result<GraphFigures, NoFigures>,
) -> std::fmt::Result {
    let figures = match graph {
        Ok(figures) => figures,
        Err(why) => return writeln!(text, "graph          {why}"),
    };
    let GraphFigures { degree_least, degree_most, degree_mean, degeneracy, clique, .. } = figures;
    write!(text, "graph          {}", counted(figures.edges, "edge"))?;
    if let Some(density) = figures.density {
        write!(text, ", density {density:.4}")?;
    }
    if degree_least == degree_most {
        writeln!(text, ", {degree_least}-regular, degeneracy {degeneracy}")?;
    } else {
        writeln!(
            text,
            ", degrees {degree_least} to {degree_most}, {degree_mean:.2} on average, degeneracy {degeneracy}"
        )?;
    }
    let size = clique.len() as u64;
    match figures.clique_number {
        Some(_) => write!(text, "clique number  {size}")?,
        None => write!(text, "clique number  at least {size}, since the search was stopped")?,
    }
    if clique.len() <= MOST_SHOWN {
        write!(text, ": {}", format_squares(clique))?;
    } else {
        write!(text, ": {} that attack each other, listed by --json", board.format_squares(size))?;
    }
    text.push('\n');
    Ok(())
}
