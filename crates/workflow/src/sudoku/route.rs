//! Graphs on the way from a puzzle to its solutions: the cells, the numbers in cells, the numbers that the
//! clues leave, and the maximal cliques of their complement.
//!
//! # References
//! A. Siddiqua, Apoorva, *Solving Sudoku: an application of graph coloring*, 2021, Methodology and Appendix
//! I.

use std::cell::Cell;
use std::collections::BTreeMap;

use ndqueens_crosscheck::boards::definition;
use ndqueens_crosscheck::bron_kerbosch::every_maximal_set;
use ndqueens_crosscheck::graph::Graph;
use ndqueens_sudoku::puzzle::Puzzle;

use crate::run::WorkflowError;

/// Numbers of vertices and edges of the graphs of a puzzle.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Route {
    /// Graph of the cells, whose colourings are filled grids.
    pub cells: GraphSize,
    /// Graph of the numbers in cells, whose maximum independent sets are filled grids.
    pub numbers: GraphSize,
    /// Subgraph of the vertices that no clue occupies or attacks.
    pub reduced: GraphSize,
    /// Complement of the reduced graph.
    pub complement: GraphSize,
    /// For each size, the number of maximal cliques of the complement, which are the maximal independent sets
    /// of the reduced graph; `None` if the search for them was stopped.
    pub maximal: Option<BTreeMap<usize, u64>>,
    /// Size of a clique that fills all cells without a clue.
    pub wanted: usize,
}

/// Numbers of vertices and edges of a graph.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GraphSize {
    /// Number of vertices.
    pub vertices: u64,
    /// Number of edges.
    pub edges: u64,
}

impl GraphSize {
    fn of(graph: &Graph) -> Self {
        let vertices = graph.squares().len();
        let ends: usize = (0..vertices).map(|v| graph.neighbours(v).count_ones(..)).sum();
        Self { vertices: vertices as u64, edges: ends as u64 / 2 }
    }

    fn complement(self) -> Self {
        let pairs = self.vertices * self.vertices.saturating_sub(1) / 2;
        Self { edges: pairs - self.edges, ..self }
    }
}

/// Node limit of the search for all maximal cliques.
pub const MOST_NODES: u64 = 2_000_000;

/// Computes the graphs of a puzzle whose clues do not contradict each other. Counts the maximal cliques if a
/// search of [`MOST_NODES`] nodes finds them all before `stop` returns `true`.
///
/// # Errors
/// Returns an error if a graph has too many vertices.
pub fn route(puzzle: &Puzzle, stop: &(dyn Fn() -> bool + Sync)) -> Result<Route, WorkflowError> {
    let cells = super::cell_board(puzzle);
    let numbers = &*definition(&super::board(puzzle));
    let reduced = Graph::residual(numbers, &super::squares_of(puzzle))?;
    let nodes = Cell::new(0);
    let over = || {
        nodes.set(nodes.get() + 1);
        nodes.get() > MOST_NODES || stop()
    };
    let mut maximal: BTreeMap<usize, u64> = BTreeMap::new();
    let end = every_maximal_set(&reduced, &over, &mut |set| *maximal.entry(set.len()).or_default() += 1);
    let reduced = GraphSize::of(&reduced);
    Ok(Route {
        cells: GraphSize::of(&Graph::new(&*definition(&cells))?),
        numbers: GraphSize::of(&Graph::new(numbers)?),
        reduced,
        complement: reduced.complement(),
        maximal: end.is_ok().then_some(maximal),
        wanted: puzzle.cells.len() - puzzle.clues().count(),
    })
}

#[cfg(test)]
mod tests {
    use ndqueens_sudoku::reader::read;

    use super::*;

    fn of(text: &str) -> Route {
        route(&read(text).expect(text)[0], &|| false).expect("a small puzzle")
    }

    #[test]
    fn the_grid_of_nine_has_81_cells_and_810_edges() {
        let easy = of("53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79");
        assert_eq!(easy.cells, GraphSize { vertices: 81, edges: 810 });
        assert_eq!(easy.numbers, GraphSize { vertices: 729, edges: 10_206 });
        assert_eq!(easy.wanted, 51);
    }

    #[test]
    fn cliques_that_fill_the_grid_are_the_solutions() {
        let puzzle = of(".1.22.....1....4");
        assert_eq!(puzzle.cells, GraphSize { vertices: 16, edges: 56 });
        assert_eq!(puzzle.numbers, GraphSize { vertices: 64, edges: 320 });
        let maximal = puzzle.maximal.expect("few");
        assert_eq!(maximal.last_key_value(), Some((&puzzle.wanted, &1)));
        let empty = of("................");
        assert_eq!(empty.maximal.expect("few").last_key_value(), Some((&16, &288)));
    }
}
