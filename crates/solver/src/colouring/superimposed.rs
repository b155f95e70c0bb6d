//! Superimposable solutions: a full solution of n^d is an n-colouring of n^(d-1) in each of the d directions.
//!
//! The layers of a full solution along an axis have n^(d-2) queens each, and no two layers have queens above
//! each other. They are therefore the classes of a colouring. A colouring of n^2 gives a full solution of n^3
//! if its classes can be ordered so that no two queens on layers at distance h have distances 0 or h both
//! along rows and along columns.

use super::cover::Classes;

/// Returns the layers of a set of squares along an axis, counted from 0. The squares of a layer are squares
/// of the board without that axis.
///
/// # Panics
/// Panics if a square has no such axis or is outside the board.
#[must_use]
pub fn layers(side: u32, queens: &[Vec<u32>], axis: usize) -> Vec<Vec<Vec<u32>>> {
    let mut layers = vec![Vec::new(); side as usize];
    for queen in queens {
        let mut below = queen.clone();
        let layer = below.remove(axis);
        layers[layer as usize].push(below);
    }
    layers
}

/// Returns all orders of the classes of a colouring that give a full solution of n^3, starting with the class
/// of the lowest layer.
#[must_use]
pub fn stacks(classes: &Classes) -> Vec<Vec<usize>> {
    let n = classes.len();
    // Classes of a colouring are disjoint.
    let is_allowed = |a: &Vec<u8>, b: &Vec<u8>, h: usize| {
        (0..n).all(|row| {
            let attacks = |other: usize| {
                let columns = usize::from(a[row]).abs_diff(usize::from(b[other]));
                columns == 0 || columns == h
            };
            !(attacks(row) || row >= h && attacks(row - h) || row + h < n && attacks(row + h))
        })
    };
    // `allowed[a][b][h]` is true if classes a and b can be h layers apart.
    let mut allowed = vec![vec![vec![false; n]; n]; n];
    for a in 0..n {
        for b in 0..n {
            for (h, allowed) in allowed[a][b].iter_mut().enumerate().skip(1) {
                *allowed = a != b && is_allowed(&classes[a], &classes[b], h);
            }
        }
    }
    let (mut all, mut order) = (Vec::new(), Vec::new());
    extend(&allowed, &mut order, &mut all);
    all
}

fn extend(allowed: &[Vec<Vec<bool>>], order: &mut Vec<usize>, all: &mut Vec<Vec<usize>>) {
    if order.len() == allowed.len() {
        return all.push(order.clone());
    }
    for next in 0..allowed.len() {
        let fits = order.iter().rev().zip(1..).all(|(&below, h)| allowed[below][next][h]);
        if fits && !order.contains(&next) {
            order.push(next);
            extend(allowed, order, all);
            order.pop();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::closed::linear_squares;
    use super::super::columns;
    use super::*;

    #[test]
    fn stacks_restore_layers() {
        // The queens (x, y, 3x + 5y mod 11) are a full solution.
        let queens: Vec<Vec<u32>> =
            (0..121).map(|k| vec![k / 11, k % 11, (3 * (k / 11) + 5 * (k % 11)) % 11]).collect();
        for axis in 0..3 {
            let layers = layers(11, &queens, axis);
            assert!(layers.iter().all(|layer| layer.len() == 11), "axis {axis}");
            assert!(stacks(&columns(&layers)).contains(&(0..11).collect()), "axis {axis}");
        }
    }

    #[test]
    fn small_boards_have_no_full_solution() {
        for side in [5, 7] {
            assert!(stacks(&columns(&linear_squares(side).expect("prime to 6"))).is_empty());
        }
    }
}
