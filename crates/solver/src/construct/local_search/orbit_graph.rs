//! The graph of the tabu walk: the queen graph, or its quotient by a subgroup.

use ndqueens_model::board::{Board, Square};
use ndqueens_system::cancel::Control;

use super::subgroup::Subgroup;

/// Maximum number of edges, approximately, of a queen graph for a quick search.
const MAX_EDGES: usize = 1 << 25;

/// Maximum number of pairs of a square and a direction that are visited to build a graph for a quick search.
const MAX_DIRECTIONS: usize = 1 << 26;

/// Returns `true` if the queen graph of a board is small enough to be built. `factor` is the allowed effort
/// relative to a quick search; with 8, building takes seconds and about 100 MiB.
///
/// The number of edges is estimated from the degree of the first square, which is a corner on most boards and
/// has the least degree.
pub(crate) fn fits(board: &Board, factor: usize) -> bool {
    let directions = board.grid().map_or(1, |grid| 3usize.pow(grid.dimension() as u32));
    board.size().saturating_mul(directions) <= factor * MAX_DIRECTIONS
        && board.size().saturating_mul(board.neighbours(0).len()) <= factor * MAX_EDGES
}

/// Graph of the independent orbits of squares under a subgroup. Two orbits are adjacent if their squares
/// attack each other.
///
/// The independent sets of vertices are the independent sets of squares that are invariant under the
/// subgroup, without the squares to be included. Under the trivial subgroup every vertex is a square.
#[derive(Debug)]
pub(super) struct OrbitGraph {
    /// Squares by vertex: vertex v has `squares[square_starts[v]..square_starts[v + 1]]`.
    squares: Vec<Square>,
    square_starts: Vec<u32>,
    /// Neighbours by vertex: vertex v has `neighbours[neighbour_starts[v]..neighbour_starts[v + 1]]`.
    neighbours: Vec<u32>,
    neighbour_starts: Vec<u32>,
    /// Vertex of each square; [`Self::NONE`] for squares that cannot be added.
    vertex_of: Vec<u32>,
}

impl OrbitGraph {
    const NONE: u32 = u32::MAX;

    /// Builds the graph of the squares for which `is_allowed` is true and that no square of `include` attacks
    /// or occupies. Both sets must be invariant under the subgroup. Returns `None` if the control is stopped.
    pub(super) fn new(
        board: &Board,
        include: &[Square],
        is_allowed: &dyn Fn(Square) -> bool,
        subgroup: &Subgroup,
        control: &Control,
    ) -> Option<Self> {
        let mut is_done: Vec<bool> = board.squares().map(|square| !is_allowed(square)).collect();
        for &square in include {
            is_done[square as usize] = true;
            board.neighbours(square).into_iter().for_each(|attacked| is_done[attacked as usize] = true);
        }
        let mut graph = Self {
            squares: Vec::new(),
            square_starts: vec![0],
            neighbours: Vec::new(),
            neighbour_starts: vec![0],
            vertex_of: vec![Self::NONE; board.size()],
        };
        for square in board.squares() {
            if control.is_stopped() {
                return None;
            }
            if is_done[square as usize] {
                continue;
            }
            let orbit = subgroup.orbit(board, square);
            orbit.iter().for_each(|&image| is_done[image as usize] = true);
            if (0..orbit.len()).all(|i| orbit[..i].iter().all(|&other| !board.attacks(orbit[i], other))) {
                let vertex = graph.len() as u32;
                orbit.iter().for_each(|&image| graph.vertex_of[image as usize] = vertex);
                graph.squares.extend(orbit);
                graph.square_starts.push(graph.squares.len() as u32);
            }
        }
        // Last vertex whose list contains each vertex.
        let mut listed_by = vec![Self::NONE; graph.len()];
        for v in 0..graph.len() as u32 {
            if control.is_stopped() {
                return None;
            }
            listed_by[v as usize] = v;
            // All squares of an orbit attack squares of the same orbits, so one square is enough.
            for attacked in board.neighbours(graph.squares_of(v)[0]) {
                let w = graph.vertex_of[attacked as usize];
                if w != Self::NONE && std::mem::replace(&mut listed_by[w as usize], v) != v {
                    graph.neighbours.push(w);
                }
            }
            graph.neighbour_starts.push(graph.neighbours.len() as u32);
        }
        Some(graph)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.len() == 0
    }

    pub(super) fn len(&self) -> usize {
        self.square_starts.len() - 1
    }

    pub(super) fn squares_of(&self, v: u32) -> &[Square] {
        let [start, end] = [v, v + 1].map(|v| self.square_starts[v as usize] as usize);
        &self.squares[start..end]
    }

    /// Returns the number of squares of a vertex.
    pub(super) fn weight(&self, v: u32) -> u32 {
        self.square_starts[v as usize + 1] - self.square_starts[v as usize]
    }

    pub(super) fn neighbours(&self, v: u32) -> &[u32] {
        let [start, end] = [v, v + 1].map(|v| self.neighbour_starts[v as usize] as usize);
        &self.neighbours[start..end]
    }

    /// Returns the vertices whose squares are all in a set of squares.
    pub(super) fn vertices_within(&self, squares: &[Square]) -> Vec<u32> {
        let mut vertices: Vec<u32> =
            squares.iter().map(|&s| self.vertex_of[s as usize]).filter(|&v| v != Self::NONE).collect();
        vertices.sort_unstable();
        let complete =
            vertices.chunk_by(|a, b| a == b).filter(|same| same.len() == self.weight(same[0]) as usize);
        complete.map(|same| same[0]).collect()
    }
}
