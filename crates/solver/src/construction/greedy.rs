//! Randomised greedy sets, improved by local search. Works on every board.
//!
//! The start takes, again and again, a free square that attacks the fewest free squares, with random ties.
//! The search then swaps one square of the set for one that only this square attacks (a plateau move, after
//! which a square may become free), keeps squares just removed out for a few moves (tabu), and now and then
//! forces a random square in (kick) or starts again.
//!
//! # References
//! D. V. Andrade, M. G. C. Resende, R. F. Werneck, *Fast local search for the maximum independent set
//! problem*, J. Heuristics 18 (2012).

use ndqueens_model::board::{Board, Square};
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// The most edges, roughly, that a queen graph may have to be held in memory.
const MAX_EDGES: usize = 1 << 25;

/// The most pairs of a square and a direction, roughly, that building it may look at.
const MAX_LOOKS: usize = 1 << 26;

/// An independent set of the board that contains `include`, in increasing order; the same one for the same
/// arguments.
///
/// `work` bounds the number of neighbours looked at after the first greedy set. `None` when the board is too
/// large.
///
/// `include` must be free of attacks.
#[must_use]
pub fn search(board: &Board, include: &[Square], seed: u64, work: u64) -> Option<Vec<Square>> {
    search_for(board, include, seed, work, usize::MAX)
}

/// The same, but content with `target` squares besides those included.
#[must_use]
pub fn search_for(
    board: &Board,
    include: &[Square],
    seed: u64,
    work: u64,
    target: usize,
) -> Option<Vec<Square>> {
    let graph = Graph::without_attacked(board, include)?;
    let mut state = State::new(&graph, seed);
    state.greedy();
    let mut best = state.held.items.clone();
    let (mut stale, mut since_kick) = (0, 0);
    let patience = 20 * graph.squares.len() + 1000;
    while state.work < work && best.len() < target.min(graph.squares.len()) {
        state.moves += 1;
        if !state.add_free() && (since_kick > patience / 20 || !state.swap()) {
            state.kick();
            since_kick = 0;
        }
        since_kick += 1;
        stale += 1;
        if state.held.items.len() > best.len() {
            best.clone_from(&state.held.items);
            (stale, since_kick) = (0, 0);
        }
        if stale > patience {
            state.clear();
            state.greedy();
            (stale, since_kick) = (0, 0);
        }
    }
    let mut squares: Vec<Square> = best.iter().map(|&v| graph.squares[v as usize]).collect();
    squares.extend(include);
    squares.sort_unstable();
    squares.dedup();
    Some(squares)
}

/// Whether the board's queen graph is small enough to be built and held in memory.
///
/// Goes by the directions to be looked along from every square, and by the first square, which is a corner on most
/// boards and attacks the fewest.
pub(super) fn fits(board: &Board) -> bool {
    let directions = board.grid().map_or(1, |grid| 3usize.pow(grid.dimension() as u32));
    board.size().saturating_mul(directions) <= MAX_LOOKS
        && board.size().saturating_mul(board.neighbours(0).len()) <= MAX_EDGES
}

/// The queen graph on the squares that the squares to be included leave free.
struct Graph {
    squares: Vec<Square>,
    neighbours: Vec<Vec<u32>>,
}

impl Graph {
    fn without_attacked(board: &Board, include: &[Square]) -> Option<Self> {
        const GONE: u32 = u32::MAX;
        if !fits(board) {
            return None;
        }
        let mut vertex = vec![0; board.size()];
        for &square in include {
            vertex[square as usize] = GONE;
            for attacked in board.neighbours(square) {
                vertex[attacked as usize] = GONE;
            }
        }
        let squares: Vec<Square> = board.squares().filter(|&s| vertex[s as usize] != GONE).collect();
        for (v, &square) in (0..).zip(&squares) {
            vertex[square as usize] = v;
        }
        let row = |&square: &Square| {
            let attacked = board.neighbours(square).into_iter().map(|t| vertex[t as usize]);
            attacked.filter(|&v| v != GONE).collect()
        };
        let neighbours = squares.iter().map(row).collect();
        Some(Self { squares, neighbours })
    }
}

/// A set of vertices with constant-time insertion, removal and random choice.
struct VertexSet {
    items: Vec<u32>,
    place: Vec<u32>,
}

impl VertexSet {
    const ABSENT: u32 = u32::MAX;

    fn new(size: usize) -> Self {
        Self { items: Vec::new(), place: vec![Self::ABSENT; size] }
    }

    fn contains(&self, v: u32) -> bool {
        self.place[v as usize] != Self::ABSENT
    }

    fn insert(&mut self, v: u32) {
        self.place[v as usize] = self.items.len() as u32;
        self.items.push(v);
    }

    fn remove(&mut self, v: u32) {
        let place = std::mem::replace(&mut self.place[v as usize], Self::ABSENT);
        self.items.swap_remove(place as usize);
        if let Some(&moved) = self.items.get(place as usize) {
            self.place[moved as usize] = place;
        }
    }
}

struct State<'g> {
    graph: &'g Graph,
    random: ChaCha8Rng,
    held: VertexSet,
    /// Vertices not held with no held neighbour.
    free: VertexSet,
    /// Vertices not held with just one held neighbour.
    single: VertexSet,
    /// For each vertex the number of its held neighbours, and their sum: with one of them, the sum names it.
    blockers: Vec<u32>,
    blocker_sum: Vec<u64>,
    /// The move up to which a vertex may not come back.
    tabu_until: Vec<u64>,
    moves: u64,
    work: u64,
}

impl<'g> State<'g> {
    fn new(graph: &'g Graph, seed: u64) -> Self {
        let size = graph.squares.len();
        let mut free = VertexSet::new(size);
        (0..size as u32).for_each(|v| free.insert(v));
        Self {
            graph,
            random: ChaCha8Rng::seed_from_u64(seed),
            held: VertexSet::new(size),
            free,
            single: VertexSet::new(size),
            blockers: vec![0; size],
            blocker_sum: vec![0; size],
            tabu_until: vec![0; size],
            moves: 0,
            work: 0,
        }
    }

    /// Fills up with free vertices of least degree among the free ones.
    fn greedy(&mut self) {
        let graph = self.graph;
        let mut degree: Vec<usize> = graph.neighbours.iter().map(Vec::len).collect();
        let mut ties = Vec::new();
        while !self.free.items.is_empty() {
            let least = self.free.items.iter().map(|&v| degree[v as usize]).min();
            ties.clear();
            ties.extend(self.free.items.iter().filter(|&&v| Some(degree[v as usize]) == least));
            let chosen = *ties.choose(&mut self.random).expect("one is least");
            for &covered in &graph.neighbours[chosen as usize] {
                if self.free.contains(covered) {
                    for &v in &graph.neighbours[covered as usize] {
                        degree[v as usize] -= 1;
                    }
                    self.work += graph.neighbours[covered as usize].len() as u64;
                }
            }
            self.add(chosen);
        }
    }

    fn clear(&mut self) {
        while let Some(&v) = self.held.items.last() {
            self.remove(v);
        }
    }

    /// Puts a vertex without held neighbours into the set.
    fn add(&mut self, v: u32) {
        let graph = self.graph;
        self.free.remove(v);
        self.held.insert(v);
        self.work += graph.neighbours[v as usize].len() as u64;
        for &w in &graph.neighbours[v as usize] {
            self.blockers[w as usize] += 1;
            self.blocker_sum[w as usize] += u64::from(v);
            match self.blockers[w as usize] {
                1 => {
                    self.free.remove(w);
                    self.single.insert(w);
                }
                2 => self.single.remove(w),
                _ => {}
            }
        }
    }

    fn remove(&mut self, v: u32) {
        let graph = self.graph;
        self.held.remove(v);
        self.free.insert(v);
        self.work += graph.neighbours[v as usize].len() as u64;
        for &w in &graph.neighbours[v as usize] {
            self.blockers[w as usize] -= 1;
            self.blocker_sum[w as usize] -= u64::from(v);
            match self.blockers[w as usize] {
                0 => {
                    self.single.remove(w);
                    self.free.insert(w);
                }
                1 => self.single.insert(w),
                _ => {}
            }
        }
    }

    fn add_free(&mut self) -> bool {
        let chosen = self.free.items.choose(&mut self.random).copied();
        chosen.inspect(|&v| self.add(v)).is_some()
    }

    /// Swaps in a vertex that one held vertex blocks: of a few random ones, the one that has been out
    /// longest.
    fn swap(&mut self) -> bool {
        const SAMPLE: usize = 8;
        let candidate = (0..SAMPLE)
            .filter_map(|_| self.single.items.choose(&mut self.random).copied())
            .min_by_key(|&v| self.tabu_until[v as usize]);
        let Some(v) = candidate.filter(|&v| self.tabu_until[v as usize] < self.moves) else {
            return false;
        };
        self.force(v);
        true
    }

    fn kick(&mut self) {
        let v = self.random.random_range(0..self.graph.squares.len() as u32);
        if !self.held.contains(v) {
            self.force(v);
        }
    }

    /// Puts a vertex into the set and its held neighbours out, which become tabu for a while.
    fn force(&mut self, v: u32) {
        let graph = self.graph;
        while self.blockers[v as usize] > 0 {
            let out = match self.blockers[v as usize] {
                1 => self.blocker_sum[v as usize] as u32,
                _ => *graph.neighbours[v as usize]
                    .iter()
                    .find(|&&w| self.held.contains(w))
                    .expect("a blocker is a held neighbour"),
            };
            self.remove(out);
            self.tabu_until[out as usize] = self.moves + self.random.random_range(5..15);
        }
        self.add(v);
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::assert_independent;
    use super::*;
    use proptest::prelude::*;

    fn board(name: &str) -> Board {
        Board::new(&name.parse().expect("a board name"))
    }

    #[test]
    fn small_boards_are_solved_to_the_optimum() {
        let known = [
            ("1^3", 1),
            ("2^3", 1),
            ("3^3", 4),
            ("4^3", 7),
            ("5^3", 13),
            ("6^3", 21),
            ("3^4", 6),
            ("4^4", 16),
            ("3^5", 11),
        ];
        for (name, size) in known {
            let found = search(&board(name), &[], 1, 30_000_000).expect("a small board");
            assert_eq!(found.len(), size, "{name}");
        }
    }

    #[test]
    fn the_same_seed_gives_the_same_set() {
        let board = board("5^3");
        assert_eq!(search(&board, &[3], 7, 100_000), search(&board, &[3], 7, 100_000));
    }

    #[test]
    fn a_board_too_large_is_declined() {
        assert_eq!(search(&board("60^4"), &[], 1, 0), None);
        assert_eq!(search(&board("2^20"), &[], 1, 0), None);
    }

    proptest! {
        #[test]
        fn every_board_gets_an_independent_set_with_the_squares_it_must_contain(kind in 0usize..9, at: u32, seed: u64) {
            let name = ["4^3", "3x4x5", "torus:5^2", "rook:3^3", "bishop:4^2", "torus:2^3", "9^1", "1^4", "rook:torus:3^3"][kind];
            let board = board(name);
            let square = at % board.size() as u32;
            let found = search(&board, &[square], seed, 20_000).expect("a small board");
            prop_assert!(found.contains(&square));
            let squares: Vec<_> = found.iter().map(|&s| board.coordinates(s)).collect();
            assert_independent(board.name(), &squares);
        }
    }
}
