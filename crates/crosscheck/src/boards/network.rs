//! Graphs as boards: a square is a vertex, an attack an edge.

use std::collections::{BTreeSet, HashSet};

use crate::boards::definition::{Definition, Symmetry};

/// The vertices of a graph, by the numbers that its file gives them, and the edges between them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Network {
    vertices: BTreeSet<u32>,
    edges: HashSet<[u32; 2]>,
    /// `true` if two vertices attack each other when no edge joins them.
    complement: bool,
}

impl Network {
    /// Creates the graph with these vertices and edges; edges may be repeated and reversed.
    ///
    /// # Panics
    /// Panics if an edge is a loop or has an end that is no vertex.
    #[must_use]
    pub fn new(vertices: BTreeSet<u32>, edges: &[[u32; 2]], complement: bool) -> Self {
        for [a, b] in edges {
            assert!(a != b && vertices.contains(a) && vertices.contains(b), "the edge {a} {b}");
        }
        let edges = edges.iter().map(|&[a, b]| [a.min(b), a.max(b)]).collect();
        Self { vertices, edges, complement }
    }
}

impl Definition for Network {
    fn dimension(&self) -> usize {
        1
    }

    fn contains(&self, square: &[u32]) -> bool {
        square.len() == 1 && self.vertices.contains(&square[0])
    }

    fn allowed(&self) -> String {
        let (Some(&first), Some(&last)) = (self.vertices.first(), self.vertices.last()) else {
            return "it has no vertices".to_owned();
        };
        if (last - first) as usize + 1 == self.vertices.len() {
            return format!("its vertices are {first} to {last}");
        }
        format!(
            "its {} vertices are those that occur in the file, from {first} to {last}",
            self.vertices.len()
        )
    }

    fn squares(&self) -> Box<dyn Iterator<Item = Vec<u32>> + '_> {
        Box::new(self.vertices.iter().map(|&vertex| vec![vertex]))
    }

    fn attacks(&self, a: &[u32], b: &[u32]) -> bool {
        a != b && self.edges.contains(&[a[0].min(b[0]), a[0].max(b[0])]) != self.complement
    }

    /// Automorphisms are not looked for.
    fn generators(&self) -> Option<Vec<Symmetry<'_>>> {
        None
    }
}
