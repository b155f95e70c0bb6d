//! Enumeration of the triangulations of a board by flips: a flip replaces the diagonal of a convex
//! quadrilateral of two triangles by the other diagonal, and every triangulation is reached from
//! any other by flips.
//!
//! The total score of a finished game, which is the sum of the two scores, depends only on its triangulation,
//! because every clique is completed by exactly one move, which draws the last of its segments. With the
//! usual scoring it is the number of segments, plus three times the number of triangles (all joined sets of
//! three dots, with or without dots inside), plus five times the number of joined sets of four dots.
//!
//! # References
//! C. L. Lawson, "Transforming triangulations", Discrete Mathematics 3 (1972).

use std::collections::HashSet;
use std::ops::ControlFlow;

use crate::board::Board;
use crate::rules::{Game, IllegalMove};

/// Maximum number of dots of a board whose triangulations are visited, because all its segments
/// fit into 128 bits.
pub const MOST_DOTS: usize = 16;

/// Error of a board with too many dots for its triangulations to be visited.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the triangulations of boards of up to {MOST_DOTS} dots are visited, and this one has {0}")]
pub struct TooManyDots(pub usize);

/// Result of visiting all triangulations of a board that contain given segments.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Census {
    /// Number of triangulations that contain the segments.
    pub triangulations: usize,
    /// One with the smallest total score.
    pub smallest: ScoredTriangulation,
    /// One with the largest total score.
    pub largest: ScoredTriangulation,
}

/// Triangulation with its total score.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScoredTriangulation {
    /// Segments of the triangulation.
    pub segments: Vec<usize>,
    /// Total score.
    pub total: u32,
}

/// Returns the total score of a game that draws these segments, in any order.
///
/// # Errors
/// Returns an error if the segments are not those of a game.
pub fn total(board: &Board, segments: &[usize]) -> Result<u32, IllegalMove> {
    Ok(Game::replay(board, segments)?.scores().iter().sum())
}

/// Returns the triangulation that contains the segments `drawn` and then, in increasing order, every segment
/// that crosses no earlier one.
pub(crate) fn greedy_triangulation(board: &Board, drawn: &[usize]) -> Vec<usize> {
    let mut game = Game::new(board);
    for segment in drawn.iter().copied().chain(0..board.segments().len()) {
        // A segment that crosses an earlier one is skipped.
        let _ = game.play(segment);
    }
    game.segments()
}

/// Returns a triangulation with the segments `drawn`, which must not cross, whose total score no single
/// flip makes better.
///
/// The local search starts with [`greedy_triangulation`]; `is_better` compares a new score with an old one.
pub(crate) fn improved_triangulation(
    board: &Board,
    drawn: &[usize],
    is_better: impl Fn(u32, u32) -> bool,
) -> Vec<usize> {
    let score = |segments: &[usize]| total(board, segments).expect("a flip leaves a triangulation");
    let mut best = greedy_triangulation(board, drawn);
    let mut reached = score(&best);
    let flip = |best: &[usize], new: usize| {
        let mut crossed = best.iter().filter(|segment| board.crossing(new).contains(segment));
        let (&old, None) = (crossed.next()?, crossed.next()) else { return None };
        let others = best.iter().copied().filter(|&segment| segment != old);
        (!drawn.contains(&old)).then(|| others.chain([new]).collect::<Vec<_>>())
    };
    let better = |best: &[usize], reached: u32| {
        let flips = (0..board.segments().len()).filter_map(|new| flip(best, new));
        flips.map(|flipped| (score(&flipped), flipped)).find(|&(score, _)| is_better(score, reached))
    };
    while let Some(flipped) = better(&best, reached) {
        (reached, best) = flipped;
    }
    best.sort_unstable();
    best
}

/// Returns the largest total score of a finished game: 17n - 12h - 9 with the usual scoring, for n dots, h
/// of them on the hull.
///
/// With x, y and z points for cliques of two, three and four dots it is x (3n - 3 - h) + y (3n -
/// 2 - 2h) + z (n - h).
///
/// The score is attained as follows. Draw the hull and triangulate it, with 2h - 3 segments and h - 2
/// triangles. Then join one inner dot after the other to the corners of the triangle that contains it, which
/// adds three segments, three triangles and one set of four: 17 points.
///
/// No game has more cliques of any kind. Every game has 3n - 3 - h segments and 2n - 2 - h triangles without
/// dots inside. There are at most n - h triangles with dots inside, because each contains a dot that is in no
/// such triangle within it. There are at most n - h sets of four, because each has one dot inside the
/// triangle of the others, and no other triangle around this dot has all its corners joined to it.
#[must_use]
pub fn largest_total(board: &Board) -> usize {
    let (n, h) = (board.dots().len(), board.hull().len());
    let [segment, triangle, four] = board.scoring().values().map(|points| points as usize);
    segment * board.moves() + triangle * (3 * n - 2 - 2 * h) + four * (n - h)
}

/// Returns a lower bound on the total score of a finished game: 9n - 4h - 9 with the usual scoring, for n
/// dots, h of them on the hull.
///
/// It is the score of the 3n - 3 - h segments and of the 2n - 2 - h triangles without dots inside, which
/// every game has. Some boards have no game with this score.
#[must_use]
pub fn least_total(board: &Board) -> usize {
    let (n, h) = (board.dots().len(), board.hull().len());
    let [segment, triangle, _] = board.scoring().values().map(|points| points as usize);
    segment * board.moves() + triangle * (2 * n - 2 - h)
}

/// Returns the segments of a triangulation with the largest total score, by the construction in
/// [`largest_total`].
#[must_use]
pub fn stacked_triangulation(board: &Board) -> Vec<usize> {
    let hull = board.hull();
    let mut faces: Vec<[usize; 3]> = (2..hull.len()).map(|k| [hull[0], hull[k - 1], hull[k]]).collect();
    for dot in (0..board.dots().len()).filter(|dot| !hull.contains(dot)) {
        let round = faces.iter().position(|&face| board.is_inside(face, dot));
        let [a, b, c] = faces.swap_remove(round.expect("the triangles cover the hull"));
        faces.extend([[a, b, dot], [b, c, dot], [c, a, dot]]);
    }
    let sides = faces.iter().flat_map(|&[a, b, c]| [(a, b), (b, c), (c, a)]);
    let mut segments: Vec<usize> = sides.map(|(a, b)| board.segment(a, b)).collect();
    segments.sort_unstable();
    segments.dedup();
    segments
}

/// Visits all triangulations, and takes the census of those that contain the segments `drawn`,
/// which must not cross.
///
/// `go_on` is called regularly with the number of triangulations found so far. Returns `None` if
/// it stops the visit.
///
/// # Errors
/// Returns an error if the board has too many dots.
pub fn census(
    board: &Board,
    drawn: &[usize],
    go_on: &mut dyn FnMut(usize) -> ControlFlow<()>,
) -> Result<Option<Census>, TooManyDots> {
    if board.dots().len() > MOST_DOTS {
        return Err(TooManyDots(board.dots().len()));
    }
    let count = board.segments().len();
    let set = |segments: &[usize]| segments.iter().fold(0, |set, &segment| set | 1_u128 << segment);
    let list = |set: u128| (0..count).filter(|segment| set >> segment & 1 == 1).collect::<Vec<_>>();
    let crossing: Vec<u128> = (0..count).map(|segment| set(board.crossing(segment))).collect();

    let (start, required) = (greedy_triangulation(board, drawn), set(drawn));
    let score =
        |segments: &[usize]| total(board, segments).expect("segments of a triangulation do not cross");
    let extreme = ScoredTriangulation { segments: start.clone(), total: score(&start) };
    let mut census = Census { triangulations: 0, smallest: extreme.clone(), largest: extreme };
    let mut found = HashSet::from([set(&start)]);
    let mut waiting = vec![set(&start)];
    let mut visited = 0_usize;
    while let Some(triangulation) = waiting.pop() {
        if visited.is_multiple_of(256) && go_on(found.len()).is_break() {
            return Ok(None);
        }
        visited += 1;
        if triangulation & required == required {
            census.triangulations += 1;
            let segments = list(triangulation);
            let total = score(&segments);
            if total < census.smallest.total {
                census.smallest = ScoredTriangulation { segments, total };
            } else if total > census.largest.total {
                census.largest = ScoredTriangulation { segments, total };
            }
        }
        for new in (0..count).filter(|new| triangulation >> new & 1 == 0) {
            let crossed = crossing[new] & triangulation;
            let flipped = triangulation ^ crossed | 1 << new;
            if crossed.is_power_of_two() && found.insert(flipped) {
                waiting.push(flipped);
            }
        }
    }
    Ok(Some(census))
}
