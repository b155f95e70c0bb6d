//! The second reference algorithm: plain recursion for the independence number.

use crate::graph::Graph;
use crate::stop::{Stop, Stopped};

/// The independence number of a graph.
///
/// Every independent set is built, one square after the other in increasing order, and the largest size is kept. There
/// is no bound and no pivot, so that nothing but the definition of an independent set can be wrong.
///
/// # Errors
/// [`Stopped`] when `stop` says so.
///
/// # References
/// *Maximal Clique Problem, Recursive Solution*, GeeksforGeeks (2020); used as a check on Bron-Kerbosch, on the complement
/// graph, in J. A. de Groot, *Solving n-queens on non-squares* (Utrecht, 2020), section 3.1.2.
pub fn independence_number(graph: &Graph, stop: Stop<'_>) -> Result<usize, Stopped> {
    largest_extension(graph, &mut Vec::new(), 0, stop)
}

/// The size of the largest independent set that consists of `chosen` and squares from `next` on.
fn largest_extension(
    graph: &Graph,
    chosen: &mut Vec<usize>,
    next: usize,
    stop: Stop<'_>,
) -> Result<usize, Stopped> {
    if stop() {
        return Err(Stopped);
    }
    let mut largest = chosen.len();
    for square in next..graph.squares().len() {
        if chosen.iter().all(|&c| !graph.neighbours(c).contains(square)) {
            chosen.push(square);
            largest = largest.max(largest_extension(graph, chosen, square + 1, stop)?);
            chosen.pop();
        }
    }
    Ok(largest)
}
