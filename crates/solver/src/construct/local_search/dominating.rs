//! Local search for small dominating sets, and for dominating sets of given sizes.
//!
//! # References
//! R. Ruiz, T. Stützle, *A simple and effective iterated greedy algorithm*, European Journal of Operational
//! Research 177 (2007).

use std::ops::RangeInclusive;

use fixedbitset::FixedBitSet;
use ndqueens_model::board::{Board, Square};
use rand::rngs::ChaCha8Rng;
use rand::seq::{IndexedRandom as _, SliceRandom as _};
use rand::{RngExt as _, SeedableRng as _};

use super::orbit_graph::fits;

/// Returns a dominating set, in increasing order, that contains `include`: every square is attacked or
/// occupied. Its size is in `target_sizes`, or as near as was found. The result is deterministic. Returns
/// `None` if the board is too large.
///
/// With `independent`, no two of its squares attack each other; `include` must then be free of attacks. The
/// search is an iterated greedy algorithm: it repeatedly removes some squares and completes the set again,
/// until about `work` squares were evaluated.
#[must_use]
pub fn quick_dominating(
    board: &Board,
    include: &[Square],
    independent: bool,
    target_sizes: RangeInclusive<usize>,
    seed: u64,
    work: u64,
) -> Option<Vec<Square>> {
    if !fits(board, 2) {
        return None;
    }
    let mut dominated_by = board.graph();
    for (square, dominated) in dominated_by.iter_mut().enumerate() {
        dominated.insert(square);
    }
    let random = ChaCha8Rng::seed_from_u64(seed);
    let mut greedy = Greedy { dominated_by, independent, evaluated: 0, random };
    let deviation = |set: &[Square]| {
        set.len().saturating_sub(*target_sizes.end()).max(target_sizes.start().saturating_sub(set.len()))
    };
    let mut set = include.to_vec();
    greedy.complete(&mut set, Rule::MostDominated);
    greedy.remove_redundant(&mut set, include.len());
    while deviation(&set) > 0 && set.len() > include.len() && greedy.evaluated < work {
        let mut other = set.clone();
        other[include.len()..].shuffle(&mut greedy.random);
        let removable = other.len() - include.len();
        let removed = greedy.random.random_range(1..=removable.min(1 + removable / 2));
        other.truncate(other.len() - removed);
        let is_too_large = set.len() > *target_sizes.end();
        greedy.complete(&mut other, if is_too_large { Rule::MostDominated } else { Rule::LeastDominated });
        greedy.remove_redundant(&mut other, include.len());
        if deviation(&other) <= deviation(&set) {
            set = other;
        }
    }
    set.sort_unstable();
    Some(set)
}

/// Rule for the next square of a set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Rule {
    /// A square that dominates most undominated squares, for small sets.
    MostDominated,
    /// A square that dominates fewest undominated squares, but at least one, for large sets.
    LeastDominated,
}

struct Greedy {
    /// The squares that each square dominates, including itself.
    dominated_by: Vec<FixedBitSet>,
    independent: bool,
    /// Number of evaluated squares.
    evaluated: u64,
    random: ChaCha8Rng,
}

impl Greedy {
    /// Adds squares by the rule until the set is dominating.
    fn complete(&mut self, set: &mut Vec<Square>, rule: Rule) {
        let Self { dominated_by, independent, evaluated, random } = self;
        let mut undominated = FixedBitSet::with_capacity(dominated_by.len());
        undominated.insert_range(..);
        for &square in set.iter() {
            undominated.difference_with(&dominated_by[square as usize]);
        }
        let mut best = Vec::new();
        while !undominated.is_clear() {
            let mut best_gain = None;
            for v in (0..dominated_by.len()).filter(|&v| !*independent || undominated.contains(v)) {
                *evaluated += 1;
                let gain = dominated_by[v].intersection_count(&undominated);
                if gain == 0 {
                    continue;
                }
                let is_better = best_gain.is_none_or(|best_gain| match rule {
                    Rule::MostDominated => gain > best_gain,
                    Rule::LeastDominated => gain < best_gain,
                });
                if is_better {
                    best_gain = Some(gain);
                    best.clear();
                }
                if best_gain == Some(gain) {
                    best.push(v);
                }
            }
            let &chosen = best.choose(random).expect("an undominated square dominates itself");
            undominated.difference_with(&dominated_by[chosen]);
            set.push(chosen as Square);
        }
    }

    /// Removes squares that are not needed for domination, except the first `kept` ones.
    fn remove_redundant(&self, set: &mut Vec<Square>, kept: usize) {
        let dominated_by = &self.dominated_by;
        let mut dominators = vec![0_u32; dominated_by.len()];
        for &square in set.iter() {
            dominated_by[square as usize].ones().for_each(|v| dominators[v] += 1);
        }
        for place in (kept..set.len()).rev() {
            let dominated = &dominated_by[set[place] as usize];
            if dominated.ones().all(|v| dominators[v] > 1) {
                dominated.ones().for_each(|v| dominators[v] -= 1);
                set.remove(place);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the size of the smallest set found, after checking that it is dominating.
    fn smallest(name: &str, independent: bool) -> usize {
        let board = Board::new(&name.parse().expect("a board"));
        let set = quick_dominating(&board, &[], independent, 0..=0, 1, 200_000).expect("small");
        for square in board.squares() {
            assert!(set.iter().any(|&s| s == square || board.attacks(s, square)), "{name} {set:?}");
        }
        assert!(!independent || set.iter().all(|&a| set.iter().all(|&b| !board.attacks(a, b))), "{set:?}");
        set.len()
    }

    #[test]
    fn finds_domination_numbers_of_small_boards() {
        let sizes =
            |independent| (1..=9).map(|n| smallest(&format!("{n}^2"), independent)).collect::<Vec<_>>();
        assert_eq!(sizes(false), [1, 1, 1, 2, 3, 3, 4, 5, 5]);
        assert_eq!(sizes(true), [1, 1, 1, 3, 3, 4, 4, 5, 5]);
        assert_eq!(smallest("3^4", false), 1);
    }

    #[test]
    fn finds_independent_dominating_sets_of_every_size() {
        for (name, sizes) in [("4^2", 3..=4), ("6^2", 4..=6), ("bishop:4^2", 4..=6)] {
            let board = Board::new(&name.parse().expect("a board"));
            for size in sizes {
                let set = quick_dominating(&board, &[], true, size..=size, 1, 100_000).expect("small");
                assert_eq!(set.len(), size, "{name}");
            }
        }
    }

    #[test]
    fn included_squares_stay() {
        let board = Board::new(&"5^2".parse().expect("a board"));
        for independent in [false, true] {
            let set = quick_dominating(&board, &[0, 7], independent, 0..=0, 1, 10_000).expect("small");
            assert!(set.contains(&0) && set.contains(&7), "{set:?}");
        }
    }
}
