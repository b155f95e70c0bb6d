//! Second reference algorithm: plain recursion for the independence number.

use crate::graph::Graph;
use crate::stop::{Stop, Stopped};

/// Returns the independence number of a graph.
///
/// # Errors
/// Returns [`Stopped`] if `stop` returns `true`.
pub fn independence_number(graph: &Graph, stop: Stop<'_>) -> Result<usize, Stopped> {
    maximum_set(graph, stop).map(|set| set.len())
}

/// Returns a maximum independent set, as numbers of squares.
///
/// The algorithm builds every independent set, square by square in increasing order, and returns the first
/// one of maximum size. It uses neither bounds nor pivots, so its correctness depends only on the definition
/// of an independent set. The set itself serves as the stack of the recursion: the next compatible square is
/// pushed, or else the last square is popped.
///
/// # Errors
/// Returns [`Stopped`] if `stop` returns `true`.
///
/// # References
/// *Maximal Clique Problem, Recursive Solution*, GeeksforGeeks (2020); used as a check on Bron-Kerbosch, on
/// the complement graph, in J. A. de Groot, *Solving n-queens on non-squares* (Utrecht, 2020), section 3.1.2.
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
