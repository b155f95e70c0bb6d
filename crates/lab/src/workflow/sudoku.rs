//! Sudoku puzzles, whose solutions are checked as placements on the board `sudoku:b`.

use std::io;

use ndqueens_control::with_threads;
use ndqueens_crosscheck::verify;
use ndqueens_model::certificate::{Certificate, Problem};
use ndqueens_model::name::BoardName;
use ndqueens_sudoku::conflict::{Conflict, conflict};
use ndqueens_sudoku::puzzle::Puzzle;
use ndqueens_sudoku::search::{Budget, End, solutions, visit};
use rayon::prelude::*;

use crate::run::LabError;

/// What is known of a puzzle. That there are no more solutions is known by exhaustive search.
#[derive(Debug, Clone)]
pub enum PuzzleAnswer {
    /// This is the only solution.
    One(Certificate),
    /// Two of several solutions.
    Several([Certificate; 2]),
    /// It has none.
    None(Conflict),
    /// The budget was spent; a solution may have been found.
    Stopped(Option<Certificate>),
}

/// Finds out whether a puzzle has one solution, several or none. Solutions are checked from the definition of the board, to be
/// independent sets of full size that contain the clues.
///
/// # Errors
/// When a solution does not pass the check.
pub fn solve(puzzle: &Puzzle, budget: Budget<'_>) -> Result<PuzzleAnswer, LabError> {
    let (found, end) = solutions(puzzle, 2, budget);
    let mut found = found.into_iter().map(|cells| certificate(puzzle, &cells));
    match (found.next().transpose()?, found.next().transpose()?) {
        (Some(one), Some(other)) => Ok(PuzzleAnswer::Several([one, other])),
        (found, _) if end == End::Limit => Ok(PuzzleAnswer::Stopped(found)),
        (Some(one), None) => Ok(PuzzleAnswer::One(one)),
        (None, _) => Ok(PuzzleAnswer::None(conflict(puzzle, budget))),
    }
}

/// Counts the solutions of a puzzle: those that were met, which are all of them when the search came to its end.
#[must_use]
pub fn count(puzzle: &Puzzle, budget: Budget<'_>) -> (u64, End) {
    let mut count = 0u64;
    let end = visit(puzzle, budget, &mut |_| {
        count += 1;
        // Solutions may be many for one node.
        !count.is_multiple_of(1024) || !(budget.stop)()
    });
    (count, end)
}

/// Does some work for each of many, in order, with so many threads.
///
/// # Errors
/// When the threads cannot be had.
pub fn each<P: Sync, T: Send>(many: &[P], threads: u32, work: impl Fn(&P) -> T + Sync) -> io::Result<Vec<T>> {
    if threads == 1 {
        return Ok(many.iter().map(work).collect());
    }
    with_threads(threads as usize, || many.par_iter().map(&work).collect())
}

/// The clues of a puzzle as a placement on its board, checked.
///
/// # Errors
/// When two of them contradict each other.
pub fn clues(puzzle: &Puzzle) -> Result<Certificate, LabError> {
    let squares = squares_of(puzzle);
    let clues = Certificate::independent(board(puzzle), squares, "the clues of a Sudoku");
    verify::verify(&clues).map_err(LabError::Given)?;
    Ok(clues)
}

/// The numbers in the cells of a solution, row by row.
pub fn cells(solution: &Certificate) -> impl Iterator<Item = Option<u32>> + '_ {
    solution.squares.iter().map(|square| square.get(2).copied())
}

fn board(puzzle: &Puzzle) -> BoardName {
    BoardName::Sudoku(puzzle.order as u32)
}

fn squares_of(puzzle: &Puzzle) -> Vec<Vec<u32>> {
    puzzle.clues().map(|clue| vec![clue.row as u32, clue.column as u32, clue.number]).collect()
}

/// A filled grid, checked.
fn certificate(puzzle: &Puzzle, cells: &[u32]) -> Result<Certificate, LabError> {
    let n = puzzle.side();
    let square = |(cell, &number): (usize, &u32)| vec![(cell / n) as u32, (cell % n) as u32, number];
    let squares = cells.iter().enumerate().map(square).collect();
    let solution = Certificate::independent(board(puzzle), squares, "search");
    let checked =
        verify::verify_on(&board(puzzle), Problem::IndependentSet, &solution).and_then(|verified| {
            assert_eq!(verified.size(), n * n, "a filled grid has a number in every cell");
            verify::includes(&solution, &squares_of(puzzle))
        });
    let refused = |fault| LabError::Refused { found_by: "the search for Sudoku solutions".to_owned(), fault };
    checked.map_err(refused)?;
    Ok(solution)
}
