//! All triangulations of a board, by flips: in a triangulation, the diagonal of two triangles that form a convex
//! quadrilateral is exchanged for the other one, and every triangulation is reached so from any other.
//!
//! The two scores of a finished game add up to what its triangulation says alone: every clique in it was completed by
//! one move, that which drew the last of its segments. So, by the usual rules, it is the number of segments, three times that of triangles (of all
//! sets of three dots that are joined, with dots inside or not) and five times that of sets of four dots that are joined.
//!
//! # References
//! C. L. Lawson, "Transforming triangulations", Discrete Mathematics 3 (1972).

use std::collections::HashSet;
use std::ops::ControlFlow;

use crate::board::Board;
use crate::rules::{Game, IllegalMove};

/// The most dots of a board whose triangulations are visited: all its segments fit into 128 bits.
pub const MOST_DOTS: usize = 16;

/// The board has too many dots for its triangulations to be visited.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the triangulations of boards of up to {MOST_DOTS} dots are visited, and this one has {0}")]
pub struct TooManyDots(pub usize);

/// What visiting all triangulations of a board showed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Census {
    /// How many there are with the segments asked for.
    pub triangulations: usize,
    /// One with the smallest total score, as segments, and that score.
    pub smallest: (Vec<usize>, u32),
    /// One with the largest total score, as segments, and that score.
    pub largest: (Vec<usize>, u32),
}

/// The two scores together of a game that draws these segments, in any order.
///
/// # Errors
/// When there is no such game.
pub fn total(board: &Board, segments: &[usize]) -> Result<u32, IllegalMove> {
    let game = Game::after(board, segments).map_err(|(_, fault)| fault)?;
    Ok(game.scores().iter().sum())
}

/// The triangulation that comes from drawing these segments, and then each other one in turn that may be drawn.
pub(crate) fn first(board: &Board, drawn: &[usize]) -> Vec<usize> {
    let mut game = Game::new(board);
    for segment in drawn.iter().copied().chain(0..board.segments().len()) {
        // One that crosses an earlier one is left out.
        let _ = game.play(segment);
    }
    game.segments()
}

/// A triangulation with these segments, which do not cross: the first one, after flips that each make the total score better,
/// until none does.
pub(crate) fn improved(board: &Board, drawn: &[usize], is_better: impl Fn(u32, u32) -> bool) -> Vec<usize> {
    let score = |segments: &[usize]| total(board, segments).expect("a flip leaves a triangulation");
    let mut best = first(board, drawn);
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

/// The largest total score of a finished game: by the usual rules 17n - 12h - 9 for n dots, h of them on the hull; with x, y and z
/// points for cliques of two, three and four dots, x (3n - 3 - h) + y (3n - 2 - 2h) + z (n - h).
///
/// It is reached when the hull is drawn first and cut into triangles, for 2h - 3 segments and h - 2 triangles, and then one dot
/// inside after the other is joined to the corners of the triangle that it is in: three segments, three triangles and one set
/// of four, 17 points. It is never passed, since no game has more of any kind of clique: every game has 3n - 3 - h segments and 2n - 2 - h triangles without dots inside;
/// triangles with dots inside are at most n - h, for each has a dot inside that is in no such triangle within it; and sets
/// of four are at most n - h as well, for each has one dot inside the triangle of the others, and no other triangle round this
/// dot has all its corners joined to it.
#[must_use]
pub fn largest_total(board: &Board) -> usize {
    let (n, h) = (board.dots().len(), board.hull().len());
    let [segment, triangle, four] = board.scoring().values().map(|points| points as usize);
    segment * board.moves() + triangle * (3 * n - 2 - 2 * h) + four * (n - h)
}

/// Returns a lower bound on the total score of a finished game: by the usual rules 9n - 4h - 9 for n dots, h of them on the hull, the score of the
/// 3n - 3 - h segments and of the 2n - 2 - h triangles without dots inside, which every game has. Not every board has a game
/// that scores no more.
#[must_use]
pub fn least_total(board: &Board) -> usize {
    let (n, h) = (board.dots().len(), board.hull().len());
    let [segment, triangle, _] = board.scoring().values().map(|points| points as usize);
    segment * board.moves() + triangle * (2 * n - 2 - h)
}

/// A triangulation with the largest total score, made as [`largest_total`] says, as segments.
#[must_use]
pub fn stacked(board: &Board) -> Vec<usize> {
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

/// Visits all triangulations, and looks at those with these segments, which do not cross. `go_on` is told now and then how many were met, and may stop it; then there is no census.
///
/// # Errors
/// When the board has too many dots.
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
    let listed = |set: u128| (0..count).filter(|segment| set >> segment & 1 == 1).collect::<Vec<_>>();
    let crossing: Vec<u128> = (0..count).map(|segment| set(board.crossing(segment))).collect();

    let (start, asked) = (first(board, drawn), set(drawn));
    let score =
        |segments: &[usize]| total(board, segments).expect("segments of a triangulation do not cross");
    let extreme = (start.clone(), score(&start));
    let mut census = Census { triangulations: 0, smallest: extreme.clone(), largest: extreme };
    let mut met = HashSet::from([set(&start)]);
    let mut waiting = vec![set(&start)];
    let mut visited = 0_usize;
    while let Some(triangulation) = waiting.pop() {
        if visited.is_multiple_of(256) && go_on(met.len()).is_break() {
            return Ok(None);
        }
        visited += 1;
        if triangulation & asked == asked {
            census.triangulations += 1;
            let segments = listed(triangulation);
            let score = score(&segments);
            if score < census.smallest.1 {
                census.smallest = (segments, score);
            } else if score > census.largest.1 {
                census.largest = (segments, score);
            }
        }
        for new in (0..count).filter(|new| triangulation >> new & 1 == 0) {
            let crossed = crossing[new] & triangulation;
            let flipped = triangulation ^ crossed | 1 << new;
            if crossed.is_power_of_two() && met.insert(flipped) {
                waiting.push(flipped);
            }
        }
    }
    Ok(Some(census))
}
