//! Superimposable solutions: a full solution of n^3 is an n-colouring of n^2 in each of the three directions.
//!
//! The layers of a full solution along an axis hold n queens each, and no two of them have queens above each other: they
//! are the classes of a colouring. A colouring gives a full solution when its classes can be put in an order such that no two
//! queens of layers h apart are 0 or h apart along rows and along columns.

use super::cover::Classes;

/// The colouring whose classes are the layers of a full solution of n^3 along an axis, 0 to 2. `None` when a layer has not
/// one queen in each row.
#[must_use]
pub fn layers(side: usize, queens: &[[usize; 3]], axis: usize) -> Option<Classes> {
    let mut classes = vec![vec![u8::MAX; side]; side];
    for queen in queens {
        let mut others = (0..3).filter(|&k| k != axis).map(|k| queen[k]);
        let (row, column) = (others.next()?, others.next()?);
        *classes.get_mut(queen[axis])?.get_mut(row)? = u8::try_from(column).ok()?;
    }
    let full = classes.iter().flatten().all(|&column| usize::from(column) < side);
    classes.sort_unstable();
    full.then_some(classes)
}

/// Every order of the classes of a colouring that makes a full solution of n^3, the class of the lowest layer first.
#[must_use]
pub fn stacks(classes: &Classes) -> Vec<Vec<usize>> {
    let n = classes.len();
    // Whether two classes can be h layers apart; that they are disjoint is given.
    let apart = |a: &Vec<u8>, b: &Vec<u8>, h: usize| {
        (0..n).all(|row| {
            let near = |other: usize| {
                let columns = usize::from(a[row]).abs_diff(usize::from(b[other]));
                columns == 0 || columns == h
            };
            !(near(row) || row >= h && near(row - h) || row + h < n && near(row + h))
        })
    };
    let mut allowed = vec![vec![vec![false; n]; n]; n];
    for a in 0..n {
        for b in 0..n {
            for (h, allowed) in allowed[a][b].iter_mut().enumerate().skip(1) {
                *allowed = a != b && apart(&classes[a], &classes[b], h);
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
    use super::super::closed::linear;
    use super::*;

    #[test]
    fn layers_and_stacks_undo_each_other() {
        // The queens (x, y, 3x + 5y mod 11) are a full solution.
        let queens: Vec<[usize; 3]> =
            (0..121).map(|k| [k / 11, k % 11, (3 * (k / 11) + 5 * (k % 11)) % 11]).collect();
        for axis in 0..3 {
            let classes = layers(11, &queens, axis).expect("a full solution");
            assert!(!stacks(&classes).is_empty(), "axis {axis}");
        }
        assert_eq!(layers(11, &queens[1..], 2), None);
    }

    #[test]
    fn small_boards_have_no_full_solution() {
        for side in [5, 7] {
            assert!(stacks(&linear(side).expect("prime to 6")).is_empty());
        }
    }
}
