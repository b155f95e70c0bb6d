//! Verification of certificates, square by square and pair by pair, from the definition of the board.

use std::collections::{HashMap, HashSet};

use ndqueens_notation::certificate::{Certificate, Problem};
use ndqueens_notation::counted::counted;
use ndqueens_notation::error_class::{Classified, ErrorClass};
use ndqueens_notation::name::BoardName;

use crate::boards::linear::gcd;
use crate::boards::{Definition, LineOf, definition};

/// Fault in a certificate. Positions in the list of squares count from 1, coordinates from 0.
///
/// # Examples
/// ```
/// use ndqueens_crosscheck::verify::{Fault, verify};
/// use ndqueens_notation::certificate::Certificate;
///
/// let twice = Certificate::independent("3^2".parse()?, vec![vec![0, 0], vec![0, 0]], "by hand");
/// assert!(matches!(verify(&twice), Err(Fault::Repeated { .. })));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// The certificate is for a different board.
    #[error("the certificate is for the board {found}, but {expected} was asked for")]
    WrongBoard {
        /// The requested board.
        expected: BoardName,
        /// The board of the certificate.
        found: BoardName,
    },
    /// The certificate is for a different problem.
    #[error("the certificate is of {}, but {} was asked for", found.with_article(), expected.with_article())]
    WrongProblem {
        /// The requested problem.
        expected: Problem,
        /// The problem of the certificate.
        found: Problem,
    },
    /// A square has a wrong number of coordinates.
    #[error("square {position} of the list, {}, has {}; on {board} a square has {expected}", tuple(square), counted(square.len(), "coordinate"))]
    WrongDimension {
        /// The board.
        board: BoardName,
        /// The square.
        square: Vec<u32>,
        /// Its position in the list.
        position: usize,
        /// The number of coordinates of a square of the board.
        expected: usize,
    },
    /// A square is not on the board.
    #[error("square {position} of the list, {}, is off the board {board}; {allowed}", tuple(square))]
    OffBoard {
        /// The board.
        board: BoardName,
        /// The square.
        square: Vec<u32>,
        /// Its position in the list.
        position: usize,
        /// Description of the squares of the board.
        allowed: String,
    },
    /// A square occurs twice in the list.
    #[error("the square {} is in the list twice, at positions {first} and {second}", tuple(square))]
    Repeated {
        /// The square.
        square: Vec<u32>,
        /// The position of its first occurrence.
        first: usize,
        /// The position of its second occurrence.
        second: usize,
    },
    /// Two squares of a set claimed to be independent attack each other.
    #[error("squares {} and {} of the list, {} and {}, attack each other", positions.0, positions.1, tuple(&squares.0), tuple(&squares.1))]
    Attack {
        /// The two squares.
        squares: (Vec<u32>, Vec<u32>),
        /// Their positions in the list.
        positions: (usize, usize),
    },
    /// A square is neither in a set claimed to be dominating nor attacked from it.
    #[error("the square {} is neither in the set nor attacked from it", tuple(square))]
    Undominated {
        /// The square.
        square: Vec<u32>,
    },
    /// Three squares of a set claimed to have no three in line are on a straight line.
    #[error("squares {}, {} and {} of the list, {}, {} and {}, are on a straight line", positions[0], positions[1], positions[2], tuple(&squares[0]), tuple(&squares[1]), tuple(&squares[2]))]
    ThreeInLine {
        /// The three squares.
        squares: Box<[Vec<u32>; 3]>,
        /// Their positions in the list.
        positions: [usize; 3],
    },
    /// The board is not a plain box, so it has no straight lines.
    #[error("straight lines are those of plain boxes, and {board} is another board")]
    NoStraightLines {
        /// The board.
        board: BoardName,
    },
    /// A required queen is not among the squares.
    #[error("the queen {}, number {position} of the required ones, is not among the squares", tuple(queen))]
    Missing {
        /// The queen.
        queen: Vec<u32>,
        /// Its position among the required queens.
        position: usize,
    },
}

impl Classified for Fault {
    fn class(&self) -> ErrorClass {
        ErrorClass::Refuted
    }
}

/// Formats a square, e.g. `(0, 1, 2)`.
fn tuple(square: &[u32]) -> String {
    let coordinates: Vec<String> = square.iter().map(u32::to_string).collect();
    format!("({})", coordinates.join(", "))
}

/// Verified claim of a certificate. Only [`verify`] and [`verify_on`] create it.
///
/// # Examples
/// ```
/// use ndqueens_crosscheck::verify::verify;
/// use ndqueens_notation::certificate::Certificate;
///
/// let queens = vec![vec![0, 0], vec![1, 2]];
/// let verified = verify(&Certificate::independent("3^2".parse()?, queens, "by hand"))?;
/// assert_eq!((verified.board().to_string(), verified.size()), ("3^2".to_owned(), 2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verified {
    board: BoardName,
    problem: Problem,
    size: usize,
}

impl Verified {
    /// Returns the board.
    #[must_use]
    pub fn board(&self) -> &BoardName {
        &self.board
    }

    /// Returns the problem that the squares solve.
    #[must_use]
    pub fn problem(&self) -> Problem {
        self.problem
    }

    /// Returns the number of squares.
    #[must_use]
    pub fn size(&self) -> usize {
        self.size
    }
}

/// Verifies that the squares of a certificate are distinct squares of its board and solve its problem.
///
/// Independence is verified by testing every pair of squares of the set, domination by testing every square
/// of the board against the set. For large sets, if the board names its lines ([`Definition::line_names`]),
/// the lines are tested instead. The independence of a large set that satisfies a linear equation modulo n on
/// `n^d` is verified by the equation ([`Definition::is_shown_independent`]).
///
/// # Examples
/// ```
/// use ndqueens_crosscheck::verify::verify;
/// use ndqueens_notation::certificate::Certificate;
///
/// let queens = vec![vec![0, 1], vec![1, 3], vec![2, 0], vec![3, 2]];
/// let certificate = Certificate::independent("4^2".parse()?, queens, "by hand");
/// assert_eq!(verify(&certificate)?.size(), 4);
/// let attacked = Certificate::independent("4^2".parse()?, vec![vec![0, 0], vec![2, 2]], "by hand");
/// assert!(verify(&attacked).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Returns the first [`Fault`] found.
pub fn verify(certificate: &Certificate) -> Result<Verified, Fault> {
    let board = &certificate.board;
    let definition = definition(board);
    let squares = &certificate.squares;
    check_distinct_squares(board, &*definition, squares)?;
    let lines = || lines_for_large_set(&*definition, squares.len());
    match certificate.problem {
        Problem::IndependentSet => check_independent(&*definition, lines(), squares)?,
        Problem::DominatingSet => check_dominating(&*definition, lines(), squares)?,
        Problem::IndependentDominatingSet => {
            check_independent(&*definition, lines(), squares)?;
            check_dominating(&*definition, lines(), squares)?;
        }
        Problem::NoThreeInLine => check_no_three_in_line(board, squares)?,
    }
    Ok(Verified { board: board.clone(), problem: certificate.problem, size: squares.len() })
}

/// Verifies a certificate as [`verify`] does, and checks that it is for the board `expected` and for
/// `problem`. A certificate of an independent dominating set is also accepted for an independent set and for
/// a dominating set.
///
/// # Errors
/// Returns [`Fault::WrongBoard`], [`Fault::WrongProblem`], or the fault that [`verify`] finds.
pub fn verify_on(
    expected: &BoardName,
    problem: Problem,
    certificate: &Certificate,
) -> Result<Verified, Fault> {
    check_board(expected, certificate)?;
    let found = certificate.problem;
    let is_stronger = found == Problem::IndependentDominatingSet && problem != Problem::NoThreeInLine;
    if found != problem && !is_stronger {
        return Err(Fault::WrongProblem { expected: problem, found });
    }
    verify(certificate)
}

/// Checks that a certificate is for the board `expected`.
fn check_board(expected: &BoardName, certificate: &Certificate) -> Result<(), Fault> {
    let found = &certificate.board;
    if found == expected {
        return Ok(());
    }
    Err(Fault::WrongBoard { expected: expected.clone(), found: found.clone() })
}

/// Verifies that the squares of a certificate may be part of a solution of the problem `solution` on the
/// board `expected`: they must be distinct squares of the board, and must satisfy the condition of
/// independent sets or of no-three-in-line sets if solutions do. The problem of the certificate itself is
/// ignored.
///
/// # Errors
/// Returns [`Fault::WrongBoard`], or the first other fault found.
pub fn verify_partial(
    expected: &BoardName,
    certificate: &Certificate,
    solution: Problem,
) -> Result<(), Fault> {
    check_board(expected, certificate)?;
    let (definition, squares) = (definition(expected), &certificate.squares);
    check_distinct_squares(expected, &*definition, squares)?;
    match solution {
        Problem::DominatingSet => Ok(()),
        Problem::NoThreeInLine => check_no_three_in_line(expected, squares),
        Problem::IndependentSet | Problem::IndependentDominatingSet => {
            check_independent(&*definition, lines_for_large_set(&*definition, squares.len()), squares)
        }
    }
}

/// Checks that all `queens` are among the squares of a certificate, as required of a completion.
///
/// # Errors
/// Returns [`Fault::Missing`] with the first queen that is not.
pub fn verify_includes(certificate: &Certificate, queens: &[Vec<u32>]) -> Result<(), Fault> {
    let squares: HashSet<&Vec<u32>> = certificate.squares.iter().collect();
    match queens.iter().position(|queen| !squares.contains(queen)) {
        None => Ok(()),
        Some(index) => Err(Fault::Missing { queen: queens[index].clone(), position: index + 1 }),
    }
}

/// Checks that the squares are distinct squares of the board.
fn check_distinct_squares(
    board: &BoardName,
    definition: &dyn Definition,
    squares: &[Vec<u32>],
) -> Result<(), Fault> {
    let mut first_position = HashMap::with_capacity(squares.len());
    for (square, position) in squares.iter().zip(1..) {
        if square.len() != definition.dimension() {
            return Err(Fault::WrongDimension {
                board: board.clone(),
                square: square.clone(),
                position,
                expected: definition.dimension(),
            });
        }
        if !definition.contains(square) {
            return Err(Fault::OffBoard {
                board: board.clone(),
                square: square.clone(),
                position,
                allowed: definition.describe_squares(),
            });
        }
        if let Some(first) = first_position.insert(square, position) {
            return Err(Fault::Repeated { square: square.clone(), first, second: position });
        }
    }
    Ok(())
}

/// Checks that the squares do not attack each other, by `lines` if given.
fn check_independent(
    definition: &dyn Definition,
    lines: Option<Vec<LineOf<'_>>>,
    squares: &[Vec<u32>],
) -> Result<(), Fault> {
    if squares.len() >= MIN_SQUARES_FOR_LINES && definition.is_shown_independent(squares) {
        return Ok(());
    }
    let attacker = |j: usize| squares[..j].iter().position(|a| definition.attacks(a, &squares[j]));
    let attacked = match lines {
        Some(lines) => find_collision(&lines, squares),
        None => (0..squares.len()).find(|&j| attacker(j).is_some()),
    };
    let Some(j) = attacked else { return Ok(()) };
    let i = attacker(j).expect("squares on a line attack each other");
    Err(Fault::Attack { squares: (squares[i].clone(), squares[j].clone()), positions: (i + 1, j + 1) })
}

/// Checks that no three squares of a plain box are on a straight line, by comparing the directions from each
/// square to the later ones.
fn check_no_three_in_line(board: &BoardName, squares: &[Vec<u32>]) -> Result<(), Fault> {
    if !matches!(board, BoardName::Grid { torus: false, .. }) {
        return Err(Fault::NoStraightLines { board: board.clone() });
    }
    for (i, from) in squares.iter().enumerate() {
        let mut seen = HashMap::new();
        for (k, to) in squares.iter().enumerate().skip(i + 1) {
            if let Some(j) = seen.insert(direction(from, to), k) {
                return Err(Fault::ThreeInLine {
                    squares: Box::new([i, j, k].map(|place| squares[place].clone())),
                    positions: [i, j, k].map(|place| place + 1),
                });
            }
        }
    }
    Ok(())
}

/// Returns the direction of the straight line through two different squares: their difference divided by the
/// greatest common divisor of its entries, with the sign that makes the first nonzero entry positive.
fn direction(from: &[u32], to: &[u32]) -> Vec<i64> {
    let steps: Vec<i64> = from.iter().zip(to).map(|(&a, &b)| i64::from(b) - i64::from(a)).collect();
    let divisor = steps.iter().fold(0, |divisor, &step| gcd(divisor, step.abs())).max(1);
    let is_backwards = steps.iter().find(|&&step| step != 0).is_some_and(|&step| step < 0);
    let sign = if is_backwards { -1 } else { 1 };
    steps.iter().map(|step| sign * step / divisor).collect()
}

/// Least number of squares for which lines and equations are tested instead of pairs.
const MIN_SQUARES_FOR_LINES: usize = 64;

/// Returns the functions that name the lines of the board if there are such functions and the set is large
/// enough for testing lines to be faster than testing pairs.
fn lines_for_large_set(definition: &dyn Definition, squares: usize) -> Option<Vec<LineOf<'_>>> {
    if squares < MIN_SQUARES_FOR_LINES {
        return None;
    }
    definition.line_names().filter(|lines| lines.len() < squares / 32)
}

/// Returns the index of the first square that is on a common line with an earlier square.
fn find_collision(lines: &[LineOf<'_>], squares: &[Vec<u32>]) -> Option<usize> {
    let mut end = squares.len();
    let mut first = None;
    for line in lines {
        let mut taken = HashSet::with_capacity(end);
        if let Some(j) = squares[..end].iter().position(|square| !taken.insert(line(square))) {
            (first, end) = (Some(j), j);
        }
    }
    first
}

/// Checks that every square of the board is in the set or attacked from it, by `lines` if given.
fn check_dominating(
    definition: &dyn Definition,
    lines: Option<Vec<LineOf<'_>>>,
    set: &[Vec<u32>],
) -> Result<(), Fault> {
    if let Some(lines) = lines {
        let taken: Vec<HashSet<Vec<u32>>> =
            lines.iter().map(|line| set.iter().map(|square| line(square)).collect()).collect();
        let set: HashSet<&Vec<u32>> = set.iter().collect();
        let dominated = |square: &Vec<u32>| {
            set.contains(square)
                || lines.iter().zip(&taken).any(|(line, taken)| taken.contains(&line(square)))
        };
        let undominated = definition.squares().find(|square| !dominated(square));
        return undominated.map_or(Ok(()), |square| Err(Fault::Undominated { square }));
    }
    let dominated = |square: &Vec<u32>| set.iter().any(|s| s == square || definition.attacks(s, square));
    match definition.squares().find(|square| !dominated(square)) {
        None => Ok(()),
        Some(square) => Err(Fault::Undominated { square }),
    }
}

#[cfg(test)]
mod tests {
    use rand::rngs::ChaCha8Rng;
    use rand::seq::SliceRandom as _;
    use rand::{RngExt as _, SeedableRng as _};

    use super::*;

    #[test]
    fn directions_agree_with_cross_products() {
        let mut rng = ChaCha8Rng::seed_from_u64(317);
        let mut counts = [0; 2];
        for name in ["5^2", "4x7", "3^3", "9^1", "2x3x4"] {
            let board: BoardName = name.parse().expect("a board");
            for _ in 0..60 {
                let mut set: Vec<Vec<u32>> = definition(&board).squares().collect();
                set.shuffle(&mut rng);
                set.truncate(rng.random_range(0..6));
                let difference =
                    |i: usize, j: usize, axis: usize| i64::from(set[j][axis]) - i64::from(set[i][axis]);
                let in_line = |i: usize, j: usize, k: usize| {
                    let axes = set[i].len();
                    (0..axes).all(|a| {
                        (0..a).all(|b| {
                            difference(i, j, a) * difference(i, k, b)
                                == difference(i, j, b) * difference(i, k, a)
                        })
                    })
                };
                let triples = (0..set.len()).any(|k| (0..k).any(|j| (0..j).any(|i| in_line(i, j, k))));
                let found = check_no_three_in_line(&board, &set);
                assert_eq!(found.is_err(), triples, "{name}: {set:?}");
                if let Err(Fault::ThreeInLine { positions: [i, j, k], .. }) = found {
                    assert!(in_line(i - 1, j - 1, k - 1));
                }
                counts[usize::from(triples)] += 1;
            }
        }
        assert!(counts.iter().all(|&count| count > 30), "{counts:?}");
    }

    #[test]
    fn rejects_certificates_of_other_problems() {
        let queens = vec![vec![0, 1], vec![1, 3], vec![2, 0], vec![3, 2]];
        let board: BoardName = "4^2".parse().expect("a board");
        let placement = Certificate::independent(board.clone(), queens, "by hand");
        let fault = verify_on(&board, Problem::NoThreeInLine, &placement).expect_err("another problem");
        assert!(matches!(fault, Fault::WrongProblem { .. }));
        let set = Certificate { problem: Problem::NoThreeInLine, ..placement };
        assert!(verify_on(&board, Problem::NoThreeInLine, &set).is_ok());
        assert!(verify_on(&board, Problem::IndependentSet, &set).is_err());
        let both = Certificate { problem: Problem::IndependentDominatingSet, ..set.clone() };
        assert!(verify_on(&board, Problem::NoThreeInLine, &both).is_err());
        let torus: BoardName = "torus:4^2".parse().expect("a board");
        let wrapped = Certificate { board: torus.clone(), ..set };
        assert_eq!(verify(&wrapped), Err(Fault::NoStraightLines { board: torus }));
    }

    #[test]
    fn lines_agree_with_pairs_on_random_sets() {
        let mut rng = ChaCha8Rng::seed_from_u64(1850);
        let boxes =
            ["7^1", "1x5", "6^2", "5x9", "4^3", "2x3x5", "3^4", "torus:2^2", "torus:7^2", "torus:5^3"];
        let pieces = ["", "rook:", "bishop:"].map(|piece| boxes.map(|name| format!("{piece}{name}")));
        let others = ["hex:4", "hex:9", "king:6^2", "king:2x3x5", "king:torus:6^2", "king:torus:2^3"];
        let names = pieces.into_iter().flatten().chain(others.map(str::to_owned));
        let (mut attacked, mut undominated) = (0, 0);
        for name in names {
            let definition = definition(&name.parse().expect("a board"));
            for _ in 0..60 {
                let mut squares: Vec<_> = definition.squares().collect();
                squares.shuffle(&mut rng);
                // Few squares attack each other, so the first attacking pair is late in the list.
                let mut set: Vec<Vec<u32>> = Vec::new();
                for square in squares {
                    let clashes = set.iter().any(|other| definition.attacks(other, &square));
                    if rng.random_bool(if clashes { 0.01 } else { 0.8 }) {
                        set.push(square);
                    }
                }
                let by_pairs = check_independent(&*definition, None, &set);
                attacked += usize::from(by_pairs.is_err());
                assert_eq!(
                    check_independent(&*definition, definition.line_names(), &set),
                    by_pairs,
                    "{name}: {set:?}"
                );
                let by_squares = check_dominating(&*definition, None, &set);
                undominated += usize::from(by_squares.is_err());
                assert_eq!(
                    check_dominating(&*definition, definition.line_names(), &set),
                    by_squares,
                    "{name}: {set:?}"
                );
            }
        }
        assert!(attacked > 100 && undominated > 100, "{attacked} {undominated}");
    }
}
