//! Product: all pairs of a square from one queen solution and a square from another, side by side.
//!
//! Two of them differ in one part, where they do not attack each other. The differences there have two
//! different nonzero absolute values, so the pairs do not attack each other either:
//! `alpha(A x B) >= alpha(A) alpha(B)`. With a line as one factor, whose alpha is 1, this says that alpha does not fall when the board
//! gets another dimension.
//!
//! # References
//! The argument is the one above; `crates/lab/src/bounds/closure.rs` uses it as a rule.

use std::cmp::Reverse;
use std::fmt;

/// The squares of the product of two sets of squares.
///
/// ```
/// use ndqueens_solver::construct::product::product;
///
/// // One queen on a line, two on 3^2.
/// let queens = product(&[vec![0]], &[vec![0, 1], vec![2, 0]]);
/// assert_eq!(queens, [[0, 0, 1], [0, 2, 0]]);
/// ```
#[must_use]
pub fn product(left: &[Vec<u32>], right: &[Vec<u32>]) -> Vec<Vec<u32>> {
    left.iter().flat_map(|a| right.iter().map(move |b| [a.as_slice(), b].concat())).collect()
}

/// A way to part the axes of a box in two.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Split {
    /// The axes of one part, in increasing order.
    pub(super) left: Vec<usize>,
    /// The other axes, in increasing order.
    pub(super) right: Vec<usize>,
    /// The product of the trivial bounds of the parts.
    pub(super) bound: u64,
}

impl Split {
    fn new(sides: &[u32], left: Vec<usize>) -> Self {
        let right: Vec<usize> = (0..sides.len()).filter(|axis| !left.contains(axis)).collect();
        let trivial = |axes: &[usize]| {
            let lengths = || axes.iter().map(|&axis| u64::from(sides[axis]));
            lengths().product::<u64>() / lengths().max().expect("an axis")
        };
        let bound = trivial(&left) * trivial(&right);
        Self { left, right, bound }
    }

    /// Squares whose coordinates are those of the left axes and then those of the right ones, with their coordinates in
    /// the order of the axes.
    pub(super) fn in_order(&self, squares: Vec<Vec<u32>>) -> Vec<Vec<u32>> {
        let in_order = |square: Vec<u32>| {
            let mut ordered = vec![0; square.len()];
            self.left.iter().chain(&self.right).zip(square).for_each(|(&axis, x)| ordered[axis] = x);
            ordered
        };
        squares.into_iter().map(in_order).collect()
    }
}

/// Says which axes the left part has, unless they are the first ones: ` along axes 1, 3`.
impl fmt::Display for Split {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.left.iter().copied().eq(0..self.left.len()) {
            return Ok(());
        }
        let axes: Vec<String> = self.left.iter().map(|axis| (axis + 1).to_string()).collect();
        write!(f, " along {} {}", if axes.len() == 1 { "axis" } else { "axes" }, axes.join(", "))
    }
}

/// Every way to part the sides of a box in two: one for each pair of multisets of sides. Those with the largest bound come
/// first, and of equals those with the fewest axes in the left part.
pub(super) fn splits(sides: &[u32]) -> Vec<Split> {
    let mut lengths = sides.to_vec();
    lengths.sort_unstable();
    lengths.dedup();
    let axes_of = |length: u32| (0..sides.len()).filter(|&axis| sides[axis] == length).collect::<Vec<_>>();
    // Which of axes with equal sides are taken makes no difference, so they are the first ones.
    let mut lefts: Vec<Vec<usize>> = vec![Vec::new()];
    for axes in lengths.into_iter().map(axes_of) {
        let longer = |left: Vec<usize>| {
            let axes = &axes;
            (0..=axes.len()).map(move |taken| [left.as_slice(), &axes[..taken]].concat()).collect::<Vec<_>>()
        };
        lefts = lefts.into_iter().flat_map(longer).collect();
    }
    lefts.iter_mut().for_each(|left| left.sort_unstable());
    lefts.retain(|left| !left.is_empty() && 2 * left.len() <= sides.len());
    lefts.sort_by_key(Vec::len);
    let lengths = |axes: &[usize]| {
        let mut lengths: Vec<u32> = axes.iter().map(|&axis| sides[axis]).collect();
        lengths.sort_unstable();
        lengths
    };
    let all = lefts.into_iter().map(|left| Split::new(sides, left));
    // Of two halves of as many axes one is the left part.
    let is_first =
        |split: &Split| split.left.len() < split.right.len() || lengths(&split.left) <= lengths(&split.right);
    let mut splits: Vec<Split> = all.filter(is_first).collect();
    splits.sort_by_key(|split| Reverse(split.bound));
    splits
}

#[cfg(test)]
mod tests {
    use super::super::cut::Cut;
    use super::super::tests::assert_independent;
    use super::*;
    use ndqueens_notation::name::BoardName;
    use proptest::prelude::*;
    use std::collections::HashSet;

    /// The multisets of sides of the two parts.
    fn parts(sides: &[u32], left: &[usize], right: &[usize]) -> [Vec<u32>; 2] {
        let mut parts = [left, right].map(|axes| {
            let mut lengths: Vec<u32> = axes.iter().map(|&axis| sides[axis]).collect();
            lengths.sort_unstable();
            lengths
        });
        parts.sort();
        parts
    }

    #[test]
    fn a_cube_is_parted_into_its_first_axes_and_the_rest() {
        let lefts: Vec<_> = splits(&[5; 7]).into_iter().map(|split| split.left).collect();
        assert_eq!(lefts, [vec![0], vec![0, 1], vec![0, 1, 2]]);
        assert!(splits(&[9]).is_empty());
    }

    #[test]
    fn coordinates_are_put_back_in_the_order_of_the_axes() {
        let split = Split::new(&[12, 3, 12], vec![0, 2]);
        assert_eq!((split.bound, split.to_string().as_str()), (12, " along axes 1, 3"));
        assert_eq!(split.in_order(vec![vec![7, 8, 1]]), [[7, 1, 8]]);
    }

    proptest! {
        #[test]
        fn every_way_to_part_the_sides_in_two_comes_once(sides in prop::collection::vec(1u32..=3, 2..=7)) {
            let found: Vec<_> = splits(&sides).iter().map(|split| parts(&sides, &split.left, &split.right)).collect();
            let distinct: HashSet<_> = found.iter().cloned().collect();
            prop_assert_eq!(found.len(), distinct.len());
            let all: HashSet<_> = (1..(1 << sides.len()) - 1)
                .map(|mask: u32| {
                    let (left, right): (Vec<_>, Vec<_>) = (0..sides.len()).partition(|axis| mask >> axis & 1 == 1);
                    parts(&sides, &left, &right)
                })
                .collect();
            prop_assert_eq!(distinct, all);
        }

        #[test]
        fn products_are_independent(a in prop::collection::vec(1u32..=5, 1..=2), b in prop::collection::vec(1u32..=5, 1..=3)) {
            let squares = [&a, &b].map(|sides| Cut::best(sides, &[], 10_000).expect("a cut").squares());
            let pairs = product(&squares[0], &squares[1]);
            prop_assert_eq!(pairs.len(), squares[0].len() * squares[1].len());
            assert_independent(&BoardName::queen(&[a, b].concat()), &pairs);
        }
    }
}
