//! Graph of the cells of a Sudoku: its numbers and their witnesses.

use std::fmt::Write as _;

use ndqueens_crosscheck::colouring;
use ndqueens_model::board::{Board, Square};
use ndqueens_notation::certificate::colouring::{ClassKind, Colouring};
use ndqueens_notation::counted::counted;
use ndqueens_notation::name::BoardName;
use ndqueens_workflow::sudoku;
use schemars::JsonSchema;
use serde::Serialize;

/// The graph whose vertices are the cells of a Sudoku and whose edges join cells that cannot
/// have the same number.
#[derive(JsonSchema, Serialize)]
pub(super) struct CellGraph {
    /// The name of the graph as a board.
    board: String,
    vertices: usize,
    edges: usize,
    degree_least: usize,
    degree_most: usize,
    /// The clique number, since the clique and the colouring have as many cells and colours.
    clique_number: usize,
    /// Cells that attack each other pairwise.
    clique: Vec<Vec<u32>>,
    chromatic_number: usize,
    /// A filled grid, row by row: a colouring with the chromatic number of colours, checked
    /// from the definition.
    colouring: Vec<u32>,
    /// `true` if the graph is connected.
    connected: bool,
    /// `true` if it is connected and all degrees are even.
    eulerian: bool,
    /// Cells in the order of a cycle through all of them; null for fewer than three cells.
    hamiltonian_cycle: Option<Vec<Vec<u32>>>,
}

/// Largest order whose graph is described.
const MOST_ORDER: u32 = 5;

/// Returns the graph of the cells of a Sudoku board of order 5 at most, `None` for other boards.
///
/// # Errors
/// Returns an error if a number does not pass its check.
pub(super) fn cell_graph(name: &BoardName) -> anyhow::Result<Option<CellGraph>> {
    let (order, diagonals) = match *name {
        BoardName::Sudoku(order) | BoardName::Cells(order) => (order, false),
        BoardName::SudokuX(order) | BoardName::CellsX(order) => (order, true),
        _ => return Ok(None),
    };
    if order > MOST_ORDER {
        return Ok(None);
    }
    let cells = if diagonals { BoardName::CellsX(order) } else { BoardName::Cells(order) };
    let board = Board::new(&cells);
    let degrees: Vec<usize> = board.squares().map(|cell| board.degree(cell)).collect();
    let clique = board.lines().max_by_key(Vec::len).unwrap_or_else(|| vec![0]);
    anyhow::ensure!(
        clique.iter().enumerate().all(|(at, &a)| clique[..at].iter().all(|&b| board.attacks(a, b))),
        "{cells}: a line is not a clique"
    );
    let Some(grid) = sudoku::filled_grid(order, diagonals) else { return Ok(None) };
    let class = |number: u32| {
        let of_number = board.squares().filter(|&cell| grid[cell as usize] == number);
        of_number.map(|cell| board.coordinates(cell)).collect()
    };
    let classes = (0..order * order).map(class).collect();
    colouring::verify(&Colouring::new(cells.clone(), ClassKind::IndependentSets, classes, "a filled grid"))?;
    let colours = (order * order) as usize;
    anyhow::ensure!(clique.len() == colours, "{cells}: a line has {}", counted(clique.len(), "cell"));
    let connected = is_connected(&board);
    let labels = |squares: Vec<Square>| squares.into_iter().map(|cell| board.coordinates(cell)).collect();
    Ok(Some(CellGraph {
        board: cells.to_string(),
        vertices: board.size(),
        edges: degrees.iter().sum::<usize>() / 2,
        degree_least: degrees.iter().copied().min().unwrap_or(0),
        degree_most: degrees.iter().copied().max().unwrap_or(0),
        clique_number: colours,
        clique: labels(clique),
        chromatic_number: colours,
        colouring: grid,
        connected,
        eulerian: connected && degrees.iter().all(|degree| degree.is_multiple_of(2)),
        hamiltonian_cycle: cycle(&board, order * order).map(labels),
    }))
}

fn is_connected(board: &Board) -> bool {
    let (mut seen, mut next) = (vec![false; board.size()], vec![0]);
    seen[0] = true;
    while let Some(cell) = next.pop() {
        for other in board.neighbours(cell) {
            if !std::mem::replace(&mut seen[other as usize], true) {
                next.push(other);
            }
        }
    }
    seen.into_iter().all(|seen| seen)
}

/// Returns a cycle through all cells, checked step by step. It visits one row after the other, since cells of
/// a row are adjacent: row r starts in column r and ends in column r + 1, where the next row starts; the last
/// row ends below the first cell.
fn cycle(board: &Board, side: u32) -> Option<Vec<Square>> {
    let row = |row: u32| {
        let (begin, end) = (row, (row + 1) % side);
        let between = (0..side).filter(move |&column| column != begin && column != end);
        [begin].into_iter().chain(between).chain([end]).map(move |column| row * side + column)
    };
    let cells: Vec<Square> = (side > 1).then(|| (0..side).flat_map(row).collect())?;
    let is_joined = |at: usize| board.attacks(cells[at], cells[(at + 1) % cells.len()]);
    (0..cells.len()).all(is_joined).then_some(cells)
}

pub(super) fn write_cell_graph(text: &mut String, graph: &CellGraph) -> std::fmt::Result {
    let CellGraph { board, vertices, edges, clique_number, chromatic_number, .. } = graph;
    let degrees = match (graph.degree_least, graph.degree_most) {
        (least, most) if least == most => format!("{least}-regular"),
        (least, most) => format!("degrees {least} to {most}"),
    };
    let (vertices, edges) = (counted(*vertices, "vertex"), counted(*edges, "edge"));
    writeln!(text, "cell graph     {board}: {vertices}, {edges}, {degrees}")?;
    let clique: Vec<String> = graph.clique.iter().map(|cell| format!("({},{})", cell[0], cell[1])).collect();
    let shown = if clique.len() > 9 { format!("{} ...", clique[..9].join(" ")) } else { clique.join(" ") };
    writeln!(text, "  clique       clique number {clique_number}: {shown}")?;
    writeln!(text, "  colouring    chromatic number {chromatic_number}: a filled grid, checked")?;
    let euler = match (graph.connected, graph.eulerian) {
        (true, true) => "Eulerian: connected, all degrees even",
        (true, false) => "not Eulerian: connected, some degree odd",
        (false, _) => "not connected",
    };
    let hamilton = match graph.hamiltonian_cycle {
        Some(_) => "Hamiltonian: a cycle through all cells, checked",
        None => "no Hamiltonian cycle was made",
    };
    writeln!(text, "  cycles       {euler}; {hamilton}")
}
