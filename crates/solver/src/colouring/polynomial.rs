//! The number of colourings of a graph with a given partial colouring, as a polynomial in the
//! number of colours.
//!
//! The vertices are coloured one by one. The *frontier* consists of the coloured vertices with uncoloured
//! neighbours. Colourings with the same partition of the frontier by colour and the same number of colours
//! have the same extensions, so only their number is stored. The next vertex takes the colour of a part
//! without a neighbour of it, a colour that is used outside the frontier only, or a new one. With t given
//! colours, `a_m (k - t)(k - t - 1)...(k
//! - t - m + 1)` colourings in k colours use m other colours.
//!
//! # References
//! A. M. Herzberg, M. R. Murty, *Sudoku squares and chromatic polynomials*, Notices Amer. Math. Soc. 54
//! (2007) 708-717: the number of ways to complete a partial colouring is a polynomial.

use std::collections::HashMap;
use std::fmt;

use fixedbitset::FixedBitSet;
use num_bigint::{BigInt, BigUint};
use num_traits::{One as _, Zero as _};

use ndqueens_system::cancel::Control;

/// Maximum number of numbers in a table.
const MAX_NUMBERS: usize = 4_000_000;

/// The chromatic polynomial of a graph with or without given colours.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChromaticPolynomial {
    /// The number of given colours.
    given: usize,
    /// For each m, the number of partitions of the vertices that use m colours in addition to the given ones.
    partitions: Vec<BigUint>,
}

/// Reason why the polynomial was not computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum PolynomialError {
    /// There are too many partitions.
    #[error(
        "the colourings fall into too many classes: more than {MAX_NUMBERS} numbers would be kept at a time"
    )]
    TooManyClasses,
    /// The control was stopped.
    #[error("stopped before the end")]
    Stopped,
}

impl ChromaticPolynomial {
    /// Computes the polynomial of a graph, given as the neighbours of each vertex, some of whose vertices
    /// have given colours, counted from 0. It is zero if two neighbours have the same given colour.
    ///
    /// # Errors
    /// Returns an error if too many partitions are to be kept, or the control is stopped.
    pub fn compute(
        neighbours: &[Vec<usize>],
        colours: &[Option<usize>],
        control: &Control,
    ) -> Result<Self, PolynomialError> {
        let mut given_colours: Vec<usize> = colours.iter().flatten().copied().collect();
        given_colours.sort_unstable();
        given_colours.dedup();
        let given = given_colours.len();
        let label = |colour: usize| given_colours.binary_search(&colour).expect("the colour is given");
        let labels: Vec<Option<usize>> = colours.iter().map(|colour| colour.map(label)).collect();
        let is_conflicting =
            |v: usize| labels[v].is_some() && neighbours[v].iter().any(|&w| labels[v] == labels[w] && v != w);
        if (0..neighbours.len()).any(is_conflicting) {
            return Ok(Self { given, partitions: Vec::new() });
        }
        let mut sweep = Sweep::new(neighbours, &labels);
        let mut table = PartitionTable::new();
        table.insert(Vec::new(), vec![BigUint::one()]);
        while let Some(step) = sweep.next_step(given) {
            let mut next = NextTable { step: &step, given, table: PartitionTable::new(), numbers: 0 };
            for (parts, numbers) in table {
                if control.is_stopped() {
                    return Err(PolynomialError::Stopped);
                }
                if next.numbers > MAX_NUMBERS {
                    return Err(PolynomialError::TooManyClasses);
                }
                next.add_colourings(&parts, numbers);
            }
            table = next.table;
            if given + sweep.frontier.len() >= usize::from(FRESH) {
                return Err(PolynomialError::TooManyClasses);
            }
            sweep.advance(&step);
        }
        let partitions = table.into_values().next().unwrap_or_default();
        Ok(Self { given, partitions })
    }

    /// Returns the number of given colours. The values of the polynomial are numbers of colourings
    /// from this number on.
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

    /// Returns the coefficients, starting with that of the power 0; the zero polynomial has none.
    #[must_use]
    pub fn coefficients(&self) -> Vec<BigInt> {
        let mut sum: Vec<BigInt> = Vec::new();
        let mut product = vec![BigInt::one()];
        for (number, used) in self.partitions.iter().zip(0i64..) {
            sum.resize(sum.len().max(product.len()), BigInt::zero());
            for (total, term) in sum.iter_mut().zip(&product) {
                *total += term * BigInt::from(number.clone());
            }
            // Multiply by (k - given - used).
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

/// Maps each partition of the frontier to the numbers of colourings that use m colours in addition to the
/// given ones, for each m. A part below the number of given colours is that given colour.
type PartitionTable = HashMap<Vec<u8>, Vec<BigUint>>;

/// Part of a colour that no vertex of the frontier has, until parts are renumbered.
const FRESH: u8 = u8::MAX - 1;

/// The vertices without given colour, in the order in which they are coloured.
struct Sweep<'a> {
    neighbours: &'a [Vec<usize>],
    neighbour_sets: Vec<FixedBitSet>,
    /// Number of the given colour of each vertex.
    labels: &'a [Option<usize>],
    uncoloured: Vec<usize>,
    /// Coloured vertices with uncoloured neighbours.
    frontier: Vec<usize>,
    /// Number of uncoloured neighbours of each vertex.
    open_neighbours: Vec<usize>,
}

/// The next vertex and its relation to the frontier.
struct Step {
    vertex: usize,
    /// Given colours of neighbours of the vertex.
    excluded: Vec<usize>,
    /// Number of given colours that no neighbour is given.
    allowed: usize,
    /// Positions of the neighbours of the vertex in the frontier.
    adjacent: Vec<usize>,
    /// Positions in the frontier of the vertices that stay in it.
    staying: Vec<usize>,
    /// `true` if the vertex joins the frontier.
    joins_frontier: bool,
}

impl<'a> Sweep<'a> {
    fn new(neighbours: &'a [Vec<usize>], labels: &'a [Option<usize>]) -> Self {
        let uncoloured: Vec<usize> = (0..neighbours.len()).filter(|&v| labels[v].is_none()).collect();
        let neighbour_sets: Vec<FixedBitSet> =
            neighbours.iter().map(|all| all.iter().copied().collect::<FixedBitSet>()).collect();
        let open_neighbours = neighbour_sets
            .iter()
            .map(|all| uncoloured.iter().filter(|&&v| all.contains(v)).count())
            .collect();
        Self { neighbours, neighbour_sets, labels, uncoloured, frontier: Vec::new(), open_neighbours }
    }

    /// Removes the next vertex from the uncoloured ones; `None` if all vertices are coloured.
    fn next_step(&mut self, given: usize) -> Option<Step> {
        let vertex = self.next_vertex()?;
        let excluded: Vec<usize> =
            self.neighbours[vertex].iter().filter_map(|&other| self.labels[other]).collect();
        let allowed = (0..given).filter(|colour| !excluded.contains(colour)).count();
        self.uncoloured.retain(|&other| other != vertex);
        self.neighbour_sets[vertex].ones().for_each(|other| self.open_neighbours[other] -= 1);
        let positions = || 0..self.frontier.len();
        let staying = positions().filter(|&at| self.open_neighbours[self.frontier[at]] > 0).collect();
        let adjacent =
            positions().filter(|&at| self.neighbour_sets[vertex].contains(self.frontier[at])).collect();
        let joins_frontier = self.open_neighbours[vertex] > 0;
        Some(Step { vertex, excluded, allowed, adjacent, staying, joins_frontier })
    }

    /// Returns the uncoloured vertex that leads to the smallest frontier, the first of these.
    fn next_vertex(&self) -> Option<usize> {
        let stays = |vertex: usize, next: usize| {
            self.open_neighbours[vertex] > usize::from(self.neighbour_sets[next].contains(vertex))
        };
        let frontier_size = |&next: &usize| {
            self.frontier.iter().filter(|&&vertex| stays(vertex, next)).count()
                + usize::from(self.open_neighbours[next] > 0)
        };
        self.uncoloured.iter().copied().min_by_key(frontier_size)
    }

    /// Updates the frontier after a step.
    fn advance(&mut self, step: &Step) {
        let staying = step.staying.iter().map(|&at| self.frontier[at]);
        self.frontier = staying.chain(step.joins_frontier.then_some(step.vertex)).collect();
    }
}

/// The table after a step.
struct NextTable<'a> {
    step: &'a Step,
    /// Number of given colours.
    given: usize,
    table: PartitionTable,
    /// Number of numbers in the table.
    numbers: usize,
}

impl NextTable<'_> {
    /// Adds the colourings that extend those with this partition of the frontier to the next vertex.
    fn add_colourings(&mut self, parts: &[u8], numbers: Vec<BigUint>) {
        let Step { excluded, allowed, adjacent, joins_frontier, .. } = self.step;
        let mut other_parts: Vec<u8> =
            parts.iter().copied().filter(|&part| usize::from(part) >= self.given).collect();
        other_parts.sort_unstable();
        other_parts.dedup();
        for &part in other_parts.iter().filter(|&&part| adjacent.iter().all(|&at| parts[at] != part)) {
            self.add(parts, part, numbers.clone());
        }
        let is_adjacent = |colour: usize| adjacent.iter().any(|&at| usize::from(parts[at]) == colour);
        if *joins_frontier {
            for colour in (0..self.given).filter(|c| !excluded.contains(c) && !is_adjacent(*c)) {
                self.add(parts, colour as u8, numbers.clone());
            }
        } else {
            let unavailable = (0..self.given).filter(|&c| !excluded.contains(&c) && is_adjacent(c)).count();
            let factor = allowed - unavailable;
            self.add(parts, u8::MAX, numbers.iter().map(|number| number * factor).collect());
        }
        // Colours that no vertex of the frontier has: the used ones, which are the rest of the m
        // colours, and a new one.
        let used: Vec<BigUint> = (numbers.iter().enumerate())
            .map(|(m, number)| number * m.saturating_sub(other_parts.len()))
            .collect();
        let mut sum = [vec![BigUint::zero()], numbers].concat();
        sum_up(&mut sum, &used);
        self.add(parts, FRESH, sum);
    }

    /// Adds the colourings in which the vertex has the colour of the part `own`.
    fn add(&mut self, parts: &[u8], own: u8, numbers: Vec<BigUint>) {
        let mut key: Vec<u8> = self.step.staying.iter().map(|&at| parts[at]).collect();
        key.extend(self.step.joins_frontier.then_some(own));
        let key = renumber(&key, self.given);
        match self.table.get_mut(&key) {
            Some(sum) => sum_up(sum, &numbers),
            None => {
                self.numbers += numbers.len();
                self.table.insert(key, numbers);
            }
        }
    }
}

/// Numbers the parts that are no given colours in the order in which they appear.
fn renumber(parts: &[u8], given: usize) -> Vec<u8> {
    let mut seen: Vec<u8> = Vec::new();
    let number = |&part: &u8| {
        if usize::from(part) < given {
            return part;
        }
        let position = seen.iter().position(|&other| other == part).unwrap_or_else(|| {
            seen.push(part);
            seen.len() - 1
        });
        (given + position) as u8
    };
    parts.iter().map(number).collect()
}

/// Adds the entries of `more` to those of `sum`.
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

    /// Counts the colourings that extend `colours`, by trying all colours of the vertices from `vertex` on.
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
    fn values_count_colourings_of_random_graphs() {
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
            // Given colours are below 3.
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
    fn computes_known_polynomials() {
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
    fn conflicting_given_colours_give_the_zero_polynomial() {
        let edge = [vec![1], vec![0]];
        let polynomial = polynomial(&edge, &[Some(4), Some(4)]);
        assert_eq!((polynomial.to_string(), polynomial.value(9)), ("0".to_owned(), BigInt::zero()));
    }
}
