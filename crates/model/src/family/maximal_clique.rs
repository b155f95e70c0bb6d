use std::ops::ControlFlow;

use fixedbitset::FixedBitSet;
use ndqueens_notation::certificate::Problem;
use serde::Deserialize;

use super::{Family, Inequalities, Inequality, Property, ValidityError, needs_independence};
use crate::board::{Board, Extent, Square};
use crate::facts::UpperBounds;
use crate::variant::Variant;

/// Clique inequalities: at most one queen on each maximal clique of the queen graph with at least two
/// squares.
///
/// Each clique is contained in a maximal one, so these rows imply the edge, line, cube and star rows. Since
/// there are many of them, the family is valid only for boards with at most [`MAX_SQUARES`] squares and at
/// most `limit` maximal cliques.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct MaximalClique {
    /// Maximum number of cliques; the family is rejected if there are more.
    limit: usize,
}

/// Maximum number of squares, which keeps the graph within 2 MiB and the recursion within the stack of a
/// thread.
const MAX_SQUARES: usize = 4096;

impl Default for MaximalClique {
    fn default() -> Self {
        Self { limit: 100_000 }
    }
}

impl MaximalClique {
    /// Returns the maximal cliques, or `None` if there are more than `limit`.
    fn cliques(&self, board: &Board) -> Option<Vec<Vec<Square>>> {
        let mut search =
            Search { graph: board.graph(), limit: self.limit, clique: Vec::new(), found: Vec::new() };
        let mut all = FixedBitSet::with_capacity(board.size());
        all.insert_range(..);
        let none = FixedBitSet::with_capacity(board.size());
        search.extend(all, none).is_continue().then_some(search.found)
    }
}

/// State of the algorithm of Bron and Kerbosch with the pivot rule of Tomita, Tanaka and Takahashi.
struct Search {
    graph: Vec<FixedBitSet>,
    limit: usize,
    clique: Vec<Square>,
    found: Vec<Vec<Square>>,
}

impl Search {
    /// Finds all maximal cliques that extend the current clique by squares of `candidates`. Squares of `done`
    /// extend it as well, but their cliques were found before. Breaks if the limit is exceeded.
    fn extend(&mut self, mut candidates: FixedBitSet, mut done: FixedBitSet) -> ControlFlow<()> {
        let covered = |&pivot: &usize| self.graph[pivot].intersection_count(&candidates);
        let Some(pivot) = candidates.union(&done).max_by_key(covered) else {
            if self.clique.len() >= 2 {
                if self.found.len() == self.limit {
                    return ControlFlow::Break(());
                }
                self.found.push(self.clique.clone());
            }
            return ControlFlow::Continue(());
        };
        let branches: Vec<usize> = candidates.difference(&self.graph[pivot]).collect();
        for square in branches {
            let within = |set: &FixedBitSet| {
                let mut set = set.clone();
                set.intersect_with(&self.graph[square]);
                set
            };
            let (further, excluded) = (within(&candidates), within(&done));
            self.clique.push(square as Square);
            self.extend(further, excluded)?;
            self.clique.pop();
            candidates.remove(square);
            done.insert(square);
        }
        ControlFlow::Continue(())
    }
}

impl Family for MaximalClique {
    fn name(&self) -> &'static str {
        "maximal-clique"
    }

    fn summary(&self) -> &'static str {
        "at most one on every maximal set of squares that attack each other pairwise"
    }

    fn citation(&self) -> &'static str {
        "M. W. Padberg, On the facial structure of set packing polyhedra, 1973; enumerated as by E. Tomita, A. Tanaka, \
         H. Takahashi, 2006"
    }

    fn validity(&self, board: &Board, problem: Problem, _: &Variant) -> Result<(), ValidityError> {
        needs_independence(problem)?;
        if board.size() > MAX_SQUARES {
            return Err(ValidityError::TooManySquares { most: MAX_SQUARES, size: board.size() });
        }
        self.cliques(board).map(drop).ok_or(ValidityError::TooManyCliques(self.limit))
    }

    fn ensures(&self) -> Option<Property> {
        Some(Property::Independence)
    }

    fn extent(&self, board: &Board, _: &dyn UpperBounds) -> Extent {
        let cliques = self.cliques(board).unwrap_or_default();
        let nonzeros = cliques.iter().map(|clique| clique.len() as u128).sum();
        Extent { rows: cliques.len() as u128, nonzeros }
    }

    fn rows<'a>(&'a self, board: &'a Board, _: &'a dyn UpperBounds) -> Inequalities<'a> {
        Box::new(self.cliques(board).unwrap_or_default().into_iter().map(Inequality::clique))
    }
}
