//! Colourings in closed form.
//!
//! # References
//! M. R. Iyer, V. V. Menon, *On coloring the n x n chessboard*, American Mathematical Monthly 73 (1966); B.
//! Abramson, M. Yung, *Divide and conquer under global constraints: a solution to the n-queens problem*,
//! Journal of Parallel and Distributed Computing 6 (1989).

/// Returns `true` if neither 2 nor 3 divides a side.
#[must_use]
pub fn is_prime_to_6(side: usize) -> bool {
    !side.is_multiple_of(2) && !side.is_multiple_of(3)
}

/// Returns the n-colouring of the n x n board whose classes are the queens on column c + 2 row mod n, as
/// coordinates, or `None` if n is not prime to 6.
///
/// The steps 1, 2 and 3 of a class along columns and diagonals are prime to n, so it has one queen on each
/// line even on the torus.
#[must_use]
pub fn linear_squares(side: usize) -> Option<Vec<Vec<Vec<u32>>>> {
    let n = side as u64;
    let square = |c: u64, row: u64| vec![row as u32, ((c + 2 * row) % n) as u32];
    is_prime_to_6(side).then(|| (0..n).map(|c| (0..n).map(|row| square(c, row)).collect()).collect())
}

/// Returns the rs-colouring of the rs x rs board from an r-colouring and the linear one of side s, as
/// coordinates, or `None` if s is not prime to 6. `outer` are the squares of each class of the r-colouring.
///
/// The board is r x r blocks of s x s squares. The class of a square consists of the class of its block and
/// its class in the block. Suppose that two queens of one class are on one diagonal, in blocks that differ by
/// (i, j), not (0, 0). Then i and j differ by 1 up to sign, and the positions in the blocks are on diagonals
/// whose numbers differ by s. But mod s no two queens of a linear class are on one diagonal, and equal
/// positions are on diagonals of the same number.
#[must_use]
pub fn product_squares(outer: &[Vec<Vec<u32>>], side: usize) -> Option<Vec<Vec<Vec<u32>>>> {
    let inner = linear_squares(side)?;
    let s = side as u32;
    let place = |block: &Vec<u32>, at: &Vec<u32>| block.iter().zip(at).map(|(b, x)| b * s + x).collect();
    let class = |blocks: &Vec<Vec<u32>>, places: &Vec<Vec<u32>>| -> Vec<Vec<u32>> {
        blocks.iter().flat_map(|block| places.iter().map(|at| place(block, at))).collect()
    };
    Some(outer.iter().flat_map(|blocks| inner.iter().map(|places| class(blocks, places))).collect())
}

/// Returns `true` if no two queens, one in each row, share a column or a diagonal.
#[must_use]
pub fn is_solution(class: &[u8]) -> bool {
    let n = class.len();
    let mut is_occupied = vec![false; 5 * n];
    class.iter().enumerate().all(|(row, &column)| {
        let column = column as usize;
        let lines = [column, n + row + column, 3 * n + row + n - 1 - column];
        let is_free = column < n && lines.iter().all(|&line| !is_occupied[line]);
        lines.iter().for_each(|&line| is_occupied[line] = true);
        is_free
    })
}

#[cfg(test)]
mod tests {
    use super::super::cover::Cover;
    use super::super::operator::Operator;
    use super::super::{columns, squares};
    use super::*;
    use ndqueens_system::cancel::Control;

    /// Panics unless the classes are solutions and share no square.
    fn assert_colouring(classes: &[Vec<Vec<u32>>]) {
        let classes = columns(classes);
        assert!(classes.iter().all(|class| class.len() == classes.len() && is_solution(class)));
        for row in 0..classes.len() {
            let mut columns: Vec<u8> = classes.iter().map(|class| class[row]).collect();
            columns.sort_unstable();
            columns.dedup();
            assert_eq!(columns.len(), classes.len(), "row {row}");
        }
    }

    #[test]
    fn linear_colourings_exist_for_sides_prime_to_6() {
        for side in 1..60 {
            assert_eq!(linear_squares(side).is_some(), side % 2 != 0 && side % 3 != 0, "{side}");
            linear_squares(side).iter().for_each(|classes| assert_colouring(classes));
        }
    }

    #[test]
    fn products_with_linear_colourings_are_colourings() {
        let control = Control::new();
        let list = Cover::list(12, Operator::Hv, true, &control).expect("4 divides 12");
        let found = squares(&list.cover.expect("not stopped").all(&control)[0]);
        let linear = linear_squares(7).expect("prime to 6");
        for side in [5, 7] {
            assert_colouring(&product_squares(&found, side).expect("prime to 6"));
            assert_colouring(&product_squares(&linear, side).expect("prime to 6"));
        }
        assert_eq!(product_squares(&found, 6), None);
    }

    #[test]
    fn is_solution_rejects_attacks() {
        for class in [[0, 0, 1, 2], [0, 1, 3, 2], [1, 0, 3, 9], [2, 0, 1, 3]] {
            assert!(!is_solution(&class), "{class:?}");
        }
        assert!(is_solution(&[1, 3, 0, 2]));
    }
}
