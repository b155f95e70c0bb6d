//! The second reference algorithm: plain recursion for the independence number.

use crate::graph::Graph;
use crate::stop::{Stop, Stopped};

/// Returns the independence number of a graph.
///
/// # Errors
/// [`Stopped`] when `stop` says so.
pub fn independence_number(graph: &Graph, stop: Stop<'_>) -> Result<usize, Stopped> {
    maximum_set(graph, stop).map(|set| set.len())
}

/// Returns an independent set of the largest size, as numbers of squares.
///
/// Every independent set is built, one square after the other in increasing order, and the first one of the largest size is kept. There
/// is no bound and no pivot, so that nothing but the definition of an independent set can be wrong. The set itself is the
/// stack of the recursion: it is extended by the next square that fits, or else gives up its last one.
///
/// # Errors
/// [`Stopped`] when `stop` says so.
///
/// # References
/// *Maximal Clique Problem, Recursive Solution*, GeeksforGeeks (2020); used as a check on Bron-Kerbosch, on the complement
/// graph, in J. A. de Groot, *Solving n-queens on non-squares* (Utrecht, 2020), section 3.1.2.
pub fn maximum_set(graph: &Graph, stop: Stop<'_>) -> Result<Vec<usize>, Stopped> {
    let (mut chosen, mut next, mut largest) = (Vec::new(), 0, Vec::new());
    loop {
        if stop() {
            return Err(Stopped);
        }
        let fits = |&square: &usize| chosen.iter().all(|&c| !graph.neighbours(c).contains(square));
        let extension = (next..graph.squares().len()).find(fits);
        match extension {
            Some(square) => {
                chosen.push(square);
                if chosen.len() > largest.len() {
                    largest.clone_from(&chosen);
                }
                next = square + 1;
            }
            None => match chosen.pop() {
                Some(square) => next = square + 1,
                None => return Ok(largest),
            },
        }
    }
}
