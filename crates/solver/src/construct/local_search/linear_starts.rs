//! Nearly linear sets: linear sets mod N within a box, without the squares that attack others of them.
//!
//! The best sets known near sides without regular solutions look linear over most of the board. N runs from a little below
//! the longest side to the second side with regular solutions. In a direction e along which N divides `o S(e)`, o > 0 the
//! least (see [`crate::construct::linear`]), a square attacks those that are o, 2o, ... steps away, and no others. So
//! the attacks of a vector of coefficients are foretold by its orders o, and the vectors with fewest are tried in full.

use std::cmp::Reverse;

use ndqueens_model::board::{Board, Direction, Grid, Square};
use ndqueens_notation::name::Piece;
use ndqueens_system::cancel::Control;
use num_integer::Integer as _;
use rand::RngExt as _;
use rand::rngs::ChaCha8Rng;

use super::super::linear::{Linear, regular};

/// How many sets are kept, at most.
const KEPT: usize = 1000;

/// How many vectors of coefficients are tried in full, at most.
const VECTORS: usize = 300;

/// Larger moduli than this are tried on larger boards only.
const LARGEST: u32 = 1 << 12;

/// Directions that are looked at, roughly, to choose them.
const LOOKS: usize = 1 << 22;

/// Independent sets to begin with, largest first; none where the board is not a plain box for queens, and fewer when the
/// search is stopped meanwhile.
pub(super) fn linear_starts(board: &Board, mut random: ChaCha8Rng, control: &Control) -> Vec<Vec<Square>> {
    let grid = board.grid().filter(|grid| grid.piece() == Piece::Queen && !grid.is_torus());
    let Some(grid) = grid.filter(|grid| grid.dimension() > 1) else { return Vec::new() };
    let sides = grid.sides();
    let longest = *sides.iter().max().expect("a box has sides");
    let least = longest.max(1 << sides.len());
    // A set has about as many squares as the modulus goes into those of the board.
    if least > LARGEST && least as usize > board.size() {
        return Vec::new();
    }
    let most = regular::sides_from(least, sides.len()).nth(1).expect("primes have no end");
    let directions: Vec<Direction> = grid.directions().collect();
    if directions.is_empty() {
        return Vec::new();
    }
    let mut vectors = Vec::new();
    for _ in 0..(LOOKS / directions.len()).clamp(100, 100_000) {
        if control.is_stopped() {
            return Vec::new();
        }
        let modulus = random.random_range(longest.saturating_sub(2).max(2)..=most);
        let coefficients: Vec<u32> = (1..sides.len()).map(|_| random.random_range(0..modulus)).collect();
        let attacking = attacking(grid, &directions, modulus, &coefficients);
        let size = sides.iter().map(|&side| f64::from(side)).product::<f64>() / f64::from(modulus);
        let attacks: f64 = attacking.iter().map(|&(direction, steps)| attacks(sides, direction, steps)).sum();
        // By Turan's theorem an independent part has this many squares at least, of `size` with `size * attacks` pairs.
        vectors.push((Reverse((1000.0 * size / (1.0 + 2.0 * attacks)) as u64), modulus, coefficients));
    }
    vectors.sort_unstable();
    vectors.dedup();
    vectors.truncate(VECTORS);
    let mut starts = Vec::new();
    for (_, modulus, coefficients) in vectors {
        let attacking = attacking(grid, &directions, modulus, &coefficients);
        for constant in 0..modulus {
            if control.is_stopped() {
                return starts;
            }
            let linear = Linear { modulus, coefficients: coefficients.clone(), constant };
            starts.push(independent_part(board, grid, &linear.squares(sides), &attacking));
        }
        starts.sort_by(|a, b| b.len().cmp(&a.len()).then_with(|| a.cmp(b)));
        starts.dedup();
        starts.truncate(KEPT);
    }
    starts
}

/// The directions along which squares of a linear set attack each other, with the least number of steps between them.
fn attacking<'d>(
    grid: &Grid,
    directions: &'d [Direction],
    modulus: u32,
    coefficients: &[u32],
) -> Vec<(&'d [i32], u32)> {
    let longest = *grid.sides().iter().max().expect("a box has sides");
    let order = |direction: &'d Direction| {
        let (last, others) = direction.split_last().expect("a box has sides");
        let sum = |sum: i64, (&a, &e): (&u32, &i32)| sum - i64::from(a) * i64::from(e);
        let signed = coefficients.iter().zip(others).fold(i64::from(*last), sum);
        let residue = signed.rem_euclid(i64::from(modulus)) as u32;
        (direction.as_slice(), modulus / residue.gcd(&modulus))
    };
    directions.iter().map(order).filter(|&(_, steps)| steps < longest).collect()
}

/// Attacking pairs in this direction for each square of a linear set, roughly.
fn attacks(sides: &[u32], direction: &[i32], steps: u32) -> f64 {
    let share = |t: u32| {
        let axis = |(&side, &e): (&u32, &i32)| {
            if e == 0 { 1.0 } else { (1.0 - f64::from(t) / f64::from(side)).max(0.0) }
        };
        sides.iter().zip(direction).map(axis).product::<f64>()
    };
    let longest = *sides.iter().max().expect("a box has sides");
    (1..).map(|i| i * steps).take_while(|&t| t < longest).map(share).sum()
}

/// Drops squares, those that attack most others first, until none attacks another.
fn independent_part(
    board: &Board,
    grid: &Grid,
    coordinates: &[Vec<u32>],
    attacking: &[(&[i32], u32)],
) -> Vec<Square> {
    let squares: Vec<Square> = coordinates.iter().filter_map(|square| board.square(square)).collect();
    // Where a side is longer than the modulus, some that satisfy the equation are not in the set.
    let place = |square: Square| squares.binary_search(&square).ok();
    let mut attacks = vec![Vec::new(); squares.len()];
    for (i, from) in coordinates.iter().enumerate() {
        for &(direction, steps) in attacking {
            let reached = (1..).map_while(|t| grid.step(from, direction, (t * steps) as i32));
            for j in reached.filter_map(place) {
                attacks[i].push(j);
                attacks[j].push(i);
            }
        }
    }
    let mut left = vec![true; squares.len()];
    let mut degree: Vec<usize> = attacks.iter().map(Vec::len).collect();
    loop {
        let most = (0..squares.len()).filter(|&i| left[i]).max_by_key(|&i| degree[i]);
        let Some(most) = most.filter(|&i| degree[i] > 0) else { break };
        left[most] = false;
        attacks[most].iter().for_each(|&j| degree[j] -= usize::from(left[j]));
        degree[most] = 0;
    }
    squares.into_iter().zip(left).filter_map(|(square, left)| left.then_some(square)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng as _;

    #[test]
    fn starts_are_independent_and_distinct() {
        for name in ["2^2", "4^3", "6^3", "3x5x4", "7^2", "3^4", "2^5", "torus:4^2", "rook:4^2", "1^3", "1x2"]
        {
            let board = Board::new(&name.parse().expect("a board name"));
            let starts = linear_starts(&board, ChaCha8Rng::seed_from_u64(1), &Control::new());
            assert_eq!(starts.is_empty(), name.contains(':') || name == "1^3", "{name}");
            for (i, start) in starts.iter().enumerate() {
                let alone =
                    |i: usize| start[..i].iter().all(|&b| start[i] != b && !board.attacks(start[i], b));
                assert!((0..start.len()).all(alone), "{name}: {start:?}");
                assert!(!starts[..i].contains(start));
            }
        }
    }
}
