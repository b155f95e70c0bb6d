//! Product: all pairs of a square from one queen solution and a square from another, side by side.
//!
//! Two of them differ in one part, where they do not attack each other. The differences there have two
//! different nonzero absolute values, so the pairs do not attack each other either:
//! `alpha(A x B) >= alpha(A) alpha(B)`. With a line as one factor, whose alpha is 1, this says that alpha does not fall when the board
//! gets another dimension.
//!
//! # References
//! The argument is the one above; `crates/lab/src/bounds/closure.rs` uses it as a rule.

/// The squares of the product of two sets of squares.
///
/// ```
/// use ndqueens_solver::construction::product::product;
///
/// // One queen on a line, two on 3^2.
/// let queens = product(&[vec![0]], &[vec![0, 1], vec![2, 0]]);
/// assert_eq!(queens, [[0, 0, 1], [0, 2, 0]]);
/// ```
#[must_use]
pub fn product(left: &[Vec<u32>], right: &[Vec<u32>]) -> Vec<Vec<u32>> {
    left.iter().flat_map(|a| right.iter().map(move |b| [a.as_slice(), b].concat())).collect()
}

#[cfg(test)]
mod tests {
    use super::super::cut::Cut;
    use super::super::tests::assert_independent;
    use super::*;
    use ndqueens_model::name::BoardName;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn products_are_independent(a in prop::collection::vec(1u32..=5, 1..=2), b in prop::collection::vec(1u32..=5, 1..=3)) {
            let squares = [&a, &b].map(|sides| Cut::best(sides, &[], 10_000).expect("a cut").squares());
            let pairs = product(&squares[0], &squares[1]);
            prop_assert_eq!(pairs.len(), squares[0].len() * squares[1].len());
            assert_independent(&BoardName::queen(&[a, b].concat()), &pairs);
        }
    }
}
