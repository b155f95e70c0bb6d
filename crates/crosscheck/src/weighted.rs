//! Weighted inequalities of independent sets: decides whether the weights of the squares of every independent
//! set add up to at most a bound.
//!
//! The search branches on squares. At each node, a greedy cover by cliques with weights covers as many of the
//! squares left as the rest of the bound allows: the first square with uncovered weight `w` and later squares
//! that attack each other form a clique, whose squares are covered `w` times or less, and the rest of the
//! bound decreases by `w`. The squares that are covered completely have an independent set of at most the
//! rest of the bound, so a heavier set contains another square. The search branches on each of those.
//!
//! # References
//! S. Held, W. Cook, E. C. Sewell, *Maximum-weight stable sets and safe lower bounds for graph coloring*,
//! Mathematical Programming Computation 4 (2012), 363-381.

use ndqueens_notation::error_class::{Classified, ErrorClass};

use crate::stop::Stopped;

/// Largest number of squares of an inequality.
pub const MAX_SQUARES: usize = 1 << 10;

/// Number of nodes between two calls of `go_on`.
const NODES_AT_A_TIME: u64 = 1 << 12;

/// Result of [`check`].
///
/// # Examples
/// ```
/// use ndqueens_crosscheck::weighted::{Verdict, check};
///
/// // Three squares in a row, of which only the outer two do not attack each other.
/// let attacks = |a: usize, b: usize| a.abs_diff(b) == 1;
/// assert!(matches!(check(&attacks, &[2, 4, 3], 5, 100, &mut || true)?, Verdict::Holds { .. }));
/// assert_eq!(check(&attacks, &[2, 4, 3], 4, 100, &mut || true)?, Verdict::Violated(vec![0, 2]));
/// assert_eq!(check(&attacks, &[2, 4, 3], 4, 0, &mut || true)?, Verdict::Undecided);
/// # Ok::<(), ndqueens_crosscheck::weighted::WeightedError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// Every independent set has at most the weight of the bound.
    Holds {
        /// Number of nodes of the search.
        nodes: u64,
    },
    /// Independent set that is heavier than the bound, as indices of squares in increasing order.
    Violated(Vec<usize>),
    /// The search reached its limit of nodes.
    Undecided,
}

/// Error of the check of a weighted inequality.
///
/// # Examples
/// ```
/// use ndqueens_crosscheck::weighted::{WeightedError, check};
///
/// let heavy = check(&|_, _| true, &[u64::MAX, 1], 5, 100, &mut || true);
/// assert_eq!(heavy, Err(WeightedError::Overflow));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum WeightedError {
    /// More squares than [`MAX_SQUARES`].
    #[error("the inequality has more than {MAX_SQUARES} squares")]
    TooManySquares,
    /// Weights that do not add up to a number of 64 bits.
    #[error("the weights add up to 2^64 or more")]
    Overflow,
    /// The check was stopped from outside.
    #[error(transparent)]
    Stopped(#[from] Stopped),
}

impl Classified for WeightedError {
    fn class(&self) -> ErrorClass {
        ErrorClass::Limit
    }
}

/// Checks that every independent set of some squares weighs at most `bound`. The squares are numbered from 0;
/// `weights` contains their weights, and `attacks` returns `true` if two different squares attack each other.
///
/// The search visits at most `limit` nodes, and stops if `go_on` returns `false`. The result depends on the
/// arguments only.
///
/// # Errors
/// Returns an error if there are more than [`MAX_SQUARES`] squares, if the sum of the weights exceeds 64 bits,
/// or if the search was stopped.
pub fn check(
    attacks: &dyn Fn(usize, usize) -> bool,
    weights: &[u64],
    bound: u64,
    limit: u64,
    go_on: &mut dyn FnMut() -> bool,
) -> Result<Verdict, WeightedError> {
    if weights.len() > MAX_SQUARES {
        return Err(WeightedError::TooManySquares);
    }
    let total = weights.iter().try_fold(0u64, |total, &weight| total.checked_add(weight));
    total.ok_or(WeightedError::Overflow)?;
    let graph = OrderedGraph::new(attacks, weights);
    let verdict = Search::new(&graph, limit).run(bound, go_on)?;
    Ok(match verdict {
        Verdict::Violated(set) => {
            let mut set: Vec<usize> = set.into_iter().map(|place| graph.order[place]).collect();
            set.sort_unstable();
            Verdict::Violated(set)
        }
        verdict => verdict,
    })
}

/// Squares in the order of the search, with their attacks as sets of bits. The order starts with the squares
/// that attack the fewest others. On 3^5 the reverse order needs 3 to more than 200 times as many nodes.
struct OrderedGraph {
    /// Number of each square in the arguments of [`check`].
    order: Vec<usize>,
    weights: Vec<u64>,
    /// Number of words of a set.
    words: usize,
    /// Sets of the squares attacked by each square, one after the other.
    attacked: Vec<u64>,
}

impl OrderedGraph {
    fn new(attacks: &dyn Fn(usize, usize) -> bool, weights: &[u64]) -> Self {
        let squares = weights.len();
        let mut pairs = Vec::new();
        let mut degrees = vec![0usize; squares];
        for b in 0..squares {
            for a in (0..b).filter(|&a| attacks(a, b)) {
                pairs.push([a, b]);
                degrees[a] += 1;
                degrees[b] += 1;
            }
        }
        let mut order: Vec<usize> = (0..squares).collect();
        order.sort_by_key(|&square| (degrees[square], weights[square]));
        let mut places = vec![0; squares];
        for (place, &square) in order.iter().enumerate() {
            places[square] = place;
        }
        let words = squares.div_ceil(64);
        let mut attacked = vec![0; squares * words];
        for [a, b] in pairs.into_iter().map(|pair| pair.map(|square| places[square])) {
            attacked[a * words + b / 64] |= 1 << (b % 64);
            attacked[b * words + a / 64] |= 1 << (a % 64);
        }
        let weights = order.iter().map(|&square| weights[square]).collect();
        Self { order, weights, words, attacked }
    }

    /// Returns the set of the squares that the square at a place attacks.
    fn attacked(&self, place: usize) -> &[u64] {
        &self.attacked[place * self.words..][..self.words]
    }
}

/// Node of the search on the path from the root.
#[derive(Default)]
struct Node {
    /// Squares that may still be chosen.
    left: Vec<u64>,
    /// Part of the bound that the squares chosen so far leave.
    rest: u64,
    /// Squares on which the search branches, the last one first.
    branches: Vec<usize>,
}

/// Depth-first search for an independent set that is heavier than the bound. It uses no recursion.
struct Search<'g> {
    graph: &'g OrderedGraph,
    limit: u64,
    /// Nodes on the path, and unused ones after them.
    path: Vec<Node>,
    /// Scratch space of `cover`: uncovered weights, the squares that have some, and candidates of a clique.
    uncovered: Vec<u64>,
    open: Vec<u64>,
    candidates: Vec<u64>,
}

impl<'g> Search<'g> {
    fn new(graph: &'g OrderedGraph, limit: u64) -> Self {
        let empty = vec![0; graph.words];
        let uncovered = vec![0; graph.weights.len()];
        Self { graph, limit, path: Vec::new(), uncovered, open: empty.clone(), candidates: empty }
    }

    /// Searches from the root. A set in the result consists of places in the order of the graph.
    fn run(mut self, bound: u64, go_on: &mut dyn FnMut() -> bool) -> Result<Verdict, Stopped> {
        let graph = self.graph;
        let mut left = vec![0; graph.words];
        for place in 0..graph.weights.len() {
            left[place / 64] |= 1 << (place % 64);
        }
        self.path.push(Node { left, rest: bound, branches: Vec::new() });
        let mut chosen = Vec::new();
        let mut nodes = 1u64;
        let mut is_new = true;
        loop {
            let depth = chosen.len();
            if is_new {
                if nodes > self.limit {
                    return Ok(Verdict::Undecided);
                }
                if nodes.is_multiple_of(NODES_AT_A_TIME) && !go_on() {
                    return Err(Stopped);
                }
                self.cover(depth);
            }
            let node = &mut self.path[depth];
            let Some(place) = node.branches.pop() else {
                if chosen.pop().is_none() {
                    return Ok(Verdict::Holds { nodes });
                }
                is_new = false;
                continue;
            };
            node.left[place / 64] &= !(1 << (place % 64));
            chosen.push(place);
            let Some(rest) = node.rest.checked_sub(graph.weights[place]) else {
                return Ok(Verdict::Violated(chosen));
            };
            self.descend(depth, place, rest);
            nodes += 1;
            is_new = true;
        }
    }

    /// Writes the node below the one at `depth` in which the square at `place` is chosen.
    fn descend(&mut self, depth: usize, place: usize, rest: u64) {
        if self.path.len() == depth + 1 {
            self.path.push(Node::default());
        }
        let [node, child] = &mut self.path[depth..depth + 2] else { unreachable!("two nodes") };
        child.rest = rest;
        child.left.clear();
        child.left.extend(
            node.left.iter().zip(self.graph.attacked(place)).map(|(left, attacked)| left & !attacked),
        );
    }

    /// Covers squares of the node at `depth` by cliques, and branches on those that are not covered completely.
    fn cover(&mut self, depth: usize) {
        let Self { graph, path, uncovered, open, candidates, .. } = self;
        let Node { left, rest, branches } = &mut path[depth];
        let mut rest = *rest;
        branches.clear();
        open.copy_from_slice(left);
        for place in ones(left) {
            uncovered[place] = graph.weights[place];
        }
        for word in 0..graph.words {
            while open[word] != 0 {
                let first = 64 * word + open[word].trailing_zeros() as usize;
                open[word] &= open[word] - 1;
                let weight = uncovered[first];
                let Some(less) = rest.checked_sub(weight) else {
                    branches.push(first);
                    continue;
                };
                rest = less;
                let attacked = graph.attacked(first);
                for k in word..graph.words {
                    candidates[k] = open[k] & attacked[k];
                }
                for k in word..graph.words {
                    while candidates[k] != 0 {
                        let place = 64 * k + candidates[k].trailing_zeros() as usize;
                        let attacked = graph.attacked(place);
                        for j in k..graph.words {
                            candidates[j] &= attacked[j];
                        }
                        if uncovered[place] <= weight {
                            open[k] &= !(1 << (place % 64));
                        } else {
                            uncovered[place] -= weight;
                        }
                    }
                }
            }
        }
    }
}

/// Returns the elements of a set of bits in increasing order.
fn ones(set: &[u64]) -> impl Iterator<Item = usize> {
    set.iter().enumerate().flat_map(|(word, &bits)| {
        let rest = |bits: &u64| Some(bits & (bits - 1)).filter(|&rest| rest != 0);
        let words = std::iter::successors(Some(bits).filter(|&bits| bits != 0), rest);
        words.map(move |bits| 64 * word + bits.trailing_zeros() as usize)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::boards::Definition as _;
    use crate::boards::grid::Grid;
    use ndqueens_notation::name::Piece;
    use rand::rngs::ChaCha8Rng;
    use rand::{RngExt as _, SeedableRng as _};

    /// Returns the largest weight of an independent set of the squares from `first` on that no chosen square
    /// attacks, by trying all sets.
    fn brute_force(
        attacks: &dyn Fn(usize, usize) -> bool,
        weights: &[u64],
        chosen: &mut Vec<usize>,
        first: usize,
    ) -> u64 {
        let mut largest = 0;
        for square in first..weights.len() {
            if chosen.iter().all(|&other| !attacks(other, square)) {
                chosen.push(square);
                largest = largest.max(weights[square] + brute_force(attacks, weights, chosen, square + 1));
                chosen.pop();
            }
        }
        largest
    }

    /// Returns the weight of a set, and checks that it is independent.
    fn weigh(attacks: &dyn Fn(usize, usize) -> bool, weights: &[u64], set: &[usize]) -> u64 {
        assert!(set.is_sorted_by(|a, b| a < b));
        assert!(set.iter().all(|&b| set.iter().take_while(|&&a| a < b).all(|&a| !attacks(a, b))));
        set.iter().map(|&square| weights[square]).sum()
    }

    /// Returns the largest weight of an independent set, and the number of nodes that prove it.
    fn maximum(attacks: &dyn Fn(usize, usize) -> bool, weights: &[u64]) -> (u64, u64) {
        let mut bound = 0;
        loop {
            match check(attacks, weights, bound, u64::MAX, &mut || true).expect("small") {
                Verdict::Holds { nodes } => return (bound, nodes),
                Verdict::Violated(set) => {
                    let weight = weigh(attacks, weights, &set);
                    assert!(weight > bound);
                    bound = weight;
                }
                Verdict::Undecided => panic!("there is no limit"),
            }
        }
    }

    #[test]
    fn agrees_with_brute_force_on_random_graphs() {
        let mut random = ChaCha8Rng::seed_from_u64(1);
        for round in 0..3_000 {
            let squares = random.random_range(0..=14);
            let heaviest = [1, 3, 60][round % 3];
            let density = random.random_range(0.0..1.0);
            let adjacent: Vec<bool> = (0..squares * squares).map(|_| random.random_bool(density)).collect();
            let attacks = |a: usize, b: usize| adjacent[a.min(b) * squares + a.max(b)];
            let weights: Vec<u64> = (0..squares).map(|_| random.random_range(0..=heaviest)).collect();
            let best = brute_force(&attacks, &weights, &mut Vec::new(), 0);
            assert_eq!(maximum(&attacks, &weights).0, best, "{weights:?} {adjacent:?}");
            for bound in [best.saturating_sub(1), best, best + 1] {
                let verdict = check(&attacks, &weights, bound, u64::MAX, &mut || true).expect("small");
                assert_eq!(
                    matches!(verdict, Verdict::Holds { .. }),
                    bound >= best,
                    "{weights:?} {adjacent:?}"
                );
            }
        }
    }

    #[test]
    fn agrees_with_brute_force_on_boards() {
        let mut random = ChaCha8Rng::seed_from_u64(2);
        for sides in [&[3, 3][..], &[4, 4], &[3, 3, 2], &[2, 2, 2, 2], &[5, 3], &[70, 2]] {
            for piece in Piece::ALL {
                let grid = Grid::new(piece, false, sides);
                let mut squares: Vec<Vec<u32>> = grid.squares().collect();
                while squares.len() > 16 {
                    squares.swap_remove(random.random_range(0..squares.len()));
                }
                let attacks = |a: usize, b: usize| grid.attacks(&squares[a], &squares[b]);
                let weights: Vec<u64> = squares.iter().map(|_| random.random_range(1..=12)).collect();
                let best = brute_force(&attacks, &weights, &mut Vec::new(), 0);
                assert_eq!(maximum(&attacks, &weights).0, best, "{piece:?} {squares:?} {weights:?}");
            }
        }
    }

    #[test]
    fn proves_bounds_of_large_sets() {
        let mut random = ChaCha8Rng::seed_from_u64(3);
        for (sides, heaviest) in [(&[3, 3, 3, 3, 3][..], 60), (&[6, 3, 3, 3], 12), (&[5, 5, 2, 2], 1)] {
            let grid = Grid::new(Piece::Queen, false, sides);
            let squares: Vec<Vec<u32>> = grid.squares().collect();
            let attacks = |a: usize, b: usize| grid.attacks(&squares[a], &squares[b]);
            let weights: Vec<u64> = squares.iter().map(|_| random.random_range(1..=heaviest)).collect();
            let (best, nodes) = maximum(&attacks, &weights);
            assert!(best > heaviest && nodes < 1 << 18, "{sides:?} {best} {nodes}");
            assert_eq!(
                check(&attacks, &weights, best, nodes, &mut || true),
                Ok(Verdict::Holds { nodes }),
                "{sides:?}"
            );
            assert_eq!(check(&attacks, &weights, best, nodes - 1, &mut || true), Ok(Verdict::Undecided));
            if nodes > NODES_AT_A_TIME {
                assert_eq!(check(&attacks, &weights, best, nodes, &mut || false), Err(Stopped.into()));
            }
        }
    }

    #[test]
    fn large_weights_are_exact() {
        let half = 1 << 63;
        assert_eq!(maximum(&|_, _| false, &[half, half - 1]), (u64::MAX, 1));
        assert_eq!(
            check(&|_, _| false, &[half, half - 1], u64::MAX - 1, 9, &mut || true),
            Ok(Verdict::Violated(vec![0, 1]))
        );
        assert_eq!(check(&|_, _| true, &[half, half], half, 9, &mut || true), Err(WeightedError::Overflow));
        let many = vec![1; MAX_SQUARES + 1];
        assert_eq!(check(&|_, _| true, &many, 1, 9, &mut || true), Err(WeightedError::TooManySquares));
        let all = MAX_SQUARES as u64;
        assert_eq!(check(&|_, _| false, &many[1..], all, 9, &mut || true), Ok(Verdict::Holds { nodes: 1 }));
        let violated = check(&|_, _| false, &many[1..], all - 1, 2 * all, &mut || true);
        assert_eq!(violated, Ok(Verdict::Violated((0..MAX_SQUARES).collect())));
    }
}
