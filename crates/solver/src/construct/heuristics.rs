//! Constructions and local search as the exact engine's primal heuristics.

use ndqueens_model::board::{Board, Grid, Square};
use ndqueens_notation::name::Piece;

use super::cut::Cut;
use super::local_search;
use ndqueens_exact::PrimalHeuristics;

/// Primal heuristics: subcube cuts on plain boxes for queens, and local search from the empty
/// set on every board.
#[derive(Debug, Clone, Copy)]
pub struct Heuristics;

impl PrimalHeuristics for Heuristics {
    fn construct(&self, board: &Board, work: u64) -> Option<Vec<Square>> {
        let grid = board.grid().filter(|grid| grid.piece() == Piece::Queen && !grid.is_torus());
        let cut = Cut::best(grid.map(Grid::sides)?, &[], work)?;
        Some(cut.squares().iter().filter_map(|square| board.square(square)).collect())
    }

    fn search(&self, board: &Board, seed: u64, work: u64, target: usize) -> Option<Vec<Square>> {
        local_search::quick(board, &[], seed, work, target)
    }
}
