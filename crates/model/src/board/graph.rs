//! Any graph as a board: vertices are squares, edges are lines of two.

use super::{Extent, Generator, Geometry, Line, Square, Words};

/// A graph, by the sorted neighbours of each vertex.
#[derive(Debug)]
pub(super) struct Graph {
    neighbours: Vec<Vec<Square>>,
}

impl Graph {
    /// The graph with these edges, which are distinct and join different vertices below `vertices`.
    pub(super) fn new(vertices: usize, edges: impl Iterator<Item = (Square, Square)>) -> Self {
        let mut neighbours = vec![Vec::new(); vertices];
        for (a, b) in edges {
            neighbours[a as usize].push(b);
            neighbours[b as usize].push(a);
        }
        neighbours.iter_mut().for_each(|list| list.sort_unstable());
        Self { neighbours }
    }
}

impl Geometry for Graph {
    fn size(&self) -> usize {
        self.neighbours.len()
    }

    fn words(&self) -> Words {
        Words::VERTICES
    }

    fn symmetry_is_known(&self) -> bool {
        false
    }

    fn coordinates(&self, square: Square) -> Vec<u32> {
        vec![square]
    }

    fn square(&self, coordinates: &[u32]) -> Option<Square> {
        let [vertex] = coordinates else { return None };
        ((*vertex as usize) < self.size()).then_some(*vertex)
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

    /// None: finding the automorphisms of a graph is a problem of its own.
    fn generators(&self) -> Vec<Generator<'_>> {
        Vec::new()
    }

    fn trivial_bound(&self) -> u64 {
        self.partition().len() as u64
    }

    /// Cliques, each grown greedily round the first vertex that is in none yet.
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
