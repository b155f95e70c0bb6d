//! Product: all concatenations of the coordinates of a square of one queen solution and a square of another.
//!
//! Two different squares of the product differ in one of the parts. There they do not attack each other,
//! so the differences have two different nonzero absolute values, and the squares of the product do not
//! attack each other either: `alpha(A x B) >= alpha(A) alpha(B)`. If one factor is a line, whose alpha
//! is 1, alpha does not decrease when the board gets another dimension. The closure of the known bounds
//! uses the same rule.

use std::cmp::Reverse;
use std::fmt;

/// Returns the squares of the product of two sets of squares.
///
/// # Examples
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

/// A partition of the axes of a box into two nonempty parts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Split {
    /// The axes of the left part, in increasing order.
    pub(super) left: Vec<usize>,
    /// The axes of the right part, in increasing order.
    pub(super) right: Vec<usize>,
    /// The product of the trivial bounds of the parts.
    pub(super) bound: u64,
}

impl Split {
    fn new(sides: &[u32], left: Vec<usize>) -> Self {
        let right: Vec<usize> = (0..sides.len()).filter(|axis| !left.contains(axis)).collect();
        let trivial_bound = |axes: &[usize]| {
            let lengths = || axes.iter().map(|&axis| u64::from(sides[axis]));
            lengths().product::<u64>() / lengths().max().expect("a part has an axis")
        };
        let bound = trivial_bound(&left) * trivial_bound(&right);
        Self { left, right, bound }
    }

    /// Permutes the coordinates of squares from the order of the product, left axes before right axes, to the
    /// order of the axes.
    pub(super) fn in_order(&self, squares: Vec<Vec<u32>>) -> Vec<Vec<u32>> {
        let in_order = |square: Vec<u32>| {
            let mut ordered = vec![0; square.len()];
            self.left.iter().chain(&self.right).zip(square).for_each(|(&axis, x)| ordered[axis] = x);
            ordered
        };
        squares.into_iter().map(in_order).collect()
    }
}

/// Writes the axes of the left part, such as ` along axes 1, 3`; nothing if they are the first ones.
impl fmt::Display for Split {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.left.iter().copied().eq(0..self.left.len()) {
            return Ok(());
        }
        let axes: Vec<String> = self.left.iter().map(|axis| (axis + 1).to_string()).collect();
        write!(f, " along {} {}", if axes.len() == 1 { "axis" } else { "axes" }, axes.join(", "))
    }
}

/// Returns one split of the axes of a box for each way to split the multiset of its sides in two. They are
/// sorted by decreasing bound, and then by the number of axes in the left part.
pub(super) fn splits(sides: &[u32]) -> Vec<Split> {
    let mut lengths = sides.to_vec();
    lengths.sort_unstable();
    lengths.dedup();
    let axes_of = |length: u32| (0..sides.len()).filter(|&axis| sides[axis] == length).collect::<Vec<_>>();
    // Axes with equal sides are interchangeable, so the left part takes the first ones.
    let mut lefts: Vec<Vec<usize>> = vec![Vec::new()];
    for axes in lengths.into_iter().map(axes_of) {
        let extensions = |left: Vec<usize>| {
            let axes = &axes;
            (0..=axes.len()).map(move |taken| [left.as_slice(), &axes[..taken]].concat()).collect::<Vec<_>>()
        };
        lefts = lefts.into_iter().flat_map(extensions).collect();
    }
    lefts.iter_mut().for_each(|left| left.sort_unstable());
    lefts.retain(|left| !left.is_empty() && 2 * left.len() <= sides.len());
    lefts.sort_by_key(Vec::len);
    let sorted_sides = |axes: &[usize]| {
        let mut lengths: Vec<u32> = axes.iter().map(|&axis| sides[axis]).collect();
        lengths.sort_unstable();
        lengths
    };
    let all = lefts.into_iter().map(|left| Split::new(sides, left));
    // If both parts have the same number of axes, only one of the two orders is kept.
    let is_kept = |split: &Split| {
        split.left.len() < split.right.len() || sorted_sides(&split.left) <= sorted_sides(&split.right)
    };
    let mut splits: Vec<Split> = all.filter(is_kept).collect();
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

    /// Returns the sorted sides of the two parts, the smaller list first.
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
    fn splits_of_a_cube_take_its_first_axes() {
        let lefts: Vec<_> = splits(&[5; 7]).into_iter().map(|split| split.left).collect();
        assert_eq!(lefts, [vec![0], vec![0, 1], vec![0, 1, 2]]);
        assert!(splits(&[9]).is_empty());
    }

    #[test]
    fn in_order_restores_the_order_of_the_axes() {
        let split = Split::new(&[12, 3, 12], vec![0, 2]);
        assert_eq!((split.bound, split.to_string().as_str()), (12, " along axes 1, 3"));
        assert_eq!(split.in_order(vec![vec![7, 8, 1]]), [[7, 1, 8]]);
    }

    proptest! {
        #[test]
        fn every_split_of_the_sides_occurs_once(sides in prop::collection::vec(1u32..=3, 2..=7)) {
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
