//! Nearly linear sets: independent subsets of linear sets mod N within a box.
//!
//! The best sets known near sides without regular solutions look linear over most of the board. N runs from
//! a little below the longest side to the second side with regular solutions. For a direction e let o be the
//! order of `S(e)`, the least o > 0 for which N divides `o S(e)` (see [`crate::construct::linear`]). In this
//! direction a square attacks exactly the squares that are o, 2o, ... steps away. Attack counts are
//! therefore estimated from the orders, and the vectors of coefficients with the largest expected
//! independent subsets are evaluated.

use std::cmp::Reverse;

use ndqueens_model::board::{Board, Direction, Grid, Square};
use ndqueens_notation::name::Piece;
use ndqueens_system::cancel::Control;
use num_integer::Integer as _;
use rand::RngExt as _;
use rand::rngs::ChaCha8Rng;

use super::super::linear::{Linear, regular};

/// Maximum number of sets that are returned.
const MAX_STARTS: usize = 1000;

/// Maximum number of vectors of coefficients whose sets are constructed.
const MAX_VECTORS: usize = 300;

/// Maximum modulus on boards with fewer squares than the modulus.
const MAX_SMALL_MODULUS: u32 = 1 << 12;

/// Approximate number of directions whose orders are computed to choose the vectors.
const DIRECTIONS: usize = 1 << 22;

/// Returns nearly linear independent sets, largest first. The list is empty if the board is not a plain box
/// for queens, and incomplete if the control is stopped.
pub(super) fn linear_starts(board: &Board, mut random: ChaCha8Rng, control: &Control) -> Vec<Vec<Square>> {
    let grid = board.grid().filter(|grid| grid.piece() == Piece::Queen && !grid.is_torus());
    let Some(grid) = grid.filter(|grid| grid.dimension() > 1) else { return Vec::new() };
    let sides = grid.sides();
    let longest = *sides.iter().max().expect("a box has sides");
    let least = longest.max(1 << sides.len());
    // A set has about as many squares as the modulus goes into those of the board.
    if least > MAX_SMALL_MODULUS && least as usize > board.size() {
        return Vec::new();
    }
    let max_modulus =
        regular::sides_from(least, sides.len()).nth(1).expect("there are infinitely many primes");
    let directions: Vec<Direction> = grid.directions().collect();
    if directions.is_empty() {
        return Vec::new();
    }
    let mut vectors = Vec::new();
    for _ in 0..(DIRECTIONS / directions.len()).clamp(100, 100_000) {
        if control.is_stopped() {
            return Vec::new();
        }
        let modulus = random.random_range(longest.saturating_sub(2).max(2)..=max_modulus);
        let coefficients: Vec<u32> = (1..sides.len()).map(|_| random.random_range(0..modulus)).collect();
        let size = sides.iter().map(|&side| f64::from(side)).product::<f64>() / f64::from(modulus);
        let attacks: f64 = attack_directions(grid, &directions, modulus, &coefficients)
            .iter()
            .map(|attack| attack.pairs_per_square(sides))
            .sum();
        // By Turan's theorem, `size` squares with `size * attacks` attacking pairs have an independent
        // subset of this size.
        vectors.push((Reverse((1000.0 * size / (1.0 + 2.0 * attacks)) as u64), modulus, coefficients));
    }
    vectors.sort_unstable();
    vectors.dedup();
    vectors.truncate(MAX_VECTORS);
    let mut starts = Vec::new();
    for (_, modulus, coefficients) in vectors {
        let attacks = attack_directions(grid, &directions, modulus, &coefficients);
        for constant in 0..modulus {
            if control.is_stopped() {
                return starts;
            }
            let linear = Linear { modulus, coefficients: coefficients.clone(), constant };
            starts.push(independent_subset(board, grid, &linear.squares(sides), &attacks));
        }
        starts.sort_by(|a, b| b.len().cmp(&a.len()).then_with(|| a.cmp(b)));
        starts.dedup();
        starts.truncate(MAX_STARTS);
    }
    starts
}

/// A direction in which squares of a linear set attack each other.
#[derive(Debug, Clone, Copy)]
struct AttackDirection<'d> {
    direction: &'d [i32],
    /// Least number of steps between two squares of the set.
    order: u32,
}

impl AttackDirection<'_> {
    /// Estimates the number of attacking pairs in this direction for each square of a linear set.
    fn pairs_per_square(&self, sides: &[u32]) -> f64 {
        // Share of the squares from which `steps` steps stay on the board.
        let share = |steps: u32| {
            let share_on_axis = |(&side, &e): (&u32, &i32)| {
                if e == 0 { 1.0 } else { (1.0 - f64::from(steps) / f64::from(side)).max(0.0) }
            };
            sides.iter().zip(self.direction).map(share_on_axis).product::<f64>()
        };
        let longest = *sides.iter().max().expect("a box has sides");
        (1..).map(|i| i * self.order).take_while(|&steps| steps < longest).map(share).sum()
    }
}

/// Returns the directions in which squares of a linear set attack each other.
fn attack_directions<'d>(
    grid: &Grid,
    directions: &'d [Direction],
    modulus: u32,
    coefficients: &[u32],
) -> Vec<AttackDirection<'d>> {
    let longest = *grid.sides().iter().max().expect("a box has sides");
    let with_order = |direction: &'d Direction| {
        let (last, others) = direction.split_last().expect("a box has sides");
        let subtract = |sum: i64, (&a, &e): (&u32, &i32)| sum - i64::from(a) * i64::from(e);
        let signed_sum = coefficients.iter().zip(others).fold(i64::from(*last), subtract);
        let residue = signed_sum.rem_euclid(i64::from(modulus)) as u32;
        AttackDirection { direction: direction.as_slice(), order: modulus / residue.gcd(&modulus) }
    };
    directions.iter().map(with_order).filter(|attack| attack.order < longest).collect()
}

/// Removes squares, those with the most attacks first, until no attacks are left.
fn independent_subset(
    board: &Board,
    grid: &Grid,
    coordinates: &[Vec<u32>],
    attack_directions: &[AttackDirection<'_>],
) -> Vec<Square> {
    let squares: Vec<Square> = coordinates.iter().filter_map(|square| board.square(square)).collect();
    // If a side is longer than the modulus, some squares that satisfy the equation are not in the set.
    let place = |square: Square| squares.binary_search(&square).ok();
    let mut attacks = vec![Vec::new(); squares.len()];
    for (i, from) in coordinates.iter().enumerate() {
        for &AttackDirection { direction, order } in attack_directions {
            let reached = (1..).map_while(|t| grid.step(from, direction, (t * order) as i32));
            for j in reached.filter_map(place) {
                attacks[i].push(j);
                attacks[j].push(i);
            }
        }
    }
    let mut is_kept = vec![true; squares.len()];
    let mut degree: Vec<usize> = attacks.iter().map(Vec::len).collect();
    loop {
        let most_attacks = (0..squares.len()).filter(|&i| is_kept[i]).max_by_key(|&i| degree[i]);
        let Some(removed) = most_attacks.filter(|&i| degree[i] > 0) else { break };
        is_kept[removed] = false;
        attacks[removed].iter().for_each(|&j| degree[j] -= usize::from(is_kept[j]));
        degree[removed] = 0;
    }
    squares.into_iter().zip(is_kept).filter_map(|(square, kept)| kept.then_some(square)).collect()
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
                let is_unattacked =
                    |i: usize| start[..i].iter().all(|&b| start[i] != b && !board.attacks(start[i], b));
                assert!((0..start.len()).all(is_unattacked), "{name}: {start:?}");
                assert!(!starts[..i].contains(start));
            }
        }
    }
}
