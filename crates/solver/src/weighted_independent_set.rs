//! Independent sets of large weight in small graphs with symmetries.
//!
//! Depth-first branch and bound. The bound of a node is a clique cover with weights: an independent set has at
//! most one vertex of each clique. Vertices that the cover pays for within the remaining budget need no
//! branch. While a symmetry is left, only one vertex of each orbit is branched on.
//!
//! # References
//! S. Held, W. Cook, E. Sewell, *Maximum-weight stable sets and safe lower bounds for graph coloring*, Math.
//! Program. Comp. 4 (2012), for the cover; F. Margot, *Exploiting orbits in symmetric ILP*, Math. Program. 98
//! (2003), for the orbits.

/// Maximum number of vertices.
pub const MAX_VERTICES: usize = 256;

/// Number of nodes between two calls of `keep_going`.
const NODES_PER_CALL: u64 = 4_096;

/// Set of vertices.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct VertexSet([u64; MAX_VERTICES / 64]);

impl VertexSet {
    pub(crate) fn insert(&mut self, vertex: usize) {
        self.0[vertex / 64] |= 1 << (vertex % 64);
    }

    fn remove(&mut self, vertex: usize) {
        self.0[vertex / 64] &= !(1 << (vertex % 64));
    }

    fn first(&self) -> Option<usize> {
        let word = self.0.iter().position(|&word| word != 0)?;
        Some(64 * word + self.0[word].trailing_zeros() as usize)
    }

    fn intersect(&mut self, other: &Self) {
        self.0.iter_mut().zip(&other.0).for_each(|(word, other)| *word &= other);
    }

    fn subtract(&mut self, other: &Self) {
        self.0.iter_mut().zip(&other.0).for_each(|(word, other)| *word &= !other);
    }

    fn iter(&self) -> impl Iterator<Item = usize> + use<> {
        let mut left = *self;
        std::iter::from_fn(move || {
            let first = left.first()?;
            left.remove(first);
            Some(first)
        })
    }
}

/// Symmetry of a graph: the image of each vertex.
pub(crate) type Permutation = Vec<u16>;

/// Graph with its symmetries.
#[derive(Debug, Clone)]
pub(crate) struct SymmetricGraph {
    /// Neighbours of each vertex.
    neighbours: Vec<VertexSet>,
    /// All elements of a group of automorphisms, including the identity.
    group: Vec<Permutation>,
}

impl SymmetricGraph {
    /// Creates a graph with at most [`MAX_VERTICES`] vertices from the neighbours of each vertex. `group` has
    /// all elements of a group of automorphisms.
    pub(crate) fn new(neighbours: Vec<VertexSet>, group: Vec<Permutation>) -> Self {
        debug_assert!(neighbours.len() <= MAX_VERTICES, "{} vertices", neighbours.len());
        Self { neighbours, group }
    }

    /// Returns the number of vertices.
    pub(crate) fn size(&self) -> usize {
        self.neighbours.len()
    }

    /// Returns the number of the orbit of each vertex, counted from 0 in the order of the first vertices.
    pub(crate) fn orbits(&self) -> Vec<usize> {
        let mut orbit_of = vec![usize::MAX; self.size()];
        let mut orbits = 0;
        for vertex in 0..self.size() {
            if orbit_of[vertex] == usize::MAX {
                self.group.iter().for_each(|element| orbit_of[element[vertex] as usize] = orbits);
                orbits += 1;
            }
        }
        orbit_of
    }

    /// Searches for independent sets that are heavier than `threshold`, each heavier than the one before.
    /// The weights must be the same for all vertices of an orbit. The search ends after `node_limit` nodes, or
    /// when `keep_going`, which is called often, returns `false`; if `is_eager`, it also ends
    /// [`EAGER_NODES`] nodes after it has found a set.
    pub(crate) fn heavier_sets(
        &self,
        weights: &[u64],
        threshold: u64,
        node_limit: u64,
        is_eager: bool,
        keep_going: &mut dyn FnMut() -> bool,
    ) -> HeavierSets {
        let mut search = Search {
            graph: self,
            weights,
            heaviest: threshold,
            chosen: Vec::new(),
            sets: Vec::new(),
            nodes: 0,
            node_limit,
            is_eager,
            keep_going,
            is_complete: true,
        };
        let mut candidates = VertexSet::default();
        (0..self.size()).filter(|&vertex| weights[vertex] > 0).for_each(|vertex| candidates.insert(vertex));
        let group: Vec<&Permutation> = self.group.iter().collect();
        search.branch_on_orbits(candidates, 0, &group);
        HeavierSets { sets: search.sets, is_complete: search.is_complete }
    }
}

/// Number of nodes after which an eager search that has found a set ends.
const EAGER_NODES: u64 = 2_000;

/// Result of a search for heavy independent sets.
#[derive(Debug)]
pub(crate) struct HeavierSets {
    /// Sets above the threshold, each heavier than the one before.
    pub(crate) sets: Vec<Vec<usize>>,
    /// `true` if no set is heavier than both the threshold and the last set.
    pub(crate) is_complete: bool,
}

/// State of a search.
struct Search<'a> {
    graph: &'a SymmetricGraph,
    weights: &'a [u64],
    /// Weight of the heaviest set, or the threshold until a set is found.
    heaviest: u64,
    chosen: Vec<usize>,
    sets: Vec<Vec<usize>>,
    nodes: u64,
    node_limit: u64,
    is_eager: bool,
    keep_going: &'a mut dyn FnMut() -> bool,
    is_complete: bool,
}

impl Search<'_> {
    /// Searches for supersets of the chosen vertices, of this weight, by candidates that do not attack them.
    /// The candidates and the chosen vertices must be invariant under `group`.
    fn branch_on_orbits(&mut self, mut candidates: VertexSet, weight: u64, group: &[&Permutation]) {
        if group.len() <= 1 {
            return self.branch(candidates, weight);
        }
        self.visit(weight);
        while self.is_complete {
            let uncovered = self.uncovered(&candidates, self.heaviest - weight);
            let orbit_of = |vertex: usize| {
                let mut orbit = VertexSet::default();
                group.iter().for_each(|element| orbit.insert(element[vertex] as usize));
                orbit
            };
            let heaviest = uncovered.into_iter().max_by_key(|&vertex| (self.weights[vertex], vertex));
            let Some(vertex) = heaviest else { return };
            let stabiliser: Vec<&Permutation> =
                group.iter().copied().filter(|element| element[vertex] as usize == vertex).collect();
            let mut left = candidates;
            left.subtract(&self.graph.neighbours[vertex]);
            left.remove(vertex);
            self.chosen.push(vertex);
            self.branch_on_orbits(left, weight + self.weights[vertex], &stabiliser);
            self.chosen.pop();
            candidates.subtract(&orbit_of(vertex));
        }
    }

    /// Searches like [`Self::branch_on_orbits`] without symmetries.
    fn branch(&mut self, mut candidates: VertexSet, weight: u64) {
        self.visit(weight);
        for vertex in self.uncovered(&candidates, self.heaviest - weight) {
            if !self.is_complete {
                return;
            }
            candidates.remove(vertex);
            let mut left = candidates;
            left.subtract(&self.graph.neighbours[vertex]);
            self.chosen.push(vertex);
            self.branch(left, weight + self.weights[vertex]);
            self.chosen.pop();
        }
    }

    /// Counts a node, and records the chosen vertices if they are heavier than all sets before.
    fn visit(&mut self, weight: u64) {
        self.nodes += 1;
        if weight > self.heaviest {
            self.heaviest = weight;
            self.sets.push(self.chosen.clone());
        }
        let is_sated = self.is_eager && !self.sets.is_empty() && self.nodes > EAGER_NODES;
        let is_over = self.nodes > self.node_limit;
        if is_sated || is_over || (self.nodes.is_multiple_of(NODES_PER_CALL) && !(self.keep_going)()) {
            self.is_complete = false;
        }
    }

    /// Returns candidates so that the others have a clique cover of at most the weight `budget`.
    fn uncovered(&self, candidates: &VertexSet, budget: u64) -> Vec<usize> {
        let mut uncovered = *candidates;
        let mut left = [0; MAX_VERTICES];
        candidates.iter().for_each(|vertex| left[vertex] = self.weights[vertex]);
        let mut total = 0;
        let mut clique: Vec<usize> = Vec::new();
        while let Some(lightest) = uncovered.iter().min_by_key(|&vertex| left[vertex]) {
            let weight = left[lightest];
            total += weight;
            if total > budget {
                let mut vertices: Vec<usize> = uncovered.iter().collect();
                vertices.sort_by_key(|&vertex| std::cmp::Reverse(left[vertex]));
                return vertices;
            }
            clique.clear();
            clique.push(lightest);
            let mut common = uncovered;
            common.intersect(&self.graph.neighbours[lightest]);
            while let Some(next) = common.first() {
                clique.push(next);
                common.intersect(&self.graph.neighbours[next]);
            }
            for &vertex in &clique {
                left[vertex] -= weight;
                if left[vertex] == 0 {
                    uncovered.remove(vertex);
                }
            }
        }
        Vec::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::rngs::ChaCha8Rng;
    use rand::{RngExt as _, SeedableRng as _};

    fn contains(set: &VertexSet, vertex: usize) -> bool {
        set.iter().any(|member| member == vertex)
    }

    /// Returns the largest weight of an independent set, by enumeration.
    fn maximum_weight(neighbours: &[VertexSet], weights: &[u64]) -> u64 {
        let subsets = 0u32..1 << neighbours.len();
        let vertices = |subset: u32| (0..neighbours.len()).filter(move |v| subset >> v & 1 == 1);
        let is_independent =
            |subset: &u32| vertices(*subset).all(|v| vertices(*subset).all(|w| !contains(&neighbours[v], w)));
        subsets
            .filter(is_independent)
            .map(|subset| vertices(subset).map(|v| weights[v]).sum())
            .max()
            .unwrap_or(0)
    }

    #[test]
    fn heaviest_sets_match_enumeration_on_random_cyclic_graphs() {
        let mut random = ChaCha8Rng::seed_from_u64(7);
        for size in 1..=12 {
            for _ in 0..20 {
                // A circulant graph has the rotations as symmetries, and equal weights.
                let is_step: Vec<bool> = (0..size).map(|_| random.random_bool(0.3)).collect();
                let has_symmetry = random.random_bool(0.5);
                let mut neighbours = vec![VertexSet::default(); size];
                for (v, set) in neighbours.iter_mut().enumerate() {
                    let is_near =
                        |w: &usize| is_step[(*w + size - v) % size] || is_step[(v + size - *w) % size];
                    (0..size).filter(|&w| w != v).filter(is_near).for_each(|w| set.insert(w));
                }
                let turn = |by: usize| (0..size).map(|v| ((v + by) % size) as u16).collect();
                let rotations = if has_symmetry { size } else { 1 };
                let group = (0..rotations).map(turn).collect();
                let common = random.random_range(0..5);
                let mut weight = || if has_symmetry { common } else { random.random_range(0..9) };
                let weights: Vec<u64> = (0..size).map(|_| weight()).collect();
                let best = maximum_weight(&neighbours, &weights);
                let graph = SymmetricGraph::new(neighbours, group);
                let none = graph.heavier_sets(&weights, best, u64::MAX, false, &mut || true);
                assert!(none.sets.is_empty() && none.is_complete);
                if best > 0 {
                    let found = graph.heavier_sets(&weights, best - 1, u64::MAX, false, &mut || true);
                    let set = found.sets.last().expect("a heavier set exists");
                    assert_eq!(set.iter().map(|&v| weights[v]).sum::<u64>(), best);
                    assert!(set.iter().all(|&v| set.iter().all(|&w| !contains(&graph.neighbours[v], w))));
                }
            }
        }
    }
}
