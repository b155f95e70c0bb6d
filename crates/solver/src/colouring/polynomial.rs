//! The number of colourings of a graph, some of whose vertices have their colours, as a polynomial in the number of colours.
//!
//! The vertices are coloured one after the other. Two colourings of the first few are alike when they give the same partition of
//! those that have later neighbours, and use as many colours in all; so only their number is kept. A next vertex takes the colour of
//! a part that it is not joined to, one that only vertices without later neighbours have, or a new one. With t given colours, the
//! colourings that use m others are `a_m (k - t)(k - t - 1)...(k - t - m + 1)` in k colours.
//!
//! # References
//! A. M. Herzberg, M. R. Murty, *Sudoku squares and chromatic polynomials*, Notices Amer. Math. Soc. 54 (2007) 708-717: the number of
//! ways to complete a partial colouring is a polynomial.

use std::collections::HashMap;
use std::fmt;

use fixedbitset::FixedBitSet;
use num_bigint::{BigInt, BigUint};
use num_traits::{One as _, Zero as _};

use ndqueens_system::cancel::Control;

/// The most numbers that are kept at a time.
const MOST_NUMBERS: usize = 4_000_000;

/// The polynomial of a graph with or without given colours.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChromaticPolynomial {
    /// The number of given colours.
    given: usize,
    /// For each m, the number of partitions of the vertices without given colour that join m new colours to the given ones.
    partitions: Vec<BigUint>,
}

/// Why there is no polynomial.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum PolynomialError {
    /// There are too many partitions.
    #[error(
        "the colourings fall into too many classes: more than {MOST_NUMBERS} numbers would be kept at a time"
    )]
    TooManyClasses,
    /// The control was stopped.
    #[error("stopped before the end")]
    Stopped,
}

impl ChromaticPolynomial {
    /// Computes the polynomial of a graph, given as the neighbours of each vertex, some of whose vertices have given colours,
    /// counted from 0. It is zero if two neighbours have the same given colour.
    ///
    /// # Errors
    /// Returns an error if too many partitions are to be kept, or the control is stopped.
    pub fn compute(
        neighbours: &[Vec<usize>],
        colours: &[Option<usize>],
        control: &Control,
    ) -> Result<Self, PolynomialError> {
        let mut names: Vec<usize> = colours.iter().flatten().copied().collect();
        names.sort_unstable();
        names.dedup();
        let given = names.len();
        let label = |vertex: usize| colours[vertex].and_then(|colour| names.binary_search(&colour).ok());
        let is_wrong =
            |v: usize| neighbours[v].iter().any(|&w| label(v).is_some() && label(v) == label(w) && v != w);
        if (0..neighbours.len()).any(is_wrong) {
            return Ok(Self { given, partitions: Vec::new() });
        }
        let free: Vec<usize> = (0..neighbours.len()).filter(|&vertex| label(vertex).is_none()).collect();
        let mut table = PartitionTable::new();
        table.insert(Vec::new(), vec![BigUint::one()]);
        let mut frontier: Vec<usize> = Vec::new();
        let joins: Vec<FixedBitSet> =
            neighbours.iter().map(|all| all.iter().copied().collect::<FixedBitSet>()).collect();
        let mut uncoloured = free;
        // For each vertex, how many neighbours have no colour yet.
        let mut open_neighbours: Vec<usize> =
            joins.iter().map(|all| uncoloured.iter().filter(|&&v| all.contains(v)).count()).collect();
        while let Some(next) = next_vertex(&joins, &uncoloured, &frontier, &open_neighbours) {
            // The given colours that the vertex may take.
            let barred: Vec<usize> = neighbours[next].iter().filter_map(|&other| label(other)).collect();
            let allowed = (0..given).filter(|colour| !barred.contains(colour)).count();
            uncoloured.retain(|&vertex| vertex != next);
            joins[next].ones().for_each(|other| open_neighbours[other] -= 1);
            let stays: Vec<usize> =
                (0..frontier.len()).filter(|&at| open_neighbours[frontier[at]] > 0).collect();
            let next_stays = open_neighbours[next] > 0;
            let joined: Vec<usize> =
                (0..frontier.len()).filter(|&at| joins[next].contains(frontier[at])).collect();
            let mut after = PartitionTable::new();
            let mut kept = 0;
            for (parts, numbers) in table {
                if control.is_stopped() {
                    return Err(PolynomialError::Stopped);
                }
                if kept > MOST_NUMBERS {
                    return Err(PolynomialError::TooManyClasses);
                }
                let mut add = |own: u8, numbers: Vec<BigUint>| {
                    let mut key: Vec<u8> = stays.iter().map(|&at| parts[at]).collect();
                    key.extend(next_stays.then_some(own));
                    let key = renumbered(&key, given);
                    match after.get_mut(&key) {
                        Some(sum) => sum_up(sum, &numbers),
                        None => {
                            kept += numbers.len();
                            after.insert(key, numbers);
                        }
                    }
                };
                // A part of the frontier is a given colour, below `given`, or another one.
                let mut open: Vec<u8> =
                    parts.iter().copied().filter(|&part| usize::from(part) >= given).collect();
                open.sort_unstable();
                open.dedup();
                for &part in open.iter().filter(|&&part| joined.iter().all(|&at| parts[at] != part)) {
                    add(part, numbers.clone());
                }
                let sees_given = |colour: usize| joined.iter().any(|&at| usize::from(parts[at]) == colour);
                if next_stays {
                    let free_colours =
                        (0..given).filter(|colour| !barred.contains(colour) && !sees_given(*colour));
                    for colour in free_colours {
                        add(colour as u8, numbers.clone());
                    }
                } else {
                    let seen = (0..given).filter(|&c| !barred.contains(&c) && sees_given(c)).count();
                    add(u8::MAX, scaled(&numbers, allowed - seen));
                }
                // Colours that no vertex of the frontier has: those in use, which are the others of m, and a new one.
                let closed: Vec<BigUint> = (numbers.iter().enumerate())
                    .map(|(m, number)| number * m.saturating_sub(open.len()))
                    .collect();
                let new = [vec![BigUint::zero()], numbers].concat();
                let mut other = new;
                sum_up(&mut other, &closed);
                add(FRESH, other);
            }
            if given + frontier.len() >= usize::from(FRESH) {
                return Err(PolynomialError::TooManyClasses);
            }
            frontier = stays.into_iter().map(|at| frontier[at]).chain(next_stays.then_some(next)).collect();
            table = after;
        }
        let partitions = table.into_values().next().unwrap_or_default();
        Ok(Self { given, partitions })
    }

    /// Returns the number of given colours, from which on values of the polynomial are numbers of colourings.
    #[must_use]
    pub fn given_colours(&self) -> usize {
        self.given
    }

    /// Returns the number of colourings in these colours, which are at least the given ones.
    #[must_use]
    pub fn value(&self, colours: u64) -> BigInt {
        let mut product = BigInt::one();
        let mut sum = BigInt::zero();
        for (number, used) in self.partitions.iter().zip(0i64..) {
            sum += &product * BigInt::from(number.clone());
            product *= BigInt::from(colours) - (self.given as i64) - used;
        }
        sum
    }

    /// Returns the coefficients, that of the power 0 first; none of the zero polynomial.
    #[must_use]
    pub fn coefficients(&self) -> Vec<BigInt> {
        let mut sum: Vec<BigInt> = Vec::new();
        let mut product = vec![BigInt::one()];
        for (number, used) in self.partitions.iter().zip(0i64..) {
            sum.resize(sum.len().max(product.len()), BigInt::zero());
            for (total, term) in sum.iter_mut().zip(&product) {
                *total += term * BigInt::from(number.clone());
            }
            // Times (k - given - used).
            let shift = BigInt::from(self.given as i64 + used);
            let mut next = [vec![BigInt::zero()], product.clone()].concat();
            for (term, below) in next.iter_mut().zip(&product) {
                *term -= below * &shift;
            }
            product = next;
        }
        while sum.last().is_some_and(BigInt::is_zero) {
            sum.pop();
        }
        sum
    }
}

/// Writes the terms, the highest power first: `k^3 - 3k^2 + 2k`.
impl fmt::Display for ChromaticPolynomial {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let coefficients = self.coefficients();
        let mut terms =
            coefficients.iter().enumerate().rev().filter(|(_, number)| !number.is_zero()).peekable();
        if terms.peek().is_none() {
            return f.write_str("0");
        }
        let leading = coefficients.len() - 1;
        for (power, number) in terms {
            let is_negative = number.sign() == num_bigint::Sign::Minus;
            match (power == leading, is_negative) {
                (true, true) => f.write_str("-")?,
                (true, false) => {}
                (false, true) => f.write_str(" - ")?,
                (false, false) => f.write_str(" + ")?,
            }
            let magnitude = number.magnitude();
            if power == 0 || !magnitude.is_one() {
                write!(f, "{magnitude}")?;
            }
            match power {
                0 => {}
                1 => f.write_str("k")?,
                _ => write!(f, "k^{power}")?,
            }
        }
        Ok(())
    }
}

/// For each partition of the frontier, for each m, the number of colourings that use m colours that are not given.
type PartitionTable = HashMap<Vec<u8>, Vec<BigUint>>;

/// A colour that no vertex of the frontier has, until parts are renumbered.
const FRESH: u8 = u8::MAX - 1;

/// Returns the uncoloured vertex after which the fewest coloured ones have neighbours without colour, the first of those.
fn next_vertex(
    joins: &[FixedBitSet],
    uncoloured: &[usize],
    frontier: &[usize],
    open_neighbours: &[usize],
) -> Option<usize> {
    let stays =
        |vertex: usize, next: usize| open_neighbours[vertex] > usize::from(joins[next].contains(vertex));
    let width = |&next: &usize| {
        frontier.iter().filter(|&&vertex| stays(vertex, next)).count()
            + usize::from(open_neighbours[next] > 0)
    };
    uncoloured.iter().copied().min_by_key(width)
}

/// Returns the parts with those above the given colours numbered in the order in which they appear.
fn renumbered(parts: &[u8], given: usize) -> Vec<u8> {
    let mut seen: Vec<u8> = Vec::new();
    let number = |&part: &u8| {
        if usize::from(part) < given {
            return part;
        }
        let place = seen.iter().position(|&other| other == part).unwrap_or_else(|| {
            seen.push(part);
            seen.len() - 1
        });
        (given + place) as u8
    };
    parts.iter().map(number).collect()
}

fn scaled(numbers: &[BigUint], factor: usize) -> Vec<BigUint> {
    numbers.iter().map(|number| number * factor).collect()
}

fn sum_up(sum: &mut Vec<BigUint>, more: &[BigUint]) {
    sum.resize(sum.len().max(more.len()), BigUint::zero());
    for (total, number) in sum.iter_mut().zip(more) {
        *total += number;
    }
}

#[cfg(test)]
mod tests {
    use ndqueens_model::board::Board;
    use rand::rngs::ChaCha8Rng;
    use rand::{RngExt as _, SeedableRng as _};

    use super::*;

    fn polynomial(neighbours: &[Vec<usize>], colours: &[Option<usize>]) -> ChromaticPolynomial {
        ChromaticPolynomial::compute(neighbours, colours, &Control::new()).expect("a small graph")
    }

    fn of_board(name: &str) -> ChromaticPolynomial {
        let board = Board::new(&name.parse().expect(name));
        let neighbours: Vec<Vec<usize>> = board
            .squares()
            .map(|square| board.neighbours(square).into_iter().map(|other| other as usize).collect())
            .collect();
        polynomial(&neighbours, &vec![None; board.size()])
    }

    /// Colours the vertices from `vertex` on in every way.
    fn brute_force(
        neighbours: &[Vec<usize>],
        colours: &mut Vec<Option<usize>>,
        k: usize,
        vertex: usize,
    ) -> u64 {
        let Some(own) = colours.get(vertex).copied() else {
            let is_proper = |v: usize| neighbours[v].iter().all(|&w| colours[v] != colours[w]);
            return u64::from((0..colours.len()).all(is_proper));
        };
        if own.is_some() {
            return brute_force(neighbours, colours, k, vertex + 1);
        }
        let mut count = 0;
        for colour in 0..k {
            colours[vertex] = Some(colour);
            count += brute_force(neighbours, colours, k, vertex + 1);
        }
        colours[vertex] = None;
        count
    }

    #[test]
    fn values_are_numbers_of_colourings_of_random_graphs() {
        let mut random = ChaCha8Rng::seed_from_u64(2007);
        for _ in 0..150 {
            let n = random.random_range(1..=6usize);
            let density = random.random_range(1..10);
            let mut neighbours = vec![Vec::new(); n];
            for (a, b) in (0..n).flat_map(|a| (a + 1..n).map(move |b| (a, b))) {
                if random.random_range(0..10) < density {
                    neighbours[a].push(b);
                    neighbours[b].push(a);
                }
            }
            let precoloured = random.random_range(0..3usize);
            let mut colours = vec![None; n];
            for _ in 0..precoloured {
                colours[random.random_range(0..n)] = Some(random.random_range(0..3));
            }
            let polynomial = polynomial(&neighbours, &colours);
            // Colours are counted from 0, so that the given ones are among the first three.
            let least = if colours.iter().flatten().next().is_some() { 3 } else { 0 };
            for k in least..=5usize {
                let count = brute_force(&neighbours, &mut colours.clone(), k, 0);
                assert_eq!(polynomial.value(k as u64), BigInt::from(count), "{neighbours:?} {colours:?} {k}");
                let coefficients = polynomial.coefficients();
                let sum = coefficients.iter().rev().fold(BigInt::zero(), |sum, number| sum * k + number);
                assert_eq!(sum, BigInt::from(count));
            }
        }
    }

    #[test]
    fn known_polynomials_are_found() {
        // A triangle, the cycle of four, and the cells of the 4 x 4 Sudoku.
        assert_eq!(of_board("3^1").to_string(), "k^3 - 3k^2 + 2k");
        assert_eq!(of_board("rook:2^2").to_string(), "k^4 - 4k^3 + 6k^2 - 3k");
        let cells = of_board("cells:2");
        assert_eq!(cells.value(4), BigInt::from(288));
        assert_eq!([0, 1, 2, 3].map(|k| cells.value(k)), [0; 4].map(BigInt::from));
        let coefficients = cells.coefficients();
        assert_eq!((coefficients.len(), &coefficients[15]), (17, &BigInt::from(-56)));
        assert_eq!(of_board("cells-x:2").value(4), BigInt::from(48));
    }

    #[test]
    fn given_neighbours_of_one_colour_leave_nothing() {
        let edge = [vec![1], vec![0]];
        let polynomial = polynomial(&edge, &[Some(4), Some(4)]);
        assert_eq!((polynomial.to_string(), polynomial.value(9)), ("0".to_owned(), BigInt::zero()));
    }
}
