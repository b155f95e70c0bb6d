//! What a search tells of its tree.

use std::ops::ControlFlow;

use serde::{Deserialize, Serialize};

/// What a search tells of its tree, in depth-first order: what a checker needs to follow it.
pub(crate) trait Log {
    /// First-fit cliques, fewer than its demand, cover a region but for the squares `uncovered`. A queen stands on one of these:
    /// children follow in this order, each without the squares of the ones before.
    fn covered(
        &mut self,
        _cover: FirstFit,
        _cliques: impl FnOnce() -> Vec<Vec<usize>>,
        _uncovered: impl FnOnce() -> Vec<usize>,
    ) {
    }
    /// Two children follow: a queen on `square`, and no queen on its orbit under `elements`.
    fn orbit(&mut self, _square: usize, _elements: &[u32]) {}
    /// The tree is cut off here; this is the part of that number.
    fn part(&mut self, _number: usize) {}
    /// Whether what is told is lost, so that there is no use in going on.
    fn is_broken(&self) -> bool {
        false
    }
    /// `k` queens stand on the squares placed, which stand for `share` solutions as [`Share`] says. Whether the search goes on
    /// for more of them.
    fn found(&mut self, _placed: &[usize], _share: Share) -> ControlFlow<()> {
        ControlFlow::Break(())
    }
}

/// How a region is covered by first-fit cliques: from the first square on, or `reversed`, from the last one.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FirstFit {
    pub(crate) region: usize,
    pub(crate) reversed: bool,
}

/// For how many solutions one that was met stands, as a fraction.
///
/// Where the tree branches on the orbit `O` of a square under the group `H` of a node, only solutions with a queen on the
/// square are met. `H` maps the solutions of the node to each other and is transitive on `O`, so that for every function
/// `f` that `H` leaves alone, the sum of `f(S)` over the node's solutions `S` that meet `O` is the sum of
/// `f(S) |O| / |S & O|` over those with a queen on the square. A solution's share is the product of these factors over the
/// orbits on the way to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Share {
    /// The product of the sizes of the orbits.
    pub numerator: u64,
    /// The product of the numbers of queens on them.
    pub denominator: u64,
}

/// Tells nothing.
#[derive(Debug)]
pub(crate) struct Silent;

impl Log for Silent {}
