//! The upper bound that a partition of the board into cliques gives, checked by crosscheck.

use std::fmt;

use ndqueens_crosscheck::partition::{self, Partition, PartitionFault};
use ndqueens_model::board::Board;
use ndqueens_notation::name::{BoardName, Piece};

/// A partition that passed the check.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Partitioned {
    /// The number of its sets: no more queens fit.
    pub sets: u64,
    kind: Kind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Lines,
    Boxes,
    Cliques,
    Squares,
}

/// `25 lines`
impl fmt::Display for Partitioned {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [one, several] = match self.kind {
            Kind::Lines => ["line", "lines"],
            Kind::Boxes => ["box of side 2", "boxes of side 2"],
            Kind::Cliques => ["clique", "cliques"],
            Kind::Squares => ["square", "squares"],
        };
        write!(f, "{} {}", self.sets, if self.sets == 1 { one } else { several })
    }
}

/// The most squares of a board whose sets are listed one by one.
const MOST_LISTED: usize = 1 << 20;

/// The best partition that is had at once: parallel lines or boxes of side 2 on boxes, on other boards the one that
/// [`Board::partition`] has, and single squares where that would be too long to be listed.
///
/// # Errors
/// When crosscheck refuses the partition.
pub fn best(board: &Board) -> Result<Partitioned, PartitionFault> {
    let checked = |partition: &Partition, kind| {
        partition::check(board.name(), partition).map(|sets| Partitioned { sets, kind })
    };
    match board.name() {
        BoardName::Grid { piece, sides, .. } if *piece != Piece::Bishop => {
            let (axis, longest) = (0..).zip(sides).max_by_key(|(_, side)| **side).expect("a box has sides");
            let line = (0..sides.len()).map(|other| if other == axis { *longest } else { 1 }).collect();
            let lines = checked(&Partition::Cells(line), Kind::Lines)?;
            if *piece == Piece::Rook {
                return Ok(lines);
            }
            let cube = sides.iter().map(|&side| side.min(2)).collect();
            let cubes = checked(&Partition::Cells(cube), Kind::Boxes)?;
            Ok(if cubes.sets < lines.sets { cubes } else { lines })
        }
        _ if board.size() <= MOST_LISTED => {
            let coordinates = |set: Vec<_>| set.into_iter().map(|square| board.coordinates(square)).collect();
            let sets = board.partition().into_iter().map(coordinates).collect();
            checked(&Partition::Cliques(sets), Kind::Cliques)
        }
        _ => Ok(Partitioned { sets: board.size() as u64, kind: Kind::Squares }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_board_has_its_trivial_bound_checked() {
        let heart = concat!("file:", env!("CARGO_MANIFEST_DIR"), "/../../instances/boards/heart.txt");
        let petersen = concat!("file:", env!("CARGO_MANIFEST_DIR"), "/../../instances/boards/petersen.col");
        for name in [
            "1^1",
            "7^1",
            "8^2",
            "5^3",
            "3x4x5",
            "3^4",
            "2^6",
            "rook:4^3",
            "bishop:5^2",
            "bishop:3x4x5",
            "bishop:7^1",
            "torus:5^2",
            "torus:4^3",
            "torus:rook:3^3",
            "bishop:torus:5^2",
            "bishop:torus:3^3",
            "rook:torus:3^3",
            "moebius:5x6",
            "moebius:6x2",
            "klein:6x5",
            "klein:7x2",
            "knight:1^2",
            "knight:6^1",
            "knight:7x6",
            "knight:8x3x5",
            "knight:torus:3^2",
            "king:5^2",
            "king:torus:3^3",
            "king:torus:5^2",
            "superqueen:4x5",
            "superqueen:torus:5^2",
            "hex:1",
            "hex:2",
            "hex:7",
            "three:2",
            "three:4",
            "three:8",
            "sudoku:1",
            "sudoku:2",
            "sudoku:3",
            heart,
            petersen,
        ] {
            let Ok(name) = BoardName::parse_with(name, &ndqueens_files::open) else { continue };
            let board = Board::new(&name);
            let partitioned = best(&board).expect("a partition");
            assert!(partitioned.sets <= board.trivial_bound(), "{name}: {partitioned}");
            if board.grid().is_none_or(|_| board.piece() != Some(Piece::Queen)) {
                assert_eq!(partitioned.sets, board.trivial_bound(), "{name}");
            }
        }
        let words = |name: &str| best(&Board::new(&name.parse().expect("a board"))).expect(name).to_string();
        assert_eq!(words("5^3"), "25 lines");
        assert_eq!(words("4^4"), "16 boxes of side 2");
        assert_eq!(words("1000^3"), "1000000 lines");
        assert_eq!(words("hex:3"), "5 cliques");
    }
}
