//! Full solutions of the two-dimensional board in closed form.
//!
//! For even n the squares are two sequences of knight's moves. For odd n, a queen in the last corner of the
//! main diagonal is added to the solution for n-1, which has no queen on that diagonal.
//!
//! # References
//! E. Pauls, *Das Maximalproblem der Damen auf dem Schachbrete*, Deutsche Schachzeitung 29 (1874); E. J.
//! Hoffman, J. C. Loessi, R. C. Moore, *Constructions for the solution of the m queens problem*, Math.
//! Magazine 42 (1969).

/// Returns `true` if the (n,2)-board has a full solution: for n = 1 and n >= 4.
pub(super) const fn exists(n: u32) -> bool {
    n == 1 || n >= 4
}

/// Returns a full solution of the (n,2)-board, or `None` if n is 0, 2 or 3.
///
/// # Examples
/// ```
/// use ndqueens_solver::construct::planar;
///
/// assert_eq!(planar::full(4), Some(vec![[0, 1], [2, 0], [1, 3], [3, 2]]));
/// assert_eq!(planar::full(3), None);
/// ```
#[must_use]
pub fn full(n: u32) -> Option<Vec<[u32; 2]>> {
    if !exists(n) {
        return None;
    }
    if n == 1 {
        return Some(vec![[0, 0]]);
    }
    let even = n - n % 2;
    let half = even / 2;
    let corner = (n % 2 == 1).then_some([n - 1, n - 1]);
    let pairs: Vec<[[u32; 2]; 2]> = if even % 6 == 2 {
        let column = |i| (2 * i + half - 1) % even;
        let pair = |i| [[i, column(i)], [even - 1 - i, even - 1 - column(i)]];
        (0..half).map(pair).collect()
    } else {
        (0..half).map(|i| [[i, 2 * i + 1], [half + i, 2 * i]]).collect()
    };
    Some(pairs.into_iter().flatten().chain(corner).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn every_side_from_4_to_1000_has_a_full_solution() {
        for n in 4..=1000 {
            let squares = full(n).expect("n is at least 4");
            assert!(squares.iter().flatten().all(|&x| x < n), "{n}");
            let lines: [fn(i64, i64) -> i64; 4] = [|x, _| x, |_, y| y, |x, y| x + y, |x, y| x - y];
            for line in lines {
                let occupied: HashSet<i64> = squares.iter().map(|&[x, y]| line(x.into(), y.into())).collect();
                assert_eq!(occupied.len(), n as usize, "{n}");
            }
        }
    }

    #[test]
    fn sides_0_2_and_3_have_no_full_solution() {
        assert_eq!([0, 2, 3].map(full), [None, None, None]);
    }
}
