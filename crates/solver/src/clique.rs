//! Heaviest cliques of graphs with weighted vertices.

use fixedbitset::FixedBitSet;
use ndqueens_system::stack;

/// Returns a heaviest clique among the `candidates` if it weighs more than `least`, and an empty clique
/// otherwise. Returns `None` if `go_on`, which is called regularly, returned `false`.
///
/// `graph` has the neighbours of each vertex. The vertices should be numbered by decreasing weight.
pub(crate) fn heaviest_clique(
    graph: &[FixedBitSet],
    weights: &[f64],
    candidates: FixedBitSet,
    least: f64,
    go_on: &mut dyn FnMut() -> bool,
) -> Option<Vec<usize>> {
    let mut search = Search {
        graph,
        weights,
        clique: Vec::new(),
        best: Vec::new(),
        heaviest: least,
        nodes: 0,
        go_on,
        stopped: false,
    };
    search.extend(candidates, 0.0);
    (!search.stopped).then_some(search.best)
}

/// State of a branch and bound whose bound is a colouring of the candidates.
struct Search<'a> {
    graph: &'a [FixedBitSet],
    weights: &'a [f64],
    clique: Vec<usize>,
    best: Vec<usize>,
    /// Weight of the best clique, or the weight to be exceeded until one is found.
    heaviest: f64,
    nodes: u64,
    go_on: &'a mut dyn FnMut() -> bool,
    stopped: bool,
}

/// Number of nodes between two calls of `go_on`.
const NODES_PER_CALL: u64 = 1024;

impl Search<'_> {
    /// Extends the clique, which has this weight, by candidates.
    fn extend(&mut self, candidates: FixedBitSet, weight: f64) {
        self.nodes += 1;
        if self.nodes.is_multiple_of(NODES_PER_CALL) && !(self.go_on)() {
            self.stopped = true;
        }
        if weight > self.heaviest {
            self.heaviest = weight;
            self.best.clone_from(&self.clique);
        }
        // Colour classes are independent, so a clique has at most one vertex of each.
        let mut bounds: Vec<(usize, f64)> = Vec::new();
        let mut left = candidates.clone();
        let mut bound = weight;
        while let Some(first) = left.ones().next() {
            let mut class = left.clone();
            // The candidates are in order of weight, the heaviest first.
            bound += self.weights[first];
            while let Some(vertex) = class.ones().next() {
                bounds.push((vertex, bound));
                left.remove(vertex);
                class.remove(vertex);
                class.difference_with(&self.graph[vertex]);
            }
        }
        let mut candidates = candidates;
        for (vertex, bound) in bounds.into_iter().rev() {
            if self.stopped || bound <= self.heaviest + 1e-12 {
                return;
            }
            let mut nearer = candidates.clone();
            nearer.intersect_with(&self.graph[vertex]);
            self.clique.push(vertex);
            stack::level(|| self.extend(nearer, weight + self.weights[vertex]));
            self.clique.pop();
            candidates.remove(vertex);
        }
    }
}
