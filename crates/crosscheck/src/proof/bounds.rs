//! Bounds of boxes that a proof has shown so far.

use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};

use ndqueens_notation::name::{BoardName, Piece};

/// Bounds of a proof, which its trees share. A tree may cite the bounds of earlier statements.
#[derive(Debug, Default)]
pub(super) struct ProvedBounds {
    /// Number of the statement and bound, by board with sorted sides. The numbers increase, and the bounds
    /// decrease.
    by_board: RwLock<HashMap<BoardName, Vec<(u64, u64)>>>,
}

impl ProvedBounds {
    /// Adds the bound of a statement, whose number is larger than all numbers before.
    pub(super) fn insert(&self, statement: u64, board: BoardName, bound: u64) {
        let mut by_board = self.by_board.write().unwrap_or_else(PoisonError::into_inner);
        let bounds = by_board.entry(board).or_default();
        if bounds.last().is_none_or(|&(_, known)| bound < known) {
            bounds.push((statement, bound));
        }
    }

    /// Returns the least bound of `board` among the statements before number `before`.
    pub(super) fn before(&self, before: u64, board: &BoardName) -> Option<u64> {
        let by_board = self.by_board.read().unwrap_or_else(PoisonError::into_inner);
        let bounds = by_board.get(board)?;
        bounds.iter().rev().find(|(statement, _)| *statement < before).map(|&(_, bound)| bound)
    }

    /// Returns the least bound of each board.
    pub(super) fn least(&self) -> HashMap<BoardName, u64> {
        let by_board = self.by_board.read().unwrap_or_else(PoisonError::into_inner);
        let last = |(board, bounds): (&BoardName, &Vec<(u64, u64)>)| Some((board.clone(), bounds.last()?.1));
        by_board.iter().filter_map(last).collect()
    }
}

/// Bounds that the tree of a statement may cite.
#[derive(Debug, Clone)]
pub(super) struct CitableBounds {
    pub(super) proved: Arc<ProvedBounds>,
    /// Number of the statement.
    pub(super) before: u64,
}

impl CitableBounds {
    /// Returns the bound of a board with sorted sides.
    pub(super) fn get(&self, board: &BoardName) -> Option<u64> {
        self.proved.before(self.before, board)
    }

    /// Returns the bounds of the boxes inside `board`, if it is a plain box.
    pub(super) fn boxes(&self, board: &BoardName) -> Option<Boxes<'_>> {
        match board {
            BoardName::Grid { piece, torus: false, .. } => Some(Boxes { piece: *piece, bounds: self }),
            _ => None,
        }
    }
}

/// Bounds of the boxes inside a plain box.
#[derive(Debug, Clone, Copy)]
pub(super) struct Boxes<'b> {
    pub(super) piece: Piece,
    bounds: &'b CitableBounds,
}

impl Boxes<'_> {
    /// Returns the bound of the box with these sides.
    ///
    /// # Errors
    /// Returns the name of the box if no bound of it has been proved.
    pub(super) fn bound(&self, sides: &[u32]) -> Result<u64, BoardName> {
        let name = BoardName::grid(self.piece, false, sides).with_sorted_sides();
        self.bounds.get(&name).ok_or(name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trees_cite_earlier_statements_only() {
        let board: BoardName = "2x2".parse().expect("a board");
        let proved = Arc::new(ProvedBounds::default());
        for (statement, bound) in [(1, 3), (4, 5), (5, 2)] {
            proved.insert(statement, board.clone(), bound);
        }
        let cited = |before| CitableBounds { proved: Arc::clone(&proved), before }.get(&board);
        assert_eq!([0, 1, 2, 5, 6].map(cited), [None, None, Some(3), Some(3), Some(2)]);
        assert_eq!(proved.least(), HashMap::from([(board, 2)]));
    }
}
