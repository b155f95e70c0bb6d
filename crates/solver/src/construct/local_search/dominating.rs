//! Local search for dominating sets, small ones above all.
//!
//! # References
//! R. Ruiz, T. Stützle, *A simple and effective iterated greedy algorithm*, European Journal of Operational Research 177
//! (2007).

use std::ops::RangeInclusive;

use fixedbitset::FixedBitSet;
use ndqueens_model::board::{Board, Square};
use rand::rngs::ChaCha8Rng;
use rand::seq::{IndexedRandom as _, SliceRandom as _};
use rand::{RngExt as _, SeedableRng as _};

use super::orbit_graph::fits;

/// A set of squares, in increasing order, that contains `include` and from which every square is attacked or occupied; the
/// same one for the same arguments. Its size is in `wanted`, or as near as was found. `None` when the board is too large.
///
/// With `independent`, no two of its squares attack each other; `include` must then be free of attacks. Iterated greedy:
/// again and again some squares are taken away and the gaps filled, until about `work` squares were weighed.
#[must_use]
pub fn quick_dominating(
    board: &Board,
    include: &[Square],
    independent: bool,
    wanted: RangeInclusive<usize>,
    seed: u64,
    work: u64,
) -> Option<Vec<Square>> {
    if !fits(board, 2) {
        return None;
    }
    let mut near = board.graph();
    for (square, row) in near.iter_mut().enumerate() {
        row.insert(square);
    }
    let mut greedy = Greedy { near, independent, done: 0, random: ChaCha8Rng::seed_from_u64(seed) };
    let off = |set: &[Square]| {
        set.len().saturating_sub(*wanted.end()).max(wanted.start().saturating_sub(set.len()))
    };
    let mut set = include.to_vec();
    greedy.fill(&mut set, true);
    greedy.drop_needless(&mut set, include.len());
    while off(&set) > 0 && set.len() > include.len() && greedy.done < work {
        let mut other = set.clone();
        other[include.len()..].shuffle(&mut greedy.random);
        let free = other.len() - include.len();
        other.truncate(other.len() - greedy.random.random_range(1..=free.min(1 + free / 2)));
        let few = set.len() > *wanted.end();
        greedy.fill(&mut other, few);
        greedy.drop_needless(&mut other, include.len());
        if off(&other) <= off(&set) {
            set = other;
        }
    }
    set.sort_unstable();
    Some(set)
}

struct Greedy {
    /// For each square those that it dominates.
    near: Vec<FixedBitSet>,
    independent: bool,
    /// Squares weighed.
    done: u64,
    random: ChaCha8Rng,
}

impl Greedy {
    /// Adds squares that dominate most, or least, of what is left, until nothing is.
    fn fill(&mut self, set: &mut Vec<Square>, most: bool) {
        let Self { near, independent, done, random } = self;
        let mut open = FixedBitSet::with_capacity(near.len());
        open.insert_range(..);
        for &square in set.iter() {
            open.difference_with(&near[square as usize]);
        }
        let mut best = Vec::new();
        while !open.is_clear() {
            let mut wanted = None;
            for v in (0..near.len()).filter(|&v| !*independent || open.contains(v)) {
                *done += 1;
                let gain = near[v].intersection_count(&open);
                if gain == 0 {
                    continue;
                }
                if wanted.is_none_or(|wanted| if most { gain > wanted } else { gain < wanted }) {
                    wanted = Some(gain);
                    best.clear();
                }
                if wanted == Some(gain) {
                    best.push(v);
                }
            }
            let &chosen = best.choose(random).expect("an open square dominates itself");
            open.difference_with(&near[chosen]);
            set.push(chosen as Square);
        }
    }

    /// Takes away squares, those from place `kept` on, whose neighbours are all dominated by others.
    fn drop_needless(&self, set: &mut Vec<Square>, kept: usize) {
        let near = &self.near;
        let mut times = vec![0_u32; near.len()];
        for &square in set.iter() {
            near[square as usize].ones().for_each(|v| times[v] += 1);
        }
        for place in (kept..set.len()).rev() {
            let row = &near[set[place] as usize];
            if row.ones().all(|v| times[v] > 1) {
                row.ones().for_each(|v| times[v] -= 1);
                set.remove(place);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn least(name: &str, independent: bool) -> usize {
        let board = Board::new(&name.parse().expect("a board"));
        let set = quick_dominating(&board, &[], independent, 0..=0, 1, 200_000).expect("small");
        for square in board.squares() {
            assert!(set.iter().any(|&s| s == square || board.attacks(s, square)), "{name} {set:?}");
        }
        assert!(!independent || set.iter().all(|&a| set.iter().all(|&b| !board.attacks(a, b))), "{set:?}");
        set.len()
    }

    #[test]
    fn the_domination_numbers_of_small_boards_are_found() {
        let least = |independent| (1..=9).map(|n| least(&format!("{n}^2"), independent)).collect::<Vec<_>>();
        assert_eq!(least(false), [1, 1, 1, 2, 3, 3, 4, 5, 5]);
        assert_eq!(least(true), [1, 1, 1, 3, 3, 4, 4, 5, 5]);
        assert_eq!(self::least("3^4", false), 1);
    }

    #[test]
    fn independent_dominating_sets_of_every_size_are_found() {
        for (name, sizes) in [("4^2", 3..=4), ("6^2", 4..=6), ("bishop:4^2", 4..=6)] {
            let board = Board::new(&name.parse().expect("a board"));
            for size in sizes {
                let set = quick_dominating(&board, &[], true, size..=size, 1, 100_000).expect("small");
                assert_eq!(set.len(), size, "{name}");
            }
        }
    }

    #[test]
    fn squares_to_be_included_stay() {
        let board = Board::new(&"5^2".parse().expect("a board"));
        for independent in [false, true] {
            let set = quick_dominating(&board, &[0, 7], independent, 0..=0, 1, 10_000).expect("small");
            assert!(set.contains(&0) && set.contains(&7), "{set:?}");
        }
    }
}
