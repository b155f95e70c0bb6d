//! The exact value of a game: by how many points the player to move wins the rest of it when both play best.
//!
//! The value of a position depends on the segments that are drawn alone, not on who drew them or on the scores so far, so it is
//! the largest of `points(move) - value(after the move)`, or, for a move that gives another one, of `points(move) + value(after it)`. Questions "is it at least k?" are answered by alpha-beta search with a
//! table of bounds, in which positions that a symmetry of the board takes to each other are one; from them the value follows.
//!
//! # References
//! D. E. Knuth and R. W. Moore, "An analysis of alpha-beta pruning", Artificial Intelligence 6 (1975);
//! A. Plaat, J. Schaeffer, W. Pijls and A. de Bruin, "Best-first fixed-depth minimax algorithms", Artificial Intelligence 87 (1996).

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::ops::ControlFlow;

use crate::board::Board;
use crate::rules::{Game, Player, Winner};
use crate::scoring::Scoring;
use crate::symmetry::symmetries;
use crate::triangulation::largest_total;

/// The most dots of a board whose games are searched: all its segments fit into 64 bits.
pub const MOST_DOTS: usize = 11;

/// The most positions that the table holds; what comes later is not kept.
const MOST_POSITIONS: usize = 1 << 26;

/// Nodes between two looks at whether to go on.
const NODES_AT_A_TIME: u64 = 4096;

/// The board has too many dots to be searched.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("games on boards of up to {MOST_DOTS} dots are searched, and this one has {0}")]
pub struct TooManyDots(pub usize);

/// Bounds on the value of a position, for the player to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bounds {
    /// It is at least this.
    pub lower: i32,
    /// It is at most this.
    pub upper: i32,
}

impl Bounds {
    /// The value, when it is known.
    #[must_use]
    pub fn value(self) -> Option<i32> {
        (self.lower == self.upper).then_some(self.lower)
    }
}

/// Bounds on the score of the first player less that of the second at the end of a game, when both play best from here on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Margin {
    /// It is at least this.
    pub at_least: i64,
    /// It is at most this.
    pub at_most: i64,
}

impl Margin {
    /// What bounds on the value of the rest of a game, for the player to move, say about all of it.
    #[must_use]
    pub fn of(game: &Game<'_>, rest: Bounds) -> Self {
        let (lower, upper) = (i64::from(rest.lower), i64::from(rest.upper));
        let (lower, upper) = match game.player() {
            Player::First => (lower, upper),
            Player::Second => (-upper, -lower),
        };
        Self { at_least: game.margin() + lower, at_most: game.margin() + upper }
    }

    /// The margin, when it is known.
    #[must_use]
    pub fn value(self) -> Option<i64> {
        (self.at_least == self.at_most).then_some(self.at_least)
    }

    /// Who wins, when that is known; the margin need not be.
    #[must_use]
    pub fn winner(self) -> Option<Winner> {
        let [least, most] = [self.at_least, self.at_most].map(Winner::of_margin);
        (least == most).then_some(least)
    }
}

/// The search was stopped before it had the answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stopped;

/// What the search needs of a position.
#[derive(Debug, Clone, Copy)]
struct Position {
    drawn: u64,
    legal: u64,
    /// For each dot, those that it is joined to, as bits.
    joined: [u16; MOST_DOTS],
}

/// A permutation of the segments, as the images of each byte of a set of them.
type Images = Box<[[u64; 256]; 8]>;

/// Searches the games on a board. What it learns of one position helps with the next.
pub struct Search<'a> {
    ends: Vec<[usize; 2]>,
    /// For each segment, itself and those that cross it, as bits.
    excluded: Vec<u64>,
    images: Vec<Images>,
    table: HashMap<u64, (i16, i16), BuildHasherDefault<Mixer>>,
    nodes: u64,
    node_limit: u64,
    scoring: Scoring,
    /// No game on the board scores more.
    most: i32,
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
    /// A search on this board. `go_on` is told the nodes so far now and then, and may stop it.
    ///
    /// # Errors
    /// When the board has too many dots.
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

    /// The same search, which stops when it has looked at so many positions.
    #[must_use]
    pub fn within(mut self, node_limit: u64) -> Self {
        self.node_limit = node_limit;
        self
    }

    /// Positions looked at so far.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Positions in the table.
    #[must_use]
    pub fn positions(&self) -> usize {
        self.table.len()
    }

    /// The value of the rest of a game for the player to move. Stopped early, it gives the bounds that it has, at first those that
    /// follow from [`largest_total`]: the rest of the game scores no more than is left of it, and each move the points of a segment at
    /// least.
    pub fn value(&mut self, game: &Game<'_>) -> Bounds {
        let position = self.position(game);
        if position.legal == 0 {
            return Bounds { lower: 0, upper: 0 };
        }
        let left = (game.board().moves() - game.moves().len()) as i32;
        let [first, second] = game.scores();
        let rest = self.most - (first + second) as i32;
        // Of the moves that are left, the player to move makes half, or one more; where moves give others, at least one.
        let [own, others] = match self.scoring.again() {
            None => [left - left / 2, left / 2],
            Some(_) => [1, 0],
        };
        let twice = 2 * self.scoring.values()[0] as i32;
        let mut bounds = Bounds { lower: twice * own - rest, upper: rest - twice * others };
        let mut guess = 0.clamp(bounds.lower, bounds.upper);
        while bounds.lower < bounds.upper {
            let asked = if guess == bounds.lower { guess + 1 } else { guess };
            let Ok(bound) = self.bound(&position, asked) else { break };
            guess = bound;
            if bound >= asked { bounds.lower = bound } else { bounds.upper = bound }
        }
        bounds
    }

    /// Whether the value of the rest of a game for the player to move is at least this.
    ///
    /// # Errors
    /// When the search is stopped.
    pub fn is_at_least(&mut self, game: &Game<'_>, value: i32) -> Result<bool, Stopped> {
        let position = self.position(game);
        Ok(self.bound(&position, value)? >= value)
    }

    /// The moves that keep the value, which is that of the rest of the game for the player to move.
    ///
    /// # Errors
    /// When the search is stopped.
    pub fn best_moves(&mut self, game: &Game<'_>, value: i32) -> Result<Vec<usize>, Stopped> {
        let position = self.position(game);
        let mut best = Vec::new();
        for segment in game.legal() {
            let (points, again) = self.points(&position, segment);
            let next = self.after(&position, segment);
            let keeps = if again {
                self.bound(&next, value - points)? >= value - points
            } else {
                self.bound(&next, points - value + 1)? <= points - value
            };
            if keeps {
                best.push(segment);
            }
        }
        Ok(best)
    }

    fn position(&self, game: &Game<'_>) -> Position {
        let all = u64::MAX >> (64 - self.ends.len());
        let none = Position { drawn: 0, legal: all, joined: [0; MOST_DOTS] };
        game.segments().iter().fold(none, |position, &segment| self.after(&position, segment))
    }

    fn after(&self, position: &Position, segment: usize) -> Position {
        let mut next = *position;
        let [a, b] = self.ends[segment];
        next.drawn |= 1 << segment;
        next.legal &= !self.excluded[segment];
        next.joined[a] |= 1 << b;
        next.joined[b] |= 1 << a;
        next
    }

    /// Returns the points of a move, and whether it gives another one.
    fn points(&self, position: &Position, segment: usize) -> (i32, bool) {
        let [a, b] = self.ends[segment];
        let common = position.joined[a] & position.joined[b];
        let (mut rest, mut pairs) = (common, 0);
        while rest != 0 {
            let dot = rest.trailing_zeros() as usize;
            rest &= rest - 1;
            pairs += (position.joined[dot] & rest).count_ones();
        }
        let triangles = common.count_ones();
        (self.scoring.points(triangles, pairs) as i32, self.scoring.moves_again(triangles, pairs))
    }

    /// A lower bound on the value that is at least `asked`, or else an upper bound that is less.
    fn bound(&mut self, position: &Position, asked: i32) -> Result<i32, Stopped> {
        if position.legal == 0 {
            return Ok(0);
        }
        if self.nodes >= self.node_limit {
            return Err(Stopped);
        }
        self.nodes += 1;
        if self.nodes.is_multiple_of(NODES_AT_A_TIME) && (self.go_on)(self.nodes).is_break() {
            return Err(Stopped);
        }
        let key = self.key(position.drawn);
        let (lower, upper) = self.known(key);
        if lower >= asked {
            return Ok(lower);
        }
        if upper < asked {
            return Ok(upper);
        }
        let mut moves = [(0, 0u8, false); 64];
        let (mut rest, mut count) = (position.legal, 0);
        while rest != 0 {
            let segment = rest.trailing_zeros() as usize;
            rest &= rest - 1;
            let (points, again) = self.points(position, segment);
            moves[count] = (-points, segment as u8, again);
            count += 1;
        }
        moves[..count].sort_unstable();
        let mut best = -self.most;
        for &(loss, segment, again) in &moves[..count] {
            let (next, points) = (self.after(position, usize::from(segment)), -loss);
            let value = if again {
                points + self.bound(&next, asked - points)?
            } else {
                points - self.bound(&next, points - asked + 1)?
            };
            best = best.max(value);
            if best >= asked {
                break;
            }
        }
        let known = if best >= asked { (best, upper) } else { (lower, best) };
        if self.table.len() < MOST_POSITIONS || self.table.contains_key(&key) {
            self.table.insert(key, (known.0 as i16, known.1 as i16));
        }
        Ok(best)
    }

    fn known(&self, key: u64) -> (i32, i32) {
        self.table.get(&key).map_or((-self.most, self.most), |&(lower, upper)| (lower.into(), upper.into()))
    }

    /// The least of the images of a set of segments.
    fn key(&self, drawn: u64) -> u64 {
        self.images.iter().map(|images| image(images, drawn)).fold(drawn, u64::min)
    }
}

fn image(images: &Images, set: u64) -> u64 {
    images.iter().zip(set.to_le_bytes()).fold(0, |image, (images, byte)| image | images[usize::from(byte)])
}

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

/// Hashes a set of segments by a multiplication whose halves are put together.
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
