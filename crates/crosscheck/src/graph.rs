//! The queen graph, by testing every pair of squares.

use fixedbitset::FixedBitSet;

use crate::boards::Definition;

/// The largest number of squares a [`Graph`] may have; it takes their square in bits.
pub const MAX_SQUARES: usize = 4096;

/// The board has more squares than the reference algorithms can use.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the board has more than {MAX_SQUARES} squares, too many for a reference algorithm")]
pub struct TooManySquares;

/// The squares of a board, numbered in increasing order, and which of them attack each other.
#[derive(Debug, Clone)]
pub struct Graph {
    squares: Vec<Vec<u32>>,
    neighbours: Vec<FixedBitSet>,
}

impl Graph {
    /// The queen graph of a board.
    ///
    /// # Errors
    /// If the board has more than [`MAX_SQUARES`] squares.
    pub fn new(definition: &dyn Definition) -> Result<Self, TooManySquares> {
        Self::without(definition, &[])
    }

    /// Returns the queen graph on the squares that given queens neither occupy nor attack.
    ///
    /// # Errors
    /// Returns an error if these are more than [`MAX_SQUARES`].
    pub fn without(definition: &dyn Definition, queens: &[Vec<u32>]) -> Result<Self, TooManySquares> {
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

    /// The squares as coordinate tuples, in the order of their numbers.
    #[must_use]
    pub fn squares(&self) -> &[Vec<u32>] {
        &self.squares
    }

    /// The numbers of the squares that attack square `v`.
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
    fn a_queen_in_the_centre_and_in_a_corner_attack_as_many_squares_as_there_should_be() {
        for (board, d) in [("5^2", 2), ("5^3", 3), ("3^4", 4)] {
            let graph = graph(board).expect(board);
            let n = graph.squares()[graph.squares().len() - 1][0] as usize + 1;
            let degree = |v| graph.neighbours(v).count_ones(..);
            assert_eq!(degree(0), (2usize.pow(d) - 1) * (n - 1));
            assert_eq!(degree(graph.squares().len() / 2), (3usize.pow(d) - 1) / 2 * (n - 1));
        }
    }

    #[test]
    fn a_board_too_large_is_refused() {
        assert!(graph("4^6").is_ok());
        assert_eq!(graph("65^2").expect_err("4225 squares"), TooManySquares);
        assert_eq!(graph("8^10").expect_err("2^30 squares"), TooManySquares);
    }
}
