//! The first reference algorithm: Bron and Kerbosch's enumeration, for independent sets instead of cliques.

use std::vec;

use fixedbitset::FixedBitSet;

use crate::graph::Graph;
use crate::stop::{Stop, Stopped};

/// The order in which squares are chosen at the root of the search; below it the pivot rule decides.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Ordering {
    /// By the pivot rule, as everywhere below.
    #[default]
    Pivot,
    /// By degeneracy of the complement of the graph: the square that is compatible with the fewest others first, then the same among
    /// the others, and so on. Each square meets as few candidates as possible then.
    ///
    /// # References
    /// D. Eppstein, M. Löffler, D. Strash, *Listing all maximal cliques in sparse graphs in near-optimal time*, ISAAC 2010, LNCS 6506,
    /// 403-414.
    Degeneracy,
}

/// Visits every maximal independent set that has at least `at_least` squares and at least as many as each one visited
/// before. The sets of the largest size are thus all visited, each once, after all the others.
///
/// This is the textbook algorithm with the pivot rule of Tomita, Tanaka and Takahashi on the complement of the graph. Its
/// only bound is the number of candidates left: a branch is pruned when the chosen squares and the candidates together
/// are fewer than a set must have to be visited.
///
/// # Errors
/// [`Stopped`] when `stop` says so.
///
/// # References
/// C. Bron, J. Kerbosch, *Algorithm 457: finding all cliques of an undirected graph*, Comm. ACM 16 (1973) 575-577.
/// E. Tomita, A. Tanaka, H. Takahashi, *The worst-case time complexity for generating all maximal cliques and
/// computational experiments*, Theoret. Comput. Sci. 363 (2006) 28-42.
pub fn maximal_sets(
    graph: &Graph,
    at_least: usize,
    stop: Stop<'_>,
    visit: &mut dyn FnMut(&[usize]),
) -> Result<(), Stopped> {
    maximal_sets_ordered(graph, at_least, Ordering::Pivot, stop, visit)
}

/// Visits the sets of [`maximal_sets`] in an order that depends on the order of the squares at the root.
///
/// # Errors
/// [`Stopped`] when `stop` says so.
pub fn maximal_sets_ordered(
    graph: &Graph,
    at_least: usize,
    ordering: Ordering,
    stop: Stop<'_>,
    visit: &mut dyn FnMut(&[usize]),
) -> Result<(), Stopped> {
    search(graph, Wanted { at_least, groups: &[], largest: true }, ordering, stop, visit)
}

/// Visits every maximal independent set once, of any size: each set that no square can join.
///
/// # Errors
/// [`Stopped`] when `stop` says so.
pub fn every_maximal_set(
    graph: &Graph,
    stop: Stop<'_>,
    visit: &mut dyn FnMut(&[usize]),
) -> Result<(), Stopped> {
    search(graph, Wanted { at_least: 0, groups: &[], largest: false }, Ordering::Pivot, stop, visit)
}

/// Visits those of the sets of [`maximal_sets`] that have a square in each of the given groups.
///
/// The search branches over the squares of a group that no chosen square belongs to, if they are fewer than those of the pivot.
///
/// # Errors
/// [`Stopped`] when `stop` says so.
pub fn maximal_sets_meeting(
    graph: &Graph,
    at_least: usize,
    groups: &[FixedBitSet],
    stop: Stop<'_>,
    visit: &mut dyn FnMut(&[usize]),
) -> Result<(), Stopped> {
    search(graph, Wanted { at_least, groups, largest: true }, Ordering::Pivot, stop, visit)
}

/// Which maximal sets are visited.
struct Wanted<'a> {
    /// The fewest squares of a set.
    at_least: usize,
    /// Groups of squares; each set has a square in each of them.
    groups: &'a [FixedBitSet],
    /// If `true`, sets are visited only if they have as many squares as each one before.
    largest: bool,
}

fn search(
    graph: &Graph,
    wanted: Wanted<'_>,
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
        wanted,
        stop,
        visit,
    }
    .run(all, FixedBitSet::with_capacity(squares), order)
}

/// Returns the squares in an order in which each one is compatible with as few as possible of those after it.
fn degeneracy_ordering(graph: &Graph) -> Vec<usize> {
    let squares = graph.squares().len();
    let mut left: Vec<usize> = (0..squares).collect();
    // The number of squares left that attack a square; the more these are, the fewer are compatible with it.
    let mut attackers: Vec<usize> = left.iter().map(|&v| graph.neighbours(v).count_ones(..)).collect();
    let mut order = Vec::with_capacity(squares);
    while let Some(place) = (0..left.len()).rev().max_by_key(|&place| attackers[left[place]]) {
        let square = left.remove(place);
        graph.neighbours(square).ones().for_each(|v| attackers[v] -= 1);
        order.push(square);
    }
    order
}

struct Search<'a> {
    /// For each square, itself and the squares that attack it: what choosing it rules out.
    closed: Vec<FixedBitSet>,
    chosen: Vec<usize>,
    wanted: Wanted<'a>,
    stop: Stop<'a>,
    visit: &'a mut dyn FnMut(&[usize]),
}

/// The maximal sets that consist of the chosen squares and candidates. No chosen square attacks a candidate or an excluded
/// square; sets with an excluded square have been visited before.
struct Level {
    candidates: FixedBitSet,
    excluded: FixedBitSet,
    /// The squares that are to be chosen next, one after the other.
    branches: vec::IntoIter<usize>,
}

impl Search<'_> {
    /// A set may have as many squares as the board, so that the levels are kept in a list, not on the stack.
    fn run(
        &mut self,
        candidates: FixedBitSet,
        excluded: FixedBitSet,
        order: Option<Vec<usize>>,
    ) -> Result<(), Stopped> {
        let root = match order {
            Some(order) => Some(Level { candidates, excluded, branches: order.into_iter() }),
            None => self.expand(candidates, excluded)?,
        };
        let mut levels: Vec<Level> = root.into_iter().collect();
        while let Some(Level { candidates, excluded, branches }) = levels.last_mut() {
            let Some(square) = branches.next() else {
                levels.pop();
                self.chosen.pop();
                continue;
            };
            let compatible = |set: &FixedBitSet| {
                let mut set = set.clone();
                set.difference_with(&self.closed[square]);
                set
            };
            let below = (compatible(candidates), compatible(excluded));
            candidates.remove(square);
            excluded.insert(square);
            self.chosen.push(square);
            match self.expand(below.0, below.1)? {
                Some(level) => levels.push(level),
                None => drop(self.chosen.pop()),
            }
        }
        Ok(())
    }

    /// Visits the chosen squares if they are such a set, or says how to go on.
    fn expand(&mut self, candidates: FixedBitSet, excluded: FixedBitSet) -> Result<Option<Level>, Stopped> {
        if (self.stop)() {
            return Err(Stopped);
        }
        if self.chosen.len() + candidates.count_ones(..) < self.wanted.at_least {
            return Ok(None);
        }
        let is_met = |group: &&FixedBitSet| self.chosen.iter().any(|&square| group.contains(square));
        let unmet = self.wanted.groups.iter().filter(|group| !is_met(group));
        let choices = |group: &&FixedBitSet| group.intersection_count(&candidates);
        let group = unmet.min_by_key(choices);
        if group.is_some_and(|group| choices(&group) == 0) {
            return Ok(None);
        }
        let branches_at = |pivot: &usize| candidates.intersection_count(&self.closed[*pivot]);
        let Some(pivot) = candidates.union(&excluded).min_by_key(branches_at) else {
            if self.wanted.largest {
                self.wanted.at_least = self.chosen.len();
            }
            (self.visit)(&self.chosen);
            return Ok(None);
        };
        // A maximal set contains the pivot or a square that attacks it, and a square of each group.
        let branches: Vec<usize> = match group {
            Some(group) if choices(&group) < branches_at(&pivot) => candidates.intersection(group).collect(),
            _ => candidates.intersection(&self.closed[pivot]).collect(),
        };
        Ok(Some(Level { candidates, excluded, branches: branches.into_iter() }))
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
                maximal_sets_ordered(&graph, 0, ordering, &|| false, visit).expect("not stopped");
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
    fn every_square_of_the_ordering_is_compatible_with_the_fewest_later_ones() {
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
