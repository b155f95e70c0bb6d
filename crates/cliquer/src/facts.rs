//! Numbers that describe a board.

use ndqueens_notation::counted::counted;
use schemars::JsonSchema;
use serde::Serialize;

use crate::board::{Board, Dot};
use crate::rules::Player;
use crate::symmetry::symmetries;
use crate::triangulation::largest_total;

/// Numbers that describe a board.
#[derive(Debug, Clone, PartialEq, Eq, JsonSchema, Serialize)]
pub struct Facts {
    /// Number of dots.
    pub dots: usize,
    /// Number of dots on the convex hull.
    pub hull: usize,
    /// Number of segments, which are the pairs of dots.
    pub segments: usize,
    /// Number of crossing pairs of segments.
    pub crossings: usize,
    /// Number of sets of four dots that can be joined completely.
    pub attainable_4_cliques: usize,
    /// Order of the symmetry group.
    pub symmetries: usize,
    /// Number of moves of a finished game.
    pub moves: usize,
    /// Player of the last move, unless a move may give another one.
    pub last_mover: Option<Player>,
    /// Largest total score of a finished game, by a theorem.
    pub largest_total: usize,
    /// Coordinates of the dots.
    pub places: Vec<[i64; 2]>,
}

impl Facts {
    /// Computes the facts of a board.
    #[must_use]
    pub fn new(board: &Board) -> Self {
        Self {
            dots: board.dots().len(),
            hull: board.hull().len(),
            segments: board.segments().len(),
            crossings: board.crossings(),
            attainable_4_cliques: board.four_clique_count(),
            symmetries: symmetries(board).len(),
            moves: board.moves(),
            last_mover: board
                .moves()
                .checked_sub(1)
                .filter(|_| board.scoring().again().is_none())
                .map(Player::from_move_number),
            largest_total: largest_total(board),
            places: board.dots().iter().map(|&Dot { x, y }| [x, y]).collect(),
        }
    }

    /// Describes the board in a few lines.
    #[must_use]
    pub fn describe(&self) -> String {
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
