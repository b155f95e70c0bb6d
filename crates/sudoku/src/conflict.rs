//! Clues that rule each other out.

use crate::puzzle::{Clue, Puzzle};
use crate::search::{Budget, End, solutions};

/// Clues of a puzzle that no filled grid has together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Conflict {
    /// The clues.
    pub clues: Vec<Clue>,
    /// Whether it is known that without any one of them the others go together.
    pub minimal: bool,
}

/// Clues of a puzzle without solutions that rule each other out: one after another is left out if the others still do. Each such
/// question has this budget; one that spends it keeps its clue.
#[must_use]
pub fn conflict(puzzle: &Puzzle, budget: Budget<'_>) -> Conflict {
    if let Some(clues) = puzzle.contradiction() {
        return Conflict { clues: clues.to_vec(), minimal: true };
    }
    let mut rest = puzzle.clone();
    let mut minimal = true;
    for cell in 0..rest.cells.len() {
        let Some(clue) = rest.cells[cell].take() else { continue };
        let (found, end) = solutions(&rest, 1, budget);
        minimal &= end != End::Limit;
        if !found.is_empty() || end == End::Limit {
            rest.cells[cell] = Some(clue);
        }
    }
    Conflict { clues: rest.clues().collect(), minimal }
}
