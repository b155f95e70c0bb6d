//! Regular solutions: full solutions of the (n,d)-board that are linear sets mod n.
//!
//! A linear set mod n has `n^(d-1)` squares on the (n,d)-board, one for each choice of the first d-1
//! coordinates.
//!
//! **Criterion.** With `S(e)` as in [`super`], for every n, d >= 2 and constant c these are
//! equivalent: (1) every `S(e)` is prime to n; (2) no two squares attack each other on the torus; (3) nor on
//! the plain board.
//!
//! *(1) to (2).* If two of the squares attack each other on the torus, their difference is `m e` mod n with
//! `0 < m < n`, and the equation makes n divide `m S(e)`. So `S(e)` is not prime to n.
//!
//! *(2) to (3).* The torus has all attacks of the plain board.
//!
//! *(3) to (1).* Let g > 1 divide n and `S(e)`, and m = n/g, so that n divides `m S(e)`: if x satisfies the
//! equation then so does `x + m e` mod n. We look for such an x where no coordinate wraps around. For j < d
//! choose `x_j` among the n-m values that keep `x_j + m e_j` in 0..n-1. If `e_d = 0`, the last coordinates
//! are equal, which is an attack. This settles the case that some `a_j` is not prime to n. Otherwise let
//! `e_d = 1`; some `e_j` with j < d is not 0, as 1 is prime to n. Fix the other `x_i`; the n-m choices of
//! `x_j` give n-m distinct values of `x_d`. If g >= 3, then n-m > n/2, so one of them is among the n-m values
//! below n-m, where `x_d + m` is on the board: an attack. If g = 2, then m = -m mod n: the last coordinates
//! differ by m or -m, and both are attacks.
//!
//! **Existence.** There is a regular solution iff no prime below `2^d` divides n, that is iff
//! `gcd(n, (2^d-1)!) = 1`. For a prime p that divides n, the criterion holds mod p too, so p >= `2^d` (see
//! [`super`]). Conversely `a_j = 2^j` makes every `S(e)` a nonzero integer between `-(2^d-1)` and
//! `2^d-1`, prime to n.
//!
//! # References
//! D. A. Klarner, *Queen squares*, J. Recreational Math. 12 (1979); G. H. J. Van Rees, *On Latin queen
//! squares*, Congressus Numerantium 31 (1981); T. Kunt, *The n-Queens Problem in Higher Dimensions*, 2023,
//! section 3.1.1.

use std::collections::HashMap;

use super::{Coefficients, Linear};
use ndqueens_system::cancel::Control;

/// Error for an (n,d)-board that has no regular solution; its torus has none either.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "no regular solution has side {side} in dimension {dimension}: e0 + e1 a1 + ... with all e in {{-1,0,1}}, not all 0, \
cannot all be prime to {side}, which has the prime factor {factor} below 2^{dimension}; the next side that has one is {next}"
)]
pub struct NoRegular {
    /// The side n.
    pub side: u32,
    /// The dimension d.
    pub dimension: usize,
    /// The least prime factor of n.
    pub factor: u32,
    /// The least side above n that has regular solutions.
    pub next: u32,
}

/// Returns the regular solution with the lexicographically least coefficients and constant 0.
///
/// # Examples
/// ```
/// use ndqueens_solver::construct::linear::regular;
///
/// assert_eq!(regular::first(11, 3).unwrap().squares(&[11, 11, 11]).len(), 121);
/// assert_eq!(regular::first(6, 3).unwrap_err().next, 11);
/// ```
///
/// # Errors
/// Returns an error if the (n,d)-board has no regular solution.
///
/// # Panics
/// Panics if the side or the dimension is 0.
pub fn first(side: u32, dimension: usize) -> Result<Linear, NoRegular> {
    ensure_exists(side, dimension)?;
    Ok(Linear {
        modulus: side,
        coefficients: coefficients(side, dimension).next().expect("powers of 2 are coefficients"),
        constant: 0,
    })
}

/// Returns an error if the (n,d)-board has no regular solution.
pub(in crate::construct) fn ensure_exists(side: u32, dimension: usize) -> Result<(), NoRegular> {
    match least_factor(side) {
        Some(factor) if factor >> dimension == 0 => Err(NoRegular {
            side,
            dimension,
            factor,
            next: sides_from(side, dimension).next().expect("there are infinitely many primes"),
        }),
        _ => Ok(()),
    }
}

/// Returns the coefficient vectors of all regular solutions of the (n,d)-board, in lexicographic order. Each
/// vector gives n solutions, one for each constant, and all these are distinct.
///
/// # Panics
/// Panics if the side or the dimension is 0.
#[must_use]
pub fn coefficients(side: u32, dimension: usize) -> Coefficients {
    Coefficients::new(side, dimension, side)
}

/// All regular solutions of a board.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Census {
    /// The coefficient vectors, in lexicographic order. Each gives one solution for each constant.
    pub vectors: Vec<Vec<u32>>,
    /// Number of solutions.
    pub solutions: u64,
    /// Orbits under the symmetries of the cube; `None` if counting them would take too long.
    pub orbits: Option<Orbits>,
}

/// The orbits of regular solutions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Orbits {
    /// Number of orbits of solutions.
    pub solutions: u64,
    /// Orbit of each coefficient vector; orbits are numbered from 1 in the order of their first vectors.
    /// Two vectors are in one orbit if a symmetry maps the solutions of one, with all constants, to
    /// those of the other.
    pub of_vector: Vec<usize>,
}

/// Maximum number of images of solutions that are computed to count orbits.
const MAX_IMAGES: u64 = 1 << 30;

/// Lists the regular solutions of the (n,d)-board and counts their orbits. Returns `None` if the
/// control was stopped.
///
/// A solution is the set of x with `w x = c` mod n for `w = (-a_1, ..., -a_(d-1), 1)`; all `w_j` are prime to
/// n. A symmetry permutes the `w_j` and replaces some by `-w_j`; each of these adds `w_j` to c, because
/// `n - 1 = -1` mod n. Divided by its last `w_j`, the equation has the form of a regular solution again.
///
/// # Panics
/// Panics if the side or the dimension is 0.
#[must_use]
pub fn census(side: u32, dimension: usize, control: &Control) -> Option<Census> {
    let vectors: Vec<Vec<u32>> =
        coefficients(side, dimension).take_while(|_| !control.is_stopped()).collect();
    let solutions = vectors.len() as u64 * u64::from(side);
    let group_order = (1..=dimension as u64).try_fold(1u64, |order, j| order.checked_mul(2 * j));
    let images = group_order.and_then(|order| order.checked_mul(solutions));
    let is_short = images.is_some_and(|images| images <= MAX_IMAGES);
    let orbits = is_short.then(|| count_orbits(side, dimension, &vectors, control));
    (!control.is_stopped()).then_some(Census { vectors, solutions, orbits })
}

/// Counts the orbits of the solutions with these coefficient vectors; the result is incomplete if the
/// control is stopped.
fn count_orbits(side: u32, dimension: usize, vectors: &[Vec<u32>], control: &Control) -> Orbits {
    let symmetries = signed_permutations(dimension);
    let mut vector_orbits = 0;
    let mut orbit_of: HashMap<Vec<u32>, usize> = HashMap::new();
    let mut solutions = 0;
    let mut of_vector = Vec::new();
    for vector in vectors.iter().take_while(|_| !control.is_stopped()) {
        let w: Vec<u32> = vector.iter().map(|a| (side - a) % side).chain([1 % side]).collect();
        if !orbit_of.contains_key(&w) {
            vector_orbits += 1;
            let images = symmetries.iter().map(|symmetry| image(side, &w, 0, symmetry).0);
            orbit_of.extend(images.map(|image| (image, vector_orbits)));
        }
        of_vector.push(orbit_of[&w]);
        let is_least =
            |c: u32| symmetries.iter().all(|symmetry| image(side, &w, c, symmetry) >= (w.clone(), c));
        solutions += (0..side).filter(|&c| is_least(c)).count() as u64;
    }
    Orbits { solutions, of_vector }
}

/// Returns all signed permutations of `dimension` axes: for each axis of the image, its source axis and
/// `true` if that is reflected.
fn signed_permutations(dimension: usize) -> Vec<Vec<(usize, bool)>> {
    let mut all = vec![Vec::new()];
    for _ in 0..dimension {
        let extensions = |symmetry: Vec<(usize, bool)>| {
            let unused = (0..dimension)
                .filter(|axis| symmetry.iter().all(|(used, _)| used != axis))
                .collect::<Vec<_>>();
            unused.into_iter().flat_map(move |axis| {
                let symmetry = symmetry.clone();
                [false, true].map(move |reflected| [symmetry.as_slice(), &[(axis, reflected)]].concat())
            })
        };
        all = all.into_iter().flat_map(extensions).collect();
    }
    all
}

/// Returns the vector and the constant of the image of the equation `w x = c` mod n under a symmetry, divided
/// so that the last entry of the vector is 1.
fn image(side: u32, w: &[u32], c: u32, symmetry: &[(usize, bool)]) -> (Vec<u32>, u32) {
    let shift: u32 = symmetry.iter().filter(|(_, reflected)| *reflected).map(|&(axis, _)| w[axis]).sum();
    let entry =
        |&(axis, reflected): &(usize, bool)| if reflected { (side - w[axis]) % side } else { w[axis] };
    let w: Vec<u32> = symmetry.iter().map(entry).collect();
    let last = *w.last().expect("the dimension is positive");
    let multiply = |x: u32, y: u32| (u64::from(x) * u64::from(y) % u64::from(side)) as u32;
    let inverse = (0..side).find(|&x| multiply(x, last) == 1 % side).expect("all entries are prime to n");
    (w.iter().map(|&entry| multiply(entry, inverse)).collect(), multiply((c + shift) % side, inverse))
}

/// Returns the sides from `side` on that have regular solutions in this dimension, in increasing order.
pub fn sides_from(side: u32, dimension: usize) -> impl Iterator<Item = u32> {
    (side..).filter(move |&n| least_factor(n).is_none_or(|p| p >> dimension > 0))
}

/// Returns the least prime factor, or `None` if n is 1.
fn least_factor(n: u32) -> Option<u32> {
    let small = (2..).take_while(|&p| p * p <= n).find(|&p| n.is_multiple_of(p));
    (n > 1).then(|| small.unwrap_or(n))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::construct::tests::assert_independent;
    use ndqueens_model::board::Board;
    use ndqueens_notation::name::{BoardName, Piece};

    fn attacks_itself(torus: bool, sides: &[u32], squares: &[Vec<u32>]) -> bool {
        let board = Board::new(&BoardName::grid(Piece::Queen, torus, sides));
        let squares: Vec<_> = squares.iter().map(|s| board.square(s).expect("on the board")).collect();
        (0..squares.len()).any(|i| (0..i).any(|j| board.attacks(squares[i], squares[j])))
    }

    #[test]
    fn criterion_is_exact_on_plain_boards_and_tori() {
        for (dimension, largest) in [(2, 13), (3, 8), (4, 3)] {
            for side in 1..=largest {
                let sides = vec![side; dimension];
                let regular: Vec<_> = coefficients(side, dimension).collect();
                for index in 0..side.pow(dimension as u32 - 1) {
                    let coefficients: Vec<u32> =
                        (1..dimension as u32).map(|j| index / side.pow(j - 1) % side).collect();
                    let attacks = !regular.contains(&coefficients);
                    for constant in 0..side {
                        let linear = Linear { modulus: side, coefficients: coefficients.clone(), constant };
                        let squares = linear.squares(&sides);
                        assert_eq!(attacks_itself(false, &sides, &squares), attacks, "{linear}");
                        assert_eq!(attacks_itself(true, &sides, &squares), attacks, "{linear} on the torus");
                    }
                }
            }
        }
    }

    #[test]
    fn existence_depends_on_the_least_prime_factor() {
        for (dimension, largest) in [(1, 20), (2, 60), (3, 40), (4, 24), (5, 40)] {
            for side in 1..=largest {
                let exists = coefficients(side, dimension).next().is_some();
                assert_eq!(first(side, dimension).is_ok(), exists, "{side}^{dimension}");
            }
        }
    }

    #[test]
    fn regular_solutions_are_full_and_independent() {
        for (side, dimension) in [(1, 3), (5, 2), (35, 2), (11, 3), (13, 3), (17, 4)] {
            for coefficients in coefficients(side, dimension).up_to_symmetry().take(10) {
                let squares = Linear { modulus: side, coefficients, constant: side / 2 }
                    .squares(&vec![side; dimension]);
                assert_eq!(squares.len(), (side as usize).pow(dimension as u32 - 1));
                assert_independent(&BoardName::queen(&vec![side; dimension]), &squares);
            }
        }
    }

    #[test]
    fn number_of_orbits_matches_orbits_of_squares() {
        use std::collections::HashSet;
        for (side, dimension) in [(5u32, 2usize), (7, 2), (11, 2), (11, 3), (13, 3)] {
            let mut left: HashSet<Vec<Vec<u32>>> = HashSet::new();
            for a in coefficients(side, dimension) {
                for constant in 0..side {
                    let linear = Linear { modulus: side, coefficients: a.clone(), constant };
                    left.insert(linear.squares(&vec![side; dimension]));
                }
            }
            let solutions = left.len() as u64;
            let mut orbits = 0;
            while let Some(one) = left.iter().next().cloned() {
                orbits += 1;
                for symmetry in signed_permutations(dimension) {
                    let mut image: Vec<Vec<u32>> = one
                        .iter()
                        .map(|x| {
                            symmetry
                                .iter()
                                .map(|&(i, reflected)| if reflected { side - 1 - x[i] } else { x[i] })
                                .collect()
                        })
                        .collect();
                    image.sort();
                    left.remove(&image);
                }
            }
            let census = census(side, dimension, &Control::new()).expect("not stopped");
            let counted = census.orbits.map(|orbits| orbits.solutions);
            assert_eq!((census.solutions, counted), (solutions, Some(orbits)), "{side}^{dimension}");
        }
    }

    #[test]
    fn orbits_of_vectors_match_orbits_of_squares() {
        use std::collections::HashSet;
        for (side, dimension) in [(7u32, 2usize), (13, 2), (13, 3), (17, 3)] {
            let Census { vectors, orbits, .. } = census(side, dimension, &Control::new()).expect("a census");
            let orbits = orbits.expect("few images").of_vector;
            let solution = |a: &Vec<u32>, constant| {
                let linear = Linear { modulus: side, coefficients: a.clone(), constant };
                linear.squares(&vec![side; dimension])
            };
            let mut vectors_of = HashMap::<_, Vec<usize>>::new();
            for (i, a) in vectors.iter().enumerate() {
                (0..side).for_each(|c| vectors_of.entry(solution(a, c)).or_default().push(i));
            }
            for (i, a) in vectors.iter().enumerate() {
                let mut reached = HashSet::new();
                for symmetry in signed_permutations(dimension) {
                    let image_of = |x: &Vec<u32>| {
                        let coordinate = |&(i, reflected): &(usize, bool)| {
                            if reflected { side - 1 - x[i] } else { x[i] }
                        };
                        symmetry.iter().map(coordinate).collect::<Vec<_>>()
                    };
                    let mut image: Vec<Vec<u32>> = solution(a, 0).iter().map(image_of).collect();
                    image.sort();
                    reached.extend(vectors_of.get(&image).into_iter().flatten().copied());
                }
                for j in 0..vectors.len() {
                    let is_reached = reached.contains(&j);
                    assert_eq!(orbits[i] == orbits[j], is_reached, "{a:?} and {:?} mod {side}", vectors[j]);
                }
            }
        }
    }

    #[test]
    fn census_stops_with_the_control() {
        let control = Control::new();
        control.stop();
        assert_eq!(census(11, 3, &control), None);
    }

    #[test]
    fn counts_agree_with_published_ones() {
        assert_eq!(11 * coefficients(11, 3).count(), 264);
        assert_eq!(13 * coefficients(13, 3).count(), 624);
    }

    #[test]
    fn error_names_the_factor_and_the_next_side() {
        let error = first(6, 3).expect_err("6 is even");
        assert_eq!((error.factor, error.next), (2, 11));
        assert_eq!(first(7, 3).expect_err("7 < 2^3").factor, 7);
        assert_eq!(first(31, 5).expect_err("31 < 2^5").next, 37);
        assert_eq!(first(11, 20).expect_err("11 < 2^20").next, 1_048_583);
    }
}
