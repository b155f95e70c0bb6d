//! Exact separation of odd-cycle inequalities: at most `(k - 1) / 2` queens on a cycle of odd length `k`
//! in the attack graph.
//!
//! The point must satisfy all edge inequalities `x_s + x_t <= 1`. The weight of an edge is its slack
//! `1 - x_s - x_t`. The edges of a cycle `C` of length `k` have the total weight `k - 2 x(C)`, so the cycle
//! is violated if and only if this is less than 1. A lightest odd cycle through a square is a shortest path
//! between the two copies of the square in the bipartite double cover of the graph. A square of value 0 lies
//! on no violated cycle, because edges pair the other squares of the cycle.
//!
//! # References
//! M. Grötschel, L. Lovász, A. Schrijver, *Geometric Algorithms and Combinatorial Optimization*, Springer
//! 1988, section 9.1; A. M. H. Gerards, A. Schrijver, *Matrices with the Edmonds-Johnson property*,
//! Combinatorica 6 (1986) 365-379.

use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap, HashMap};

use ndqueens_model::board::{Board, Square};

/// Least violation of a returned cycle (floating point).
pub const TOLERANCE: f64 = 1e-6;

/// Weight 1 in the integers that represent weights of edges.
const ONE: u64 = 1 << 40;

/// Copy of a square in the double cover: the square, and `true` if the walk to it has an odd number of edges.
type SquareCopy = (Square, bool);

/// Returns violated cycles of a point, each as its squares in increasing order. For each square in `starts`,
/// one of the most violated cycles through it that avoid the earlier starts is computed. Returns `None` if
/// `go_on`, which is called regularly, returns `false`.
///
/// # Panics
/// Panics if the point does not have one value for each square.
pub fn violated_cycles(
    board: &Board,
    point: &[f64],
    starts: &[Square],
    go_on: &mut dyn FnMut() -> bool,
) -> Option<Vec<Vec<Square>>> {
    assert_eq!(point.len(), board.size(), "one value for each square");
    let mut search = Search { board, point, avoided: vec![false; board.size()] };
    for (avoided, &x) in search.avoided.iter_mut().zip(point) {
        *avoided = x <= TOLERANCE;
    }
    let mut found = BTreeSet::new();
    for &start in starts.iter().filter(|&&start| point[start as usize] > TOLERANCE) {
        match search.lightest_walk(start, go_on) {
            OddWalk::Found(walk) => {
                let mut cycle = odd_cycle_within(walk);
                let sum: f64 = cycle.iter().map(|&square| point[square as usize]).sum();
                cycle.sort_unstable();
                if sum > (cycle.len() / 2) as f64 + TOLERANCE {
                    found.insert(cycle);
                }
            }
            OddWalk::None => {}
            OddWalk::Stopped => return None,
        }
        search.avoided[start as usize] = true;
    }
    Some(found.into_iter().collect())
}

/// Result of the search for a closed walk.
enum OddWalk {
    /// Squares of the walk, the first of which is not repeated at the end.
    Found(Vec<Square>),
    /// Absence of a walk that weighs less than 1.
    None,
    /// Stop by the caller.
    Stopped,
}

/// Point with the squares that walks must avoid.
struct Search<'a> {
    board: &'a Board,
    point: &'a [f64],
    avoided: Vec<bool>,
}

impl Search<'_> {
    /// Searches for a lightest closed walk with an odd number of edges through a square, by
    /// Dijkstra's algorithm.
    fn lightest_walk(&self, start: Square, go_on: &mut dyn FnMut() -> bool) -> OddWalk {
        const POPS: usize = 256;
        // Weight of a lightest walk to each copy, and the copy before it.
        let mut lightest: HashMap<SquareCopy, (u64, SquareCopy)> =
            HashMap::from([((start, false), (0, (start, false)))]);
        let mut open = BinaryHeap::from([(Reverse(0), (start, false))]);
        let mut pops = 0;
        while let Some((Reverse(weight), at @ (square, odd))) = open.pop() {
            if at == (start, true) {
                return OddWalk::Found(walk_to(at, &lightest));
            }
            if lightest[&at].0 < weight {
                continue;
            }
            pops += 1;
            if pops % POPS == 0 && !go_on() {
                return OddWalk::Stopped;
            }
            for next in self.board.neighbours(square) {
                if self.avoided[next as usize] {
                    continue;
                }
                let slack = 1.0 - self.point[square as usize] - self.point[next as usize];
                let total = weight + (slack.max(0.0) * ONE as f64) as u64;
                let copy = (next, !odd);
                if total < ONE && lightest.get(&copy).is_none_or(|&(before, _)| total < before) {
                    lightest.insert(copy, (total, at));
                    open.push((Reverse(total), copy));
                }
            }
        }
        OddWalk::None
    }
}

/// Returns the squares of the closed walk that leads to a copy, without the last one.
fn walk_to(end: SquareCopy, lightest: &HashMap<SquareCopy, (u64, SquareCopy)>) -> Vec<Square> {
    let mut walk = Vec::new();
    let mut at = end;
    loop {
        let before = lightest[&at].1;
        if before == at {
            return walk;
        }
        walk.push(before.0);
        at = before;
    }
}

/// Returns a cycle of odd length within a closed walk of odd length.
fn odd_cycle_within(mut walk: Vec<Square>) -> Vec<Square> {
    loop {
        let mut first = HashMap::new();
        let twice = (0..walk.len()).find_map(|now| first.insert(walk[now], now).map(|before| before..now));
        let Some(part) = twice else { return walk };
        if part.len() % 2 == 1 {
            return walk[part].to_vec();
        }
        walk.drain(part);
    }
}

#[cfg(test)]
mod tests {
    use ndqueens_notation::name::BoardName;
    use ndqueens_notation::name::file::{BoardFile, Reading};
    use rand::rngs::ChaCha8Rng;
    use rand::{RngExt as _, SeedableRng as _};

    use super::*;

    /// Creates a graph with these edges.
    fn graph(vertices: usize, edges: &[(usize, usize)]) -> Board {
        let lines: String = edges.iter().map(|(a, b)| format!("e {} {}\n", a + 1, b + 1)).collect();
        let text = format!("p edge {vertices} {}\n{lines}", edges.len());
        Board::new(&BoardName::File(BoardFile::new("graph", text, Reading::default()).expect("a graph")))
    }

    fn all_starts(board: &Board, point: &[f64]) -> Vec<Vec<Square>> {
        let starts: Vec<Square> = board.squares().collect();
        violated_cycles(board, point, &starts, &mut || true).expect("not stopped")
    }

    #[test]
    fn finds_a_violated_cycle_of_five() {
        let five = graph(5, &[(0, 1), (1, 2), (2, 3), (3, 4), (0, 4)]);
        assert_eq!(all_starts(&five, &[0.5; 5]), [vec![0, 1, 2, 3, 4]]);
        assert!(all_starts(&five, &[0.4; 5]).is_empty());
    }

    /// Returns `true` if any cycle of odd length is violated, by visiting all of them.
    fn is_any_violated(board: &Board, point: &[f64]) -> bool {
        fn extend(board: &Board, point: &[f64], path: &mut Vec<Square>) -> bool {
            let (first, last) = (path[0], path[path.len() - 1]);
            let sum: f64 = path.iter().map(|&square| point[square as usize]).sum();
            let closes = path.len() % 2 == 1 && path.len() > 2 && board.attacks(first, last);
            if closes && sum > (path.len() / 2) as f64 + TOLERANCE {
                return true;
            }
            board.neighbours(last).into_iter().any(|next| {
                if next <= first || path.contains(&next) {
                    return false;
                }
                path.push(next);
                let found = extend(board, point, path);
                path.pop();
                found
            })
        }
        board.squares().any(|first| extend(board, point, &mut vec![first]))
    }

    #[test]
    fn agrees_with_brute_force() {
        let mut random = ChaCha8Rng::seed_from_u64(1);
        let (mut violations, mut others) = (0, 0);
        for _ in 0..600 {
            let vertices = random.random_range(3..9);
            let mut edges = Vec::new();
            for b in 0..vertices {
                edges.extend((0..b).filter(|_| random.random_bool(0.4)).map(|a| (a, b)));
            }
            let board = graph(vertices, &edges);
            let mut point: Vec<f64> =
                (0..vertices).map(|_| random.random_range(0..=4) as f64 / 4.0).collect();
            // Edge inequalities must hold.
            for &(a, b) in &edges {
                let over = (point[a] + point[b] - 1.0).max(0.0);
                point[b] = (point[b] - over).max(0.0);
            }
            let found = all_starts(&board, &point);
            for cycle in &found {
                let sum: f64 = cycle.iter().map(|&square| point[square as usize]).sum();
                assert!(
                    cycle.len() % 2 == 1 && sum > (cycle.len() / 2) as f64,
                    "{cycle:?} of {edges:?} at {point:?}"
                );
                // Each square of a cycle attacks at least two others.
                assert!(cycle.iter().all(|&a| cycle.iter().filter(|&&b| board.attacks(a, b)).count() >= 2));
            }
            assert_eq!(found.is_empty(), !is_any_violated(&board, &point), "{edges:?} at {point:?}");
            if found.is_empty() { others += 1 } else { violations += 1 }
        }
        assert!(violations > 20 && others > 20, "{violations} violated, {others} not");
    }
}
