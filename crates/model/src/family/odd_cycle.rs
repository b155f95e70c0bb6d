use std::collections::{HashMap, HashSet};

use ndqueens_notation::certificate::Problem;
use rand::rngs::ChaCha8Rng;
use rand::seq::IndexedRandom as _;
use rand::{RngExt as _, SeedableRng as _};
use serde::Deserialize;

use super::{Family, Inequalities, Inequality, ValidityError, needs_independence};
use crate::board::{Board, Extent, Square};
use crate::facts::UpperBounds;
use crate::variant::Variant;

/// Odd-cycle inequalities: at most `(|O| - 1) / 2` queens on each chordless odd cycle O of a random sample.
///
/// A walk starts at a random square and is extended by random squares that are attacked by its last square
/// only, until the last one closes a cycle. For each length, there are at most `8 * cap` walks, and at most
/// `cap` different cycles are kept. The same seed gives the same rows.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct OddCycle {
    /// Lengths of cycles, odd and at least 5, because triangles are cliques.
    lengths: Vec<usize>,
    /// Maximum number of cycles of each length.
    cap: usize,
    /// Seed of the sample.
    seed: u64,
}

/// Number of walks for each requested cycle.
const TRIES: usize = 8;

impl Default for OddCycle {
    fn default() -> Self {
        Self { lengths: vec![5, 7], cap: 500, seed: 0 }
    }
}

/// Maximum number of squares whose neighbours are cached.
const CACHE_SIZE: usize = 1 << 10;

/// Returns a random chordless cycle, or `None` if the walk does not close. `neighbours` is a cache that all
/// walks share.
fn random_cycle(
    board: &Board,
    length: usize,
    rng: &mut ChaCha8Rng,
    neighbours: &mut HashMap<Square, Vec<Square>>,
) -> Option<Vec<Square>> {
    if neighbours.len() + length > CACHE_SIZE {
        neighbours.clear();
    }
    let mut path = vec![rng.random_range(0..board.size() as Square)];
    while path.len() < length {
        let closes = path.len() == length - 1;
        let (&last, before) = path.split_last().expect("not empty");
        let fits = |&t: &Square| {
            before.iter().enumerate().all(|(i, &s)| s != t && board.attacks(s, t) == (closes && i == 0))
        };
        let neighbours = neighbours.entry(last).or_insert_with(|| board.neighbours(last));
        let next: Vec<Square> = neighbours.iter().copied().filter(fits).collect();
        path.push(*next.choose(rng)?);
    }
    path.sort_unstable();
    Some(path)
}

impl Family for OddCycle {
    fn name(&self) -> &'static str {
        "odd-cycle"
    }

    fn summary(&self) -> &'static str {
        "at most (k - 1) / 2 on chordless cycles of odd length k, a sample"
    }

    fn citation(&self) -> &'static str {
        "M. W. Padberg, On the facial structure of set packing polyhedra, 1973"
    }

    fn validity(&self, _: &Board, problem: Problem, _: &Variant) -> Result<(), ValidityError> {
        if let Some(length) = self.lengths.iter().find(|&length| length % 2 == 0 || *length < 5) {
            return Err(ValidityError::CycleLength(*length));
        }
        needs_independence(problem)
    }

    fn extent(&self, _: &Board, _: &dyn UpperBounds) -> Extent {
        let cap = self.cap as u128;
        let length: usize = self.lengths.iter().sum();
        Extent { rows: cap * self.lengths.len() as u128, nonzeros: cap * length as u128 }
    }

    fn rows<'a>(&'a self, board: &'a Board, _: &'a dyn UpperBounds) -> Inequalities<'a> {
        Box::new(self.lengths.iter().flat_map(move |&length| {
            let mut rng = ChaCha8Rng::seed_from_u64(self.seed);
            let (mut seen, mut neighbours) = (HashSet::new(), HashMap::new());
            let walks = (0..self.cap.saturating_mul(TRIES))
                .filter_map(move |_| random_cycle(board, length, &mut rng, &mut neighbours));
            let rhs = (length as i64 - 1) / 2;
            let different = walks.filter(move |cycle| seen.insert(cycle.clone())).take(self.cap);
            different.map(move |cycle| Inequality { rhs, ..Inequality::clique(cycle) })
        }))
    }
}
