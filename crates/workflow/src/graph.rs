//! Figures of the graph of a board, in which squares that attack each other are adjacent.

use std::cell::Cell;

use ndqueens_crosscheck::boards::definition;
use ndqueens_model::board::Board;
use ndqueens_solver::degeneracy::degeneracy;
use ndqueens_solver::max_clique::maximum_clique;
use ndqueens_system::cancel::Deadline;
use schemars::JsonSchema;
use serde::Serialize;

/// Figures of the graph of a board.
#[derive(Debug, Clone, PartialEq, JsonSchema, Serialize)]
pub struct GraphFigures {
    /// Number of edges.
    pub edges: u64,
    /// Share of the pairs of squares that are edges; null on a board with a single square.
    pub density: Option<f64>,
    /// Smallest degree.
    pub degree_least: usize,
    /// Largest degree.
    pub degree_most: usize,
    /// Mean degree.
    pub degree_mean: f64,
    /// The degeneracy.
    pub degeneracy: usize,
    /// Squares in an order in which the number of later squares that a square attacks is at most the
    /// degeneracy.
    pub degeneracy_ordering: Vec<Vec<u32>>,
    /// Largest clique found.
    pub clique: Vec<Vec<u32>>,
    /// The clique number, which is the size of that clique; null if the search was stopped early.
    pub clique_number: Option<usize>,
}

/// Reason why no figures were computed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NoFigures {
    /// The board is too large.
    #[error("not computed: the board has more than {MOST_SQUARES} squares")]
    TooManySquares,
    /// The squares of a clique do not all attack each other by the definition.
    #[error("the clique of the search does not pass the check: {0:?} and {1:?} do not attack each other")]
    Clique(Vec<u32>, Vec<u32>),
}

/// Largest board of which figures are computed, in squares.
pub const MOST_SQUARES: usize = 4096;

/// Node limit of the search for a maximum clique.
const MOST_NODES: u64 = 50_000;

/// Computes the figures of a board's graph. The clique is checked from the definition of an attack. That none
/// is larger rests on the search alone, which ends after 50,000 nodes or at the deadline.
///
/// # Errors
/// Returns an error if the board is too large, or if the clique does not pass the check.
pub fn figures(board: &Board, deadline: Deadline) -> Result<GraphFigures, NoFigures> {
    let squares = board.size();
    if squares > MOST_SQUARES {
        return Err(NoFigures::TooManySquares);
    }
    let graph = board.graph();
    let degrees = || graph.iter().map(|neighbours| neighbours.count_ones(..));
    let both_ways: usize = degrees().sum();
    let pairs = squares * squares.saturating_sub(1);
    let of_graph = degeneracy(&graph);
    let nodes = Cell::new(0);
    let stop = || nodes.replace(nodes.get() + 1) >= MOST_NODES || deadline.is_over();
    let found = maximum_clique(&graph, &stop);
    let coordinates = |vertices: &[usize]| -> Vec<Vec<u32>> {
        vertices.iter().map(|&vertex| board.coordinates(vertex as u32)).collect()
    };
    let clique = coordinates(&found.vertices);
    let defined = definition(board.name());
    for (place, a) in clique.iter().enumerate() {
        if let Some(b) = clique[..place].iter().find(|b| !defined.attacks(a, b)) {
            return Err(NoFigures::Clique(a.clone(), b.clone()));
        }
    }
    Ok(GraphFigures {
        edges: both_ways as u64 / 2,
        density: (pairs > 0).then(|| both_ways as f64 / pairs as f64),
        degree_least: degrees().min().unwrap_or(0),
        degree_most: degrees().max().unwrap_or(0),
        degree_mean: both_ways as f64 / squares.max(1) as f64,
        degeneracy: of_graph.value,
        degeneracy_ordering: coordinates(&of_graph.ordering),
        clique_number: found.is_maximum.then_some(clique.len()),
        clique,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(name: &str) -> GraphFigures {
        figures(&Board::new(&name.parse().expect(name)), Deadline::NEVER).expect("figures")
    }

    #[test]
    fn figures_of_known_graphs_are_right() {
        let sudoku = of("sudoku:2");
        let complete = of("2^3");
        assert_eq!((complete.edges, complete.density, complete.clique_number), (28, Some(1.0), Some(8)));
        assert_eq!((complete.degeneracy, complete.degree_least, complete.degree_most), (7, 7, 7));
        let queens = of("8^2");
        assert_eq!((queens.edges, queens.degree_least, queens.degree_most), (728, 21, 27));
        assert_eq!((queens.clique_number, queens.clique.len()), (Some(8), 8));
        assert_eq!((of("hex:9").edges, of("hex:3").edges), (6132, 123));
        assert_eq!((of("1^2").density, of("1^2").clique_number), (None, Some(1)));
        assert_eq!(sudoku.degeneracy_ordering.len(), 64);
    }

    #[test]
    fn large_boards_are_refused() {
        let board = Board::new(&"65^2".parse().expect("a board"));
        assert_eq!(figures(&board, Deadline::NEVER), Err(NoFigures::TooManySquares));
    }
}
