//! Small dominating sets by an exchange heuristic.

use fixedbitset::FixedBitSet;
use ndqueens_model::board::Square;
use rand::rngs::ChaCha8Rng;
use rand::seq::IndexedRandom as _;
use rand::{RngExt as _, SeedableRng as _};

use super::CoverProblem;

/// Largest number of exchanges for each size of the set.
const MOST_EXCHANGES: usize = 20_000;

/// Returns a small set that attacks or occupies every square. `is_to_stop` is called after each exchange.
#[must_use]
pub fn small_dominating_set(
    problem: &CoverProblem<'_>,
    seed: u64,
    is_to_stop: &mut dyn FnMut() -> bool,
) -> Vec<Square> {
    let CoverProblem { board, is_independent, included } = *problem;
    let mut around = board.graph();
    for (square, near) in around.iter_mut().enumerate() {
        near.insert(square);
    }
    let fixed: Vec<usize> = included.iter().map(|&square| square as usize).collect();
    let mut best = greedy(&around, &fixed);
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    while best.len() > fixed.len().max(1) && !is_to_stop() {
        let mut start = best.clone();
        start.remove(random.random_range(fixed.len()..start.len()));
        match exchange(&around, start, fixed.len(), is_independent, &mut random, is_to_stop) {
            Some(smaller) => best = smaller,
            None => break,
        }
    }
    let mut best: Vec<Square> = best.into_iter().map(|square| square as Square).collect();
    best.sort_unstable();
    best
}

/// Completes a set by the squares that cover the most open squares, among the open ones.
fn greedy(around: &[FixedBitSet], fixed: &[usize]) -> Vec<usize> {
    let mut set = fixed.to_vec();
    let mut open = FixedBitSet::with_capacity(around.len());
    open.insert_range(..);
    set.iter().for_each(|&square| open.difference_with(&around[square]));
    // No square of the set attacks an open square, so an independent set stays independent.
    while let Some(best) = open.ones().max_by_key(|&square| around[square].intersection(&open).count()) {
        open.difference_with(&around[best]);
        set.push(best);
    }
    set
}

/// Exchanges squares until all squares are covered. Returns `None` if the limit is reached before.
fn exchange(
    around: &[FixedBitSet],
    mut set: Vec<usize>,
    fixed: usize,
    is_independent: bool,
    random: &mut ChaCha8Rng,
    is_to_stop: &mut dyn FnMut() -> bool,
) -> Option<Vec<usize>> {
    let mut counts = vec![0u32; around.len()];
    set.iter().for_each(|&square| around[square].ones().for_each(|near| counts[near] += 1));
    let attacks = |set: &[usize], square: usize| {
        set.iter().filter(|&&other| other != square && around[square].contains(other)).count()
    };
    let mut last_added = usize::MAX;
    for _ in 0..MOST_EXCHANGES {
        let open: Vec<usize> = (0..around.len()).filter(|&square| counts[square] == 0).collect();
        let clashes: Vec<usize> =
            set[fixed..].iter().copied().filter(|&square| attacks(&set, square) > 0).collect();
        if open.is_empty() && (!is_independent || clashes.is_empty()) {
            return Some(set);
        }
        if is_to_stop() || set.len() == fixed {
            return None;
        }
        // The square whose removal uncovers the fewest squares leaves the set.
        let loss = |square: usize| {
            let alone = around[square].ones().filter(|&near| counts[near] == 1).count() as i64;
            if is_independent { alone - 4 * attacks(&set, square) as i64 } else { alone }
        };
        let candidates: Vec<usize> = (fixed..set.len()).filter(|&k| set[k] != last_added).collect();
        let leaving = match random.random_bool(0.05) {
            true => candidates.choose(random).copied(),
            false => candidates.iter().copied().min_by_key(|&k| (loss(set[k]), random.random::<u32>())),
        };
        let leaving = leaving.unwrap_or(fixed);
        let left = set.swap_remove(leaving);
        around[left].ones().for_each(|near| counts[near] -= 1);
        let open: Vec<usize> = (0..around.len()).filter(|&square| counts[square] == 0).collect();
        let target = open.choose(random).copied().unwrap_or_else(|| random.random_range(0..around.len()));
        let gain = |square: usize| {
            let new = around[square].ones().filter(|&near| counts[near] == 0).count() as i64;
            if is_independent { new - 4 * attacks(&set, square) as i64 } else { new }
        };
        let entering = around[target].ones().filter(|square| *square != left && !set.contains(square));
        let entering = entering.max_by_key(|&square| (gain(square), random.random::<u32>())).unwrap_or(left);
        around[entering].ones().for_each(|near| counts[near] += 1);
        set.push(entering);
        last_added = entering;
    }
    None
}
