//! The queen graph, or its quotient by a subgroup: what the walk walks on.

use ndqueens_model::board::{Board, Square};
use ndqueens_system::cancel::Control;

use super::subgroup::Subgroup;

/// The most edges, roughly, that a queen graph may have to be built in passing.
const MAX_EDGES: usize = 1 << 25;

/// The most pairs of a square and a direction, roughly, that building it may look at.
const MAX_LOOKS: usize = 1 << 26;

/// Whether the board's queen graph is small enough to be built and held in memory, when that may take `times` as much as
/// in passing: seconds and some 100 MiB for 8.
///
/// Goes by the directions to be looked along from every square, and by the first square, which is a corner on most
/// boards and attacks the fewest.
pub(crate) fn fits(board: &Board, times: usize) -> bool {
    let directions = board.grid().map_or(1, |grid| 3usize.pow(grid.dimension() as u32));
    board.size().saturating_mul(directions) <= times * MAX_LOOKS
        && board.size().saturating_mul(board.neighbours(0).len()) <= times * MAX_EDGES
}

/// The independent orbits of squares under a subgroup, and which of them attack each other.
///
/// Independent sets of vertices are the independent sets of squares that the subgroup keeps, without the squares that
/// must be included. Under the trivial subgroup every vertex is a square.
#[derive(Debug)]
pub(super) struct OrbitGraph {
    /// The squares of vertex v are `squares[ends[v]..ends[v + 1]]`.
    squares: Vec<Square>,
    ends: Vec<u32>,
    /// The vertices attacked by vertex v are `neighbours[first[v]..first[v + 1]]`.
    neighbours: Vec<u32>,
    first: Vec<u32>,
    /// The vertex of each square; [`Self::NONE`] for squares that cannot be taken.
    vertex: Vec<u32>,
}

impl OrbitGraph {
    const NONE: u32 = u32::MAX;

    /// The graph on the squares of `among` that `include`, a set kept by the subgroup as `among` is, leaves free; `None` when
    /// the control is stopped meanwhile.
    pub(super) fn new(
        board: &Board,
        include: &[Square],
        among: &dyn Fn(Square) -> bool,
        subgroup: &Subgroup,
        control: &Control,
    ) -> Option<Self> {
        let mut taken: Vec<bool> = board.squares().map(|square| !among(square)).collect();
        for &square in include {
            taken[square as usize] = true;
            board.neighbours(square).into_iter().for_each(|attacked| taken[attacked as usize] = true);
        }
        let mut graph = Self {
            squares: Vec::new(),
            ends: vec![0],
            neighbours: Vec::new(),
            first: vec![0],
            vertex: vec![Self::NONE; board.size()],
        };
        let mut seen = taken;
        for square in board.squares() {
            if control.is_stopped() {
                return None;
            }
            if seen[square as usize] {
                continue;
            }
            let orbit = subgroup.orbit(board, square);
            orbit.iter().for_each(|&s| seen[s as usize] = true);
            if (0..orbit.len()).all(|i| orbit[..i].iter().all(|&b| !board.attacks(orbit[i], b))) {
                let vertex = graph.ends.len() as u32 - 1;
                orbit.iter().for_each(|&s| graph.vertex[s as usize] = vertex);
                graph.squares.extend(orbit);
                graph.ends.push(graph.squares.len() as u32);
            }
        }
        let mut marked = vec![Self::NONE; graph.len()];
        for v in 0..graph.len() as u32 {
            if control.is_stopped() {
                return None;
            }
            marked[v as usize] = v;
            // The subgroup carries the attacks of one square of an orbit to those of the others.
            for attacked in board.neighbours(graph.squares_of(v)[0]) {
                let w = graph.vertex[attacked as usize];
                if w != Self::NONE && std::mem::replace(&mut marked[w as usize], v) != v {
                    graph.neighbours.push(w);
                }
            }
            graph.first.push(graph.neighbours.len() as u32);
        }
        Some(graph)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.len() == 0
    }

    pub(super) fn len(&self) -> usize {
        self.ends.len() - 1
    }

    pub(super) fn squares_of(&self, v: u32) -> &[Square] {
        &self.squares[self.ends[v as usize] as usize..self.ends[v as usize + 1] as usize]
    }

    /// The number of squares of a vertex.
    pub(super) fn weight(&self, v: u32) -> u32 {
        self.ends[v as usize + 1] - self.ends[v as usize]
    }

    pub(super) fn neighbours(&self, v: u32) -> &[u32] {
        &self.neighbours[self.first[v as usize] as usize..self.first[v as usize + 1] as usize]
    }

    /// The vertices whose squares all lie in an independent set.
    pub(super) fn within(&self, squares: &[Square]) -> Vec<u32> {
        let mut held: Vec<u32> =
            squares.iter().map(|&s| self.vertex[s as usize]).filter(|&v| v != Self::NONE).collect();
        held.sort_unstable();
        let whole = held.chunk_by(|a, b| a == b).filter(|same| same.len() == self.weight(same[0]) as usize);
        whole.map(|same| same[0]).collect()
    }
}
