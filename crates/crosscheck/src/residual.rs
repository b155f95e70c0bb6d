//! What is left of a board when some queens stand on it.

use ndqueens_notation::name::BoardName;

use crate::boards::definition;
use crate::graph::{Graph, TooManySquares};

/// The squares that given queens neither occupy nor attack.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Residual {
    /// The squares, as coordinate tuples in increasing order.
    pub squares: Vec<Vec<u32>>,
    /// Their queen graph, as the text of a board file: vertex `v` is the square at that place.
    pub graph: String,
}

/// What is left of a board. A solution that contains the queens is the queens and an independent set of this graph.
///
/// # Errors
/// If the board has too many squares.
pub fn residual(board: &BoardName, queens: &[Vec<u32>]) -> Result<Residual, TooManySquares> {
    let graph = Graph::without(&*definition(board), queens)?;
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
    fn a_queen_leaves_what_it_does_not_attack() {
        let board = "3^2".parse().expect("a board");
        let left = residual(&board, &[vec![0, 0]]).expect("small");
        assert_eq!(left.squares, [vec![1, 2], vec![2, 1]]);
        assert_eq!(left.graph, "n 2\n0 1\n");
        assert_eq!(residual(&board, &[vec![1, 1]]).expect("small").squares, Vec::<Vec<u32>>::new());
        assert_eq!(residual(&board, &[]).expect("small").squares.len(), 9);
    }
}
