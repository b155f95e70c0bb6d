//! Maximal cliques whose inequalities an LP solution violates.

use std::collections::HashSet;

use fixedbitset::FixedBitSet;
use ndqueens_model::board::Square;

use crate::clique::heaviest_clique;

/// Value above which a square counts as positive.
const POSITIVE: f64 = 1e-6;

/// Least violation of a returned inequality, which is far above the tolerance of the LP.
const VIOLATION: f64 = 1e-3;

/// Returns at most `most` violated cliques, the most violated first, each completed to a maximal
/// clique of the board.
///
/// `graph` has the attacked squares of each square. For each square of positive value, a heaviest
/// clique is computed among those in which it has the largest value. A violated clique is therefore
/// found if there is one.
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

/// Completes a clique to a maximal one, with free squares first.
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

#[cfg(test)]
mod tests {
    use rand::rngs::ChaCha8Rng;
    use rand::{RngExt as _, SeedableRng as _};

    use super::*;

    /// Returns the weight of a heaviest clique, by all subsets.
    fn heaviest(graph: &[FixedBitSet], point: &[f64]) -> f64 {
        let vertices = graph.len();
        let is_clique = |set: &u32| {
            (0..vertices)
                .all(|a| (0..a).all(|b| set >> a & 1 == 0 || set >> b & 1 == 0 || graph[a].contains(b)))
        };
        let weight = |set: u32| (0..vertices).filter(|&a| set >> a & 1 == 1).map(|a| point[a]).sum::<f64>();
        (0..1u32 << vertices).filter(is_clique).map(weight).fold(0.0, f64::max)
    }

    #[test]
    fn finds_a_violated_clique_if_there_is_one() {
        let mut random = ChaCha8Rng::seed_from_u64(2);
        let (mut some, mut none) = (0, 0);
        for _ in 0..300 {
            let vertices = random.random_range(1..10);
            let mut graph = vec![FixedBitSet::with_capacity(vertices); vertices];
            for a in 0..vertices {
                for b in (0..a).filter(|_| random.random_bool(0.6)).collect::<Vec<_>>() {
                    graph[a].insert(b);
                    graph[b].insert(a);
                }
            }
            let point: Vec<f64> =
                (0..vertices).map(|_| f64::from(random.random_range(0..=6)) / 10.0).collect();
            let mut free = FixedBitSet::with_capacity(vertices);
            free.insert_range(..);
            let found = violated_cliques(&graph, &point, &free, 40, &mut || true);
            let most = heaviest(&graph, &point);
            assert_eq!(found.is_empty(), most <= 1.0 + VIOLATION, "{graph:?} at {point:?}");
            for clique in &found {
                let members: Vec<usize> = clique.iter().map(|&square| square as usize).collect();
                assert!(members.iter().map(|&a| point[a]).sum::<f64>() > 1.0 + VIOLATION);
                let attacks_all = |&v: &usize| members.iter().all(|&a| a == v || graph[v].contains(a));
                assert!(members.iter().all(attacks_all));
                assert!(
                    !(0..vertices).filter(|v| !members.contains(v)).any(|v| attacks_all(&v)),
                    "not maximal"
                );
            }
            if found.is_empty() { none += 1 } else { some += 1 }
        }
        assert!(some > 50 && none > 20, "{some} with violated cliques, {none} without");
    }
}
