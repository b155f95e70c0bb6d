//! Minimal sets of clues that no solution contains.

use std::fmt;

use crate::puzzle::{Clue, Puzzle};
use crate::search::{Budget, SearchEnd, solutions};

/// Clues of a puzzle that no filled grid contains together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Conflict {
    /// The clues, in the order of their cells.
    pub clues: Vec<Clue>,
    /// `true` if every proper subset of the clues is known to have a solution.
    pub minimal: bool,
    /// Row, column, box or diagonal of two equal clues, if the conflict consists of these.
    pub unit: Option<&'static str>,
}

/// Writes one sentence if a unit repeats a number, and otherwise one line for each clue.
impl fmt::Display for Conflict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.unit, &self.clues[..]) {
            (Some(unit), [one, other]) => {
                return write!(f, "the clues contradict each other: {one} and {other} are in one {unit}");
            }
            (_, [_]) => f.write_str("1 clue rules it out")?,
            (_, clues) => write!(f, "{} clues rule each other out", clues.len())?,
        }
        f.write_str(if self.minimal { ", and no part of them does:" } else { ":" })?;
        self.clues.iter().try_for_each(|clue| write!(f, "\n{clue}"))
    }
}

/// Returns a conflict of a puzzle without solutions: clues are removed one by one as long as the
/// rest has no solution.
///
/// Each removal is decided with a budget of its own. If the budget is spent, the clue stays and the conflict
/// may not be minimal.
#[must_use]
pub fn conflict(puzzle: &Puzzle, budget: Budget<'_>) -> Conflict {
    if let Some(repeated) = puzzle.contradiction() {
        return Conflict { clues: repeated.clues.to_vec(), minimal: true, unit: Some(repeated.unit) };
    }
    let mut rest = puzzle.clone();
    let mut minimal = true;
    for cell in 0..rest.cells.len() {
        let Some(clue) = rest.cells[cell].take() else { continue };
        let (found, end) = solutions(&rest, 1, budget);
        minimal &= end != SearchEnd::Limit;
        if !found.is_empty() || end == SearchEnd::Limit {
            rest.cells[cell] = Some(clue);
        }
    }
    Conflict { clues: rest.clues().collect(), minimal, unit: None }
}
