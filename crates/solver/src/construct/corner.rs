//! Corner cut: a solution on a larger board without one layer across each axis at a corner.
//!
//! # References
//! T. Kunt, *The n-Queens Problem in Higher Dimensions*, 2023, the inequality after Corollary 8.1.

use ndqueens_notation::name::MAX_SQUARES;

use super::method::Method;

/// Methods that construct the solution on the larger board.
pub(super) const METHODS: [Method; 4] = [Method::Regular, Method::Planar, Method::Cut, Method::Extend];

/// Returns the sides of the box that is longer by one along each axis, or `None` if it has more than
/// [`MAX_SQUARES`] squares.
pub(super) fn larger(sides: &[u32]) -> Option<Vec<u32>> {
    let larger: Vec<u32> = sides.iter().map(|side| side + 1).collect();
    let squares = larger.iter().try_fold(1u64, |product, &side| product.checked_mul(u64::from(side)));
    squares.is_some_and(|squares| squares <= MAX_SQUARES).then_some(larger)
}

/// A set without the layers at a corner.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CornerCut {
    /// The remaining squares, with the coordinates that they have in the smaller box.
    pub squares: Vec<Vec<u32>>,
    /// The corner: for each axis 0 if the first layer was removed, 1 if the last one was.
    pub corner: Vec<u32>,
}

/// Removes one layer across each axis at the corner where the fewest squares are lost, the
/// first of these corners.
///
/// # Examples
/// ```
/// use ndqueens_solver::construct::corner;
///
/// let queens = [vec![0, 1], vec![1, 3], vec![2, 0], vec![3, 2]];
/// assert_eq!(corner::cut(&[4, 4], &queens).squares.len(), 2);
/// ```
///
/// # Panics
/// Panics if there are 64 sides or more.
#[must_use]
pub fn cut(sides: &[u32], squares: &[Vec<u32>]) -> CornerCut {
    let cuts = (0..1u64 << sides.len()).map(|bits| {
        let corner: Vec<u32> = (0..sides.len()).map(|axis| (bits >> axis & 1) as u32).collect();
        CornerCut { squares: cut_at(sides, squares, &corner), corner }
    });
    cuts.reduce(|best, next| if next.squares.len() > best.squares.len() { next } else { best })
        .expect("a box has a corner")
}

fn cut_at(sides: &[u32], squares: &[Vec<u32>], corner: &[u32]) -> Vec<Vec<u32>> {
    let remaining = |square: &Vec<u32>| -> Option<Vec<u32>> {
        let axes = square.iter().zip(sides).zip(corner);
        axes.map(|((&x, &side), &far)| if far == 1 { (x + 1 < side).then_some(x) } else { x.checked_sub(1) })
            .collect()
    };
    squares.iter().filter_map(remaining).collect()
}

#[cfg(test)]
mod tests {
    use super::super::cut::Cut;
    use super::super::tests::assert_independent;
    use super::*;
    use ndqueens_notation::name::BoardName;

    #[test]
    fn corner_cut_satisfies_the_inequality() {
        for side in 3..=16u32 {
            let sides = [side; 3];
            let squares = Cut::best(&sides, &[], 100_000).expect("a cut").squares();
            let cut = cut(&sides, &squares);
            assert_independent(&BoardName::queen(&[side - 1; 3]), &cut.squares);
            let corner = &cut.corner;
            assert!(cut.squares.len() + 3 * (side as usize - 1) >= squares.len(), "{side}^3 at {corner:?}");
        }
    }

    #[test]
    fn cuts_where_the_fewest_squares_are_lost() {
        let first = cut(&[3, 3], &[vec![0, 0], vec![1, 2]]);
        assert_eq!(first, CornerCut { squares: vec![vec![0, 1]], corner: vec![0, 0] });
        let near = [vec![0, 0], vec![0, 1], vec![1, 0]];
        assert_eq!(cut(&[3, 3], &near), CornerCut { squares: near.to_vec(), corner: vec![1, 1] });
    }
}
