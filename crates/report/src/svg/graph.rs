//! Positions of the vertices of a graph in a drawing.
//!
//! # References
//! W. T. Tutte, *How to draw a graph*, Proceedings of the London Mathematical Society (3) 13 (1963), 743-767.

use std::collections::VecDeque;
use std::f64::consts::TAU;

use ndqueens_model::board::Square;

use crate::plane::Point;

/// Minimum distance of two vertices.
const APART: f64 = 1.2;

/// Maximum factor by which a drawing by Tutte's method is enlarged.
const WIDEST: f64 = 3.0;

/// Returns a position for each vertex, around the origin. `neighbours` are the neighbours of each vertex. The
/// vertices of a shortest cycle lie on a circle, and each other vertex at the mean of its neighbours. If
/// vertices come too close to each other, or if there is no cycle, all lie on a circle.
pub(super) fn places(neighbours: &[Vec<Square>]) -> Vec<Point> {
    let n = neighbours.len();
    let radius = if n == 1 { 0.0 } else { (APART * n as f64 / TAU).max(1.5) };
    let on_circle = |order: &[Square]| {
        let mut places = vec![[0.0; 2]; n];
        for (&vertex, i) in order.iter().zip(0..) {
            let angle = TAU * f64::from(i) / order.len() as f64;
            places[vertex as usize] = [radius * angle.sin(), -radius * angle.cos()];
        }
        places
    };
    let drawn = shortest_cycle(neighbours).and_then(|cycle| {
        let places = middles(neighbours, &cycle, on_circle(&cycle));
        let apart = nearest(&places);
        (apart * WIDEST > APART)
            .then(|| places.iter().map(|place| place.map(|x| x * f64::max(APART / apart, 1.0))).collect())
    });
    drawn.unwrap_or_else(|| on_circle(&(0..n as Square).collect::<Vec<_>>()))
}

/// Returns the minimum distance of two positions.
fn nearest(places: &[Point]) -> f64 {
    let pairs = places.iter().enumerate().flat_map(|(i, a)| places[..i].iter().map(move |b| (a, b)));
    pairs.map(|(a, b)| (a[0] - b[0]).hypot(a[1] - b[1])).fold(f64::INFINITY, f64::min)
}

/// Moves each vertex outside the cycle to the mean of its neighbours, by a fixed number of iterations.
fn middles(neighbours: &[Vec<Square>], cycle: &[Square], mut places: Vec<Point>) -> Vec<Point> {
    const ROUNDS: usize = 500;
    let free = (0..).zip(neighbours).filter(|(vertex, near)| !cycle.contains(vertex) && !near.is_empty());
    let free: Vec<(Square, &Vec<Square>)> = free.collect();
    for _ in 0..ROUNDS {
        for &(vertex, near) in &free {
            places[vertex as usize] = [0, 1].map(|i| {
                near.iter().map(|&other| places[other as usize][i]).sum::<f64>() / near.len() as f64
            });
        }
    }
    places
}

/// Returns the vertices of a shortest cycle in order; `None` in a forest.
fn shortest_cycle(neighbours: &[Vec<Square>]) -> Option<Vec<Square>> {
    let through = |root: Square| -> Option<Vec<Square>> {
        let mut parent: Vec<Option<Square>> = vec![None; neighbours.len()];
        let mut depth = vec![usize::MAX; neighbours.len()];
        depth[root as usize] = 0;
        let mut queue = VecDeque::from([root]);
        // Edge outside the tree with the least sum of depths. The first such edge may have a sum larger by 1.
        let mut closing: Option<(usize, [Square; 2])> = None;
        while let Some(vertex) = queue.pop_front() {
            for &next in &neighbours[vertex as usize] {
                if depth[next as usize] == usize::MAX {
                    depth[next as usize] = depth[vertex as usize] + 1;
                    parent[next as usize] = Some(vertex);
                    queue.push_back(next);
                } else if parent[vertex as usize] != Some(next) {
                    let sum = depth[vertex as usize] + depth[next as usize];
                    if closing.is_none_or(|(least, _)| sum < least) {
                        closing = Some((sum, [vertex, next]));
                    }
                }
            }
        }
        let [mut cycle, other] = closing?.1.map(|from| {
            std::iter::successors(Some(from), |&at| parent[at as usize]).collect::<Vec<Square>>()
        });
        // If both paths meet before the root, the cycle is not simple, and another root gives a shorter one.
        cycle.reverse();
        cycle.extend(other.into_iter().filter(|&vertex| vertex != root));
        Some(cycle)
    };
    let distinct = |cycle: &Vec<Square>| {
        let mut sorted = cycle.clone();
        sorted.sort_unstable();
        sorted.dedup();
        sorted.len() == cycle.len()
    };
    (0..neighbours.len() as Square).filter_map(through).filter(distinct).min_by_key(Vec::len)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn graph(edges: &[[u32; 2]], n: usize) -> Vec<Vec<Square>> {
        let mut neighbours = vec![Vec::new(); n];
        for &[a, b] in edges {
            neighbours[a as usize].push(b);
            neighbours[b as usize].push(a);
        }
        neighbours
    }

    #[test]
    fn petersens_graph_is_a_pentagon_around_a_star() {
        let edges: Vec<[u32; 2]> =
            (0..5).flat_map(|i| [[i, (i + 1) % 5], [i, i + 5], [i + 5, (i + 2) % 5 + 5]]).collect();
        let places = places(&graph(&edges, 10));
        let mut far: Vec<f64> = places.iter().map(|[x, y]| x.hypot(*y)).collect();
        far.sort_by(f64::total_cmp);
        assert!((far[4] - far[0]).abs() < 1e-6 && (far[9] - far[5]).abs() < 1e-6, "{far:?}");
        assert!(far[5] > 2.0 * far[4] && nearest(&places) > APART - 1e-6);
    }

    #[test]
    fn shortest_cycles_are_found() {
        let triangle = [
            [3, 2],
            [5, 0],
            [5, 1],
            [5, 3],
            [6, 0],
            [6, 2],
            [7, 1],
            [7, 3],
            [7, 4],
            [7, 6],
            [8, 0],
            [8, 3],
            [8, 7],
        ];
        assert_eq!(shortest_cycle(&graph(&triangle, 9)).map(|cycle| cycle.len()), Some(3));
        let square = [[0, 1], [1, 2], [2, 3], [3, 0], [3, 4], [4, 5]];
        assert_eq!(shortest_cycle(&graph(&square, 6)).map(|cycle| cycle.len()), Some(4));
        assert_eq!(shortest_cycle(&graph(&[[0, 1], [1, 2]], 4)), None);
    }

    #[test]
    fn close_vertices_are_placed_on_a_circle() {
        let star: Vec<[u32; 2]> = (1..6).map(|i| [0, i]).collect();
        let all: Vec<[u32; 2]> = (0..9).flat_map(|i| (0..i).map(move |j| [j, i])).collect();
        for (edges, n) in [(star, 6), (all, 9), (vec![], 3)] {
            let places = places(&graph(&edges, n));
            let far: Vec<f64> = places.iter().map(|[x, y]| x.hypot(*y)).collect();
            assert!(far.iter().all(|far| (far - 1.5).abs() < 0.3), "{far:?}");
        }
    }
}
