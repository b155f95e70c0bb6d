//! Colouring any graph in a given number of colours by tabu search.
//!
//! # References
//! A. Hertz and D. de Werra, *Using tabu search techniques for graph coloring*, Computing 39 (1987).

use rand::rngs::ChaCha8Rng;
use rand::{RngExt as _, SeedableRng as _};

use ndqueens_system::cancel::Control;

/// A colouring in so many colours, if one is found within a number of moves: the colour of each vertex.
///
/// A move gives a vertex that has the colour of a neighbour another colour, the one with the fewest such edges afterwards; its
/// old colour is then forbidden to it for a while. The same seed makes the same moves.
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
    let mut seen = vec![vec![0u32; colours]; size];
    for (vertex, neighbours) in neighbours.iter().enumerate() {
        neighbours.iter().for_each(|&other| seen[vertex][colour[other]] += 1);
    }
    let mut until = vec![vec![0; colours]; size];
    let clashes =
        |colour: &[usize], seen: &[Vec<u32>]| -> u32 { (0..size).map(|v| seen[v][colour[v]]).sum() };
    let mut sum = clashes(&colour, &seen) / 2;
    let mut fewest = sum;
    for now in 1..=moves {
        if sum == 0 {
            return Some(colour);
        }
        if now % 16 == 0 && control.is_stopped() {
            return None;
        }
        let (mut best, mut equals, mut clashing) = (None::<(u32, usize, usize)>, 0, 0);
        for vertex in 0..size {
            let own = seen[vertex][colour[vertex]];
            if own == 0 {
                continue;
            }
            clashing += 1;
            for other in (0..colours).filter(|&other| other != colour[vertex]) {
                let after = sum + seen[vertex][other] - own;
                if until[vertex][other] >= now && after >= fewest {
                    continue;
                }
                match best {
                    Some((least, ..)) if least < after => continue,
                    Some((least, ..)) if least == after => equals += 1,
                    _ => equals = 1,
                }
                if rng.random_range(0..equals) == 0 {
                    best = Some((after, vertex, other));
                }
            }
        }
        let Some((after, vertex, other)) = best else { continue };
        let old = std::mem::replace(&mut colour[vertex], other);
        for &neighbour in &neighbours[vertex] {
            seen[neighbour][old] -= 1;
            seen[neighbour][other] += 1;
        }
        until[vertex][old] = now + clashing * 3 / 5 + rng.random_range(0..10);
        sum = after;
        fewest = fewest.min(sum);
    }
    None
}
