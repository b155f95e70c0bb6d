//! Maximal independent sets of a board, i.e. those to which no square can be added, of all sizes.

use std::collections::BTreeMap;

use ndqueens_notation::name::BoardName;

use crate::boards::definition;
use crate::bron_kerbosch::every_maximal_set;
use crate::graph::{Graph, TooManySquares};
use crate::stop::Stop;
use crate::symmetry::SymmetryGroup;

/// Numbers of maximal independent sets of a board by size.
///
/// # Examples
/// ```
/// use ndqueens_crosscheck::maximal::maximal_sets_of;
///
/// let sets = maximal_sets_of(&"3^2".parse()?, &|| false, &mut |_| {})?;
/// assert_eq!((sets.total(), sets.sets[&1], sets.sets[&2]), (9, 1, 8));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MaximalSets {
    /// Number of sets of each size.
    pub sets: BTreeMap<usize, u64>,
    /// Number of their orbits under the board's symmetry group for each size. `None` if the group is not
    /// known or too large to be listed, or if the search was stopped.
    pub orbits: Option<BTreeMap<usize, u64>>,
    /// `true` if every set was visited.
    pub finished: bool,
}

impl MaximalSets {
    /// Returns the number of sets of all sizes.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.sets.values().sum()
    }
}

/// Visits every maximal independent set of a board once, as a list of coordinate tuples in increasing order.
/// Counts the sets by size, and their orbits by the Cauchy-Frobenius lemma as [`crate::count::count`] does.
/// If `stop` returns `true`, the counts cover only the sets visited, and [`MaximalSets::finished`] is
/// `false`.
///
/// # Errors
/// Returns an error if the board is too large.
///
/// # Panics
/// Panics if, for some size, the sum of the sizes of the stabilisers is not a multiple of the order of the
/// group, because the count would be wrong.
///
/// # References
/// C. Bron, J. Kerbosch, *Algorithm 457: finding all cliques of an undirected graph*, Comm. ACM 16 (1973)
/// 575-577.
pub fn maximal_sets_of(
    board: &BoardName,
    stop: Stop<'_>,
    visit: &mut dyn FnMut(&[Vec<u32>]),
) -> Result<MaximalSets, TooManySquares> {
    let definition = definition(board);
    let graph = Graph::new(&*definition)?;
    let group = SymmetryGroup::new(&*definition, graph.squares());
    let mut sets: BTreeMap<usize, u64> = BTreeMap::new();
    let mut stabilisers: BTreeMap<usize, u128> = BTreeMap::new();
    let mut numbers = Vec::new();
    let result = every_maximal_set(&graph, stop, &mut |set| {
        numbers.clear();
        numbers.extend_from_slice(set);
        numbers.sort_unstable();
        *sets.entry(set.len()).or_default() += 1;
        if let Some(group) = &group {
            *stabilisers.entry(set.len()).or_default() += group.stabiliser_size(&numbers) as u128;
        }
        let squares: Vec<Vec<u32>> = numbers.iter().map(|&square| graph.squares()[square].clone()).collect();
        visit(&squares);
    });
    let finished = result.is_ok();
    let orbits = group.filter(|_| finished).map(|group| {
        let order = group.order() as u128;
        let orbits = stabilisers.into_iter().map(|(size, sum)| {
            assert_eq!(
                sum % order,
                0,
                "{board}: the maximal sets of {size} squares are not a union of orbits"
            );
            (size, u64::try_from(sum / order).expect("there are no more orbits than sets"))
        });
        orbits.collect()
    });
    Ok(MaximalSets { sets, orbits, finished })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use rand::rngs::ChaCha8Rng;
    use rand::{RngExt as _, SeedableRng as _};

    use super::*;
    use crate::count::count;

    fn random_graph(vertices: u32, seed: u64) -> BoardName {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let mut text = format!("n {vertices}\n");
        for (a, b) in (0..vertices).flat_map(|a| (a + 1..vertices).map(move |b| (a, b))) {
            if random.random_range(0..10) < 1 + seed % 8 {
                text += &format!("{a} {b}\n");
            }
        }
        BoardName::parse_with("file:random", &|_| Ok(text.clone())).expect("a graph")
    }

    /// Returns every maximal independent set, by testing every subset of the squares.
    fn enumerate_subsets(board: &BoardName) -> BTreeSet<Vec<Vec<u32>>> {
        let definition = definition(board);
        let squares: Vec<Vec<u32>> = definition.squares().collect();
        let attacks = |a: usize, b: usize| definition.attacks(&squares[a], &squares[b]);
        let mut found = BTreeSet::new();
        for bits in 0u32..1 << squares.len() {
            let has = |square: &usize| bits >> square & 1 == 1;
            let set: Vec<usize> = (0..squares.len()).filter(has).collect();
            let is_free = |square: usize| set.iter().all(|&other| !attacks(square, other));
            let is_independent = set.iter().all(|&square| is_free(square));
            if is_independent && (0..squares.len()).all(|square| has(&square) || !is_free(square)) {
                found.insert(set.iter().map(|&square| squares[square].clone()).collect());
            }
        }
        found
    }

    /// Compares the sets and counts with those of [`enumerate_subsets`] and of [`count`].
    fn check_board(board: &BoardName) {
        let mut found = BTreeSet::new();
        let counted = maximal_sets_of(board, &|| false, &mut |set| {
            assert!(found.insert(set.to_vec()), "{board}: a set twice");
        })
        .expect("a small board");
        assert!(counted.finished);
        assert_eq!(found, enumerate_subsets(board), "{board}");
        assert_eq!(counted.total(), found.len() as u64);
        let maximum = count(board, &|| false).expect("a small board");
        let last = counted.sets.last_key_value().map(|(&size, &sets)| (size, sets));
        assert_eq!(last, Some((maximum.independence_number, maximum.maximum_sets)), "{board}");
        let orbits = counted.orbits.map(|orbits| orbits[&maximum.independence_number]);
        assert_eq!(orbits, maximum.orbits, "{board}");
    }

    #[test]
    fn agrees_with_enumeration_of_subsets() {
        for name in
            ["4^2", "2^3", "3x4", "rook:2^3", "torus:4^2", "hex:2", "cells:2", "cells-x:2", "bishop:4^2"]
        {
            check_board(&name.parse().expect(name));
        }
        for seed in 0..60 {
            check_board(&random_graph(3 + seed as u32 % 12, seed));
        }
    }

    #[test]
    fn counts_maximal_sets_of_a_cube() {
        let cube = "rook:2^3".parse().expect("a board");
        let counted = maximal_sets_of(&cube, &|| false, &mut |_| {}).expect("a small board");
        assert_eq!(counted.sets, BTreeMap::from([(2, 4), (4, 2)]));
        assert_eq!(counted.orbits, Some(BTreeMap::from([(2, 1), (4, 1)])));
    }
}
