//! Clues that rule each other out.

use crate::puzzle::{Clue, Puzzle};
use crate::search::{End, solutions};

/// Clues of a puzzle that no filled grid has together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Clash {
    /// The clues.
    pub clues: Vec<Clue>,
    /// Whether it is known that without any one of them the others go together.
    pub minimal: bool,
}

/// Clues of a puzzle without solutions that rule each other out: one after another is left out if the others still do. Each such
/// question may take so many nodes; one that takes more keeps its clue.
#[must_use]
pub fn clash(puzzle: &Puzzle, nodes: u64) -> Clash {
    if let Some(clues) = pair(puzzle) {
        return Clash { clues: clues.to_vec(), minimal: true };
    }
    let mut rest = puzzle.clone();
    let mut minimal = true;
    for cell in 0..rest.cells.len() {
        let Some(clue) = rest.cells[cell].take() else { continue };
        let (found, end) = solutions(&rest, 1, nodes);
        minimal &= end != End::Limit;
        if !found.is_empty() || end == End::Limit {
            rest.cells[cell] = Some(clue);
        }
    }
    Clash { clues: rest.clues().collect(), minimal }
}

/// Two clues of one number in a row, a column or a box.
fn pair(puzzle: &Puzzle) -> Option<[Clue; 2]> {
    let b = puzzle.order;
    let clues: Vec<Clue> = puzzle.clues().collect();
    let clashes = |one: &Clue, other: &Clue| {
        let in_one_box = one.row / b == other.row / b && one.column / b == other.column / b;
        one.number == other.number && (one.row == other.row || one.column == other.column || in_one_box)
    };
    let before =
        |at: usize| clues[..at].iter().find(|one| clashes(one, &clues[at])).map(|one| [*one, clues[at]]);
    (0..clues.len()).find_map(before)
}
