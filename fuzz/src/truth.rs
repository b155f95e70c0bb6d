//! Independence numbers, domination numbers and counts of small boards by exhaustive search, for comparison
//! with accepted files.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;

use ndqueens_crosscheck::boards::definition;
use ndqueens_crosscheck::graph::Graph;
use ndqueens_crosscheck::recursive;
use ndqueens_notation::name::BoardName;

/// Largest number of squares of a board whose numbers are computed.
pub(crate) const MOST_SQUARES: usize = 36;

/// Largest number of steps of a search.
const MOST_STEPS: u64 = 300_000;

thread_local! {
    static ALPHA: RefCell<HashMap<BoardName, Option<u64>>> = RefCell::default();
    static COUNTS: RefCell<HashMap<(BoardName, u64), Option<u64>>> = RefCell::default();
}

/// Returns the graph of a board with at most [`MOST_SQUARES`] squares.
pub(crate) fn small_graph(board: &BoardName) -> Option<Graph> {
    let definition = definition(board);
    let is_small = definition.squares().nth(MOST_SQUARES).is_none();
    is_small.then(|| Graph::new(&*definition).expect("a small board"))
}

/// Returns the independence number of a small board.
pub(crate) fn independence_number(board: &BoardName) -> Option<u64> {
    if let Some(known) = ALPHA.with_borrow(|known| known.get(board).copied()) {
        return known;
    }
    let alpha = small_graph(board).and_then(|graph| independence_number_of(&graph));
    ALPHA.with_borrow_mut(|known| known.insert(board.clone(), alpha));
    alpha
}

/// Returns the independence number of a graph, or `None` if the search takes too many steps.
pub(crate) fn independence_number_of(graph: &Graph) -> Option<u64> {
    let steps = Cell::new(0);
    let stop = || {
        steps.set(steps.get() + 1);
        steps.get() > MOST_STEPS
    };
    recursive::independence_number(graph, &stop).ok().map(|size| size as u64)
}

/// Returns `true` unless more than `most` queens fit on a small board.
pub(crate) fn may_be_at_most(board: &BoardName, most: u64) -> bool {
    independence_number(board).is_none_or(|alpha| alpha <= most)
}

/// Returns the number of independent sets of a size on a small board.
pub(crate) fn independent_sets(board: &BoardName, size: u64) -> Option<u64> {
    let key = (board.clone(), size);
    if let Some(known) = COUNTS.with_borrow(|known| known.get(&key).copied()) {
        return known;
    }
    let count = small_graph(board).and_then(|graph| {
        let (mut sets, mut steps) = (0, 0);
        visit(&graph, &mut Vec::new(), &mut steps, &mut |set| sets += u64::from(set.len() as u64 == size))
            .then_some(sets)
    });
    COUNTS.with_borrow_mut(|known| known.insert(key, count));
    count
}

/// Visits all independent sets. Returns `false` if the search has too many steps.
pub(crate) fn visit(
    graph: &Graph,
    placed: &mut Vec<usize>,
    steps: &mut u64,
    visitor: &mut dyn FnMut(&[usize]),
) -> bool {
    *steps += 1;
    if *steps > MOST_STEPS {
        return false;
    }
    visitor(placed);
    for square in placed.last().map_or(0, |last| last + 1)..graph.squares().len() {
        if placed.iter().all(|&other| !graph.neighbours(other).contains(square)) {
            placed.push(square);
            let is_complete = visit(graph, placed, steps, visitor);
            placed.pop();
            if !is_complete {
                return false;
            }
        }
    }
    true
}

/// Returns the positions of squares in a graph, or `None` if the graph does not contain all of them.
pub(crate) fn places(graph: &Graph, squares: &[Vec<u32>]) -> Option<Vec<usize>> {
    squares.iter().map(|square| graph.squares().binary_search(square).ok()).collect()
}

/// Returns `true` if the squares are different and none attacks another.
pub(crate) fn is_independent(graph: &Graph, places: &[usize]) -> bool {
    places
        .iter()
        .enumerate()
        .all(|(k, &a)| places[..k].iter().all(|&b| a != b && !graph.neighbours(a).contains(b)))
}

/// Returns `true` if each square of the graph is one of the given squares or is attacked by one of them.
pub(crate) fn is_dominating(graph: &Graph, places: &[usize]) -> bool {
    (0..graph.squares().len())
        .all(|square| places.iter().any(|&p| p == square || graph.neighbours(p).contains(square)))
}

/// Returns the size of a smallest dominating set, or of a smallest independent dominating set if
/// `independent`, that contains the squares `included`. Returns `None` if the board has more than 12 squares.
pub(crate) fn domination_number(graph: &Graph, included: &[usize], independent: bool) -> Option<u64> {
    let squares = graph.squares().len();
    if squares > 12 {
        return None;
    }
    let sets = (0..1_u32 << squares)
        .map(|set| (0..squares).filter(|&square| set >> square & 1 == 1).collect::<Vec<_>>());
    let is_solution = |set: &Vec<usize>| {
        included.iter().all(|square| set.contains(square))
            && is_dominating(graph, set)
            && (!independent || is_independent(graph, set))
    };
    sets.filter(is_solution).map(|set| set.len() as u64).min()
}
