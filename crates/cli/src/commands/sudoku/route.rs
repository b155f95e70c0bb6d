//! Graphs between a puzzle and its solutions by Bron-Kerbosch.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use ndqueens_notation::counted::counted;
use ndqueens_sudoku::puzzle::Puzzle;
use ndqueens_workflow::sudoku::route::{self, GraphSize, Route};
use schemars::JsonSchema;
use serde::Serialize;

/// The graphs between a puzzle and its solutions, each by its numbers of vertices and edges.
#[derive(JsonSchema, Serialize)]
pub(super) struct RouteSummary {
    /// The cells; a filled grid is a colouring.
    cells: [u64; 2],
    /// The numbers in cells; a filled grid is a largest independent set.
    numbers: [u64; 2],
    /// The numbers in cells that no clue occupies or attacks.
    reduced: [u64; 2],
    /// The complement of the reduced graph.
    complement: [u64; 2],
    /// For each size, the number of maximal cliques of the complement; null if there are too many to visit.
    maximal_sets: Option<BTreeMap<usize, u64>>,
    /// Size of the maximal cliques that fill the grid.
    wanted: usize,
}

/// Returns the route of a puzzle, `None` if two of its clues contradict each other.
pub(super) fn route_of(
    puzzle: &Puzzle,
    stop: &(dyn Fn() -> bool + Sync),
) -> anyhow::Result<Option<RouteSummary>> {
    if puzzle.contradiction().is_some() {
        return Ok(None);
    }
    let Route { cells, numbers, reduced, complement, maximal, wanted } = route::route(puzzle, stop)?;
    let pair = |GraphSize { vertices, edges }| [vertices, edges];
    Ok(Some(RouteSummary {
        cells: pair(cells),
        numbers: pair(numbers),
        reduced: pair(reduced),
        complement: pair(complement),
        maximal_sets: maximal,
        wanted,
    }))
}

/// Formats the route with one line for each graph.
pub(super) fn route_text(route: &RouteSummary) -> String {
    let mut text = String::new();
    let graphs = [
        ("graph of the cells", route.cells),
        ("of numbers in cells", route.numbers),
        ("reduced by the clues", route.reduced),
        ("its complement", route.complement),
    ];
    for (name, [vertices, edges]) in graphs {
        let _ = writeln!(text, "{name:21}  {}, {}", counted(vertices, "vertex"), counted(edges, "edge"));
    }
    let name = "maximal cliques";
    let wanted = route.wanted;
    match &route.maximal_sets {
        Some(sets) => {
            let total: u64 = sets.values().sum();
            let sizes: Vec<String> =
                sets.iter().map(|(size, number)| format!("{number} of {size}")).collect();
            let full = sets.get(&wanted).copied().unwrap_or(0);
            let _ = writeln!(text, "{name:21}  {total}: {}", sizes.join(", "));
            let _ = writeln!(
                text,
                "maximum cliques        {} with {}, one in each empty cell",
                counted(full, "clique"),
                counted(wanted, "vertex")
            );
        }
        None => {
            let _ =
                writeln!(text, "{name:21}  not counted: more than {} nodes, or stopped", route::MOST_NODES);
        }
    }
    text
}
