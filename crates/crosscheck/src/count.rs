//! Independence number, number of maximum solutions, and number of maximum solutions up to symmetry.

use std::collections::HashSet;

use fixedbitset::FixedBitSet;
use ndqueens_notation::counted::counted;
use ndqueens_notation::error_class::{Classified, ErrorClass};
use ndqueens_notation::name::BoardName;

use crate::boards::{Definition, definition};
use crate::bron_kerbosch::{Ordering, maximal_sets, maximal_sets_meeting, maximal_sets_with};
use crate::graph::{Graph, TooManySquares};
use crate::stop::Stop;
use crate::symmetry::SymmetryGroup;

/// Numbers of maximum solutions of a board.
///
/// # Examples
/// ```
/// use ndqueens_crosscheck::count::count;
///
/// let counted = count(&"5^2".parse()?, &|| false)?;
/// assert_eq!((counted.independence_number, counted.maximum_sets, counted.orbits), (5, 10, Some(2)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Count {
    /// Size of a maximum solution.
    pub independence_number: usize,
    /// A maximum solution, as coordinate tuples.
    pub example: Vec<Vec<u32>>,
    /// Number of maximum solutions.
    pub maximum_sets: u64,
    /// Number of their orbits under the board's symmetry group, i.e. of solutions up to symmetry. `None` if
    /// the group is not known or too large to be listed.
    pub orbits: Option<u64>,
}

/// Error of an unfinished count.
///
/// # Examples
/// ```
/// use ndqueens_crosscheck::count::{CountError, count};
///
/// assert!(matches!(count(&"12^2".parse()?, &|| true), Err(CountError::Stopped { .. })));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CountError {
    /// The board is too large.
    #[error(transparent)]
    TooManySquares(#[from] TooManySquares),
    /// The search was stopped before it was complete.
    #[error("the count was stopped before it was complete; the largest independent set found has {}", counted(incumbent.len(), "square"))]
    Stopped {
        /// The squares of the largest independent set found.
        incumbent: Vec<Vec<u32>>,
    },
}

impl Classified for CountError {
    fn class(&self) -> ErrorClass {
        ErrorClass::Limit
    }
}

/// Counts the maximum solutions of a board and their orbits by visiting every solution.
///
/// The orbits are counted by the Cauchy-Frobenius lemma. Each set of an orbit has a stabiliser of
/// `|G| / |orbit|` elements, so the stabilisers of all sets of an orbit have `|G|` elements in total. Hence
/// the number of orbits is the sum of the sizes of all stabilisers divided by `|G|`. Sets need not be stored.
///
/// # Errors
/// Returns an error if the board is too large, or if `stop` returns `true`.
///
/// # Panics
/// Panics if the sum of the sizes of the stabilisers is not a multiple of the order of the group, because the
/// count would be wrong.
///
/// # Examples
/// ```
/// use ndqueens_crosscheck::count::count;
///
/// let counted = count(&"8^2".parse()?, &|| false)?;
/// assert_eq!((counted.maximum_sets, counted.orbits), (92, Some(12)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn count(board: &BoardName, stop: Stop<'_>) -> Result<Count, CountError> {
    count_with(board, Ordering::Pivot, stop)
}

/// Counts as [`count`] does, with a given ordering of the squares at the root of the search.
///
/// # Errors
/// Returns an error if the board is too large, or if `stop` returns `true`.
///
/// # Panics
/// Panics in the same case as [`count`].
pub fn count_with(board: &BoardName, ordering: Ordering, stop: Stop<'_>) -> Result<Count, CountError> {
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
    if maximal_sets_with(&graph, 0, ordering, stop, &mut visit).is_err() {
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
/// Returns an error if the board is too large, or if `stop` returns `true`.
pub fn for_each_maximum_set(
    board: &BoardName,
    stop: Stop<'_>,
    mut visit: impl FnMut(&[Vec<u32>]),
) -> Result<(), CountError> {
    let graph = Graph::new(&*definition(board))?;
    let mut incumbent = Vec::new();
    let first_pass = maximal_sets(&graph, 0, stop, &mut |set| incumbent = set.to_vec());
    let result = first_pass.and_then(|()| {
        maximal_sets(&graph, incumbent.len(), stop, &mut |set| {
            visit(&coordinates(&graph, set));
        })
    });
    result.map_err(|_| CountError::Stopped { incumbent: coordinates(&graph, &incumbent) })
}

/// Visits every independent set of `size` squares that contains `queens`. The queens must not attack each
/// other, and `size` must be at least the independence number. Each set is visited once, without the given
/// queens.
///
/// The search uses partitions of the board into `size` lines: a set of `size` squares meets every line of
/// such a partition, because it has at most one square on each line.
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
    let graph = Graph::residual(&*definition, queens)?;
    let Some(remaining) = size.checked_sub(queens.len()) else { return Ok(()) };
    let partitions = line_partitions(&*definition).into_iter().filter(|lines| lines.len() == size);
    let unoccupied = partitions.flatten().filter(|line| !line.iter().any(|square| queens.contains(square)));
    let groups: Vec<FixedBitSet> = unoccupied
        .map(|line| {
            let mut group = FixedBitSet::with_capacity(graph.squares().len());
            group.extend(line.iter().filter_map(|square| graph.squares().binary_search(square).ok()));
            group
        })
        .collect();
    let result =
        maximal_sets_meeting(&graph, remaining, &groups, stop, &mut |set| visit(&coordinates(&graph, set)));
    result.map_err(|_| CountError::Stopped { incumbent: Vec::new() })
}

/// Returns the partitions of a board into lines that are consecutive in its list of lines.
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

/// Returns the coordinate tuples of squares given by their numbers.
fn coordinates(graph: &Graph, set: &[usize]) -> Vec<Vec<u32>> {
    set.iter().map(|&square| graph.squares()[square].clone()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn completions_are_the_maximum_sets_containing_given_queens() {
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
    fn sudoku_lines_form_four_partitions() {
        let board = "sudoku:2".parse().expect("a board");
        let partitions = line_partitions(&*definition(&board));
        assert_eq!(partitions.iter().map(Vec::len).collect::<Vec<_>>(), [16; 4]);
    }
}
