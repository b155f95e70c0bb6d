//! The formula that the proofs are about: its variables, rows and symmetries.

use std::collections::HashMap;
use std::fmt::Write as _;

use ndqueens_model::board::{Board, Line, Square};

use super::STRING;
use crate::search::indexed_board::IndexedBoard;

/// The rows of the formula: row `i + 1` is line `i`.
pub(super) struct Lines {
    pub(super) all: Vec<Line>,
    /// The line through two squares, the smaller one first.
    through: HashMap<[Square; 2], usize>,
}

impl Lines {
    pub(super) fn of(board: &Board) -> Self {
        let all: Vec<Line> = board.lines().collect();
        let mut through = HashMap::new();
        for (number, line) in all.iter().enumerate() {
            let pairs = line.iter().flat_map(|&a| line.iter().map(move |&b| [a, b])).filter(|[a, b]| a < b);
            through.extend(pairs.map(|pair| (pair, number)));
        }
        Self { all, through }
    }

    /// Writes the row of the line through two squares, weakened to some of its squares.
    pub(super) fn push_row(&self, a: Square, b: Square, kept: impl Fn(Square) -> bool, step: &mut String) {
        let line = self.through[&[a.min(b), a.max(b)]];
        write!(step, " {}", line + 1).expect(STRING);
        for &square in self.all[line].iter().filter(|&&square| !kept(square)) {
            write!(step, " {} w", variable(square)).expect(STRING);
        }
    }
}

/// The name of a square in formula and proof.
pub(super) fn variable(square: Square) -> String {
    format!("x{}", square + 1)
}

/// A symmetry as a witness: what takes the place of each variable that moves.
pub(super) fn witness(indexed: &IndexedBoard, element: u32) -> String {
    let mut witness = String::new();
    for &square in &indexed.squares {
        let image = indexed.image(element, square);
        if image != square {
            write!(witness, " {} {}", variable(square), variable(image)).expect(STRING);
        }
    }
    witness
}
