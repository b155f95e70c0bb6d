//! Stacking: a solution on `(n,d)` as n solutions on `(n,d-1)`, one for each layer along the last axis.
//!
//! A full solution of `(n,d)` has `n^(d-2)` queens on each of the n layers, so it is a stack of n disjoint
//! full solutions of `(n,d-1)`. For d = 3 all stacks can be visited, one layer at a time: in the layer h
//! above it, a queen attacks the square straight above and the squares h steps away from that one in the
//! eight directions, and the remaining squares rarely have room for n queens.
//!
//! # References
//! T. Kunt, *The n-Queens Problem in Higher Dimensions*, 2023, Propositions 4 and 5.

use std::io;

use ndqueens_model::board::{Board, Grid, Square};
use rayon::prelude::*;

use super::local_search;
use super::rows::{Visitor, visit_solutions};
use ndqueens_system::cancel::Control;
use ndqueens_system::thread::with_threads;

/// Largest side for which all stacks are visited; the full solutions of a layer are listed up to symmetry.
pub const MAX_LAYERS: u32 = 16;

/// A full solution of a layer: the column of the queen in each row.
type Layer = Vec<u8>;

/// Returns the number of full solutions of the (n,3)-board, or `None` if the control was stopped. Every stack
/// is visited up to the eight symmetries of its first layer. The nodes of the control are placed queens.
///
/// # Examples
/// ```
/// use ndqueens_solver::construct::stack;
/// use ndqueens_system::cancel::Control;
///
/// assert_eq!(stack::count_full(7, 1, &Control::new()).unwrap(), Some(0));
/// ```
///
/// # Errors
/// Returns an error if the threads cannot be started.
///
/// # Panics
/// Panics if the side is 0 or above [`MAX_LAYERS`].
pub fn count_full(side: u32, threads: usize, control: &Control) -> io::Result<Option<u64>> {
    let images = |layers: &[Layer]| first_images(&layers[0]).len() as u64;
    Ok(visit_full(side, threads, control, &images)?.map(|counts| counts.iter().sum()))
}

/// Returns all full solutions of the (n,3)-board as lists of squares (layer, row, column), or `None` if the
/// control was stopped. See [`count_full`].
///
/// # Errors
/// Returns an error if the threads cannot be started.
///
/// # Panics
/// Panics if the side is 0 or above [`MAX_LAYERS`].
pub fn list_full(side: u32, threads: usize, control: &Control) -> io::Result<Option<Vec<Vec<Vec<u32>>>>> {
    let images = |layers: &[Layer]| -> Vec<Vec<Vec<u32>>> {
        let images: Vec<[Layer; 8]> = layers.iter().map(symmetric_images).collect();
        let squares = |image: usize| {
            let square = |layer, row, &column: &u8| vec![layer, row, u32::from(column)];
            let layers = images.iter().zip(0..);
            layers
                .flat_map(|(images, layer)| {
                    images[image].iter().zip(0..).map(move |(column, row)| square(layer, row, column))
                })
                .collect()
        };
        first_images(&layers[0]).into_iter().map(squares).collect()
    };
    Ok(visit_full(side, threads, control, &images)?.map(|lists| lists.into_iter().flatten().collect()))
}

/// Returns the values of `evaluate` for all full solutions whose first layer is the least of its images, or
/// `None` if the control was stopped.
fn visit_full<T: Send>(
    side: u32,
    threads: usize,
    control: &Control,
    evaluate: &(impl Fn(&[Layer]) -> T + Sync),
) -> io::Result<Option<Vec<T>>> {
    assert!((1..=MAX_LAYERS).contains(&side), "the side is from 1 to {MAX_LAYERS}");
    let n = side as usize;
    let full = (1u32 << n) - 1;
    let mut firsts: Vec<Layer> = Vec::new();
    let mut stack = Stack { n, allowed: vec![vec![full; n]; n], control, nodes: 0 };
    stack.visit_layer(0, &mut |_, layer| {
        let layer = layer.to_vec();
        if symmetric_images(&layer).iter().all(|image| *image >= layer) {
            firsts.push(layer);
        }
    });
    let values = firsts.into_par_iter().flat_map_iter(|first| {
        let mut values = Vec::new();
        if !control.is_stopped() {
            let mut stack = Stack { n, allowed: vec![vec![full; n]; n], control, nodes: 0 };
            if let Some(allowed) = stack.allowed_after(0, &first) {
                stack.allowed = allowed;
                stack.visit(&mut vec![first], &mut |layers| values.push(evaluate(layers)));
            }
            control.count(stack.nodes, 0.0);
        }
        values
    });
    let values = with_threads(threads, || values.collect())?;
    Ok((!control.is_stopped()).then_some(values))
}

/// Returns the images of a layer under the eight symmetries of the square, in a fixed order.
fn symmetric_images(layer: &Layer) -> [Layer; 8] {
    let n = layer.len() as u8;
    let rotate = |layer: &Layer| {
        let mut image = vec![0; layer.len()];
        layer.iter().zip(0u8..).for_each(|(&column, row)| image[column as usize] = n - 1 - row);
        image
    };
    let mirrored: Layer = layer.iter().map(|column| n - 1 - column).collect();
    let once = [rotate(layer), rotate(&mirrored)];
    let twice = [rotate(&once[0]), rotate(&once[1])];
    let thrice = [rotate(&twice[0]), rotate(&twice[1])];
    let ([a, b], [c, d], [e, f]) = (once, twice, thrice);
    [layer.clone(), mirrored, a, b, c, d, e, f]
}

/// Returns one symmetry for each distinct image of a layer, numbered as in [`symmetric_images`].
fn first_images(layer: &Layer) -> Vec<usize> {
    let images = symmetric_images(layer);
    (0..images.len()).filter(|&image| !images[..image].contains(&images[image])).collect()
}

/// State of the search for stacks.
struct Stack<'a> {
    n: usize,
    /// For each layer and row, the columns that no queen of a lower layer attacks, as bits.
    allowed: Vec<Vec<u32>>,
    control: &'a Control,
    nodes: u64,
}

impl Stack<'_> {
    /// Calls `report` with every full stack whose lowest layers are `filled`.
    fn visit(&mut self, filled: &mut Vec<Layer>, report: &mut dyn FnMut(&[Layer])) {
        let layer = filled.len();
        if layer == self.n {
            report(filled);
            return;
        }
        self.visit_layer(layer, &mut |stack, solution| {
            let Some(allowed) = stack.allowed_after(layer, solution) else { return };
            let before = std::mem::replace(&mut stack.allowed, allowed);
            filled.push(solution.to_vec());
            stack.visit(filled, report);
            filled.pop();
            stack.allowed = before;
        });
    }

    /// Visits every full solution of a layer on its allowed squares until the control is stopped.
    fn visit_layer(&mut self, layer: usize, visit: &mut dyn FnMut(&mut Self, &[u8])) {
        let allowed = self.allowed[layer].clone();
        if !self.control.is_stopped() {
            visit_solutions(&allowed, &mut LayerVisitor { stack: self, visit });
        }
    }

    /// Returns the allowed squares after a layer is filled with `solution`, or `None` if a row or column of a
    /// higher layer has no allowed square left.
    fn allowed_after(&self, layer: usize, solution: &[u8]) -> Option<Vec<Vec<u32>>> {
        let full = (1u32 << self.n) - 1;
        let mut allowed = self.allowed.clone();
        for (higher, rows) in allowed.iter_mut().enumerate().skip(layer + 1) {
            let distance = higher - layer;
            for (row, &column) in solution.iter().enumerate() {
                let column = 1u64 << column;
                let unattacked = !((column | column << distance | column >> distance) as u32);
                rows[row] &= unattacked;
                if row >= distance {
                    rows[row - distance] &= unattacked;
                }
                if let Some(mask) = rows.get_mut(row + distance) {
                    *mask &= unattacked;
                }
            }
            let columns = rows.iter().fold(0, |columns, row| columns | row);
            if columns != full || rows.contains(&0) {
                return None;
            }
        }
        Some(allowed)
    }
}

/// Counts the placed queens of a layer and passes its solutions to `visit`.
struct LayerVisitor<'v, 's, 'c> {
    stack: &'v mut Stack<'c>,
    visit: &'v mut (dyn FnMut(&mut Stack<'c>, &[u8]) + 's),
}

impl Visitor for LayerVisitor<'_, '_, '_> {
    fn queen(&mut self) -> bool {
        self.stack.nodes += 1;
        !self.stack.control.is_stopped()
    }

    fn solution(&mut self, columns: &[u8]) -> bool {
        (self.visit)(self.stack, columns);
        true
    }
}

/// Number of stacks that [`heuristic`] constructs.
const ATTEMPTS: u64 = 8;

/// Constructs a large independent set of a box layer by layer: a short local search fills each layer with
/// squares that the previous layers do not attack. Returns the best of 8 attempts, or `None` if the board is
/// too large. `work` is the total work limit, as in [`local_search::quick`].
#[must_use]
pub fn heuristic(board: &Board, grid: &Grid, seed: u64, work: u64) -> Option<Vec<Square>> {
    let layers = *grid.sides().last()?;
    let layer_of = |square: Square| *board.coordinates(square).last().expect("a square has coordinates");
    let work_per_layer = work / (ATTEMPTS * u64::from(layers)).max(1);
    let mut best: Vec<Square> = Vec::new();
    for attempt in 0..ATTEMPTS {
        let seed = seed.wrapping_mul(ATTEMPTS).wrapping_add(attempt);
        let mut set: Vec<Square> = Vec::new();
        for layer in 0..layers {
            let is_in_layer = |square| layer_of(square) == layer;
            set = local_search::quick_among(board, &set, &is_in_layer, seed, work_per_layer, usize::MAX)?;
        }
        if set.len() > best.len() {
            best = set;
        }
    }
    Some(best)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_all_full_solutions() {
        // The 264 = 11 * 24 solutions of side 11 are all regular.
        for (side, count) in
            [(1, 1), (2, 0), (3, 0), (4, 0), (5, 0), (6, 0), (7, 0), (8, 0), (9, 0), (10, 0), (11, 264)]
        {
            let counted = count_full(side, 2, &Control::new()).expect("two threads");
            assert_eq!(counted, Some(count), "{side}^3");
            let listed = list_full(side, 1, &Control::new()).expect("a thread").expect("not stopped");
            assert_eq!(listed.len() as u64, count, "{side}^3");
        }
    }

    #[test]
    fn visits_all_solutions_of_a_layer() {
        let control = Control::new();
        for (n, count) in [(1usize, 1), (2, 0), (3, 0), (4, 2), (5, 10), (6, 4), (7, 40), (8, 92)] {
            let mut stack = Stack { n, allowed: vec![vec![(1 << n) - 1; n]; n], control: &control, nodes: 0 };
            let mut all = Vec::new();
            stack.visit_layer(0, &mut |_, layer| all.push(layer.to_vec()));
            assert_eq!(all.len(), count, "{n}^2");
            assert!(all.iter().all(|layer| symmetric_images(layer).iter().all(|image| all.contains(image))));
        }
    }

    #[test]
    fn stops_with_the_control() {
        let control = Control::new();
        let mut layers = 0;
        let mut stack = Stack { n: 8, allowed: vec![vec![0xff; 8]; 8], control: &control, nodes: 0 };
        stack.visit_layer(0, &mut |_, _| {
            layers += 1;
            control.stop();
        });
        assert_eq!(layers, 1, "no layer is visited after the stop");
        assert_eq!(count_full(11, 1, &control).expect("a thread"), None);
    }
}
