//! What a board is, in numbers.

use ndqueens_notation::counted::counted;
use schemars::JsonSchema;
use serde::Serialize;

use crate::board::{Board, Dot};
use crate::rules::Player;
use crate::symmetry::symmetries;
use crate::triangulation::largest_total;

/// What a board is.
#[derive(Debug, Clone, PartialEq, Eq, JsonSchema, Serialize)]
pub struct Facts {
    /// The number of dots.
    pub dots: usize,
    /// Dots on the hull.
    pub hull: usize,
    /// Pairs of dots.
    pub segments: usize,
    /// Pairs of segments that cross.
    pub crossings: usize,
    /// Sets of four dots that can be joined completely.
    pub attainable_4_cliques: usize,
    /// The order of the symmetry group.
    pub symmetries: usize,
    /// Moves of a game.
    pub moves: usize,
    /// Who makes the last one.
    pub last_mover: Option<Player>,
    /// The largest total score, by a theorem.
    pub largest_total: usize,
    /// The coordinates of the dots.
    pub places: Vec<[i64; 2]>,
}

impl Facts {
    /// What this board is.
    #[must_use]
    pub fn of(board: &Board) -> Self {
        Self {
            dots: board.dots().len(),
            hull: board.hull().len(),
            segments: board.segments().len(),
            crossings: board.crossings(),
            attainable_4_cliques: board.attainable(),
            symmetries: symmetries(board).len(),
            moves: board.moves(),
            last_mover: board
                .moves()
                .checked_sub(1)
                .filter(|_| board.scoring().again().is_none())
                .map(Player::of_move),
            largest_total: largest_total(board),
            places: board.dots().iter().map(|&Dot { x, y }| [x, y]).collect(),
        }
    }

    /// What a board is, in a few lines.
    #[must_use]
    pub fn described(&self) -> String {
        let Facts {
            dots,
            hull,
            segments,
            crossings,
            attainable_4_cliques,
            symmetries,
            moves,
            largest_total,
            ..
        } = self;
        let last =
            self.last_mover.map_or_else(String::new, |player| format!("; the {player} makes the last one"));
        format!(
            "{dots} dots, {hull} on the hull, no three on a line\n\
             {}, {crossings} pairs of them cross; {}\n\
             symmetry of order {symmetries}\n\
             a game takes {}{last}; the two scores add up to {largest_total} at most\n",
            counted(*segments, "segment"),
            counted(*attainable_4_cliques, "attainable 4-clique"),
            counted(*moves, "move")
        )
    }
}
