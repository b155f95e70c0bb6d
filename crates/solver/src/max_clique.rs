//! Maximum cliques by branch and bound with the bound by a greedy colouring.

use fixedbitset::FixedBitSet;
use ndqueens_system::stack;

/// Largest clique that a search found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MaximumClique {
    /// Vertices in increasing order.
    pub vertices: Vec<usize>,
    /// Number of nodes of the search.
    pub nodes: u64,
    /// `true` if the search was completed, so that no clique is larger.
    pub is_maximum: bool,
}

/// Returns a maximum clique of a graph. Returns the largest clique so far once `stop`, which is called at
/// every node, returns `true`.
///
/// `graph` has the neighbours of each vertex. The algorithm is MaxCliqueDyn: colour classes of a greedy
/// sequential colouring bound the cliques among the candidates, and near the root the candidates are sorted
/// by degree again before they are coloured.
///
/// # References
/// E. Tomita, T. Seki, *An efficient branch-and-bound algorithm for finding a maximum clique*, DMTCS 2003,
/// LNCS 2731, 278-289. J. Konc, D. Janežič, *An improved branch and bound algorithm for the maximum clique
/// problem*, MATCH Commun. Math. Comput. Chem. 58 (2007) 569-590.
#[must_use]
pub fn maximum_clique(graph: &[FixedBitSet], stop: &dyn Fn() -> bool) -> MaximumClique {
    let mut search = Search {
        graph,
        clique: Vec::new(),
        best: Vec::new(),
        nodes: 0,
        nodes_at: vec![0; graph.len() + 2],
        stop,
        stopped: false,
    };
    let mut candidates: Vec<usize> = (0..graph.len()).collect();
    candidates.sort_by_key(|&vertex| std::cmp::Reverse(graph[vertex].count_ones(..)));
    // The first colours are those of the source: at most one more than the largest degree.
    let largest = candidates.first().map_or(0, |&vertex| graph[vertex].count_ones(..));
    let colours = (1..=candidates.len()).map(|place| place.min(largest + 1)).collect();
    search.expand(candidates, colours, 1);
    let Search { mut best, nodes, stopped, .. } = search;
    best.sort_unstable();
    MaximumClique { vertices: best, nodes, is_maximum: !stopped }
}

/// Returns the complement of a graph.
#[must_use]
pub fn complement(graph: &[FixedBitSet]) -> Vec<FixedBitSet> {
    let of_vertex = |(vertex, neighbours): (usize, &FixedBitSet)| {
        let mut set = neighbours.clone();
        set.toggle_range(..);
        set.remove(vertex);
        set
    };
    graph.iter().enumerate().map(of_vertex).collect()
}

/// Share of the nodes in a level and the levels above it below which candidates are sorted by degree. The
/// value is that of the source.
const MOST_SORTED: f64 = 0.025;

/// State of a search.
struct Search<'a> {
    graph: &'a [FixedBitSet],
    clique: Vec<usize>,
    best: Vec<usize>,
    nodes: u64,
    /// Number of nodes at each level.
    nodes_at: Vec<u64>,
    stop: &'a dyn Fn() -> bool,
    stopped: bool,
}

impl Search<'_> {
    /// Extends the clique by candidates. A clique among the first `k` candidates is at most as large as the
    /// colour of the `k`th.
    fn expand(&mut self, mut candidates: Vec<usize>, mut colours: Vec<usize>, level: usize) {
        self.nodes += 1;
        self.nodes_at[level] += 1;
        self.stopped |= (self.stop)();
        while let (Some(vertex), Some(colour)) = (candidates.pop(), colours.pop()) {
            if self.stopped || self.clique.len() + colour <= self.best.len() {
                return;
            }
            self.clique.push(vertex);
            let neighbours = &self.graph[vertex];
            let mut next: Vec<usize> =
                candidates.iter().copied().filter(|&other| neighbours.contains(other)).collect();
            if next.is_empty() {
                if self.clique.len() > self.best.len() {
                    self.best.clone_from(&self.clique);
                }
            } else {
                let above: u64 = self.nodes_at[..=level].iter().sum();
                if (above as f64) < MOST_SORTED * self.nodes as f64 || level == 1 {
                    self.sort_by_degree(&mut next);
                }
                let colours = self.colour(&mut next);
                stack::level(|| self.expand(next, colours, level + 1));
            }
            self.clique.pop();
        }
    }

    /// Sorts candidates by the number of neighbours among them, the largest first.
    fn sort_by_degree(&self, candidates: &mut [usize]) {
        let mut among = FixedBitSet::with_capacity(self.graph.len());
        among.extend(candidates.iter().copied());
        candidates
            .sort_by_cached_key(|&vertex| std::cmp::Reverse(self.graph[vertex].intersection_count(&among)));
    }

    /// Colours candidates greedily, in their order, and returns their colours, which increase in the new
    /// order of the candidates. Candidates whose colour cannot lead to a larger clique keep their order
    /// and have colour 0.
    fn colour(&self, candidates: &mut Vec<usize>) -> Vec<usize> {
        let least = (self.best.len() + 1).saturating_sub(self.clique.len()).max(1);
        let mut classes: Vec<(FixedBitSet, Vec<usize>)> = Vec::new();
        let mut kept = Vec::with_capacity(candidates.len());
        for &vertex in &*candidates {
            let neighbours = &self.graph[vertex];
            let free = classes.iter().position(|(class, _)| class.is_disjoint(neighbours));
            let colour = free.unwrap_or_else(|| {
                classes.push((FixedBitSet::with_capacity(self.graph.len()), Vec::new()));
                classes.len() - 1
            });
            classes[colour].0.insert(vertex);
            if colour + 1 < least {
                kept.push(vertex);
            } else {
                classes[colour].1.push(vertex);
            }
        }
        let mut colours = vec![0; kept.len()];
        for (number, (_, class)) in classes.iter().enumerate() {
            colours.resize(colours.len() + class.len(), number + 1);
            kept.extend(class);
        }
        *candidates = kept;
        colours
    }
}

#[cfg(test)]
mod tests {
    use ndqueens_model::board::Board;
    use rand::rngs::ChaCha8Rng;
    use rand::{RngExt as _, SeedableRng as _};

    use super::*;

    fn largest(graph: &[FixedBitSet]) -> MaximumClique {
        let found = maximum_clique(graph, &|| false);
        assert!(found.is_maximum);
        for (place, &a) in found.vertices.iter().enumerate() {
            assert!(found.vertices[..place].iter().all(|&b| graph[a].contains(b)), "a clique");
        }
        found
    }

    /// Returns the size of a maximum clique by trying all subsets.
    fn clique_number_by_brute_force(graph: &[FixedBitSet]) -> usize {
        let is_clique = |set: u32| {
            let mut members = (0..graph.len()).filter(|&v| set >> v & 1 == 1);
            members.all(|v| (0..v).all(|w| set >> w & 1 == 0 || graph[v].contains(w)))
        };
        let sizes = (0..1u32 << graph.len()).filter(|&set| is_clique(set)).map(u32::count_ones);
        sizes.max().unwrap_or(0) as usize
    }

    #[test]
    fn agrees_with_brute_force() {
        let mut random = ChaCha8Rng::seed_from_u64(7);
        for round in 0..60 {
            let vertices = round % 13;
            let mut graph = vec![FixedBitSet::with_capacity(vertices); vertices];
            for v in 0..vertices {
                for w in 0..v {
                    if random.random_bool(0.2 + 0.01 * round as f64) {
                        graph[v].insert(w);
                        graph[w].insert(v);
                    }
                }
            }
            assert_eq!(largest(&graph).vertices.len(), clique_number_by_brute_force(&graph));
        }
    }

    #[test]
    fn finds_maximum_solutions_in_the_complement() {
        for (name, queens) in
            [("8^2", 8), ("3^2", 2), ("4^3", 7), ("hex:6", 9), ("three:6", 9), ("torus:5^2", 5), ("3^4", 6)]
        {
            let graph = complement(&Board::new(&name.parse().expect(name)).graph());
            assert_eq!(largest(&graph).vertices.len(), queens, "{name}");
        }
    }

    #[test]
    fn claims_no_maximum_if_stopped() {
        let graph = complement(&Board::new(&"6^3".parse().expect("a board")).graph());
        let nodes = std::cell::Cell::new(0);
        let stop = || nodes.replace(nodes.get() + 1) > 100;
        let found = maximum_clique(&graph, &stop);
        assert!(!found.is_maximum && !found.vertices.is_empty());
    }
}
