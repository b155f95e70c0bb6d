//! Upper bound by a partition of the board into cliques, checked by crosscheck.

use std::collections::VecDeque;
use std::fmt;

use ndqueens_crosscheck::partition::{self, Partition, PartitionFault};
use ndqueens_model::board::{Board, Square};
use ndqueens_notation::name::{BoardName, Leaper, Piece};

/// Partition that passed the check.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Partitioned {
    /// Number of its sets, which is an upper bound on the number of queens.
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

/// Formats the number of sets, such as `25 lines`.
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

/// Maximum number of squares of a board whose sets are listed one by one.
const MOST_LISTED: usize = 1 << 20;

/// Maximum number of squares of a board of knights whose pairs are rearranged.
const MOST_MATCHED: usize = 1 << 17;

/// Returns a partition of a board of knights with as few single squares as possible, and the given partition
/// on other boards.
///
/// A knight's move changes the colour, so the board is a bipartite graph, and the pairs are a matching. An
/// alternating path between two single squares of different colours, found by breadth-first search, gives one
/// pair more.
fn match_pairs(board: &Board, sets: Vec<Vec<Square>>) -> Vec<Vec<Square>> {
    let is_bipartite = matches!(board.name(), BoardName::Leaper { leaper: Leaper::Knight, torus, sides }
        if !torus || sides.iter().all(|side| side % 2 == 0));
    if !is_bipartite || board.size() > MOST_MATCHED {
        return sets;
    }
    let mut partner: Vec<Option<Square>> = vec![None; board.size()];
    for set in &sets {
        if let [a, b] = set[..] {
            (partner[a as usize], partner[b as usize]) = (Some(b), Some(a));
        }
    }
    let is_white = |square: Square| board.coordinates(square).iter().sum::<u32>().is_multiple_of(2);
    // The last search that reached a black square, and the white square from which it did.
    let mut reached: Vec<(usize, Square)> = vec![(0, 0); board.size()];
    for (search, start) in (1..).zip(board.squares().filter(|&square| is_white(square))) {
        if partner[start as usize].is_some() {
            continue;
        }
        let mut queue = VecDeque::from([start]);
        let mut end = None;
        'search: while let Some(white) = queue.pop_front() {
            for black in board.neighbours(white) {
                if reached[black as usize].0 == search {
                    continue;
                }
                reached[black as usize] = (search, white);
                match partner[black as usize] {
                    Some(next) => queue.push_back(next),
                    None => {
                        end = Some(black);
                        break 'search;
                    }
                }
            }
        }
        while let Some(black) = end {
            let white = reached[black as usize].1;
            end = partner[white as usize].replace(black);
            partner[black as usize] = Some(white);
        }
    }
    let first = |&square: &Square| partner[square as usize].is_none_or(|other| other > square);
    let set = |square: Square| std::iter::once(square).chain(partner[square as usize]).collect();
    board.squares().filter(first).map(set).collect()
}

/// Returns the best partition that takes little time: parallel lines or boxes of side 2 on boxes, the one of
/// [`Board::partition`] on other boards, and single squares if that would be too long to list.
///
/// # Errors
/// Returns an error if crosscheck rejects the partition.
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
            let sets = match_pairs(board, board.partition()).into_iter().map(coordinates).collect();
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
            let Ok(name) = BoardName::parse_with(name, &ndqueens_system::file::open) else { continue };
            let board = Board::new(&name);
            let partitioned = best(&board).expect("a partition");
            assert!(partitioned.sets <= board.trivial_bound(), "{name}: {partitioned}");
            if !matches!(name, BoardName::Leaper { leaper: Leaper::Knight, .. })
                && board.grid().is_none_or(|_| board.piece() != Some(Piece::Queen))
            {
                assert_eq!(partitioned.sets, board.trivial_bound(), "{name}");
            }
        }
        let sets = |name: &str| best(&Board::new(&name.parse().expect("a board"))).expect(name).sets;
        for (name, knights) in [
            ("knight:1^2", 1),
            ("knight:6^1", 6),
            ("knight:2x6", 8),
            ("knight:3^2", 5),
            ("knight:6^2", 18),
            ("knight:7x6", 21),
            ("knight:66^2", 2178),
            ("knight:torus:6^2", 18),
            ("knight:torus:3^2", Board::new(&"knight:torus:3^2".parse().expect("a board")).trivial_bound()),
        ] {
            assert_eq!(sets(name), knights, "{name}");
        }
        let words = |name: &str| best(&Board::new(&name.parse().expect("a board"))).expect(name).to_string();
        assert_eq!(words("5^3"), "25 lines");
        assert_eq!(words("4^4"), "16 boxes of side 2");
        assert_eq!(words("1000^3"), "1000000 lines");
        assert_eq!(words("hex:3"), "5 cliques");
    }
}
