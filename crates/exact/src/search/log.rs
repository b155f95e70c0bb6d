//! Events that a search reports about its tree.

use std::ops::ControlFlow;

use serde::{Deserialize, Serialize};

/// Receiver of the nodes of a search tree in depth-first order, with the data that a checker needs to
/// follow the search.
pub(crate) trait Log {
    /// Reports a cover of a region by fewer first-fit cliques than its demand, which leaves only the squares
    /// `uncovered`. One of these must hold a queen: a child for each follows in this order, without the
    /// squares of the earlier children.
    fn log_cover(
        &mut self,
        _cover: FirstFit,
        _cliques: impl FnOnce() -> Vec<Vec<usize>>,
        _uncovered: impl FnOnce() -> Vec<usize>,
    ) {
    }
    /// Reports a branching on an orbit. Two children follow: with a queen on `square`, and without queens on
    /// its orbit under `elements`.
    fn log_orbit(&mut self, _square: usize, _elements: &[u32]) {}
    /// Reports that the tree is cut off at this node, which becomes the part of the given number.
    fn log_part(&mut self, _number: usize) {}
    /// Returns `true` if events can no longer be recorded, so that the search should stop.
    fn is_broken(&self) -> bool {
        false
    }
    /// Reports a solution: `placed` holds the target number of queens and represents `share` solutions (see
    /// [`Share`]). The result states whether the search continues for further solutions.
    fn log_solution(&mut self, _placed: &[usize], _share: Share) -> ControlFlow<()> {
        ControlFlow::Break(())
    }
}

/// First-fit clique cover of a region, which starts at the first square or, if `reversed`, at the last one.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FirstFit {
    pub(crate) region: usize,
    pub(crate) reversed: bool,
}

/// Number of solutions that one solution found by the search represents, as a fraction.
///
/// If the tree branches on the orbit `O` of a square under the group `H` of a node, only solutions with a
/// queen on that square are found. `H` permutes the solutions of the node and acts transitively on `O`. Hence
/// for every function `f` that is invariant under `H`, the sum of `f(S)` over the solutions `S` of the node
/// that intersect `O` equals the sum of `f(S) |O| / |S & O|` over those with a queen on the square. The share
/// of a solution is the product of these factors over the orbits on its path.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Share {
    /// Product of the orbit sizes.
    pub numerator: u64,
    /// Product of the numbers of queens on the orbits.
    pub denominator: u64,
}

/// Log that discards all events.
#[derive(Debug)]
pub(crate) struct NoLog;

impl Log for NoLog {}
