//! First reference algorithm: the Bron-Kerbosch enumeration, for independent sets instead of cliques.

use std::vec;

use fixedbitset::FixedBitSet;

use crate::graph::Graph;
use crate::stop::{Stop, Stopped};

/// Order in which squares are chosen at the root of the search. Below the root, the pivot rule is used.
///
/// # Examples
/// ```
/// use ndqueens_crosscheck::boards::definition;
/// use ndqueens_crosscheck::bron_kerbosch::{Ordering, maximal_sets_with};
/// use ndqueens_crosscheck::graph::Graph;
///
/// let graph = Graph::new(&*definition(&"6^2".parse()?))?;
/// let mut solutions = 0;
/// maximal_sets_with(&graph, 6, Ordering::Degeneracy, &|| false, &mut |_| solutions += 1)?;
/// assert_eq!(solutions, 4);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Ordering {
    /// Order of the pivot rule.
    #[default]
    Pivot,
    /// Degeneracy ordering of the complement of the graph: each square is compatible with the fewest of the
    /// squares that remain. This keeps the number of candidates after each choice small.
    ///
    /// # References
    /// D. Eppstein, M. Löffler, D. Strash, *Listing all maximal cliques in sparse graphs in near-optimal
    /// time*, ISAAC 2010, LNCS 6506, 403-414.
    Degeneracy,
}

/// Visits every maximal independent set that has at least `at_least` squares and at least as many as each set
/// visited before. Hence all maximum independent sets with at least `at_least` squares are visited, each
/// once, after all other sets.
///
/// This is the textbook algorithm with the pivot rule of Tomita, Tanaka and Takahashi on the complement of
/// the graph. The only bound is the number of candidates: a branch is pruned if the chosen squares and the
/// candidates together are fewer than the least size of a set to visit.
///
/// # Errors
/// Returns [`Stopped`] if `stop` returns `true`.
///
/// # References
/// C. Bron, J. Kerbosch, *Algorithm 457: finding all cliques of an undirected graph*, Comm. ACM 16 (1973)
/// 575-577.
/// E. Tomita, A. Tanaka, H. Takahashi, *The worst-case time complexity for generating all maximal cliques and
/// computational experiments*, Theoret. Comput. Sci. 363 (2006) 28-42.
pub fn maximal_sets(
    graph: &Graph,
    at_least: usize,
    stop: Stop<'_>,
    visit: &mut dyn FnMut(&[usize]),
) -> Result<(), Stopped> {
    maximal_sets_with(graph, at_least, Ordering::Pivot, stop, visit)
}

/// Visits maximal sets as [`maximal_sets`] does, with a given ordering of the squares at the root. Which sets
/// are visited before those of maximum size depends on the ordering.
///
/// # Errors
/// Returns [`Stopped`] if `stop` returns `true`.
pub fn maximal_sets_with(
    graph: &Graph,
    at_least: usize,
    ordering: Ordering,
    stop: Stop<'_>,
    visit: &mut dyn FnMut(&[usize]),
) -> Result<(), Stopped> {
    search(graph, Selection { at_least, groups: &[], largest: true }, ordering, stop, visit)
}

/// Visits every maximal independent set, of any size, once.
///
/// # Errors
/// Returns [`Stopped`] if `stop` returns `true`.
pub fn every_maximal_set(
    graph: &Graph,
    stop: Stop<'_>,
    visit: &mut dyn FnMut(&[usize]),
) -> Result<(), Stopped> {
    search(graph, Selection { at_least: 0, groups: &[], largest: false }, Ordering::Pivot, stop, visit)
}

/// Visits the maximal independent sets that have a square in each of the given groups, at least `at_least`
/// squares, and at least as many squares as each set visited before.
///
/// The search branches on the candidates of a group without a chosen square, if they are fewer than the
/// branches of the pivot.
///
/// # Errors
/// Returns [`Stopped`] if `stop` returns `true`.
pub fn maximal_sets_meeting(
    graph: &Graph,
    at_least: usize,
    groups: &[FixedBitSet],
    stop: Stop<'_>,
    visit: &mut dyn FnMut(&[usize]),
) -> Result<(), Stopped> {
    search(graph, Selection { at_least, groups, largest: true }, Ordering::Pivot, stop, visit)
}

/// Selection of the maximal sets to visit.
struct Selection<'a> {
    /// Least number of squares of a set.
    at_least: usize,
    /// Groups of squares; each set has a square in each of them.
    groups: &'a [FixedBitSet],
    /// `true` if a set is visited only if it has at least as many squares as each set before.
    largest: bool,
}

/// Runs the search for the selected sets.
fn search(
    graph: &Graph,
    selection: Selection<'_>,
    ordering: Ordering,
    stop: Stop<'_>,
    visit: &mut dyn FnMut(&[usize]),
) -> Result<(), Stopped> {
    let squares = graph.squares().len();
    let closed_neighbourhood = |v| {
        let mut set = graph.neighbours(v).clone();
        set.insert(v);
        set
    };
    let mut all = FixedBitSet::with_capacity(squares);
    all.insert_range(..);
    let order = match ordering {
        Ordering::Degeneracy if squares > 0 => Some(degeneracy_ordering(graph)),
        Ordering::Degeneracy | Ordering::Pivot => None,
    };
    Search {
        closed: (0..squares).map(closed_neighbourhood).collect(),
        chosen: Vec::new(),
        selection,
        stop,
        visit,
    }
    .run(all, FixedBitSet::with_capacity(squares), order)
}

/// Returns a degeneracy ordering: each square is compatible with the fewest of the squares after it.
fn degeneracy_ordering(graph: &Graph) -> Vec<usize> {
    let squares = graph.squares().len();
    let mut remaining: Vec<usize> = (0..squares).collect();
    // Number of remaining squares that attack a square. A square with most attackers is compatible with
    // fewest squares.
    let mut attackers: Vec<usize> = remaining.iter().map(|&v| graph.neighbours(v).count_ones(..)).collect();
    let mut order = Vec::with_capacity(squares);
    while let Some(place) = (0..remaining.len()).rev().max_by_key(|&place| attackers[remaining[place]]) {
        let square = remaining.remove(place);
        graph.neighbours(square).ones().for_each(|v| attackers[v] -= 1);
        order.push(square);
    }
    order
}

/// State of the search.
struct Search<'a> {
    /// The closed neighbourhood of each square: the square and the squares that attack it.
    closed: Vec<FixedBitSet>,
    chosen: Vec<usize>,
    selection: Selection<'a>,
    stop: Stop<'a>,
    visit: &'a mut dyn FnMut(&[usize]),
}

/// Node of the search tree, which represents the maximal sets of chosen squares and candidates.
/// No chosen square attacks a candidate or an excluded square. Maximal sets with an excluded square have been
/// visited before.
struct Node {
    candidates: FixedBitSet,
    excluded: FixedBitSet,
    /// The squares to branch on that have not been chosen yet.
    branches: vec::IntoIter<usize>,
}

impl Search<'_> {
    /// Traverses the search tree. The nodes on the current path are stored in a list, because a path may be
    /// as long as the number of squares of the board, too long for recursion.
    fn run(
        &mut self,
        candidates: FixedBitSet,
        excluded: FixedBitSet,
        order: Option<Vec<usize>>,
    ) -> Result<(), Stopped> {
        let root = match order {
            Some(order) => Some(Node { candidates, excluded, branches: order.into_iter() }),
            None => self.expand(candidates, excluded)?,
        };
        let mut path: Vec<Node> = root.into_iter().collect();
        while let Some(Node { candidates, excluded, branches }) = path.last_mut() {
            let Some(square) = branches.next() else {
                path.pop();
                self.chosen.pop();
                continue;
            };
            let compatible = |set: &FixedBitSet| {
                let mut set = set.clone();
                set.difference_with(&self.closed[square]);
                set
            };
            let child = (compatible(candidates), compatible(excluded));
            candidates.remove(square);
            excluded.insert(square);
            self.chosen.push(square);
            match self.expand(child.0, child.1)? {
                Some(node) => path.push(node),
                None => drop(self.chosen.pop()),
            }
        }
        Ok(())
    }

    /// Processes a node. Visits the chosen squares if they are a selected set, or returns the node with its
    /// branches. Returns `None` if the node has no children.
    fn expand(&mut self, candidates: FixedBitSet, excluded: FixedBitSet) -> Result<Option<Node>, Stopped> {
        if (self.stop)() {
            return Err(Stopped);
        }
        if self.chosen.len() + candidates.count_ones(..) < self.selection.at_least {
            return Ok(None);
        }
        let is_hit = |group: &&FixedBitSet| self.chosen.iter().any(|&square| group.contains(square));
        let unhit = self.selection.groups.iter().filter(|group| !is_hit(group));
        let choices = |group: &&FixedBitSet| group.intersection_count(&candidates);
        let group = unhit.min_by_key(choices);
        if group.is_some_and(|group| choices(&group) == 0) {
            return Ok(None);
        }
        let branches_at = |pivot: &usize| candidates.intersection_count(&self.closed[*pivot]);
        let Some(pivot) = candidates.union(&excluded).min_by_key(branches_at) else {
            if self.selection.largest {
                self.selection.at_least = self.chosen.len();
            }
            (self.visit)(&self.chosen);
            return Ok(None);
        };
        // A maximal set contains the pivot or a square that attacks it, and a square of each group.
        let branches: Vec<usize> = match group {
            Some(group) if choices(&group) < branches_at(&pivot) => candidates.intersection(group).collect(),
            _ => candidates.intersection(&self.closed[pivot]).collect(),
        };
        Ok(Some(Node { candidates, excluded, branches: branches.into_iter() }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::boards::definition;

    #[test]
    fn both_orderings_visit_the_same_sets() {
        for board in ["1^2", "4^2", "5^2", "3^3", "hex:3", "three:4", "sudoku:2", "torus:4^2"] {
            let graph = Graph::new(&*definition(&board.parse().expect(board))).expect("a small board");
            let sets = |ordering| {
                let mut found = Vec::new();
                let visit = &mut |set: &[usize]| {
                    let mut set = set.to_vec();
                    set.sort_unstable();
                    found.push(set);
                };
                maximal_sets_with(&graph, 0, ordering, &|| false, visit).expect("not stopped");
                let largest = found.iter().map(Vec::len).max();
                found.retain(|set| Some(set.len()) == largest);
                found.sort();
                found
            };
            let by_pivot = sets(Ordering::Pivot);
            assert!(!by_pivot.is_empty(), "{board}");
            assert_eq!(sets(Ordering::Degeneracy), by_pivot, "{board}");
        }
    }

    #[test]
    fn degeneracy_ordering_minimises_compatible_later_squares() {
        let graph = Graph::new(&*definition(&"4^2".parse().expect("a board"))).expect("a small board");
        let order = degeneracy_ordering(&graph);
        let compatible = |v: usize, rest: &[usize]| {
            rest.iter().filter(|&&w| w != v && !graph.neighbours(v).contains(w)).count()
        };
        for place in 0..order.len() {
            let rest = &order[place..];
            let least = rest.iter().map(|&v| compatible(v, rest)).min();
            assert_eq!(Some(compatible(order[place], rest)), least);
        }
    }
}
