//! Exact value of a game: the points by which the player to move wins the rest of it under optimal play.
//!
//! The value of a position depends only on the drawn segments, not on the player who drew them or on the
//! scores so far. It is the maximum over all moves of `points(move) - value(after the move)`, or of
//! `points(move) + value(after the move)` for a move that gives another one. The value is found by a sequence
//! of null-window alpha-beta searches with a transposition table of bounds, in which positions are identified
//! that a symmetry of the board maps to each other.
//!
//! # References
//! D. E. Knuth and R. W. Moore, "An analysis of alpha-beta pruning", Artificial Intelligence 6 (1975);
//! A. Plaat, J. Schaeffer, W. Pijls and A. de Bruin, "Best-first fixed-depth minimax algorithms", Artificial
//! Intelligence 87 (1996).

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::ops::ControlFlow;

use crate::board::Board;
use crate::rules::{Game, Player, Winner};
use crate::scoring::Scoring;
use crate::symmetry::symmetries;
use crate::triangulation::largest_total;

/// Maximum number of dots of a board whose games are searched, because all its segments fit into 64 bits.
pub const MOST_DOTS: usize = 11;

/// Maximum number of positions in the table; later ones are not stored.
const MOST_POSITIONS: usize = 1 << 26;

/// Number of nodes between two calls of the progress callback.
const NODES_PER_CALL: u64 = 4096;

/// Error of a board with too many dots to be searched.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("games on boards of up to {MOST_DOTS} dots are searched, and this one has {0}")]
pub struct TooManyDots(pub usize);

/// Bounds on the value of a position, for the player to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bounds {
    /// Lower bound.
    pub lower: i32,
    /// Upper bound.
    pub upper: i32,
}

impl Bounds {
    /// Returns the value, or `None` if the bounds differ.
    #[must_use]
    pub fn value(self) -> Option<i32> {
        (self.lower == self.upper).then_some(self.lower)
    }
}

/// Bounds on the score of the first player minus that of the second at the end of a game, under
/// optimal play from now on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Margin {
    /// Lower bound.
    pub at_least: i64,
    /// Upper bound.
    pub at_most: i64,
}

impl Margin {
    /// Computes the margin of a game from bounds on the value of the rest of it for the player to move.
    #[must_use]
    pub fn new(game: &Game<'_>, rest: Bounds) -> Self {
        let (lower, upper) = (i64::from(rest.lower), i64::from(rest.upper));
        let (lower, upper) = match game.player() {
            Player::First => (lower, upper),
            Player::Second => (-upper, -lower),
        };
        Self { at_least: game.margin() + lower, at_most: game.margin() + upper }
    }

    /// Returns the margin, or `None` if the bounds differ.
    #[must_use]
    pub fn value(self) -> Option<i64> {
        (self.at_least == self.at_most).then_some(self.at_least)
    }

    /// Returns the winner, or `None` if the bounds leave it open; the margin may still be unknown.
    #[must_use]
    pub fn winner(self) -> Option<Winner> {
        let [least, most] = [self.at_least, self.at_most].map(Winner::from_margin);
        (least == most).then_some(least)
    }
}

/// Error of a search that stopped before it had the answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stopped;

/// Position of the search.
#[derive(Debug, Clone, Copy)]
struct Position {
    /// Drawn segments, as bits.
    drawn: u64,
    /// Segments that may be drawn, as bits.
    legal: u64,
    /// For each dot, the dots that it is joined to, as bits.
    joined: [u16; MOST_DOTS],
}

/// Points of a move, and `true` if it gives another one.
#[derive(Debug, Clone, Copy)]
struct MoveScore {
    points: i32,
    moves_again: bool,
}

/// Permutation of the segments, as the images of each byte of a set of them.
type Images = Box<[[u64; 256]; 8]>;

/// Search of the games on a board. Its table is kept from one position to the next.
pub struct Search<'a> {
    ends: Vec<[usize; 2]>,
    /// For each segment, the segment itself and those that cross it, as bits.
    excluded: Vec<u64>,
    /// Symmetries of the board other than the identity.
    images: Vec<Images>,
    /// Lower and upper bound of positions, by [`Search::key`].
    table: HashMap<u64, (i16, i16), BuildHasherDefault<Mixer>>,
    nodes: u64,
    node_limit: u64,
    scoring: Scoring,
    /// Upper bound on the total score of a game on the board.
    most: i32,
    /// Progress callback, called with the number of nodes.
    go_on: &'a mut dyn FnMut(u64) -> ControlFlow<()>,
}

impl std::fmt::Debug for Search<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Search")
            .field("nodes", &self.nodes)
            .field("positions", &self.table.len())
            .finish_non_exhaustive()
    }
}

impl<'a> Search<'a> {
    /// Creates a search on a board. `go_on` is called regularly with the number of nodes so far, and
    /// may stop the search.
    ///
    /// # Errors
    /// Returns an error if the board has too many dots.
    pub fn new(board: &Board, go_on: &'a mut dyn FnMut(u64) -> ControlFlow<()>) -> Result<Self, TooManyDots> {
        let n = board.dots().len();
        if n > MOST_DOTS {
            return Err(TooManyDots(n));
        }
        let count = board.segments().len();
        let excluded = (0..count).map(|s| board.crossing(s).iter().fold(1 << s, |set, &t| set | 1u64 << t));
        Ok(Self {
            ends: board.segments().to_vec(),
            excluded: excluded.collect(),
            images: symmetries(board).iter().skip(1).map(|dots| images(board, dots)).collect(),
            table: HashMap::default(),
            nodes: 0,
            node_limit: u64::MAX,
            scoring: board.scoring(),
            most: largest_total(board) as i32,
            go_on,
        })
    }

    /// Sets the maximum number of positions that are searched.
    #[must_use]
    pub fn with_node_limit(mut self, node_limit: u64) -> Self {
        self.node_limit = node_limit;
        self
    }

    /// Returns the number of positions searched so far.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Returns the number of positions in the table.
    #[must_use]
    pub fn positions(&self) -> usize {
        self.table.len()
    }

    /// Returns bounds on the value of the rest of a game for the player to move, which are equal unless the
    /// search stops early.
    ///
    /// The initial bounds follow from [`largest_total`], which limits the points of the rest of the game, and
    /// from the points of a segment, which each move scores at least.
    pub fn value(&mut self, game: &Game<'_>) -> Bounds {
        let position = self.position(game);
        if position.legal == 0 {
            return Bounds { lower: 0, upper: 0 };
        }
        let left = (game.board().moves() - game.moves().len()) as i32;
        let [first, second] = game.scores();
        let rest = self.most - (first + second) as i32;
        // The player to move makes half of the remaining moves, rounded up, or at least one if
        // moves may give others.
        let [own, others] = match self.scoring.again() {
            None => [left - left / 2, left / 2],
            Some(_) => [1, 0],
        };
        let twice = 2 * self.scoring.values()[0] as i32;
        let mut bounds = Bounds { lower: twice * own - rest, upper: rest - twice * others };
        let mut guess = 0.clamp(bounds.lower, bounds.upper);
        while bounds.lower < bounds.upper {
            let target = if guess == bounds.lower { guess + 1 } else { guess };
            let Ok(bound) = self.bound(&position, target) else { break };
            guess = bound;
            if bound >= target { bounds.lower = bound } else { bounds.upper = bound }
        }
        bounds
    }

    /// Returns `true` if the value of the rest of a game for the player to move is at least `value`.
    ///
    /// # Errors
    /// Returns an error if the search is stopped.
    pub fn is_at_least(&mut self, game: &Game<'_>, value: i32) -> Result<bool, Stopped> {
        let position = self.position(game);
        Ok(self.bound(&position, value)? >= value)
    }

    /// Returns the optimal moves, given the value of the rest of the game for the player to move.
    ///
    /// # Errors
    /// Returns an error if the search is stopped.
    pub fn best_moves(&mut self, game: &Game<'_>, value: i32) -> Result<Vec<usize>, Stopped> {
        let position = self.position(game);
        let mut best = Vec::new();
        for segment in game.legal_moves() {
            let MoveScore { points, moves_again } = self.score_move(&position, segment);
            let next = self.play(&position, segment);
            let is_optimal = if moves_again {
                self.bound(&next, value - points)? >= value - points
            } else {
                self.bound(&next, points - value + 1)? <= points - value
            };
            if is_optimal {
                best.push(segment);
            }
        }
        Ok(best)
    }

    /// Returns the position of a game.
    fn position(&self, game: &Game<'_>) -> Position {
        let all = u64::MAX >> (64 - self.ends.len());
        let start = Position { drawn: 0, legal: all, joined: [0; MOST_DOTS] };
        game.segments().iter().fold(start, |position, &segment| self.play(&position, segment))
    }

    /// Returns the position after a move.
    fn play(&self, position: &Position, segment: usize) -> Position {
        let mut next = *position;
        let [a, b] = self.ends[segment];
        next.drawn |= 1 << segment;
        next.legal &= !self.excluded[segment];
        next.joined[a] |= 1 << b;
        next.joined[b] |= 1 << a;
        next
    }

    /// Computes the points of a move.
    fn score_move(&self, position: &Position, segment: usize) -> MoveScore {
        let [a, b] = self.ends[segment];
        let common = position.joined[a] & position.joined[b];
        let (mut rest, mut pairs) = (common, 0);
        while rest != 0 {
            let dot = rest.trailing_zeros() as usize;
            rest &= rest - 1;
            pairs += (position.joined[dot] & rest).count_ones();
        }
        let triangles = common.count_ones();
        MoveScore {
            points: self.scoring.points(triangles, pairs) as i32,
            moves_again: self.scoring.moves_again(triangles, pairs),
        }
    }

    /// Returns a lower bound on the value that is at least `target`, or an upper bound that is
    /// less than `target`.
    fn bound(&mut self, position: &Position, target: i32) -> Result<i32, Stopped> {
        if position.legal == 0 {
            return Ok(0);
        }
        if self.nodes >= self.node_limit {
            return Err(Stopped);
        }
        self.nodes += 1;
        if self.nodes.is_multiple_of(NODES_PER_CALL) && (self.go_on)(self.nodes).is_break() {
            return Err(Stopped);
        }
        let key = self.key(position.drawn);
        let (lower, upper) = self.stored_bounds(key);
        if lower >= target {
            return Ok(lower);
        }
        if upper < target {
            return Ok(upper);
        }
        let mut moves = [(0, 0u8, false); 64];
        let (mut rest, mut count) = (position.legal, 0);
        while rest != 0 {
            let segment = rest.trailing_zeros() as usize;
            rest &= rest - 1;
            let MoveScore { points, moves_again } = self.score_move(position, segment);
            moves[count] = (-points, segment as u8, moves_again);
            count += 1;
        }
        moves[..count].sort_unstable();
        let mut best = -self.most;
        for &(loss, segment, moves_again) in &moves[..count] {
            let (next, points) = (self.play(position, usize::from(segment)), -loss);
            let value = if moves_again {
                points + self.bound(&next, target - points)?
            } else {
                points - self.bound(&next, points - target + 1)?
            };
            best = best.max(value);
            if best >= target {
                break;
            }
        }
        let bounds = if best >= target { (best, upper) } else { (lower, best) };
        if self.table.len() < MOST_POSITIONS || self.table.contains_key(&key) {
            self.table.insert(key, (bounds.0 as i16, bounds.1 as i16));
        }
        Ok(best)
    }

    /// Returns the stored lower and upper bound of a position, or trivial bounds if no bounds are stored.
    fn stored_bounds(&self, key: u64) -> (i32, i32) {
        self.table.get(&key).map_or((-self.most, self.most), |&(lower, upper)| (lower.into(), upper.into()))
    }

    /// Returns the smallest image of a set of segments under the symmetries of the board.
    fn key(&self, drawn: u64) -> u64 {
        self.images.iter().map(|images| image(images, drawn)).fold(drawn, u64::min)
    }
}

/// Returns the image of a set of segments.
fn image(images: &Images, set: u64) -> u64 {
    images.iter().zip(set.to_le_bytes()).fold(0, |image, (images, byte)| image | images[usize::from(byte)])
}

/// Tabulates the permutation of the segments that a permutation of the dots induces.
fn images(board: &Board, dots: &[usize]) -> Images {
    let mut images = Box::new([[0; 256]; 8]);
    let segments: Vec<u64> =
        board.segments().iter().map(|&[a, b]| 1 << board.segment(dots[a], dots[b])).collect();
    for (number, images) in images.iter_mut().enumerate() {
        for (byte, image) in images.iter_mut().enumerate() {
            let bits = (0..8).filter(|bit| byte >> bit & 1 == 1);
            *image = bits.filter_map(|bit| segments.get(8 * number + bit)).fold(0, |set, bit| set | bit);
        }
    }
    images
}

/// Hasher of a set of segments: the halves of a product, combined by exclusive or.
#[derive(Debug, Default, Clone, Copy)]
struct Mixer(u64);

impl Hasher for Mixer {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u64(u64::from(byte));
        }
    }

    fn write_u64(&mut self, set: u64) {
        let product = u128::from(self.0 ^ set).wrapping_mul(0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835);
        self.0 = (product >> 64) as u64 ^ product as u64;
    }
}
