//! Rules of the game: legal moves, points of a move, and games as lists of moves.

use std::collections::BTreeMap;
use std::fmt;

use schemars::JsonSchema;
use serde::Serialize;

use crate::board::Board;

/// Player of the game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, JsonSchema, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Player {
    /// The player who moves first.
    First,
    /// The player who moves second.
    Second,
}

impl Player {
    /// Returns the player of a move by its number, from 0, if players move in turn.
    #[must_use]
    pub fn from_move_number(number: usize) -> Self {
        if number.is_multiple_of(2) { Self::First } else { Self::Second }
    }

    /// Returns the opponent.
    #[must_use]
    pub fn other(self) -> Self {
        match self {
            Self::First => Self::Second,
            Self::Second => Self::First,
        }
    }
}

impl fmt::Display for Player {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::First => "first player",
            Self::Second => "second player",
        })
    }
}

/// Winner of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, JsonSchema, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Winner {
    /// The first player.
    First,
    /// The second player.
    Second,
    /// Neither player, because both have the same score.
    Neither,
}

impl Winner {
    /// Returns the winner, given the score of the first player minus that of the second.
    #[must_use]
    pub fn from_margin(margin: i64) -> Self {
        match margin {
            0 => Self::Neither,
            1.. => Self::First,
            _ => Self::Second,
        }
    }

    /// Returns the player who wins, or `None` for [`Winner::Neither`].
    #[must_use]
    pub fn player(self) -> Option<Player> {
        match self {
            Self::First => Some(Player::First),
            Self::Second => Some(Player::Second),
            Self::Neither => None,
        }
    }
}

/// Move of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Move {
    /// Index of the segment on the board.
    pub segment: usize,
    /// Points of the move.
    pub points: u32,
    /// Player who made it.
    pub player: Player,
    /// Player who moves after it.
    pub next: Player,
}

/// Error of a move that the rules do not allow.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum IllegalMove {
    /// The segment is drawn already.
    #[error("{segment} repeats move {number}")]
    Repeated {
        /// Name of the segment.
        segment: String,
        /// Number of the move that drew it, from 1.
        number: usize,
    },
    /// The segment crosses a drawn one.
    #[error("{segment} crosses {other}, which is move {number}")]
    Crosses {
        /// Name of the segment.
        segment: String,
        /// Name of the drawn segment.
        other: String,
        /// Number of the move that drew it, from 1.
        number: usize,
    },
}

/// Game on a board, finished or not.
///
/// # Examples
/// ```
/// use ndqueens_cliquer::board::{Board, Dot};
/// use ndqueens_cliquer::rules::Game;
///
/// let dots = [(0, 0), (10, 1), (4, 9)].map(|(x, y)| Dot { x, y });
/// let board = Board::new(dots.to_vec())?;
/// let mut game = Game::new(&board);
/// for name in ["A-B", "B-C", "A-C"] {
///     game.play(board.parse_segment(name)?)?;
/// }
/// assert_eq!(game.scores(), [1 + 4, 1]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Game<'b> {
    board: &'b Board,
    moves: Vec<Move>,
    /// For each dot, the dots that it is joined to, as bits.
    joined: Vec<u64>,
}

impl<'b> Game<'b> {
    /// Creates a game without moves.
    #[must_use]
    pub fn new(board: &'b Board) -> Self {
        Self { board, moves: Vec::new(), joined: vec![0; board.dots().len()] }
    }

    /// Creates the game with these moves, each a segment.
    ///
    /// # Errors
    /// Returns an error at the first move that is not allowed.
    pub fn replay(board: &'b Board, segments: &[usize]) -> Result<Self, IllegalMove> {
        let mut game = Self::new(board);
        for &segment in segments {
            game.play(segment)?;
        }
        Ok(game)
    }

    /// Returns the board.
    #[must_use]
    pub fn board(&self) -> &'b Board {
        self.board
    }

    /// Returns the moves so far.
    #[must_use]
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// Returns the drawn segments in the order of the moves.
    #[must_use]
    pub fn segments(&self) -> Vec<usize> {
        self.moves.iter().map(|made| made.segment).collect()
    }

    /// Returns the player to move.
    #[must_use]
    pub fn player(&self) -> Player {
        self.moves.last().map_or(Player::First, |last| last.next)
    }

    /// Returns the scores of the first and the second player.
    #[must_use]
    pub fn scores(&self) -> [u32; 2] {
        let mut scores = [0; 2];
        for made in &self.moves {
            scores[usize::from(made.player == Player::Second)] += made.points;
        }
        scores
    }

    /// Returns the score of the first player minus that of the second.
    #[must_use]
    pub fn margin(&self) -> i64 {
        let [first, second] = self.scores();
        i64::from(first) - i64::from(second)
    }

    fn is_drawn(&self, segment: usize) -> bool {
        let [a, b] = self.board.segments()[segment];
        self.joined[a] >> b & 1 == 1
    }

    /// Checks that a segment may be drawn now.
    ///
    /// # Errors
    /// Returns an error if the segment is drawn already or crosses a drawn one.
    pub fn check_move(&self, segment: usize) -> Result<(), IllegalMove> {
        let number =
            |of: usize| 1 + self.moves.iter().position(|made| made.segment == of).unwrap_or_default();
        if self.is_drawn(segment) {
            return Err(IllegalMove::Repeated { segment: self.board.name(segment), number: number(segment) });
        }
        match self.board.crossing(segment).iter().find(|&&other| self.is_drawn(other)) {
            None => Ok(()),
            Some(&other) => Err(IllegalMove::Crosses {
                segment: self.board.name(segment),
                other: self.board.name(other),
                number: number(other),
            }),
        }
    }

    /// Returns the segments that may be drawn now, increasing.
    #[must_use]
    pub fn legal_moves(&self) -> Vec<usize> {
        (0..self.board.segments().len()).filter(|&segment| self.check_move(segment).is_ok()).collect()
    }

    /// Groups the segments that may be drawn now by their points, most points first.
    #[must_use]
    pub fn legal_by_points(&self) -> Vec<(u32, Vec<usize>)> {
        let mut by_points: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
        for segment in self.legal_moves() {
            by_points.entry(self.points(segment)).or_default().push(segment);
        }
        by_points.into_iter().rev().collect()
    }

    /// Returns `true` if no further segment may be drawn.
    #[must_use]
    pub fn is_over(&self) -> bool {
        (0..self.board.segments().len()).all(|segment| self.check_move(segment).is_err())
    }

    /// Returns the points for drawing a segment now: with the usual scoring 1, and 3 for each triangle and 5
    /// for each set of four dots that it completes.
    #[must_use]
    pub fn points(&self, segment: usize) -> u32 {
        let [triangles, fours] = self.completed_cliques(segment);
        self.board.scoring().points(triangles, fours)
    }

    /// Returns the numbers of triangles and of sets of four dots that a segment would complete now.
    fn completed_cliques(&self, segment: usize) -> [u32; 2] {
        let [a, b] = self.board.segments()[segment];
        let common = self.joined[a] & self.joined[b];
        let (mut rest, mut pairs) = (common, 0);
        while rest != 0 {
            let dot = rest.trailing_zeros() as usize;
            rest &= rest - 1;
            pairs += (self.joined[dot] & rest).count_ones();
        }
        [common.count_ones(), pairs]
    }

    /// Draws a segment, and returns the move.
    ///
    /// # Errors
    /// Returns an error, and leaves the game as it is, if the segment is drawn already or
    /// crosses a drawn one.
    pub fn play(&mut self, segment: usize) -> Result<Move, IllegalMove> {
        self.check_move(segment)?;
        let ([triangles, fours], scoring) = (self.completed_cliques(segment), self.board.scoring());
        let player = self.player();
        let next = if scoring.moves_again(triangles, fours) { player } else { player.other() };
        let made = Move { segment, points: scoring.points(triangles, fours), player, next };
        self.toggle(segment);
        self.moves.push(made);
        Ok(made)
    }

    /// Takes back the last move, and returns it. Returns `None` at the start of the game.
    pub fn undo(&mut self) -> Option<Move> {
        let taken = self.moves.pop()?;
        self.toggle(taken.segment);
        Some(taken)
    }

    /// Draws or erases a segment.
    fn toggle(&mut self, segment: usize) {
        let [a, b] = self.board.segments()[segment];
        self.joined[a] ^= 1 << b;
        self.joined[b] ^= 1 << a;
    }
}
