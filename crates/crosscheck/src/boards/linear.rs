//! Sets of squares whose coordinates satisfy one linear equation modulo n, as regular solutions do.
//!
//! **Criterion.** Let every square x of a set on `n^d` or `torus:n^d` satisfy `c_1 x_1 + ... + c_d x_d = b`
//! modulo n, and let `c_1 e_1 + ... + c_d e_d` be coprime to n for every direction e of the piece. Then no
//! two squares of the set attack each other.
//!
//! *Proof.* If two squares attack each other, their difference is m e, on the torus modulo n, with a
//! direction e and `0 < m < n`. Subtracting their equations shows that n divides
//! `m (c_1 e_1 + ... + c_d e_d)`. Hence n divides m, because the other factor is coprime to n. But
//! `0 < m < n`.
//!
//! The set need not contain all squares that satisfy the equation. With `c_d = 1`, it is determined by the
//! squares whose first `d - 1` coordinates are 0 or a unit vector. Sets without these squares are not
//! recognised.

/// Returns `true` if the squares of a set on `n^d` or `torus:n^d` satisfy the criterion with `c_d = 1` for
/// the given directions. If it returns `false`, the set may still be independent.
pub(super) fn is_shown_independent(n: u32, directions: &[Vec<i64>], squares: &[Vec<u32>]) -> bool {
    let Some((coefficients, constant)) = find_equation(n, squares) else { return false };
    let modulus = i64::from(n);
    let value = |entries: &mut dyn Iterator<Item = i64>| -> i64 {
        entries.zip(&coefficients).fold(0, |sum, (x, c)| (sum + x * c).rem_euclid(modulus))
    };
    let is_coprime_to_n = |direction: &Vec<i64>| gcd(value(&mut direction.iter().copied()), modulus) == 1;
    let satisfies = |square: &Vec<u32>| value(&mut square.iter().map(|&x| i64::from(x))) == constant;
    directions.iter().all(is_coprime_to_n) && squares.iter().all(satisfies)
}

/// Returns the coefficients and the constant, all in `0..n`, of the only equation with `c_d = 1` that the
/// squares at 0 and at the unit vectors can satisfy. Returns `None` if one of these squares is missing.
fn find_equation(n: u32, squares: &[Vec<u32>]) -> Option<(Vec<i64>, i64)> {
    let last = squares.first()?.len().checked_sub(1)?;
    let mut constant = None;
    let mut at_units = vec![None; last];
    for square in squares.iter().filter(|square| square[..last].iter().sum::<u32>() <= 1) {
        match square[..last].iter().position(|&x| x == 1) {
            None => constant = Some(i64::from(square[last])),
            Some(axis) => at_units[axis] = Some(i64::from(square[last])),
        }
    }
    let constant = constant?;
    let mut coefficients: Vec<i64> = Vec::with_capacity(last + 1);
    for at_unit in at_units {
        // The last coordinate of the square at a unit vector is the constant minus the coefficient.
        coefficients.push((constant - at_unit?).rem_euclid(i64::from(n)));
    }
    coefficients.push(1);
    Some((coefficients, constant))
}

/// Returns the greatest common divisor of two non-negative numbers; `gcd(0, 0)` is 0.
pub(crate) fn gcd(a: i64, b: i64) -> i64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

#[cfg(test)]
mod tests {
    use ndqueens_notation::certificate::Certificate;
    use rand::rngs::ChaCha8Rng;
    use rand::{RngExt as _, SeedableRng as _};

    use crate::boards::definition;
    use crate::verify::{Fault, verify};

    /// Returns the squares with `x_d = a x + b` modulo n, in increasing order.
    fn linear_set(n: u32, a: &[u32], b: u32) -> Vec<Vec<u32>> {
        let prefixes = n.pow(a.len() as u32);
        let prefix =
            |code: u32| (0..a.len() as u32).rev().map(|axis| code / n.pow(axis) % n).collect::<Vec<u32>>();
        let last = |x: &[u32]| x.iter().zip(a).fold(b, |sum, (x, a)| (sum + x * a) % n);
        (0..prefixes).map(prefix).map(|x| [x.as_slice(), &[last(&x)]].concat()).collect()
    }

    fn attacking_pair(board: &str, squares: &[Vec<u32>]) -> Option<(usize, usize)> {
        let definition = definition(&board.parse().expect(board));
        (0..squares.len()).find_map(|j| {
            let i = (0..j).find(|&i| definition.attacks(&squares[i], &squares[j]))?;
            Some((i, j))
        })
    }

    fn is_shown(board: &str, squares: &[Vec<u32>]) -> bool {
        definition(&board.parse().expect(board)).is_shown_independent(squares)
    }

    #[test]
    fn sets_shown_independent_have_no_attacks() {
        let mut rng = ChaCha8Rng::seed_from_u64(1981);
        let mut shown = 0;
        for _ in 0..400 {
            let (n, d) = [(5, 2), (7, 2), (11, 2), (12, 2), (25, 2), (5, 3), (8, 3), (11, 3), (4, 4)]
                [rng.random_range(0..9)];
            let piece =
                ["", "rook:", "bishop:", "torus:", "rook:torus:", "bishop:torus:"][rng.random_range(0..6)];
            let board = format!("{piece}{n}^{d}");
            let a: Vec<u32> = (1..d).map(|_| rng.random_range(0..n)).collect();
            let mut squares = linear_set(n, &a, rng.random_range(0..n));
            if rng.random_bool(0.5) {
                let changed = rng.random_range(0..squares.len());
                squares[changed][d - 1] = rng.random_range(0..n);
            }
            if is_shown(&board, &squares) {
                shown += 1;
                assert_eq!(attacking_pair(&board, &squares), None, "{board} {a:?}");
            }
        }
        assert!(shown > 60, "{shown}");
    }

    #[test]
    fn recognises_regular_solutions() {
        for (n, a, board) in [
            (5, &[2][..], "5^2"),
            (11, &[2, 4], "torus:11^3"),
            (17, &[2, 4, 8], "17^4"),
            (7, &[1, 1], "rook:7^3"),
        ] {
            assert!(is_shown(board, &linear_set(n, a, 3)), "{board}");
        }
        assert!(!is_shown("5^2", &linear_set(5, &[4], 0)) && !is_shown("6^2", &linear_set(6, &[2], 0)));
        assert!(
            !is_shown("11x11x12", &linear_set(11, &[2, 4], 0))
                && !is_shown("superqueen:5^2", &linear_set(5, &[2], 0))
        );
        assert!(!is_shown("5^2", &linear_set(5, &[2], 0)[1..]) && !is_shown("5^2", &[]));
        assert!(is_shown("5^2", &linear_set(5, &[2], 0)[..4]), "a part of a regular solution");
    }

    /// Checks that modified sets, which violate the equation, get the error found by testing pairs of
    /// squares.
    #[test]
    fn rejects_modified_regular_solutions() {
        let mut rng = ChaCha8Rng::seed_from_u64(2023);
        let honest = linear_set(11, &[2, 4], 7);
        let check = |squares: Vec<Vec<u32>>| {
            verify(&Certificate::independent("11^3".parse().expect("a board"), squares, "by hand"))
        };
        assert_eq!(check(honest.clone()).expect("regular").size(), 121);
        for _ in 0..100 {
            let at = rng.random_range(0..honest.len());
            let mut moved = honest.clone();
            moved[at][2] = (moved[at][2] + rng.random_range(1..11)) % 11;
            let expected =
                attacking_pair("11^3", &moved).expect("a full solution has one queen on each line");
            let fault = check(moved.clone()).expect_err("an attack");
            let Fault::Attack { positions, .. } = fault else { panic!("{fault}") };
            assert_eq!(positions, (expected.0 + 1, expected.1 + 1));
            let mut added = honest.clone();
            added.push(vec![moved[at][0], moved[at][1], moved[at][2]]);
            assert!(matches!(check(added), Err(Fault::Attack { .. })));
            let mut twice = honest.clone();
            twice.push(honest[at].clone());
            assert!(matches!(check(twice), Err(Fault::Repeated { .. })));
            let mut off = honest.clone();
            off[at][2] += 11;
            assert!(matches!(check(off), Err(Fault::OffBoard { .. })), "equal modulo n, and off the board");
        }
    }
}
