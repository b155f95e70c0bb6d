//! Maximal cliques whose inequalities an LP solution violates.

use std::collections::HashSet;

use fixedbitset::FixedBitSet;
use ndqueens_model::board::Square;

use crate::clique::heaviest_clique;

/// Least weight of a square that is looked at.
const POSITIVE: f64 = 1e-6;

/// Least violation of an inequality that is returned; far above the tolerance of the LP.
const VIOLATION: f64 = 1e-3;

/// Returns at most `most` violated cliques, the most violated first, each completed to a maximal clique of the board.
///
/// `graph` has the attacked squares of each square. For each square of positive value a heaviest clique is computed that
/// contains it and otherwise only squares of smaller value, so that a violated clique is found if there is one.
pub(super) fn violated_cliques(
    graph: &[FixedBitSet],
    point: &[f64],
    free: &FixedBitSet,
    most: usize,
    go_on: &mut dyn FnMut() -> bool,
) -> Vec<Vec<Square>> {
    let mut support: Vec<usize> = free.ones().filter(|&square| point[square] > POSITIVE).collect();
    support.sort_by(|&a, &b| point[b].total_cmp(&point[a]).then(a.cmp(&b)));
    let weights: Vec<f64> = support.iter().map(|&square| point[square]).collect();
    let among: Vec<FixedBitSet> = support
        .iter()
        .map(|&square| {
            let mut near = FixedBitSet::with_capacity(support.len());
            near.extend((0..support.len()).filter(|&other| graph[square].contains(support[other])));
            near
        })
        .collect();
    let mut found: Vec<(f64, Vec<usize>)> = Vec::new();
    let mut seen = HashSet::new();
    for first in 0..support.len() {
        let mut candidates = among[first].clone();
        candidates.remove_range(..first);
        let least = 1.0 + VIOLATION - weights[first];
        if candidates.ones().map(|vertex| weights[vertex]).sum::<f64>() <= least {
            continue;
        }
        let Some(mut clique) = heaviest_clique(&among, &weights, candidates, least, go_on) else { break };
        if clique.is_empty() {
            continue;
        }
        clique.push(first);
        clique.sort_unstable();
        let weight = clique.iter().map(|&vertex| weights[vertex]).sum();
        if seen.insert(clique.clone()) {
            found.push((weight, clique));
        }
    }
    found.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
    found.truncate(most);
    found
        .into_iter()
        .map(|(_, clique)| complete(graph, clique.into_iter().map(|vertex| support[vertex]).collect(), free))
        .collect()
}

/// Adds squares that attack all others, free ones first, until the clique is maximal.
fn complete(graph: &[FixedBitSet], mut clique: Vec<usize>, free: &FixedBitSet) -> Vec<Square> {
    let mut common = graph[clique[0]].clone();
    clique[1..].iter().for_each(|&square| common.intersect_with(&graph[square]));
    loop {
        let next = common.ones().find(|&square| free.contains(square)).or_else(|| common.minimum());
        let Some(next) = next else { break };
        clique.push(next);
        common.intersect_with(&graph[next]);
    }
    clique.sort_unstable();
    clique.into_iter().map(|square| square as Square).collect()
}
