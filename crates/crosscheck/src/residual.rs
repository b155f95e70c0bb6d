//! Residual boards: the squares that given queens neither occupy nor attack.

use ndqueens_notation::name::BoardName;

use crate::boards::definition;
use crate::graph::{Graph, TooManySquares};

/// Squares that given queens neither occupy nor attack.
///
/// # Examples
/// ```
/// use ndqueens_crosscheck::residual::residual;
///
/// let rest = residual(&"4^2".parse()?, &[vec![0, 1]])?;
/// assert_eq!(rest.squares.len(), 6);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Residual {
    /// The squares, as coordinate tuples in increasing order.
    pub squares: Vec<Vec<u32>>,
    /// Their queen graph as the text of a board file. Vertex `v` is `squares[v]`.
    pub graph: String,
}

/// Computes the residual board of given queens. The independent sets that contain the queens consist of the
/// queens and an independent set of the residual graph, provided that the queens do not attack each other.
///
/// # Errors
/// Returns an error if too many squares are left.
pub fn residual(board: &BoardName, queens: &[Vec<u32>]) -> Result<Residual, TooManySquares> {
    let graph = Graph::residual(&*definition(board), queens)?;
    let mut text = format!("n {}\n", graph.squares().len());
    for v in 0..graph.squares().len() {
        for w in graph.neighbours(v).ones().take_while(|&w| w < v) {
            text += &format!("{w} {v}\n");
        }
    }
    Ok(Residual { squares: graph.squares().to_vec(), graph: text })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_squares_that_no_queen_attacks() {
        let board = "3^2".parse().expect("a board");
        let rest = residual(&board, &[vec![0, 0]]).expect("small");
        assert_eq!(rest.squares, [vec![1, 2], vec![2, 1]]);
        assert_eq!(rest.graph, "n 2\n0 1\n");
        assert_eq!(residual(&board, &[vec![1, 1]]).expect("small").squares, Vec::<Vec<u32>>::new());
        assert_eq!(residual(&board, &[]).expect("small").squares.len(), 9);
    }
}
