//! Stacking: a solution on `(n,d)` as n solutions on `(n,d-1)`, one for each layer along the last axis.
//!
//! A full solution of `(n,d)` has `n^(d-2)` queens on each of the n layers, so it is a stack of n full solutions of
//! `(n,d-1)`, and no two of them share a square. For d = 3 all stacks can be visited, layer after layer: a queen takes from
//! the layer h above it the squares straight above and h steps to any of the eight sides, and what is left over rarely
//! holds n queens.
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

/// The longest side for which all stacks are visited: the full solutions of a layer are listed up to symmetry.
pub const MOST_LAYERS: u32 = 16;

/// A full solution of a layer: the column of the queen in each row.
type Layer = Vec<u8>;

/// All full solutions of the (n,3)-board, counted by visiting every stack up to the eight symmetries of its first layer.
/// `None` when the control was stopped; its nodes are queens placed.
///
/// ```
/// use ndqueens_solver::construct::stack;
/// use ndqueens_system::cancel::Control;
///
/// assert_eq!(stack::count_full(7, 1, &Control::new()).unwrap(), Some(0));
/// ```
///
/// # Errors
/// If the threads cannot be started.
///
/// # Panics
/// If the side is 0 or above [`MOST_LAYERS`].
pub fn count_full(side: u32, threads: usize, control: &Control) -> io::Result<Option<u64>> {
    let images = |layers: &[Layer]| first_images(&layers[0]).len() as u64;
    Ok(visit_full(side, threads, control, &images)?.map(|counts| counts.iter().sum()))
}

/// All full solutions of the (n,3)-board, as coordinates: layer, row, column. Otherwise like [`count_full`].
///
/// # Errors
/// If the threads cannot be started.
///
/// # Panics
/// If the side is 0 or above [`MOST_LAYERS`].
pub fn list_full(side: u32, threads: usize, control: &Control) -> io::Result<Option<Vec<Vec<Vec<u32>>>>> {
    let images = |layers: &[Layer]| -> Vec<Vec<Vec<u32>>> {
        let images: Vec<[Layer; 8]> = layers.iter().map(symmetric).collect();
        let squares = |image: usize| {
            let layers = images.iter().zip(0..);
            let square = |layer, row, &column: &u8| vec![layer, row, u32::from(column)];
            layers
                .flat_map(|(layers, z)| {
                    layers[image].iter().zip(0..).map(move |(column, x)| square(z, x, column))
                })
                .collect()
        };
        first_images(&layers[0]).into_iter().map(squares).collect()
    };
    Ok(visit_full(side, threads, control, &images)?.map(|lists| lists.into_iter().flatten().collect()))
}

/// What is to be said of every full solution whose first layer is the least of its images.
fn visit_full<T: Send>(
    side: u32,
    threads: usize,
    control: &Control,
    say: &(impl Fn(&[Layer]) -> T + Sync),
) -> io::Result<Option<Vec<T>>> {
    assert!((1..=MOST_LAYERS).contains(&side), "few layers");
    let n = side as usize;
    let full = (1u32 << n) - 1;
    let mut firsts: Vec<Layer> = Vec::new();
    let mut stack = Stack { n, allowed: vec![vec![full; n]; n], control, nodes: 0 };
    stack.visit_layer(0, &mut |_, layer| {
        let layer = layer.to_vec();
        if symmetric(&layer).iter().all(|image| *image >= layer) {
            firsts.push(layer);
        }
    });
    let found = firsts.into_par_iter().flat_map_iter(|first| {
        let mut found = Vec::new();
        if !control.is_stopped() {
            let mut stack = Stack { n, allowed: vec![vec![full; n]; n], control, nodes: 0 };
            if let Some(allowed) = stack.above(0, &first) {
                stack.allowed = allowed;
                stack.visit(&mut vec![first], &mut |layers| found.push(say(layers)));
            }
            control.count(stack.nodes, 0.0);
        }
        found
    });
    let found = with_threads(threads, || found.collect())?;
    Ok((!control.is_stopped()).then_some(found))
}

/// The images of a layer under the symmetries of the square, in a fixed order of these.
fn symmetric(layer: &Layer) -> [Layer; 8] {
    let n = layer.len() as u8;
    let turned = |layer: &Layer| {
        let mut turned = vec![0; layer.len()];
        layer.iter().zip(0u8..).for_each(|(&column, row)| turned[column as usize] = n - 1 - row);
        turned
    };
    let mirrored: Layer = layer.iter().map(|column| n - 1 - column).collect();
    let once = [turned(layer), turned(&mirrored)];
    let twice = [turned(&once[0]), turned(&once[1])];
    let thrice = [turned(&twice[0]), turned(&twice[1])];
    let ([a, b], [c, d], [e, f]) = (once, twice, thrice);
    [layer.clone(), mirrored, a, b, c, d, e, f]
}

/// One symmetry for each distinct image of a layer, numbered as in [`symmetric`].
fn first_images(layer: &Layer) -> Vec<usize> {
    let images = symmetric(layer);
    (0..images.len()).filter(|&image| !images[..image].contains(&images[image])).collect()
}

/// The layers that are still to be filled.
struct Stack<'a> {
    n: usize,
    /// For each layer and row the columns that no queen below takes.
    allowed: Vec<Vec<u32>>,
    control: &'a Control,
    nodes: u64,
}

impl Stack<'_> {
    /// Visits all ways to fill the layers above those that are filled.
    fn visit(&mut self, filled: &mut Vec<Layer>, found: &mut dyn FnMut(&[Layer])) {
        let layer = filled.len();
        if layer == self.n {
            found(filled);
            return;
        }
        self.visit_layer(layer, &mut |stack, solution| {
            let Some(above) = stack.above(layer, solution) else { return };
            let below = std::mem::replace(&mut stack.allowed, above);
            filled.push(solution.to_vec());
            stack.visit(filled, found);
            filled.pop();
            stack.allowed = below;
        });
    }

    /// Visits every full solution of a layer on its allowed squares, until the control is stopped.
    fn visit_layer(&mut self, layer: usize, visit: &mut dyn FnMut(&mut Self, &[u8])) {
        let allowed = self.allowed[layer].clone();
        if !self.control.is_stopped() {
            visit_solutions(&allowed, &mut Layers { stack: self, visit });
        }
    }

    /// The allowed squares once a layer is filled; `None` when a layer above can no longer be.
    fn above(&self, layer: usize, solution: &[u8]) -> Option<Vec<Vec<u32>>> {
        let full = (1u32 << self.n) - 1;
        let mut allowed = self.allowed.clone();
        for (above, rows) in allowed.iter_mut().enumerate().skip(layer + 1) {
            let h = above - layer;
            for (row, &column) in solution.iter().enumerate() {
                let column = 1u64 << column;
                let taken = !((column | column << h | column >> h) as u32);
                rows[row] &= taken;
                if row >= h {
                    rows[row - h] &= taken;
                }
                if let Some(mask) = rows.get_mut(row + h) {
                    *mask &= taken;
                }
            }
            let met = rows.iter().fold(0, |met, row| met | row);
            if met != full || rows.contains(&0) {
                return None;
            }
        }
        Some(allowed)
    }
}

/// Counts the queens of a layer, and visits its solutions.
struct Layers<'v, 's, 'c> {
    stack: &'v mut Stack<'c>,
    visit: &'v mut (dyn FnMut(&mut Stack<'c>, &[u8]) + 's),
}

impl Visitor for Layers<'_, '_, '_> {
    fn queen(&mut self) -> bool {
        self.stack.nodes += 1;
        !self.stack.control.is_stopped()
    }

    fn solution(&mut self, columns: &[u8]) -> bool {
        (self.visit)(self.stack, columns);
        true
    }
}

/// A large independent set of a box, made layer by layer: each takes as many squares as a short local search finds among
/// those that the layers before leave free. The best of some attempts; `work` bounds them as in
/// [`local_search::quick`]. `None` when the board is too large.
#[must_use]
pub fn heuristic(board: &Board, grid: &Grid, seed: u64, work: u64) -> Option<Vec<Square>> {
    let layers = *grid.sides().last()?;
    let layer = |square: Square| *board.coordinates(square).last().expect("a square has coordinates");
    let each = work / (ATTEMPTS * u64::from(layers)).max(1);
    let mut best: Vec<Square> = Vec::new();
    for attempt in 0..ATTEMPTS {
        let mut held: Vec<Square> = Vec::new();
        for z in 0..layers {
            let seed = seed.wrapping_mul(ATTEMPTS).wrapping_add(attempt);
            held = local_search::quick_among(board, &held, &|s| layer(s) == z, seed, each, usize::MAX)?;
        }
        if held.len() > best.len() {
            best = held;
        }
    }
    Some(best)
}

/// Stacks that are made, of which the best is kept.
const ATTEMPTS: u64 = 8;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_full_solutions_are_stacks() {
        // 264 = 11 * 24 are all regular; the smaller sides have none but 1.
        for (side, count) in
            [(1, 1), (2, 0), (3, 0), (4, 0), (5, 0), (6, 0), (7, 0), (8, 0), (9, 0), (10, 0), (11, 264)]
        {
            let found = count_full(side, 2, &Control::new()).expect("two threads");
            assert_eq!(found, Some(count), "{side}^3");
            let listed = list_full(side, 1, &Control::new()).expect("a thread").expect("not stopped");
            assert_eq!(listed.len() as u64, count, "{side}^3");
        }
    }

    #[test]
    fn a_layer_has_as_many_solutions_as_there_are() {
        let control = Control::new();
        for (n, count) in [(1usize, 1), (2, 0), (3, 0), (4, 2), (5, 10), (6, 4), (7, 40), (8, 92)] {
            let mut stack = Stack { n, allowed: vec![vec![(1 << n) - 1; n]; n], control: &control, nodes: 0 };
            let mut all = Vec::new();
            stack.visit_layer(0, &mut |_, layer| all.push(layer.to_vec()));
            assert_eq!(all.len(), count, "{n}^2");
            assert!(all.iter().all(|layer| symmetric(layer).iter().all(|image| all.contains(image))));
        }
    }

    #[test]
    fn a_count_can_be_stopped() {
        let control = Control::new();
        let mut layers = 0;
        let mut stack = Stack { n: 8, allowed: vec![vec![0xff; 8]; 8], control: &control, nodes: 0 };
        stack.visit_layer(0, &mut |_, _| {
            layers += 1;
            control.stop();
        });
        assert_eq!(layers, 1, "layers are visited after the stop");
        assert_eq!(count_full(11, 1, &control).expect("a thread"), None);
    }
}
