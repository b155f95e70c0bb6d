//! Clues that rule each other out.

use std::fmt;

use crate::puzzle::{Clue, Puzzle};
use crate::search::{Budget, End, solutions};

/// Clues of a puzzle that no filled grid has together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Conflict {
    /// The clues.
    pub clues: Vec<Clue>,
    /// Whether it is known that without any one of them the others go together.
    pub minimal: bool,
    /// The row, column or box that two equal clues stand in, when they are the conflict.
    pub unit: Option<&'static str>,
}

/// What is wrong: a sentence about two equal clues of a row, column or box, else a line for each clue.
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

/// Clues of a puzzle without solutions that rule each other out: one after another is left out if the others still do. Each such
/// question has this budget; one that spends it keeps its clue.
#[must_use]
pub fn conflict(puzzle: &Puzzle, budget: Budget<'_>) -> Conflict {
    if let Some((clues, unit)) = puzzle.contradiction() {
        return Conflict { clues: clues.to_vec(), minimal: true, unit: Some(unit) };
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
    Conflict { clues: rest.clues().collect(), minimal, unit: None }
}
