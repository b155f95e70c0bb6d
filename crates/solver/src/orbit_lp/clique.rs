//! Cliques whose rows a point of the orbit LP violates: heaviest cliques, found by branch and bound.

use std::collections::HashMap;

use fixedbitset::FixedBitSet;
use ndqueens_model::board::{Board, Square};
use ndqueens_model::orbit::{BoxOrbits, Orbit};

use crate::clique::heaviest_clique;

/// How far a clique must be above its right-hand side, far above HiGHS's tolerance.
const VIOLATED: f64 = 1e-6;

/// For each orbit a heaviest maximal clique with a square of it and of later orbits only, where that is violated. A clique
/// that is violated has an image among those that are looked at, so there is none when nothing is returned. `go_on` is asked
/// now and then; when it says no, the search ends with what it has.
pub(super) fn violated(
    board: &Board,
    orbits: &BoxOrbits,
    weights: &HashMap<Orbit, f64>,
    go_on: &mut dyn FnMut() -> bool,
) -> Vec<Vec<Vec<u32>>> {
    let mut order: Vec<(&Orbit, f64)> = weights
        .iter()
        .map(|(orbit, &weight)| (orbit, weight))
        .filter(|(_, weight)| *weight > VIOLATED)
        .collect();
    order.sort_by(|a, b| b.1.total_cmp(&a.1).then_with(|| a.0.cmp(b.0)));
    let rank: HashMap<&Orbit, usize> =
        order.iter().enumerate().map(|(rank, (orbit, _))| (*orbit, rank)).collect();
    let mut found = Vec::new();
    for (own, &(orbit, weight)) in order.iter().enumerate() {
        if !go_on() {
            break;
        }
        let first = board.square(&orbits.square(orbit)).expect("an orbit has a square");
        let later = |square: Square| {
            let orbit = orbits.orbit(&board.coordinates(square));
            rank.get(&orbit).filter(|rank| **rank >= own).map(|&rank| (square, order[rank].1))
        };
        let mut around: Vec<(Square, f64)> = board.neighbours(first).into_iter().filter_map(later).collect();
        around.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        let near = |&(a, _): &(Square, f64)| {
            let mut set = FixedBitSet::with_capacity(around.len());
            set.extend((0..around.len()).filter(|&j| board.attacks(a, around[j].0)));
            set
        };
        // Nothing is left out while there is time.
        let graph: Vec<FixedBitSet> =
            around.iter().map_while(|vertex| go_on().then(|| near(vertex))).collect();
        if graph.len() < around.len() {
            break;
        }
        let weights: Vec<f64> = around.iter().map(|(_, weight)| *weight).collect();
        let mut all = FixedBitSet::with_capacity(around.len());
        all.insert_range(..);
        let Some(best) = heaviest_clique(&graph, &weights, all, 1.0 + VIOLATED - weight, go_on) else {
            break;
        };
        if !best.is_empty() {
            let squares = std::iter::once(first).chain(best.iter().map(|&j| around[j].0));
            let mut clique: Vec<Square> = squares.collect();
            extend(board, &mut clique);
            found.push(clique.into_iter().map(|square| board.coordinates(square)).collect());
        }
    }
    found
}

/// Adds squares that attack all, until there are none.
fn extend(board: &Board, clique: &mut Vec<Square>) {
    for square in board.neighbours(clique[0]) {
        if clique.iter().all(|&other| other != square && board.attacks(square, other)) {
            clique.push(square);
        }
    }
    clique.sort_unstable();
}
