//! Tabu search for colourings of a graph with a given number of colours.
//!
//! # References
//! A. Hertz and D. de Werra, *Using tabu search techniques for graph coloring*, Computing 39 (1987).

use rand::rngs::ChaCha8Rng;
use rand::{RngExt as _, SeedableRng as _};

use ndqueens_system::cancel::Control;

/// Returns a colouring with `colours` colours, as the colour of each vertex, or `None` if none is
/// found in `moves` moves.
///
/// A move changes the colour of a vertex that has the colour of a neighbour. Among all such changes it takes
/// one after which the fewest edges are monochromatic. The old colour is then tabu for the vertex for a
/// while. The result is deterministic.
#[must_use]
pub fn colouring(
    neighbours: &[Vec<usize>],
    colours: usize,
    moves: u64,
    seed: u64,
    control: &Control,
) -> Option<Vec<usize>> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let size = neighbours.len();
    let mut colour: Vec<usize> = (0..size).map(|_| rng.random_range(0..colours)).collect();
    // For each vertex and colour, the number of neighbours with that colour.
    let mut neighbours_with = vec![vec![0u32; colours]; size];
    for (vertex, neighbours) in neighbours.iter().enumerate() {
        neighbours.iter().for_each(|&other| neighbours_with[vertex][colour[other]] += 1);
    }
    let mut tabu_until = vec![vec![0; colours]; size];
    let mut conflicts = (0..size).map(|v| neighbours_with[v][colour[v]]).sum::<u32>() / 2;
    let mut fewest_conflicts = conflicts;
    for now in 1..=moves {
        if conflicts == 0 {
            return Some(colour);
        }
        if now % 16 == 0 && control.is_stopped() {
            return None;
        }
        let (mut best, mut ties, mut conflicting_vertices) = (None::<Move>, 0, 0);
        for vertex in 0..size {
            let own = neighbours_with[vertex][colour[vertex]];
            if own == 0 {
                continue;
            }
            conflicting_vertices += 1;
            for other in (0..colours).filter(|&other| other != colour[vertex]) {
                let after = conflicts + neighbours_with[vertex][other] - own;
                if tabu_until[vertex][other] >= now && after >= fewest_conflicts {
                    continue;
                }
                match best {
                    Some(best) if best.conflicts < after => continue,
                    Some(best) if best.conflicts == after => ties += 1,
                    _ => ties = 1,
                }
                if rng.random_range(0..ties) == 0 {
                    best = Some(Move { conflicts: after, vertex, colour: other });
                }
            }
        }
        let Some(chosen) = best else { continue };
        let old = std::mem::replace(&mut colour[chosen.vertex], chosen.colour);
        for &neighbour in &neighbours[chosen.vertex] {
            neighbours_with[neighbour][old] -= 1;
            neighbours_with[neighbour][chosen.colour] += 1;
        }
        tabu_until[chosen.vertex][old] = now + conflicting_vertices * 3 / 5 + rng.random_range(0..10);
        conflicts = chosen.conflicts;
        fewest_conflicts = fewest_conflicts.min(conflicts);
    }
    None
}

/// A change of the colour of a vertex.
#[derive(Debug, Clone, Copy)]
struct Move {
    /// Number of monochromatic edges after the move.
    conflicts: u32,
    vertex: usize,
    colour: usize,
}
