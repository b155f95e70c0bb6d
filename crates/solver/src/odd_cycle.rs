//! Exact separation of odd-cycle inequalities: at most `(k - 1) / 2` queens on a cycle of odd length k in the graph of attacks.
//!
//! Where no two squares that attack each other have more than 1 together, an edge weighs what they lack, `1 - x_s - x_t`.
//! A cycle of length k is violated iff its edges weigh less than 1: they come to `k - 2 x(C)`. The lightest odd cycle through
//! a square is a shortest path between its two copies in the graph with two copies of every square, whose edges lead from
//! one kind of copy to the other. Squares at 0 lie on no violated cycle: the others on it are paired by edges.
//!
//! # References
//! M. Grötschel, L. Lovász, A. Schrijver, *Geometric Algorithms and Combinatorial Optimization*, Springer 1988, section 9.1;
//! A. M. H. Gerards, A. Schrijver, *Matrices with the Edmonds-Johnson property*, Combinatorica 6 (1986) 365-379.

use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap, HashMap};

use ndqueens_model::board::{Board, Square};

/// By how much a cycle is violated at least (float).
pub const TOLERANCE: f64 = 1e-6;

/// One, in weights of edges.
const ONE: u64 = 1 << 40;

/// A copy of a square: the square, and whether its walk has had an odd number of edges.
type Copy = (Square, bool);

/// Violated cycles of a point, each as its squares in increasing order: for each square in `starts` in turn one of the most
/// violated through it that avoid the starts before, if there is any. `None` when `go_on`, which is asked now and then, says no.
///
/// # Panics
/// If the point has not a value for each square.
pub fn violated(
    board: &Board,
    point: &[f64],
    starts: &[Square],
    go_on: &mut dyn FnMut() -> bool,
) -> Option<Vec<Vec<Square>>> {
    assert_eq!(point.len(), board.size(), "a value for each square");
    let mut search = Search { board, point, avoided: vec![false; board.size()] };
    for (avoided, &x) in search.avoided.iter_mut().zip(point) {
        *avoided = x <= TOLERANCE;
    }
    let mut found = BTreeSet::new();
    for &start in starts.iter().filter(|&&start| point[start as usize] > TOLERANCE) {
        if let Some(walk) = search.lightest(start, go_on)? {
            let mut cycle = odd_part(walk);
            let sum: f64 = cycle.iter().map(|&square| point[square as usize]).sum();
            cycle.sort_unstable();
            if sum > (cycle.len() / 2) as f64 + TOLERANCE {
                found.insert(cycle);
            }
        }
        search.avoided[start as usize] = true;
    }
    Some(found.into_iter().collect())
}

struct Search<'a> {
    board: &'a Board,
    point: &'a [f64],
    avoided: Vec<bool>,
}

impl Search<'_> {
    /// A lightest closed walk with an odd number of edges through a square, if it weighs less than 1. `None` inside when there
    /// is none.
    fn lightest(&self, start: Square, go_on: &mut dyn FnMut() -> bool) -> Option<Option<Vec<Square>>> {
        const POPS: usize = 256;
        let mut lightest: HashMap<Copy, (u64, Copy)> = HashMap::from([((start, false), (0, (start, false)))]);
        let mut open = BinaryHeap::from([(Reverse(0), (start, false))]);
        let mut pops = 0;
        while let Some((Reverse(weight), at @ (square, odd))) = open.pop() {
            if at == (start, true) {
                return Some(Some(walk_to(at, &lightest)));
            }
            if lightest[&at].0 < weight {
                continue;
            }
            pops += 1;
            if pops % POPS == 0 && !go_on() {
                return None;
            }
            for next in self.board.neighbours(square) {
                if self.avoided[next as usize] {
                    continue;
                }
                let lacking = 1.0 - self.point[square as usize] - self.point[next as usize];
                let total = weight + (lacking.max(0.0) * ONE as f64) as u64;
                let copy = (next, !odd);
                if total < ONE && lightest.get(&copy).is_none_or(|&(before, _)| total < before) {
                    lightest.insert(copy, (total, at));
                    open.push((Reverse(total), copy));
                }
            }
        }
        Some(None)
    }
}

/// The squares of the walk that leads to a copy, without its last one, which is its first.
fn walk_to(end: Copy, lightest: &HashMap<Copy, (u64, Copy)>) -> Vec<Square> {
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

/// A cycle of odd length within a closed walk of odd length.
fn odd_part(mut walk: Vec<Square>) -> Vec<Square> {
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

    /// A graph with these edges.
    fn graph(vertices: usize, edges: &[(usize, usize)]) -> Board {
        let lines: String = edges.iter().map(|(a, b)| format!("e {} {}\n", a + 1, b + 1)).collect();
        let text = format!("p edge {vertices} {}\n{lines}", edges.len());
        Board::new(&BoardName::File(BoardFile::new("graph", text, Reading::default()).expect("a graph")))
    }

    fn all(board: &Board, point: &[f64]) -> Vec<Vec<Square>> {
        let starts: Vec<Square> = board.squares().collect();
        violated(board, point, &starts, &mut || true).expect("not stopped")
    }

    #[test]
    fn a_cycle_of_five_at_one_half_is_violated() {
        let five = graph(5, &[(0, 1), (1, 2), (2, 3), (3, 4), (0, 4)]);
        assert_eq!(all(&five, &[0.5; 5]), [vec![0, 1, 2, 3, 4]]);
        assert!(all(&five, &[0.4; 5]).is_empty());
    }

    /// Whether any cycle of odd length is violated, by visiting all of them.
    fn is_any(board: &Board, point: &[f64]) -> bool {
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
    fn what_is_found_is_violated_and_nothing_is_missed() {
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
            // Edges hold.
            for &(a, b) in &edges {
                let over = (point[a] + point[b] - 1.0).max(0.0);
                point[b] = (point[b] - over).max(0.0);
            }
            let found = all(&board, &point);
            for cycle in &found {
                let sum: f64 = cycle.iter().map(|&square| point[square as usize]).sum();
                assert!(
                    cycle.len() % 2 == 1 && sum > (cycle.len() / 2) as f64,
                    "{cycle:?} of {edges:?} at {point:?}"
                );
                // An odd cycle within: no set of so many vertices is independent in it.
                assert!(cycle.iter().all(|&a| cycle.iter().filter(|&&b| board.attacks(a, b)).count() >= 2));
            }
            assert_eq!(found.is_empty(), !is_any(&board, &point), "{edges:?} at {point:?}");
            if found.is_empty() { others += 1 } else { violations += 1 }
        }
        assert!(violations > 20 && others > 20, "{violations} violated, {others} not");
    }
}
