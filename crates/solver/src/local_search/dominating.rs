//! Local search for small dominating sets.
//!
//! # References
//! R. Ruiz, T. Stützle, *A simple and effective iterated greedy algorithm*, European Journal of Operational Research 177
//! (2007).

use fixedbitset::FixedBitSet;
use ndqueens_model::board::{Board, Square};
use rand::seq::{IndexedRandom as _, SliceRandom as _};
use rand::{RngExt as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;

use super::fits;

/// A set of squares, in increasing order, that contains `include` and from which every square is attacked or occupied; the
/// same one for the same arguments. `None` when the board is too large.
///
/// With `independent`, no two of its squares attack each other; `include` must then be free of attacks. Iterated greedy:
/// again and again some squares are taken away and the gaps filled, until about `work` squares were weighed or `enough`
/// squares suffice.
#[must_use]
pub fn quick_dominating(
    board: &Board,
    include: &[Square],
    independent: bool,
    seed: u64,
    work: u64,
    enough: usize,
) -> Option<Vec<Square>> {
    if !fits(board, 2) {
        return None;
    }
    let mut near = board.graph();
    for (square, row) in near.iter_mut().enumerate() {
        row.insert(square);
    }
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut done = 0;
    let mut set = include.to_vec();
    fill(&near, &mut set, independent, &mut done, &mut random);
    drop_needless(&near, &mut set, include.len());
    while set.len() > enough.max(include.len()) && done < work {
        let mut other = set.clone();
        other[include.len()..].shuffle(&mut random);
        let free = other.len() - include.len();
        other.truncate(other.len() - random.random_range(1..=free.min(1 + free / 2)));
        fill(&near, &mut other, independent, &mut done, &mut random);
        drop_needless(&near, &mut other, include.len());
        if other.len() <= set.len() {
            set = other;
        }
    }
    set.sort_unstable();
    Some(set)
}

/// Adds squares that dominate most of what is left, until nothing is.
fn fill(
    near: &[FixedBitSet],
    set: &mut Vec<Square>,
    independent: bool,
    done: &mut u64,
    random: &mut ChaCha8Rng,
) {
    let mut open = FixedBitSet::with_capacity(near.len());
    open.insert_range(..);
    for &square in set.iter() {
        open.difference_with(&near[square as usize]);
    }
    while !open.is_clear() {
        let candidates: Vec<usize> =
            if independent { open.ones().collect() } else { (0..near.len()).collect() };
        let gains: Vec<usize> = candidates.iter().map(|&v| near[v].intersection_count(&open)).collect();
        *done += candidates.len() as u64;
        let most = gains.iter().max().copied().unwrap_or(0);
        let best: Vec<usize> =
            candidates.iter().zip(&gains).filter(|&(_, &gain)| gain == most).map(|(&v, _)| v).collect();
        let &chosen = best.choose(random).expect("an open square dominates itself");
        open.difference_with(&near[chosen]);
        set.push(chosen as Square);
    }
}

/// Takes away squares, those from place `kept` on, whose neighbours are all dominated by others.
fn drop_needless(near: &[FixedBitSet], set: &mut Vec<Square>, kept: usize) {
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

#[cfg(test)]
mod tests {
    use super::*;

    fn least(name: &str, independent: bool) -> usize {
        let board = Board::new(&name.parse().expect("a board"));
        let set = quick_dominating(&board, &[], independent, 1, 200_000, 0).expect("small");
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
    fn squares_to_be_included_stay() {
        let board = Board::new(&"5^2".parse().expect("a board"));
        for independent in [false, true] {
            let set = quick_dominating(&board, &[0, 7], independent, 1, 10_000, 0).expect("small");
            assert!(set.contains(&0) && set.contains(&7), "{set:?}");
        }
    }
}
