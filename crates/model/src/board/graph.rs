//! Graphs as boards: vertices are squares, and edges are lines of two squares. The coordinate of a square is
//! the number of the vertex in the file.

use super::{Extent, Generator, Geometry, Line, Square, Words};

/// A graph, as the sorted neighbours of each vertex.
#[derive(Debug)]
pub(super) struct Graph {
    /// The numbers of the vertices in the file, increasing.
    labels: Vec<u32>,
    neighbours: Vec<Vec<Square>>,
}

impl Graph {
    /// Creates the graph with these vertices and edges, which are distinct and join different places in
    /// `labels`.
    pub(super) fn new(labels: Vec<u32>, edges: Vec<(Square, Square)>) -> Self {
        let mut neighbours = vec![Vec::new(); labels.len()];
        for (a, b) in edges {
            neighbours[a as usize].push(b);
            neighbours[b as usize].push(a);
        }
        neighbours.iter_mut().for_each(|list| list.sort_unstable());
        Self { labels, neighbours }
    }
}

impl Geometry for Graph {
    fn size(&self) -> usize {
        self.neighbours.len()
    }

    fn words(&self) -> Words {
        Words::VERTICES
    }

    fn has_symmetry(&self) -> bool {
        false
    }

    fn coordinates(&self, square: Square) -> Vec<u32> {
        vec![self.labels[square as usize]]
    }

    fn square(&self, coordinates: &[u32]) -> Option<Square> {
        let [vertex] = coordinates else { return None };
        self.labels.binary_search(vertex).ok().map(|place| place as Square)
    }

    fn lines(&self) -> Box<dyn Iterator<Item = Line> + '_> {
        Box::new(
            (0..)
                .zip(&self.neighbours)
                .flat_map(|(a, list)| list.iter().filter(move |&&b| b > a).map(move |&b| vec![a, b])),
        )
    }

    fn lines_extent(&self) -> Extent {
        let nonzeros = self.neighbours.iter().map(|list| list.len() as u128).sum();
        Extent { rows: nonzeros / 2, nonzeros }
    }

    fn attacks(&self, a: Square, b: Square) -> bool {
        self.neighbours[a as usize].binary_search(&b).is_ok()
    }

    fn neighbours(&self, square: Square) -> Vec<Square> {
        self.neighbours[square as usize].clone()
    }

    /// Returns an empty list, because automorphisms of graphs are not computed.
    fn generators(&self) -> Vec<Generator<'_>> {
        Vec::new()
    }

    fn trivial_bound(&self) -> u64 {
        self.partition().len() as u64
    }

    /// Returns greedy cliques, each grown from the first vertex that is not covered yet.
    fn partition(&self) -> Vec<Vec<Square>> {
        let mut covered = vec![false; self.size()];
        let mut cliques = Vec::new();
        for vertex in 0..self.size() {
            if covered[vertex] {
                continue;
            }
            covered[vertex] = true;
            let mut clique = vec![vertex as Square];
            for &next in &self.neighbours[vertex] {
                if !covered[next as usize] && clique[1..].iter().all(|&member| self.attacks(member, next)) {
                    covered[next as usize] = true;
                    clique.push(next);
                }
            }
            cliques.push(clique);
        }
        cliques
    }
}
