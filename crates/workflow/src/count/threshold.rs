//! Completion threshold: the number of queens that can always be completed to a maximum solution.

use ndqueens_crosscheck::stop::{self, Stop};
use ndqueens_model::board::{Board, Square};
use num_bigint::BigUint;

use super::Counted;
use super::list::all_images;
use crate::run::CountError;

/// Completion threshold of a board, with a witness that it is not larger.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Threshold {
    /// Largest t such that every non-attacking set of at most t queens is part of a maximum solution, or the
    /// largest t that was tested before a stop.
    pub at_least: usize,
    /// True if the search finished, so that the threshold is not larger.
    pub finished: bool,
    /// Non-attacking set of t + 1 queens that is part of no maximum solution, as coordinates; `None` if t is
    /// the independence number, or if the search was stopped.
    pub witness: Option<Vec<Vec<u32>>>,
}

const MOST_SOLUTIONS: usize = 2_000_000;

/// Computes the completion threshold from all maximum solutions, until `stop` returns `true`.
///
/// # Errors
/// Returns an error if there are too many solutions.
///
/// # References
/// T. Kunt, *The n-Queens Problem in Higher Dimensions* (2023), section 4.4: the threshold qc(n,d).
pub fn threshold(board: &Board, counted: &Counted, stop: Stop<'_>) -> Result<Threshold, CountError> {
    if counted.solutions() > BigUint::from(MOST_SOLUTIONS) {
        return Err(CountError::TooMany { most: MOST_SOLUTIONS });
    }
    let unfinished = |at_least| Ok(Threshold { at_least, finished: false, witness: None });
    let Ok(sets) = all_images(board, counted, stop) else { return unfinished(0) };
    let mut containing = vec![Vec::new(); board.size()];
    for (number, set) in sets.iter().enumerate() {
        set.iter().for_each(|&square| containing[square as usize].push(number as u32));
    }
    let everywhere: Vec<u32> = (0..sets.len() as u32).collect();
    for size in 1..=counted.size as usize {
        let mut placed = Vec::with_capacity(size);
        match find_uncovered_set(board, &containing, size, 0, &everywhere, &mut placed, stop) {
            Ok(false) => {}
            Ok(true) => {
                let witness = placed.iter().map(|&square| board.coordinates(square)).collect();
                return Ok(Threshold { at_least: size - 1, finished: true, witness: Some(witness) });
            }
            Err(stop::Stopped) => return unfinished(size - 1),
        }
    }
    Ok(Threshold { at_least: counted.size as usize, finished: true, witness: None })
}

/// Searches for a non-attacking set of this size that no solution contains. `within` lists the solutions that
/// contain the squares placed so far; later squares are added to these.
fn find_uncovered_set(
    board: &Board,
    containing: &[Vec<u32>],
    size: usize,
    from: Square,
    within: &[u32],
    placed: &mut Vec<Square>,
    stop: Stop<'_>,
) -> Result<bool, stop::Stopped> {
    if stop() {
        return Err(stop::Stopped);
    }
    if placed.len() == size {
        return Ok(within.is_empty());
    }
    for square in from..board.size() as Square {
        if placed.iter().any(|&other| board.attacks(other, square)) {
            continue;
        }
        placed.push(square);
        let of_square = &containing[square as usize];
        let with: Vec<u32> =
            within.iter().copied().filter(|set| of_square.binary_search(set).is_ok()).collect();
        if find_uncovered_set(board, containing, size, square + 1, &with, placed, stop)? {
            return Ok(true);
        }
        placed.pop();
    }
    Ok(false)
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;
    use std::path::Path;

    use ndqueens_crosscheck::count as reference;
    use ndqueens_notation::name::BoardName;
    use ndqueens_solver::backends::Options;
    use ndqueens_system::cancel::Deadline;
    use ndqueens_system::file;
    use rand::rngs::ChaCha8Rng;
    use rand::seq::IndexedRandom as _;
    use rand::{RngExt as _, SeedableRng as _};

    use super::*;
    use crate::count::{CountRequest, count};

    /// Returns a board with random holes, from a file in this folder, or a complete board of another kind.
    fn random_board(random: &mut ChaCha8Rng, folder: &Path) -> BoardName {
        if random.random_bool(0.3) {
            let names = ["2^3", "3^2", "4^2", "torus:3^2", "hex:2", "hex:3", "three:2", "rook:2x3"];
            return names.choose(random).expect("a name").parse().expect("a name");
        }
        let rows: Vec<String> = (0..random.random_range(1..=4))
            .map(|_| (0..4).map(|_| if random.random_bool(0.8) { '#' } else { '.' }).collect())
            .collect();
        let path = folder.join("board.txt");
        std::fs::write(&path, format!("ndqueens board 1\n#{}\n", rows.join("\n#"))).expect("writable");
        BoardName::parse_with(&format!("file:{}", path.display()), &file::open).expect("a drawing")
    }

    #[test]
    fn thresholds_are_those_of_plain_search() {
        let mut random = ChaCha8Rng::seed_from_u64(80);
        let folder = tempfile::tempdir().expect("a folder");
        for _ in 0..60 {
            let name = random_board(&mut random, folder.path());
            let board = Board::new(&name);
            let mut maximum: Vec<u32> = Vec::new();
            reference::for_each_maximum_set(&name, &|| false, |set| {
                maximum.push(
                    set.iter().fold(0, |bits, square| bits | 1 << board.square(square).expect("a square")),
                );
            })
            .expect("a small board");
            let attacked: Vec<u32> = board
                .squares()
                .map(|x| board.neighbours(x).iter().fold(0, |bits, y| bits | 1 << y))
                .collect();
            let independent =
                |set: &u32| board.squares().all(|x| set >> x & 1 == 0 || set & attacked[x as usize] == 0);
            let contained_in_none =
                |set: &u32| independent(set) && maximum.iter().all(|solution| solution & set != *set);
            let least = (0..1u32 << board.size()).filter(contained_in_none).map(u32::count_ones).min();
            let request = CountRequest { size: None, keep: 1000, work: None, proof: None };
            let options = Options::default();
            let counted =
                count(&board, &request, &options, Deadline::default(), &mut |_| ControlFlow::Continue(()))
                    .expect("a small board")
                    .result()
                    .expect("not stopped");
            let Threshold { at_least, finished, witness } =
                threshold(&board, &counted, &|| false).expect("few solutions");
            let expected = least.map_or(counted.size as usize, |least| least as usize - 1);
            assert!(finished && at_least == expected, "{name}: {at_least}, not {expected}");
            assert_eq!(witness.map(|set| set.len()), least.map(|least| least as usize), "{name}");
        }
    }
}
