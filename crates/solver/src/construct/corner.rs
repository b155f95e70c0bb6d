//! Corner cut: a solution on a larger board, without one layer along each axis at a corner.
//!
//! # References
//! T. Kunt, *The n-Queens Problem in Higher Dimensions*, 2023, the inequality after Corollary 8.1.

use ndqueens_notation::name::MAX_SQUARES;

use super::method::Method;

/// The methods that make the solution whose corner is cut off.
pub(super) const FROM: [Method; 4] = [Method::Regular, Method::Planar, Method::Cut, Method::Extend];

/// The sides of the box that is one longer along each axis, if there is such a board.
pub(super) fn larger(sides: &[u32]) -> Option<Vec<u32>> {
    let larger: Vec<u32> = sides.iter().map(|side| side + 1).collect();
    let squares = larger.iter().try_fold(1u64, |product, &side| product.checked_mul(u64::from(side)));
    squares.is_some_and(|squares| squares <= MAX_SQUARES).then_some(larger)
}

/// The squares that are left when one layer along each axis is cut off, at the corner that costs fewest, as squares of the
/// box whose sides are one less. Also the corner, as a coordinate 0 or 1 along each axis: near or far.
///
/// ```
/// use ndqueens_solver::construct::corner;
///
/// let queens = [vec![0, 1], vec![1, 3], vec![2, 0], vec![3, 2]];
/// assert_eq!(corner::cut(&[4, 4], &queens).0.len(), 2);
/// ```
///
/// # Panics
/// If there are no sides.
#[must_use]
pub fn cut(sides: &[u32], squares: &[Vec<u32>]) -> (Vec<Vec<u32>>, Vec<u32>) {
    let corners = (0..1u64 << sides.len()).map(|bits| {
        let far = |axis: usize| bits >> axis & 1 == 1;
        let corner: Vec<u32> = (0..sides.len()).map(|axis| u32::from(far(axis))).collect();
        (at(sides, squares, &corner), corner)
    });
    // Of equals the first.
    corners
        .reduce(|best, next| if next.0.len() > best.0.len() { next } else { best })
        .expect("a corner at least")
}

fn at(sides: &[u32], squares: &[Vec<u32>], corner: &[u32]) -> Vec<Vec<u32>> {
    let kept = |square: &Vec<u32>| -> Option<Vec<u32>> {
        let axes = square.iter().zip(sides).zip(corner);
        axes.map(|((&x, &side), &far)| if far == 1 { (x + 1 < side).then_some(x) } else { x.checked_sub(1) })
            .collect()
    };
    squares.iter().filter_map(kept).collect()
}

#[cfg(test)]
mod tests {
    use super::super::cut::Cut;
    use super::super::tests::assert_independent;
    use super::*;
    use ndqueens_notation::name::BoardName;

    #[test]
    fn a_corner_cut_is_independent_and_costs_what_the_inequality_says_at_most() {
        for side in 3..=16u32 {
            let sides = [side; 3];
            let squares = Cut::best(&sides, &[], 100_000).expect("a cut").squares();
            let (left, corner) = cut(&sides, &squares);
            assert_independent(&BoardName::queen(&[side - 1; 3]), &left);
            assert!(left.len() + 3 * (side as usize - 1) >= squares.len(), "{side}^3 at {corner:?}");
        }
    }

    #[test]
    fn the_corner_is_chosen_where_fewest_are_lost() {
        let (left, corner) = cut(&[3, 3], &[vec![0, 0], vec![1, 2]]);
        assert_eq!((left, corner), (vec![vec![0, 1]], vec![0, 0]));
        let near = [vec![0, 0], vec![0, 1], vec![1, 0]];
        assert_eq!(cut(&[3, 3], &near), (near.to_vec(), vec![1, 1]));
    }
}
