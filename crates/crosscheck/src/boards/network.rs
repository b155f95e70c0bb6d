//! Graphs as boards: squares are vertices, attacks are edges.

use ndqueens_notation::counted::counted;
use std::collections::{BTreeSet, HashSet};

use crate::boards::definition::{Definition, Symmetry};

/// Graph with the vertex numbers of its file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Network {
    vertices: BTreeSet<u32>,
    edges: HashSet<[u32; 2]>,
    /// `true` if two vertices attack each other exactly if no edge joins them.
    complement: bool,
}

impl Network {
    /// Creates the graph with the given vertices and edges. Edges may be repeated or reversed.
    ///
    /// # Panics
    /// Panics if an edge is a loop or has an end that is not a vertex.
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

    fn describe_squares(&self) -> String {
        let (Some(&first), Some(&last)) = (self.vertices.first(), self.vertices.last()) else {
            return "it has no vertices".to_owned();
        };
        if (last - first) as usize + 1 == self.vertices.len() {
            return format!("its vertices are {first} to {last}");
        }
        format!(
            "its {} occur in the file, with numbers from {first} to {last}",
            counted(self.vertices.len(), "vertex")
        )
    }

    fn squares(&self) -> Box<dyn Iterator<Item = Vec<u32>> + '_> {
        Box::new(self.vertices.iter().map(|&vertex| vec![vertex]))
    }

    fn attacks(&self, a: &[u32], b: &[u32]) -> bool {
        a != b && self.edges.contains(&[a[0].min(b[0]), a[0].max(b[0])]) != self.complement
    }

    /// Returns `None`, because automorphisms are not computed.
    fn generators(&self) -> Option<Vec<Symmetry<'_>>> {
        None
    }
}
