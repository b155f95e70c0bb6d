//! Degeneracy of a graph: the smallest `d` such that every subgraph has a vertex with at most
//! `d` neighbours in it.

use fixedbitset::FixedBitSet;

/// Degeneracy of a graph, and an ordering that shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Degeneracy {
    /// Degeneracy; 0 for a graph without edges.
    pub value: usize,
    /// Vertices in an order in which each one has at most `value` neighbours after it.
    pub ordering: Vec<usize>,
}

/// Computes the degeneracy of a graph by repeatedly removing a vertex with the fewest neighbours, the first
/// one among several. `graph` has the neighbours of each vertex.
///
/// # References
/// D. W. Matula, L. L. Beck, *Smallest-last ordering and clustering and graph coloring algorithms*, J. ACM
/// 30 (1983) 417-427.
#[must_use]
pub fn degeneracy(graph: &[FixedBitSet]) -> Degeneracy {
    let mut degrees: Vec<usize> = graph.iter().map(|neighbours| neighbours.count_ones(..)).collect();
    let mut left: Vec<usize> = (0..graph.len()).collect();
    let (mut value, mut ordering) = (0, Vec::with_capacity(graph.len()));
    while let Some(place) = (0..left.len()).min_by_key(|&place| degrees[left[place]]) {
        let vertex = left.remove(place);
        value = value.max(degrees[vertex]);
        graph[vertex].ones().for_each(|neighbour| degrees[neighbour] = degrees[neighbour].saturating_sub(1));
        ordering.push(vertex);
    }
    Degeneracy { value, ordering }
}

#[cfg(test)]
mod tests {
    use ndqueens_model::board::Board;

    use super::*;

    /// Returns the largest minimum degree of a subgraph by trying all subsets of vertices.
    fn degeneracy_by_brute_force(graph: &[FixedBitSet]) -> usize {
        let degree = |set: u32, v: usize| graph[v].ones().filter(|&w| set >> w & 1 == 1).count();
        let least = |set: u32| {
            (0..graph.len()).filter(|&v| set >> v & 1 == 1).map(|v| degree(set, v)).min().unwrap_or(0)
        };
        (0..1u32 << graph.len()).map(least).max().unwrap_or(0)
    }

    #[test]
    fn agrees_with_brute_force() {
        for name in
            ["1^2", "2^2", "3^2", "4x3", "2^3", "rook:3^2", "bishop:4x3", "hex:2", "three:2", "torus:3^2"]
        {
            let graph = Board::new(&name.parse().expect(name)).graph();
            let Degeneracy { value, ordering } = degeneracy(&graph);
            assert_eq!(value, degeneracy_by_brute_force(&graph), "{name}");
            let later = |place: usize| {
                let attacked = |&&vertex: &&usize| graph[ordering[place]].contains(vertex);
                ordering[place + 1..].iter().filter(attacked).count()
            };
            let most = (0..ordering.len()).map(later).max();
            assert_eq!(most, Some(value), "{name}");
            let mut vertices = ordering.clone();
            vertices.sort_unstable();
            assert!(vertices.into_iter().eq(0..graph.len()), "{name}: every vertex once");
        }
    }
}
