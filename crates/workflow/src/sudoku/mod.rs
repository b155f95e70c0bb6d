//! Sudoku puzzles, whose solutions are checked as placements on the board `sudoku:b` or `sudoku-x:b`.

pub mod route;

use std::cell::Cell;
use std::io;

use ndqueens_crosscheck::count::{CountError, for_each_completion};
use ndqueens_crosscheck::verify;
use ndqueens_notation::certificate::{Certificate, Problem};
use ndqueens_notation::name::BoardName;
use ndqueens_sudoku::conflict::{Conflict, conflict};
use ndqueens_sudoku::puzzle::Puzzle;
use ndqueens_sudoku::search::{Budget, SearchEnd, solutions, visit};
use ndqueens_system::thread::with_threads;
use rayon::prelude::*;

use crate::run::{RefusedError, WorkflowError};

/// Answer for a puzzle. That there are no further solutions rests on exhaustive search.
#[derive(Debug, Clone)]
pub enum PuzzleAnswer {
    /// The only solution.
    One(Certificate),
    /// Two of several solutions.
    Several([Certificate; 2]),
    /// The puzzle has no solution.
    None(Conflict),
    /// The budget was spent; a solution may have been found.
    Stopped(Option<Certificate>),
}

/// Method that enumerates the solutions of a puzzle.
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Method {
    /// Exact covers with words of cells.
    #[default]
    Search,
    /// Bron-Kerbosch, a reference algorithm: maximum independent sets of the squares that no clue
    /// attacks, with the graphs on the way to them. Slow on puzzles of 9 x 9 with many solutions, at most
    /// 4096 free squares.
    #[cfg_attr(feature = "clap", value(alias = "bk"))]
    BronKerbosch,
}

/// Determines whether a puzzle has one solution, several or none. Solutions are checked from the definition
/// of the board: they are independent sets of full size that contain the clues.
///
/// # Errors
/// Returns an error if a solution does not pass the check, or if the puzzle has too many free squares for the
/// method.
pub fn solve(puzzle: &Puzzle, method: Method, budget: Budget<'_>) -> Result<PuzzleAnswer, WorkflowError> {
    let mut found = Vec::new();
    let end = visit_solutions(puzzle, method, budget, &mut |cells| {
        found.push(cells.to_vec());
        found.len() < 2
    })?;
    let mut found = found.into_iter().map(|cells| certificate(puzzle, method, &cells));
    match (found.next().transpose()?, found.next().transpose()?) {
        (Some(one), Some(other)) => Ok(PuzzleAnswer::Several([one, other])),
        (found, _) if end == SearchEnd::Limit => Ok(PuzzleAnswer::Stopped(found)),
        (Some(one), None) => Ok(PuzzleAnswer::One(one)),
        (None, _) => Ok(PuzzleAnswer::None(conflict(puzzle, budget))),
    }
}

/// Counts the solutions of a puzzle that are visited; these are all if the search is complete.
///
/// # Errors
/// Returns an error if the puzzle has too many free squares for the method.
pub fn count(puzzle: &Puzzle, method: Method, budget: Budget<'_>) -> Result<(u64, SearchEnd), WorkflowError> {
    let mut count = 0u64;
    let end = visit_solutions(puzzle, method, budget, &mut |_| {
        count += 1;
        // One node may have many solutions, so the stop test is also called here.
        !count.is_multiple_of(1024) || !(budget.stop)()
    })?;
    Ok((count, end))
}

/// Visits the solutions of a puzzle, cells row by row, until `visitor` returns `false` or the budget is
/// spent.
fn visit_solutions(
    puzzle: &Puzzle,
    method: Method,
    budget: Budget<'_>,
    visitor: &mut dyn FnMut(&[u32]) -> bool,
) -> Result<SearchEnd, WorkflowError> {
    match method {
        Method::Search => Ok(visit(puzzle, budget, visitor)),
        Method::BronKerbosch if puzzle.contradiction().is_some() => Ok(SearchEnd::Complete),
        Method::BronKerbosch => {
            let clues = squares_of(puzzle);
            let (nodes, is_enough) = (Cell::new(0u64), Cell::new(false));
            let stop = || {
                nodes.set(nodes.get() + 1);
                is_enough.get() || nodes.get() > budget.nodes || (budget.stop)()
            };
            let size = puzzle.cells.len();
            let done = for_each_completion(&board(puzzle), &clues, size, &stop, |set| {
                let mut cells: Vec<u32> = puzzle.cells.iter().map(|cell| cell.unwrap_or_default()).collect();
                for square in set {
                    cells[square[0] as usize * puzzle.side() + square[1] as usize] = square[2];
                }
                if !is_enough.get() && !visitor(&cells) {
                    is_enough.set(true);
                }
            });
            match done {
                Ok(()) => Ok(SearchEnd::Complete),
                Err(CountError::Stopped { .. }) if is_enough.get() => Ok(SearchEnd::Stopped),
                Err(CountError::Stopped { .. }) => Ok(SearchEnd::Limit),
                Err(CountError::TooManySquares(fault)) => Err(fault.into()),
            }
        }
    }
}

/// Returns a filled grid of this order, with or without diagonals, as the numbers of its cells row by row.
/// Returns `None` if the search does not find one.
#[must_use]
pub fn filled_grid(order: u32, diagonals: bool) -> Option<Vec<u32>> {
    let side = order * order;
    if !diagonals {
        // Each row is the first one shifted by `order` for each row of its band and by 1 for each band.
        let number = |row: u32, column: u32| (order * (row % order) + row / order + column) % side;
        return Some((0..side).flat_map(|row| (0..side).map(move |column| number(row, column))).collect());
    }
    if order == 1 {
        return Some(vec![0]);
    }
    let empty = Puzzle { diagonals, ..Puzzle::new(order as usize, vec![None; (side * side) as usize]) };
    let (mut found, _) = solutions(&empty, 1, Budget::nodes(MOST_NODES));
    found.pop()
}

/// Node limit of the search for a filled grid.
const MOST_NODES: u64 = 1_000_000;

/// Applies `work` to each element of `many` on `threads` threads, and returns the results in order.
///
/// # Errors
/// Returns an error if the threads cannot be started.
pub fn each<P: Sync, T: Send>(many: &[P], threads: u32, work: impl Fn(&P) -> T + Sync) -> io::Result<Vec<T>> {
    if threads == 1 {
        return Ok(many.iter().map(work).collect());
    }
    with_threads(threads as usize, || many.par_iter().map(&work).collect())
}

/// Returns the clues of a puzzle as a checked placement on its board.
///
/// # Errors
/// Returns an error if two clues contradict each other.
pub fn clues(puzzle: &Puzzle) -> Result<Certificate, WorkflowError> {
    let squares = squares_of(puzzle);
    let clues = Certificate::independent(board(puzzle), squares, "the clues of a Sudoku");
    verify::verify(&clues).map_err(WorkflowError::Given)?;
    Ok(clues)
}

/// Returns the numbers in the cells of a solution, row by row.
pub fn cells(solution: &Certificate) -> impl Iterator<Item = Option<u32>> + '_ {
    solution.squares.iter().map(|square| square.get(2).copied())
}

/// Returns the board whose squares are numbers in cells of a puzzle.
fn board(puzzle: &Puzzle) -> BoardName {
    let order = puzzle.order as u32;
    if puzzle.diagonals { BoardName::SudokuX(order) } else { BoardName::Sudoku(order) }
}

/// Returns the board whose squares are the cells of a puzzle.
#[must_use]
pub fn cell_board(puzzle: &Puzzle) -> BoardName {
    let order = puzzle.order as u32;
    if puzzle.diagonals { BoardName::CellsX(order) } else { BoardName::Cells(order) }
}

fn squares_of(puzzle: &Puzzle) -> Vec<Vec<u32>> {
    puzzle.clues().map(|clue| vec![clue.row as u32, clue.column as u32, clue.number]).collect()
}

/// Returns a filled grid as a checked certificate.
fn certificate(puzzle: &Puzzle, method: Method, cells: &[u32]) -> Result<Certificate, WorkflowError> {
    let n = puzzle.side();
    let square = |(cell, &number): (usize, &u32)| vec![(cell / n) as u32, (cell % n) as u32, number];
    let squares = cells.iter().enumerate().map(square).collect();
    let found_by = match method {
        Method::Search => "search",
        Method::BronKerbosch => "Bron-Kerbosch",
    };
    let solution = Certificate::independent(board(puzzle), squares, found_by);
    let checked =
        verify::verify_on(&board(puzzle), Problem::IndependentSet, &solution).and_then(|verified| {
            assert_eq!(verified.size(), n * n, "a filled grid has a number in every cell");
            verify::verify_includes(&solution, &squares_of(puzzle))
        });
    let refused =
        |fault| RefusedError::Solution { found_by: "the search for Sudoku solutions".to_owned(), fault };
    checked.map_err(refused)?;
    Ok(solution)
}
