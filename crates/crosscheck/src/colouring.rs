//! Verification of colourings, square by square and pair by pair, from the definition of the board.

use std::collections::HashMap;

use fixedbitset::FixedBitSet;
use ndqueens_notation::certificate::colouring::{ClassKind, Colouring};
use ndqueens_notation::certificate::{Certificate, format_square};
use ndqueens_notation::counted::counted;
use ndqueens_notation::error_class::{Classified, ErrorClass};
use ndqueens_notation::name::BoardName;

use crate::boards::definition;
use crate::graph::{Graph, TooManySquares};
use crate::verify;
use crate::verify::Fault;

/// Fault in a colouring. Classes and positions count from 1, coordinates from 0.
///
/// # Examples
/// ```
/// use ndqueens_crosscheck::colouring::{ColouringFault, verify};
/// use ndqueens_notation::certificate::colouring::{ClassKind, Colouring};
///
/// let classes = vec![vec![vec![0, 0]], vec![]];
/// let empty = Colouring::new("1^2".parse()?, ClassKind::IndependentSets, classes, "by hand");
/// assert_eq!(verify(&empty), Err(ColouringFault::Empty { class: 1 }));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ColouringFault {
    /// A class is not an independent set.
    #[error("class {class}: {fault}")]
    Class {
        /// The class.
        class: usize,
        /// The fault in the class.
        #[source]
        fault: Fault,
    },
    /// A class has no squares.
    #[error("class {class} is empty")]
    Empty {
        /// The class.
        class: usize,
    },
    /// Two squares of a class are nearer to each other than claimed.
    #[error("class {class}: the squares {} and {} are at distance {distance}, less than {least}", format_square(&squares[0]), format_square(&squares[1]))]
    Near {
        /// The class.
        class: usize,
        /// The two squares.
        squares: [Vec<u32>; 2],
        /// Their distance in the queen graph.
        distance: u32,
        /// The claimed minimum distance.
        least: u32,
    },
    /// The board is too large for computing distances.
    #[error(transparent)]
    TooLarge(#[from] TooManySquares),
    /// A square is in two classes.
    #[error("the square {} is in two classes, {first} and {second}", format_square(square))]
    Twice {
        /// The square.
        square: Vec<u32>,
        /// The first class.
        first: usize,
        /// The second class.
        second: usize,
    },
    /// A square is in no class.
    #[error("the square {} is in no class", format_square(square))]
    Uncoloured {
        /// The square.
        square: Vec<u32>,
    },
    /// Full solutions are claimed on a board other than `n^d`.
    #[error("full solutions are defined on n^d, and {board} is not n^d")]
    NotACube {
        /// The board.
        board: BoardName,
    },
    /// A class that is claimed to be a full solution has another number of squares.
    #[error("class {class} has {}; a full solution on {board} has {full}", counted(*size, "square"))]
    NotFull {
        /// The board.
        board: BoardName,
        /// The class.
        class: usize,
        /// Its number of squares.
        size: usize,
        /// The number of squares of a full solution.
        full: usize,
    },
}

impl Classified for ColouringFault {
    fn class(&self) -> ErrorClass {
        match self {
            Self::TooLarge(fault) => fault.class(),
            _ => ErrorClass::Refuted,
        }
    }
}

/// Verifies that the classes of a colouring are independent sets, that every square of the board is in
/// exactly one class, and that the classes are full solutions or at a minimum distance if that is claimed.
///
/// # Errors
/// Returns the first [`ColouringFault`] found.
pub fn verify(colouring: &Colouring) -> Result<(), ColouringFault> {
    let Colouring { board, kind, classes, .. } = colouring;
    let full = match (kind, board) {
        (ClassKind::IndependentSets | ClassKind::AtDistance(_), _) => None,
        (ClassKind::FullSolutions, BoardName::Grid { sides, .. }) if sides.iter().all(|n| *n == sides[0]) => {
            Some(sides[1..].iter().map(|&n| n as usize).product::<usize>())
        }
        (ClassKind::FullSolutions, _) => return Err(ColouringFault::NotACube { board: board.clone() }),
    };
    let mut class_of: HashMap<&[u32], usize> = HashMap::new();
    for (members, class) in classes.iter().zip(1..) {
        let certificate = Certificate::independent(board.clone(), members.clone(), "");
        verify::verify(&certificate).map_err(|fault| ColouringFault::Class { class, fault })?;
        if members.is_empty() {
            return Err(ColouringFault::Empty { class });
        }
        if let Some(full) = full.filter(|&full| full != members.len()) {
            return Err(ColouringFault::NotFull { board: board.clone(), class, size: members.len(), full });
        }
        for square in members {
            if let Some(first) = class_of.insert(square, class) {
                return Err(ColouringFault::Twice { square: square.clone(), first, second: class });
            }
        }
    }
    match definition(board).squares().find(|square| !class_of.contains_key(square.as_slice())) {
        None => match kind {
            ClassKind::AtDistance(least) => check_distances(board, &class_of, *least),
            ClassKind::IndependentSets | ClassKind::FullSolutions => Ok(()),
        },
        Some(square) => Err(ColouringFault::Uncoloured { square }),
    }
}

/// Returns an error if two squares of a class are at a distance below `least`. Runs a breadth-first search
/// from each square.
fn check_distances(
    board: &BoardName,
    class_of: &HashMap<&[u32], usize>,
    least: u32,
) -> Result<(), ColouringFault> {
    let graph = Graph::new(&*definition(board))?;
    let class = |square: usize| class_of[graph.squares()[square].as_slice()];
    for start in 0..graph.squares().len() {
        let mut reached = FixedBitSet::with_capacity(graph.squares().len());
        reached.insert(start);
        let mut frontier = vec![start];
        for distance in 1..least {
            let mut next = FixedBitSet::with_capacity(graph.squares().len());
            frontier.iter().for_each(|&square| next.union_with(graph.neighbours(square)));
            next.difference_with(&reached);
            if let Some(near) = next.ones().find(|&near| class(near) == class(start)) {
                let squares = [start, near].map(|square| graph.squares()[square].clone());
                return Err(ColouringFault::Near { class: class(start), squares, distance, least });
            }
            if next.is_clear() {
                break;
            }
            reached.union_with(&next);
            frontier = next.ones().collect();
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the colouring of `5^2` with the classes of squares in column c + 2r of row r.
    fn example() -> Colouring {
        let class = |c: u32| (0..5).map(|row| vec![row, (c + 2 * row) % 5]).collect();
        Colouring::new(
            BoardName::queen(&[5, 5]),
            ClassKind::FullSolutions,
            (0..5).map(class).collect(),
            "by hand",
        )
    }

    #[test]
    fn accepts_valid_colourings() {
        assert_eq!(verify(&example()), Ok(()));
        assert_eq!(verify(&Colouring { kind: ClassKind::IndependentSets, ..example() }), Ok(()));
    }

    #[test]
    fn checks_distances_within_classes() {
        let path =
            BoardName::parse_with("file:path", &|_| Ok("0 1\n1 2\n2 3\n3 4\n".to_owned())).expect("a path");
        let colouring = |colours: u32, distance| {
            let class = |colour: u32| (0..5).filter(|v| v % colours == colour).map(|v| vec![v]).collect();
            let classes = (0..colours).map(class).collect();
            Colouring::new(path.clone(), ClassKind::AtDistance(distance), classes, "by hand")
        };
        for (colours, distance) in [(2, 2), (3, 3), (4, 4), (5, 5), (5, 100), (3, 2)] {
            assert_eq!(verify(&colouring(colours, distance)), Ok(()));
        }
        let squares = [vec![0], vec![3]];
        let fault = ColouringFault::Near { class: 1, squares, distance: 3, least: 4 };
        assert_eq!(verify(&colouring(3, 4)), Err(fault));
    }

    #[test]
    fn faults_have_the_class_and_the_squares() {
        type Change = fn(&mut Colouring);
        type Expected = fn(&ColouringFault) -> bool;
        let cases: [(Change, Expected); 7] = [
            (
                |c| c.classes[1][0] = vec![0, 0],
                |fault| {
                    let ColouringFault::Class { class: 2, fault } = fault else { return false };
                    matches!(fault, Fault::Attack { positions: (1, _), .. })
                },
            ),
            (
                |c| c.classes[1][0] = vec![0, 7],
                |fault| {
                    let ColouringFault::Class { class: 2, fault } = fault else { return false };
                    matches!(fault, Fault::OffBoard { square, position: 1, .. } if square == &[0, 7])
                },
            ),
            (|c| c.classes.push(Vec::new()), |fault| *fault == ColouringFault::Empty { class: 6 }),
            (|c| drop(c.classes.pop()), |fault| *fault == ColouringFault::Uncoloured { square: vec![0, 4] }),
            (
                |c| c.classes.push(c.classes[2].clone()),
                |fault| *fault == ColouringFault::Twice { square: vec![0, 2], first: 3, second: 6 },
            ),
            (
                |c| drop(c.classes[2].pop()),
                |fault| matches!(fault, ColouringFault::NotFull { class: 3, size: 4, full: 5, .. }),
            ),
            (
                |c| c.board = BoardName::queen(&[5, 6]),
                |fault| *fault == ColouringFault::NotACube { board: BoardName::queen(&[5, 6]) },
            ),
        ];
        for (number, (change, is_expected)) in cases.into_iter().enumerate() {
            let mut colouring = example();
            change(&mut colouring);
            let fault = verify(&colouring).expect_err("invalid");
            assert!(is_expected(&fault), "case {number}: {fault}");
        }
    }
}
