//! Formula to which the proofs refer: variables, constraints and symmetries.

use std::collections::HashMap;
use std::fmt::Write as _;

use ndqueens_model::board::{Board, Line, Square};

use super::WRITE_TO_STRING;
use crate::search::indexed_board::IndexedBoard;

/// Constraints of the formula: constraint `i + 1` belongs to line `i`.
pub(super) struct LineRows {
    /// Lines of the board.
    pub(super) all: Vec<Line>,
    /// Line through two squares, keyed by the squares in increasing order.
    through: HashMap<[Square; 2], usize>,
}

impl LineRows {
    /// Collects the lines of a board.
    pub(super) fn new(board: &Board) -> Self {
        let all: Vec<Line> = board.lines().collect();
        let mut through = HashMap::new();
        for (number, line) in all.iter().enumerate() {
            let pairs = line.iter().flat_map(|&a| line.iter().map(move |&b| [a, b])).filter(|[a, b]| a < b);
            through.extend(pairs.map(|pair| (pair, number)));
        }
        Self { all, through }
    }

    /// Appends the constraint of the line through two squares, weakened to the squares selected by `is_kept`.
    pub(super) fn push_row(&self, a: Square, b: Square, is_kept: impl Fn(Square) -> bool, step: &mut String) {
        let line = self.through[&[a.min(b), a.max(b)]];
        write!(step, " {}", line + 1).expect(WRITE_TO_STRING);
        for &square in self.all[line].iter().filter(|&&square| !is_kept(square)) {
            write!(step, " {} w", variable(square)).expect(WRITE_TO_STRING);
        }
    }
}

/// Returns the variable of a square in formula and proof.
pub(super) fn variable(square: Square) -> String {
    format!("x{}", square + 1)
}

/// Returns a symmetry as a witness: the substitution of each variable that moves.
pub(super) fn witness(indexed: &IndexedBoard, element: u32) -> String {
    let mut witness = String::new();
    for &square in &indexed.squares {
        let image = indexed.image(element, square);
        if image != square {
            write!(witness, " {} {}", variable(square), variable(image)).expect(WRITE_TO_STRING);
        }
    }
    witness
}
