//! Independence number, number of maximum solutions, number of solutions up to symmetry.

use ndqueens_model::name::BoardName;

use crate::boards::definition;
use crate::bron_kerbosch::maximal_sets;
use crate::graph::{Graph, TooManySquares};
use crate::stop::Stop;
use crate::symmetry::SymmetryGroup;

/// The maximum solutions of a board, counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Count {
    /// The size of a maximum solution.
    pub independence_number: usize,
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
    if maximal_sets(&graph, 0, stop, &mut visit).is_err() {
        return Err(CountError::Stopped { incumbent: coordinates(&graph, &incumbent) });
    }
    let orbits = group.map(|group| {
        let order = group.order() as u128;
        assert_eq!(stabilisers % order, 0, "{board}: the maximum sets are not a union of orbits");
        u64::try_from(stabilisers / order).expect("there are no more orbits than sets")
    });
    Ok(Count { independence_number: incumbent.len(), maximum_sets, orbits })
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

fn coordinates(graph: &Graph, set: &[usize]) -> Vec<Vec<u32>> {
    set.iter().map(|&square| graph.squares()[square].clone()).collect()
}
