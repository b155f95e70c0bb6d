//! Queen graph of a board, built by testing every pair of squares.

use fixedbitset::FixedBitSet;
use ndqueens_notation::certificate::format_square;
use ndqueens_notation::error_class::{Classified, ErrorClass};

use crate::boards::Definition;

/// Largest number of vertices of a [`Graph`]. Memory in bits is the square of this number.
pub const MAX_SQUARES: usize = 4096;

/// Converts the number of a square, a constraint or a literal to a narrower type.
///
/// # Panics
/// Panics if the number does not fit, which is impossible on boards of at most [`MAX_SQUARES`] squares.
pub(crate) fn narrow<T: TryFrom<usize, Error: std::fmt::Debug>>(number: usize) -> T {
    number.try_into().expect("a number of a board with at most 4096 squares")
}

/// Error of a board with more than [`MAX_SQUARES`] squares.
///
/// # Examples
/// ```
/// use ndqueens_crosscheck::boards::definition;
/// use ndqueens_crosscheck::graph::{Graph, TooManySquares};
///
/// let large = Graph::new(&*definition(&"1000^2".parse()?));
/// assert_eq!(large.err(), Some(TooManySquares));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "the board or box has more than {MAX_SQUARES} squares, the limit of the checker and of the reference methods"
)]
pub struct TooManySquares;

impl Classified for TooManySquares {
    fn class(&self) -> ErrorClass {
        ErrorClass::Limit
    }
}

/// Inconsistency in the definition of a board, which is a bug.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum InconsistentDefinition {
    /// Line with a square that is not on the board.
    #[error("{} is not a square", format_square(.0))]
    NoSquare(Vec<u32>),
    /// Line with two squares, given by their numbers, that do not attack each other.
    #[error("squares {0} and {1} do not attack each other")]
    NoAttack(usize, usize),
    /// Two squares, given by their numbers, that attack each other and have no line in common.
    #[error("squares {0} and {1} attack each other, but are on no line")]
    NoLine(usize, usize),
    /// Symmetry that maps a square off the board.
    #[error("a symmetry leaves the board")]
    LeavesBoard,
    /// Symmetry that maps two squares to the same square.
    #[error("a symmetry maps two squares to one")]
    NotInjective,
    /// Symmetry that maps two squares that attack each other to squares that do not.
    #[error("a symmetry does not keep an attack")]
    LosesAttack,
}

impl Classified for InconsistentDefinition {
    fn class(&self) -> ErrorClass {
        ErrorClass::Failure
    }
}

/// Queen graph of a board: the vertices are the squares, numbered in increasing order, and an edge joins two
/// squares that attack each other.
///
/// # Examples
/// ```
/// use ndqueens_crosscheck::boards::definition;
/// use ndqueens_crosscheck::graph::Graph;
///
/// let graph = Graph::new(&*definition(&"3^2".parse()?))?;
/// assert_eq!(graph.squares()[4], [1, 1]);
/// assert_eq!(graph.neighbours(4).count_ones(..), 8);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct Graph {
    squares: Vec<Vec<u32>>,
    neighbours: Vec<FixedBitSet>,
}

impl Graph {
    /// Creates the queen graph of a board.
    ///
    /// # Errors
    /// Returns an error if the board has more than [`MAX_SQUARES`] squares.
    pub fn new(definition: &dyn Definition) -> Result<Self, TooManySquares> {
        Self::residual(definition, &[])
    }

    /// Creates the queen graph of the squares that `queens` neither occupy nor attack.
    ///
    /// # Errors
    /// Returns an error if there are more than [`MAX_SQUARES`] such squares.
    pub fn residual(definition: &dyn Definition, queens: &[Vec<u32>]) -> Result<Self, TooManySquares> {
        let is_free = |square: &Vec<u32>| {
            queens.iter().all(|queen| queen != square && !definition.attacks(queen, square))
        };
        let squares: Vec<Vec<u32>> = definition.squares().filter(is_free).take(MAX_SQUARES + 1).collect();
        if squares.len() > MAX_SQUARES {
            return Err(TooManySquares);
        }
        let mut neighbours = vec![FixedBitSet::with_capacity(squares.len()); squares.len()];
        for (j, b) in squares.iter().enumerate() {
            for (i, a) in squares[..j].iter().enumerate() {
                if definition.attacks(a, b) {
                    neighbours[i].insert(j);
                    neighbours[j].insert(i);
                }
            }
        }
        Ok(Self { squares, neighbours })
    }

    /// Returns the squares as coordinate tuples, in the order of their numbers.
    #[must_use]
    pub fn squares(&self) -> &[Vec<u32>] {
        &self.squares
    }

    /// Returns the numbers of the squares that attack square `v`.
    #[must_use]
    pub fn neighbours(&self, v: usize) -> &FixedBitSet {
        &self.neighbours[v]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::boards::definition;

    fn graph(board: &str) -> Result<Graph, TooManySquares> {
        Graph::new(&*definition(&board.parse().expect(board)))
    }

    #[test]
    fn centre_and_corner_have_expected_degrees() {
        for (board, d) in [("5^2", 2), ("5^3", 3), ("3^4", 4)] {
            let graph = graph(board).expect(board);
            let n = graph.squares()[graph.squares().len() - 1][0] as usize + 1;
            let degree = |v| graph.neighbours(v).count_ones(..);
            assert_eq!(degree(0), (2usize.pow(d) - 1) * (n - 1));
            assert_eq!(degree(graph.squares().len() / 2), (3usize.pow(d) - 1) / 2 * (n - 1));
        }
    }

    #[test]
    fn rejects_too_large_boards() {
        assert!(graph("4^6").is_ok());
        assert_eq!(graph("65^2").expect_err("4225 squares"), TooManySquares);
        assert_eq!(graph("8^10").expect_err("2^30 squares"), TooManySquares);
    }
}
