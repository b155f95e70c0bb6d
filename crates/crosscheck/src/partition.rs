//! Clique partitions: partitions of a board into sets of squares that attack each other pairwise. The number
//! of sets is an upper bound on the number of queens.

use std::collections::BTreeSet;

use ndqueens_notation::certificate::format_square;
use ndqueens_notation::error_class::{Classified, ErrorClass};
use ndqueens_notation::name::BoardName;

use crate::boards::grid::Grid;
use crate::boards::{Definition as _, definition};

/// Partition of a board into cliques.
///
/// # Examples
/// ```
/// use ndqueens_crosscheck::partition::{Partition, check};
///
/// let cliques = vec![vec![vec![0, 0], vec![0, 1], vec![1, 0], vec![1, 1]]];
/// assert_eq!(check(&"2^2".parse()?, &Partition::Cliques(cliques))?, 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Partition {
    /// Translates of one cell, truncated at the far faces of the board. The cell is a box, given by its
    /// sides, one for each axis. For plain boxes and tori only.
    ///
    /// On these boards, attacks depend only on the absolute differences of the coordinates. Hence all cells
    /// are cliques if the corner square of the board attacks every other square of its cell.
    Cells(Vec<u32>),
    /// Sets of squares, listed by their coordinates.
    Cliques(Vec<Vec<Vec<u32>>>),
}

/// Fault in a partition.
///
/// # Examples
/// ```
/// use ndqueens_crosscheck::partition::{Partition, PartitionFault, check};
///
/// let fault = check(&"3^2".parse()?, &Partition::Cells(vec![2, 4])).expect_err("a long cell");
/// assert_eq!(fault, PartitionFault::Cell(2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PartitionFault {
    /// The board is not a box, so it has no partition into cells.
    #[error("{0} is not a box, so it has no partition into cells")]
    NoBox(BoardName),
    /// The sides of the cell do not fit the board. The field is the number of axes.
    #[error("a cell has a positive side for each of the {0} axes, none longer than the board")]
    Cell(usize),
    /// Two squares of a cell do not attack each other.
    #[error("{} and {} lie in one cell and do not attack each other", format_square(.0), format_square(.1))]
    Apart(Vec<u32>, Vec<u32>),
    /// Two squares of a listed set do not attack each other.
    #[error("set {set}: {} and {} do not attack each other", format_square(.a), format_square(.b))]
    NoClique {
        /// The number of the set, counted from 1.
        set: usize,
        /// A square.
        a: Vec<u32>,
        /// A square that it does not attack.
        b: Vec<u32>,
    },
    /// A square is missing, listed twice, or not on the board.
    #[error("{} is {what}", format_square(.square))]
    Square {
        /// The square.
        square: Vec<u32>,
        /// Description of the fault.
        what: &'static str,
    },
    /// The number of cells exceeds 64 bits.
    #[error("there are too many cells to be counted")]
    TooMany,
}

impl Classified for PartitionFault {
    fn class(&self) -> ErrorClass {
        match self {
            Self::TooMany => ErrorClass::Limit,
            Self::NoBox(_)
            | Self::Cell(_)
            | Self::Apart(..)
            | Self::NoClique { .. }
            | Self::Square { .. } => ErrorClass::Refuted,
        }
    }
}

/// Checks that every set is a clique and that every square is in exactly one set. Returns the number of sets,
/// which is an upper bound on the number of queens.
///
/// # Errors
/// Returns an error if a set is not a clique, or if the sets are not a partition of the board.
///
/// # Examples
/// ```
/// use ndqueens_crosscheck::partition::{Partition, check};
///
/// assert_eq!(check(&"5^3".parse()?, &Partition::Cells(vec![1, 1, 5]))?, 25);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn check(board: &BoardName, partition: &Partition) -> Result<u64, PartitionFault> {
    match (partition, board) {
        (Partition::Cells(cell), BoardName::Grid { sides, .. }) => check_cells(board, sides, cell),
        (Partition::Cells(_), _) => Err(PartitionFault::NoBox(board.clone())),
        (Partition::Cliques(sets), _) => check_sets(board, sets),
    }
}

/// Checks a partition into cells.
fn check_cells(board: &BoardName, sides: &[u32], cell: &[u32]) -> Result<u64, PartitionFault> {
    let fits = cell.len() == sides.len() && cell.iter().zip(sides).all(|(c, n)| *c >= 1 && c <= n);
    if !fits {
        return Err(PartitionFault::Cell(sides.len()));
    }
    let BoardName::Grid { piece, .. } = board else { return Err(PartitionFault::NoBox(board.clone())) };
    let attacks = definition(board);
    let corner = vec![0; sides.len()];
    // The cell is itself a box.
    let in_cell = Grid::new(*piece, false, cell);
    if let Some(apart) = in_cell.squares().skip(1).find(|square| !attacks.attacks(&corner, square)) {
        return Err(PartitionFault::Apart(corner, apart));
    }
    let counts = sides.iter().zip(cell).map(|(n, c)| u64::from(n.div_ceil(*c)));
    counts.into_iter().try_fold(1u64, u64::checked_mul).ok_or(PartitionFault::TooMany)
}

/// Checks a partition into listed sets.
fn check_sets(board: &BoardName, sets: &[Vec<Vec<u32>>]) -> Result<u64, PartitionFault> {
    let definition = definition(board);
    let mut seen = BTreeSet::new();
    let fault = |square: &Vec<u32>, what| PartitionFault::Square { square: square.clone(), what };
    for (squares, set) in sets.iter().zip(1..) {
        for (i, b) in squares.iter().enumerate() {
            if !definition.contains(b) {
                return Err(fault(b, "not a square of the board"));
            }
            if !seen.insert(b) {
                return Err(fault(b, "listed twice"));
            }
            if let Some(a) = squares[..i].iter().find(|a| !definition.attacks(a, b)) {
                return Err(PartitionFault::NoClique { set, a: a.clone(), b: b.clone() });
            }
        }
    }
    if let Some(square) = definition.squares().find(|square| !seen.contains(square)) {
        return Err(fault(&square, "in no set"));
    }
    Ok(sets.len() as u64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::Graph;
    use crate::recursive;

    fn board(name: &str) -> BoardName {
        name.parse().expect(name)
    }

    fn cells(name: &str, cell: &[u32]) -> Result<u64, PartitionFault> {
        check(&board(name), &Partition::Cells(cell.to_vec()))
    }

    #[test]
    fn lines_and_boxes_of_side_2_partition_boxes() {
        assert_eq!(cells("5^3", &[1, 1, 5]), Ok(25));
        assert_eq!(cells("5^3", &[2, 2, 2]), Ok(27));
        assert_eq!(cells("3x4x7", &[1, 4, 1]), Ok(21));
        assert_eq!(cells("torus:4^2", &[4, 1]), Ok(4));
        assert_eq!(cells("rook:6^3", &[1, 6, 1]), Ok(36));
        assert_eq!(cells("1000000^1", &[1_000_000]), Ok(1));
        assert_eq!(cells("bishop:3^2", &[1, 1]), Ok(9));
    }

    #[test]
    fn rejects_cells_that_are_no_cliques() {
        let apart = |a: &[u32], b: &[u32]| PartitionFault::Apart(a.to_vec(), b.to_vec());
        for (name, cell, fault) in [
            ("5^3", &[1, 1, 6][..], PartitionFault::Cell(3)),
            ("5^3", &[1, 5], PartitionFault::Cell(3)),
            ("5^3", &[1, 0, 5], PartitionFault::Cell(3)),
            ("5^3", &[1, 2, 3], apart(&[0, 0, 0], &[0, 1, 2])),
            ("5^3", &[3, 3, 3], apart(&[0, 0, 0], &[0, 1, 2])),
            ("rook:5^2", &[2, 2], apart(&[0, 0], &[1, 1])),
            ("bishop:5^2", &[1, 5], apart(&[0, 0], &[0, 1])),
            ("bishop:5^2", &[2, 2], apart(&[0, 0], &[0, 1])),
            ("hex:3", &[1, 5], PartitionFault::NoBox(BoardName::Hex(3))),
        ] {
            assert_eq!(cells(name, cell), Err(fault), "{name} {cell:?}");
        }
    }

    #[test]
    fn listed_sets_must_be_cliques_and_a_partition() {
        let listed = |sets: &[&[[u32; 2]]]| {
            let sets = sets.iter().map(|set| set.iter().map(|square| square.to_vec()).collect()).collect();
            check(&board("2x3"), &Partition::Cliques(sets))
        };
        let [left, right] = [&[[0, 0], [0, 1], [1, 0], [1, 1]][..], &[[0, 2], [1, 2]]];
        assert_eq!(listed(&[left, right]), Ok(2));
        assert_eq!(listed(&[left, right, &[]]), Ok(3), "an empty set only weakens the bound");
        for (sets, place) in [
            (&[left][..], [0, 2]),
            (&[left, right, &[[1, 1]]], [1, 1]),
            (&[left, &[[0, 2], [1, 2], [1, 3]]], [1, 3]),
            (&[], [0, 0]),
        ] {
            let fault = listed(sets).expect_err("no partition");
            assert!(
                matches!(&fault, PartitionFault::Square { square, .. } if *square == place),
                "{place:?}: {fault}"
            );
        }
        assert_eq!(
            listed(&[&[[0, 0], [0, 1], [1, 2]], right]),
            Err(PartitionFault::NoClique { set: 1, a: vec![0, 0], b: vec![1, 2] })
        );
    }

    #[test]
    fn accepted_partitions_bound_the_independence_number() {
        for name in ["2x3", "3^2", "4^2", "3^3", "2x2x3", "rook:3^2", "bishop:3x4", "torus:4^2", "2^4"] {
            let board = board(name);
            let graph = Graph::new(&*definition(&board)).expect("small");
            let alpha = recursive::independence_number(&graph, &|| false).expect("not stopped") as u64;
            let BoardName::Grid { sides, .. } = &board else { continue };
            let shapes = (0..4u32.pow(sides.len() as u32))
                .map(|code| (0..sides.len() as u32).map(|axis| code / 4u32.pow(axis) % 4 + 1).collect());
            for cell in shapes {
                if let Ok(most) = check(&board, &Partition::Cells(cell)) {
                    assert!(alpha <= most, "{name}");
                }
            }
        }
    }
}
