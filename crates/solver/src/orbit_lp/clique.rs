//! Separation of clique inequalities: heaviest cliques at a point, found by branch and bound.

use fixedbitset::FixedBitSet;
use ndqueens_model::board::{Board, Square};

use crate::clique::heaviest_clique;

/// Amount by which the weight of a violated clique exceeds its right-hand side 1; far above the
/// tolerance of HiGHS.
const MIN_VIOLATION: f64 = 1e-6;

/// Classes of squares on each of which a point has one value.
pub(super) struct Classes<'a> {
    /// A square of each class. A class is an orbit under symmetries of the board.
    pub(super) representatives: &'a [Square],
    /// Returns the number of the class of a square.
    pub(super) of: &'a dyn Fn(Square) -> usize,
}

/// Returns violated cliques of a point with these values on the classes. For each class, in an order of all
/// classes, this is a heaviest maximal clique that has a square of the class and otherwise squares of the same
/// and later classes, if it is violated. Every violated clique has an image among these candidates, so if
/// nothing is returned, no clique is violated.
///
/// `keep_going` is called often. If it returns `false`, the search ends with the cliques found so far.
pub(super) fn violated_cliques(
    board: &Board,
    classes: &Classes<'_>,
    values: &[f64],
    keep_going: &mut dyn FnMut() -> bool,
) -> Vec<Vec<Vec<u32>>> {
    let mut order: Vec<usize> = (0..values.len()).filter(|&class| values[class] > MIN_VIOLATION).collect();
    order.sort_by(|&a, &b| values[b].total_cmp(&values[a]).then(a.cmp(&b)));
    let mut ranks: Vec<Option<usize>> = vec![None; values.len()];
    order.iter().enumerate().for_each(|(rank, &class)| ranks[class] = Some(rank));
    let mut found = Vec::new();
    for (own_rank, &class) in order.iter().enumerate() {
        if !keep_going() {
            break;
        }
        let (first, weight) = (classes.representatives[class], values[class]);
        let with_weight = |square: Square| {
            let class = (classes.of)(square);
            ranks[class].filter(|&rank| rank >= own_rank).map(|_| (square, values[class]))
        };
        let mut vertices: Vec<(Square, f64)> =
            board.neighbours(first).into_iter().filter_map(with_weight).collect();
        vertices.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        let neighbours = |&(square, _): &(Square, f64)| {
            let mut set = FixedBitSet::with_capacity(vertices.len());
            set.extend((0..vertices.len()).filter(|&j| board.attacks(square, vertices[j].0)));
            set
        };
        // The graph is incomplete only if the search is stopped.
        let graph: Vec<FixedBitSet> =
            vertices.iter().map_while(|vertex| keep_going().then(|| neighbours(vertex))).collect();
        if graph.len() < vertices.len() {
            break;
        }
        let weights: Vec<f64> = vertices.iter().map(|(_, weight)| *weight).collect();
        let mut all = FixedBitSet::with_capacity(vertices.len());
        all.insert_range(..);
        let Some(best) = heaviest_clique(&graph, &weights, all, 1.0 + MIN_VIOLATION - weight, keep_going)
        else {
            break;
        };
        if !best.is_empty() {
            let squares = std::iter::once(first).chain(best.iter().map(|&j| vertices[j].0));
            let mut clique: Vec<Square> = squares.collect();
            extend_to_maximal(board, &mut clique);
            found.push(clique.into_iter().map(|square| board.coordinates(square)).collect());
        }
    }
    found
}

/// Adds squares to a clique until it is maximal, and sorts it.
fn extend_to_maximal(board: &Board, clique: &mut Vec<Square>) {
    for square in board.neighbours(clique[0]) {
        if clique.iter().all(|&other| other != square && board.attacks(square, other)) {
            clique.push(square);
        }
    }
    clique.sort_unstable();
}
