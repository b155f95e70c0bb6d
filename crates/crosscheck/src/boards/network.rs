//! Graphs as boards: a square is a vertex, an attack an edge.

use std::collections::HashSet;

use crate::boards::definition::{Definition, Symmetry};

/// The vertices `0..n` and the edges between them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Network {
    vertices: u32,
    edges: HashSet<[u32; 2]>,
}

impl Network {
    /// The graph with these edges.
    ///
    /// # Panics
    /// If an edge is a loop, goes to a vertex that is not there, or is listed twice.
    #[must_use]
    pub fn new(vertices: u32, edges: &[[u32; 2]]) -> Self {
        let mut known = HashSet::new();
        for &[a, b] in edges {
            assert!(a != b && a < vertices && b < vertices, "the edge {a} {b}");
            assert!(known.insert([a.min(b), a.max(b)]), "the edge {a} {b}, twice");
        }
        Self { vertices, edges: known }
    }
}

impl Definition for Network {
    fn dimension(&self) -> usize {
        1
    }

    fn contains(&self, square: &[u32]) -> bool {
        square.len() == 1 && square[0] < self.vertices
    }

    fn allowed(&self) -> String {
        format!("its vertices are 0 to {}", self.vertices - 1)
    }

    fn squares(&self) -> Box<dyn Iterator<Item = Vec<u32>> + '_> {
        Box::new((0..self.vertices).map(|vertex| vec![vertex]))
    }

    fn attacks(&self, a: &[u32], b: &[u32]) -> bool {
        self.edges.contains(&[a[0].min(b[0]), a[0].max(b[0])])
    }

    /// Automorphisms are not looked for.
    fn generators(&self) -> Option<Vec<Symmetry<'_>>> {
        None
    }
}
