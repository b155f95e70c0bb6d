//! Independence number, number of maximum solutions, number of solutions up to symmetry.

use std::collections::HashSet;

use fixedbitset::FixedBitSet;
use ndqueens_notation::name::BoardName;

use crate::boards::{Definition, definition};
use crate::bron_kerbosch::{Ordering, maximal_sets, maximal_sets_meeting, maximal_sets_ordered};
use crate::graph::{Graph, TooManySquares};
use crate::stop::Stop;
use crate::symmetry::SymmetryGroup;

/// The maximum solutions of a board, counted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Count {
    /// The size of a maximum solution.
    pub independence_number: usize,
    /// A maximum solution, as coordinate tuples.
    pub example: Vec<Vec<u32>>,
    /// The number of maximum solutions.
    pub maximum_sets: u64,
    /// The number of their orbits under the board's symmetry group, the solutions up to symmetry; nothing when the group is
    /// not known or too large to be listed.
    pub orbits: Option<u64>,
}

/// Why there is no count.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CountError {
    /// The board is too large.
    #[error(transparent)]
    TooManySquares(#[from] TooManySquares),
    /// The search was stopped before it was done.
    #[error("the count was stopped before it was done; the largest independent set found has {} squares", incumbent.len())]
    Stopped {
        /// The squares of the largest independent set found.
        incumbent: Vec<Vec<u32>>,
    },
}

/// Counts the maximum solutions of a board, and their orbits, by visiting every one.
///
/// The orbits are counted by the Cauchy-Frobenius lemma: an orbit's sets have `|G| / |orbit|` stabilising elements each,
/// `|G|` together, so the number of orbits is the sum of all stabilisers' sizes divided by `|G|`. No set need be kept.
///
/// # Errors
/// If the board is too large, or `stop` says that it is time to stop.
///
/// # Panics
/// If the sum of the stabilisers' sizes is not a multiple of the group's order; the count would be wrong then.
pub fn count(board: &BoardName, stop: Stop<'_>) -> Result<Count, CountError> {
    count_ordered(board, Ordering::Pivot, stop)
}

/// Does the same as [`count`], with an order of the squares at the root of the search.
///
/// # Errors
/// If the board is too large, or `stop` says that it is time to stop.
///
/// # Panics
/// Same as [`count`].
pub fn count_ordered(board: &BoardName, ordering: Ordering, stop: Stop<'_>) -> Result<Count, CountError> {
    let definition = definition(board);
    let graph = Graph::new(&*definition)?;
    let group = SymmetryGroup::new(&*definition, graph.squares());
    let mut incumbent = Vec::new();
    let mut maximum_sets = 0;
    let mut stabilisers = 0;
    let mut visit = |set: &[usize]| {
        if set.len() > incumbent.len() {
            incumbent = set.to_vec();
            maximum_sets = 0;
            stabilisers = 0;
        }
        maximum_sets += 1u64;
        stabilisers += group.as_ref().map_or(0, |group| group.stabiliser_size(set) as u128);
    };
    if maximal_sets_ordered(&graph, 0, ordering, stop, &mut visit).is_err() {
        return Err(CountError::Stopped { incumbent: coordinates(&graph, &incumbent) });
    }
    let orbits = group.map(|group| {
        let order = group.order() as u128;
        assert_eq!(stabilisers % order, 0, "{board}: the maximum sets are not a union of orbits");
        u64::try_from(stabilisers / order).expect("there are no more orbits than sets")
    });
    let example = coordinates(&graph, &incumbent);
    Ok(Count { independence_number: example.len(), example, maximum_sets, orbits })
}

/// Visits every maximum solution of a board once, as a list of coordinate tuples.
///
/// # Errors
/// If the board is too large, or `stop` says that it is time to stop.
pub fn for_each_maximum_set(
    board: &BoardName,
    stop: Stop<'_>,
    mut visit: impl FnMut(&[Vec<u32>]),
) -> Result<(), CountError> {
    let graph = Graph::new(&*definition(board))?;
    let mut incumbent = Vec::new();
    let sizes = maximal_sets(&graph, 0, stop, &mut |set| incumbent = set.to_vec());
    let done = sizes.and_then(|()| {
        maximal_sets(&graph, incumbent.len(), stop, &mut |set| {
            visit(&coordinates(&graph, set));
        })
    });
    done.map_err(|_| CountError::Stopped { incumbent: coordinates(&graph, &incumbent) })
}

/// Visits every independent set that contains given queens, which attack each other nowhere, and has `size` squares, which must be the
/// independence number or more. The sets are visited once each, without the given queens.
///
/// A set of `size` squares meets every line of a partition of the board into `size` lines, since a line has at most one of its
/// squares.
///
/// # Errors
/// Returns an error if too many squares are free, or if `stop` returns `true`.
pub fn for_each_completion(
    board: &BoardName,
    queens: &[Vec<u32>],
    size: usize,
    stop: Stop<'_>,
    mut visit: impl FnMut(&[Vec<u32>]),
) -> Result<(), CountError> {
    let definition = definition(board);
    let graph = Graph::without(&*definition, queens)?;
    let Some(more) = size.checked_sub(queens.len()) else { return Ok(()) };
    let partitions = line_partitions(&*definition).into_iter().filter(|lines| lines.len() == size);
    let open = partitions.flatten().filter(|line| !line.iter().any(|square| queens.contains(square)));
    let groups: Vec<FixedBitSet> = open
        .map(|line| {
            let mut group = FixedBitSet::with_capacity(graph.squares().len());
            group.extend(line.iter().filter_map(|square| graph.squares().binary_search(square).ok()));
            group
        })
        .collect();
    let done = maximal_sets_meeting(&graph, more, &groups, stop, &mut |set| visit(&coordinates(&graph, set)));
    done.map_err(|_| CountError::Stopped { incumbent: Vec::new() })
}

/// Returns partitions of the squares of a board into lines that follow each other in its list of lines.
fn line_partitions(definition: &dyn Definition) -> Vec<Vec<Vec<Vec<u32>>>> {
    let squares = definition.squares().count();
    let (mut partitions, mut lines) = (Vec::new(), Vec::new());
    let mut covered = HashSet::new();
    for line in definition.lines() {
        if line.iter().any(|square| covered.contains(square)) {
            covered.clear();
            lines.clear();
        }
        covered.extend(line.iter().cloned());
        lines.push(line);
        if covered.len() == squares {
            covered.clear();
            partitions.push(std::mem::take(&mut lines));
        }
    }
    partitions
}

fn coordinates(graph: &Graph, set: &[usize]) -> Vec<Vec<u32>> {
    set.iter().map(|&square| graph.squares()[square].clone()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn completions_are_the_maximum_sets_with_the_given_queens() {
        for (name, given) in [
            ("sudoku:2", vec![vec![0, 0, 0], vec![1, 2, 3]]),
            ("6^2", vec![vec![0, 1]]),
            ("3^3", vec![vec![0, 0, 0]]),
            ("torus:5^2", vec![vec![2, 2]]),
            ("5^2", Vec::new()),
        ] {
            let board: BoardName = name.parse().expect(name);
            let mut all = Vec::new();
            for_each_maximum_set(&board, &|| false, |set| all.push(set.to_vec())).expect("small");
            let size = all[0].len();
            let mut wanted: Vec<Vec<Vec<u32>>> =
                all.into_iter().filter(|set| given.iter().all(|queen| set.contains(queen))).collect();
            let mut found = Vec::new();
            for_each_completion(&board, &given, size, &|| false, |set| {
                found.push([&given[..], set].concat());
            })
            .expect("small");
            for set in wanted.iter_mut().chain(&mut found) {
                set.sort();
            }
            wanted.sort();
            found.sort();
            assert_eq!(found, wanted, "{name}");
            assert!(!found.is_empty(), "{name}");
        }
    }

    #[test]
    fn lines_of_a_sudoku_partition_its_board_in_four_ways() {
        let board = "sudoku:2".parse().expect("a board");
        let partitions = line_partitions(&*definition(&board));
        assert_eq!(partitions.iter().map(Vec::len).collect::<Vec<_>>(), [16; 4]);
    }
}
