//! Independent check of a finished game, from the dots and the joined pairs alone.
//!
//! The crossing test (the intersection of two lines, in fractions), the hull (pairs of dots with all others
//! on one side) and the score (a count of joined sets of three and four dots) share no code with the search.

use crate::board::{Dot, letter};

/// Error of segments that are not a finished game.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NotFinished {
    /// A segment is repeated.
    #[error("the segment {}-{} is there twice", letter(.0[0]), letter(.0[1]))]
    Repeated([usize; 2]),
    /// Two segments cross.
    #[error("the segments {}-{} and {}-{} cross", letter(.0[0]), letter(.0[1]), letter(.1[0]), letter(.1[1]))]
    Crossing([usize; 2], [usize; 2]),
    /// A segment may still be drawn.
    #[error("the segment {}-{} might still be drawn", letter(.0[0]), letter(.0[1]))]
    Open([usize; 2]),
    /// The number of segments is not 3n - 3 - h.
    #[error("there are {found} segments, and 3n - 3 - h is {expected}")]
    Count {
        /// Number of segments.
        found: usize,
        /// 3n - 3 - h.
        expected: usize,
    },
}

/// Computes the total score of a finished game on the dots of a board.
///
/// Each segment is given by its two ends, the smaller index first; `values` are the points of cliques of two,
/// three and four dots.
///
/// # Errors
/// Returns an error if two segments cross, or if a segment is repeated or missing.
pub fn total(dots: &[Dot], segments: &[[usize; 2]], values: [u32; 3]) -> Result<u32, NotFinished> {
    let n = dots.len();
    let mut joined = vec![vec![false; n]; n];
    for (number, &[a, b]) in segments.iter().enumerate() {
        if joined[a][b] {
            return Err(NotFinished::Repeated([a, b]));
        }
        (joined[a][b], joined[b][a]) = (true, true);
        if let Some(&other) = segments[..number].iter().find(|&&other| meet(dots, [a, b], other)) {
            return Err(NotFinished::Crossing([a, b], other));
        }
    }
    let pairs = (0..n).flat_map(|a| (a + 1..n).map(move |b| [a, b]));
    if let Some(open) = pairs
        .clone()
        .filter(|&[a, b]| !joined[a][b])
        .find(|&open| !segments.iter().any(|&drawn| meet(dots, open, drawn)))
    {
        return Err(NotFinished::Open(open));
    }
    let hull = pairs.filter(|&pair| is_on_hull(dots, pair)).count();
    let expected = 3 * n - 3 - hull;
    if segments.len() != expected {
        return Err(NotFinished::Count { found: segments.len(), expected });
    }
    let [triangles, fours] = cliques(&joined);
    Ok(values[0] * segments.len() as u32 + values[1] * triangles + values[2] * fours)
}

/// Computes the scores of the first and the second player after these moves, each given by its two ends.
///
/// `values` are the points of cliques of two, three and four dots. A player who completes a clique
/// of at least `again` dots moves again; `None` means that players move in turn. All cliques are
/// counted after each move.
#[must_use]
pub fn scores(dots: usize, moves: &[[usize; 2]], values: [u32; 3], again: Option<usize>) -> [u32; 2] {
    let mut joined = vec![vec![false; dots]; dots];
    let (mut scores, mut player, mut before) = ([0, 0], 0, [0, 0]);
    for &[a, b] in moves {
        (joined[a][b], joined[b][a]) = (true, true);
        let after = cliques(&joined);
        let new = [after[0] - before[0], after[1] - before[1]];
        scores[player] += values[0] + values[1] * new[0] + values[2] * new[1];
        let largest = if new[1] > 0 { 4 } else { 2 + usize::from(new[0] > 0) };
        if again.is_none_or(|least| largest < least) {
            player = 1 - player;
        }
        before = after;
    }
    scores
}

/// Counts the sets of three and of four dots that are joined completely.
fn cliques(joined: &[Vec<bool>]) -> [u32; 2] {
    let (mut triangles, mut fours) = (0, 0);
    for a in 0..joined.len() {
        for b in 0..a {
            for c in (0..b).filter(|_| joined[a][b]) {
                if joined[a][c] && joined[b][c] {
                    triangles += 1;
                    fours += (0..c).filter(|&d| joined[a][d] && joined[b][d] && joined[c][d]).count() as u32;
                }
            }
        }
    }
    [triangles, fours]
}

type Vector = (i128, i128);

/// Returns the vector between two points.
fn vector(from: Dot, to: Dot) -> Vector {
    (i128::from(to.x) - i128::from(from.x), i128::from(to.y) - i128::from(from.y))
}

/// Returns the signed area of the parallelogram of two vectors.
fn area(u: Vector, v: Vector) -> i128 {
    u.0 * v.1 - u.1 * v.0
}

/// Returns `true` if two segments have a common point that is not an end of either.
///
/// The lines `a + s (b - a)` and `c + t (d - c)` meet where `s` and `t` are the areas below, divided by the
/// area of the two directions.
fn meet(dots: &[Dot], [a, b]: [usize; 2], [c, d]: [usize; 2]) -> bool {
    let (u, v, w) = (vector(dots[a], dots[b]), vector(dots[c], dots[d]), vector(dots[a], dots[c]));
    let whole = area(u, v);
    let is_between = |part: i128| part * whole.signum() > 0 && part * whole.signum() < whole.abs();
    is_between(area(w, v)) && is_between(area(w, u))
}

/// Returns `true` if all other dots are on one side of the line through two dots.
fn is_on_hull(dots: &[Dot], [a, b]: [usize; 2]) -> bool {
    let along = vector(dots[a], dots[b]);
    let mut sides =
        (0..dots.len()).filter(|c| ![a, b].contains(c)).map(|c| area(along, vector(dots[a], dots[c])) > 0);
    let first = sides.next();
    sides.all(|side| Some(side) == first)
}
