//! The rules: legal moves, what a move scores, and games as lists of moves.

use std::collections::BTreeMap;
use std::fmt;

use schemars::JsonSchema;
use serde::Serialize;

use crate::board::Board;

/// One of the two players.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, JsonSchema, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Player {
    /// Who moves first.
    First,
    /// Who moves second.
    Second,
}

impl Player {
    /// Returns the player of the move with this number, counted from 0, when players move in turn.
    #[must_use]
    pub fn of_move(number: usize) -> Self {
        if number.is_multiple_of(2) { Self::First } else { Self::Second }
    }

    /// The opponent.
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

/// Who wins a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, JsonSchema, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Winner {
    /// The first player.
    First,
    /// The second player.
    Second,
    /// Neither: both score the same.
    Neither,
}

impl Winner {
    /// Who wins when the first player scores so much more than the second.
    #[must_use]
    pub fn of_margin(margin: i64) -> Self {
        match margin {
            0 => Self::Neither,
            1.. => Self::First,
            _ => Self::Second,
        }
    }

    /// The player who wins, if one does.
    #[must_use]
    pub fn player(self) -> Option<Player> {
        match self {
            Self::First => Some(Player::First),
            Self::Second => Some(Player::Second),
            Self::Neither => None,
        }
    }
}

/// A move that was made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Move {
    /// The segment, by its place on the board.
    pub segment: usize,
    /// What it scored.
    pub points: u32,
    /// Player who made it.
    pub player: Player,
    /// Player who moves after it.
    pub next: Player,
}

/// Why a move is not allowed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum IllegalMove {
    /// The segment is there.
    #[error("{segment} repeats move {number}")]
    Repeated {
        /// The segment.
        segment: String,
        /// The number of the move that drew it, counted from 1.
        number: usize,
    },
    /// The segment would cross another one.
    #[error("{segment} crosses {other}, which is move {number}")]
    Crosses {
        /// The segment.
        segment: String,
        /// The one that is there.
        other: String,
        /// The number of the move that drew it, counted from 1.
        number: usize,
    },
}

/// A game on a board, as far as it has gone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Game<'b> {
    board: &'b Board,
    moves: Vec<Move>,
    /// For each dot, those that it is joined to, as bits.
    joined: Vec<u64>,
}

impl<'b> Game<'b> {
    /// A game that has not begun.
    #[must_use]
    pub fn new(board: &'b Board) -> Self {
        Self { board, moves: Vec::new(), joined: vec![0; board.dots().len()] }
    }

    /// The game after these moves, each a segment.
    ///
    /// # Errors
    /// With the place of the first move that is not allowed, counted from 0.
    pub fn after(board: &'b Board, segments: &[usize]) -> Result<Self, (usize, IllegalMove)> {
        let mut game = Self::new(board);
        for (number, &segment) in segments.iter().enumerate() {
            game.play(segment).map_err(|fault| (number, fault))?;
        }
        Ok(game)
    }

    /// The board.
    #[must_use]
    pub fn board(&self) -> &'b Board {
        self.board
    }

    /// The moves so far.
    #[must_use]
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// The segments that are drawn, in the order of the moves.
    #[must_use]
    pub fn segments(&self) -> Vec<usize> {
        self.moves.iter().map(|made| made.segment).collect()
    }

    /// Who moves next.
    #[must_use]
    pub fn player(&self) -> Player {
        self.moves.last().map_or(Player::First, |last| last.next)
    }

    /// What the first and the second player have scored.
    #[must_use]
    pub fn scores(&self) -> [u32; 2] {
        let mut scores = [0; 2];
        for made in &self.moves {
            scores[usize::from(made.player == Player::Second)] += made.points;
        }
        scores
    }

    /// What the first player has scored less what the second has.
    #[must_use]
    pub fn margin(&self) -> i64 {
        let [first, second] = self.scores();
        i64::from(first) - i64::from(second)
    }

    fn is_drawn(&self, segment: usize) -> bool {
        let [a, b] = self.board.segments()[segment];
        self.joined[a] >> b & 1 == 1
    }

    /// Whether a segment may be drawn now.
    ///
    /// # Errors
    /// When it is there, or crosses one that is there.
    pub fn may(&self, segment: usize) -> Result<(), IllegalMove> {
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

    /// The segments that may be drawn now, increasing.
    #[must_use]
    pub fn legal(&self) -> Vec<usize> {
        (0..self.board.segments().len()).filter(|&segment| self.may(segment).is_ok()).collect()
    }

    /// The segments that may be drawn now by what they score, most points first.
    #[must_use]
    pub fn legal_by_points(&self) -> Vec<(u32, Vec<usize>)> {
        let mut by_points: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
        for segment in self.legal() {
            by_points.entry(self.points(segment)).or_default().push(segment);
        }
        by_points.into_iter().rev().collect()
    }

    /// Whether no segment may be drawn any more.
    #[must_use]
    pub fn is_over(&self) -> bool {
        (0..self.board.segments().len()).all(|segment| self.may(segment).is_err())
    }

    /// Returns the points for drawing a segment now: by the usual rules 1, and 3 for each triangle and 5 for each four dots that it completes.
    #[must_use]
    pub fn points(&self, segment: usize) -> u32 {
        let [triangles, fours] = self.completed(segment);
        self.board.scoring().points(triangles, fours)
    }

    /// Returns how many triangles and sets of four dots a segment would complete now.
    fn completed(&self, segment: usize) -> [u32; 2] {
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

    /// Draws a segment.
    ///
    /// # Errors
    /// When it is there, or crosses one that is there; then nothing has changed.
    pub fn play(&mut self, segment: usize) -> Result<Move, IllegalMove> {
        self.may(segment)?;
        let ([triangles, fours], scoring) = (self.completed(segment), self.board.scoring());
        let player = self.player();
        let next = if scoring.moves_again(triangles, fours) { player } else { player.other() };
        let made = Move { segment, points: scoring.points(triangles, fours), player, next };
        self.toggle(segment);
        self.moves.push(made);
        Ok(made)
    }

    /// Takes back the last move.
    pub fn undo(&mut self) -> Option<Move> {
        let taken = self.moves.pop()?;
        self.toggle(taken.segment);
        Some(taken)
    }

    fn toggle(&mut self, segment: usize) {
        let [a, b] = self.board.segments()[segment];
        self.joined[a] ^= 1 << b;
        self.joined[b] ^= 1 << a;
    }
}
