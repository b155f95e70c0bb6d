//! Is a certificate true? Decided square by square and pair by pair from the definition of the board.

use std::collections::{HashMap, HashSet};

use ndqueens_notation::certificate::{Certificate, Problem};
use ndqueens_notation::name::BoardName;

use crate::boards::linear::gcd;
use crate::boards::{Definition, LineOf, definition};

/// What is wrong with a certificate. Positions in a list of squares are counted from 1, coordinates from 0.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// The certificate is for another board.
    #[error("the certificate is for the board {found}, but {expected} was asked for")]
    WrongBoard {
        /// The board asked for.
        expected: BoardName,
        /// The board of the certificate.
        found: BoardName,
    },
    /// The certificate claims something else of its squares.
    #[error("the certificate is of {}, but {} was asked for", found.with_article(), expected.with_article())]
    WrongProblem {
        /// The problem asked for.
        expected: Problem,
        /// The problem of the certificate.
        found: Problem,
    },
    /// A square has too few or too many coordinates.
    #[error("square {position} of the list, {}, has {} coordinates; on {board} a square has {expected}", tuple(square), square.len())]
    WrongDimension {
        /// The board.
        board: BoardName,
        /// The square.
        square: Vec<u32>,
        /// Its position in the list.
        position: usize,
        /// How many coordinates a square has.
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
        /// Which squares there are.
        allowed: String,
    },
    /// A square is listed twice.
    #[error("the square {} is in the list twice, at positions {first} and {second}", tuple(square))]
    Repeated {
        /// The square.
        square: Vec<u32>,
        /// The position of its first occurrence.
        first: usize,
        /// The position of its second occurrence.
        second: usize,
    },
    /// Two squares of a set that is claimed to be independent attack each other.
    #[error("squares {} and {} of the list, {} and {}, attack each other", positions.0, positions.1, tuple(&squares.0), tuple(&squares.1))]
    Attack {
        /// The two squares.
        squares: (Vec<u32>, Vec<u32>),
        /// Their positions in the list.
        positions: (usize, usize),
    },
    /// A square is neither in a set that is claimed to be dominating nor attacked from it.
    #[error("the square {} is neither in the set nor attacked from it", tuple(square))]
    Undominated {
        /// The square.
        square: Vec<u32>,
    },
    /// Three squares of a set that is claimed to have no three in line are on a straight line.
    #[error("squares {}, {} and {} of the list, {}, {} and {}, are on a straight line", positions[0], positions[1], positions[2], tuple(&squares[0]), tuple(&squares[1]), tuple(&squares[2]))]
    ThreeInLine {
        /// The three squares.
        squares: Box<[Vec<u32>; 3]>,
        /// Their positions in the list.
        positions: [usize; 3],
    },
    /// The board has no straight lines.
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
        /// Its position among the given queens.
        position: usize,
    },
}

fn tuple(square: &[u32]) -> String {
    let coordinates: Vec<String> = square.iter().map(u32::to_string).collect();
    format!("({})", coordinates.join(", "))
}

/// A claim that has been verified. Only [`verify`] makes one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verified {
    board: BoardName,
    problem: Problem,
    size: usize,
}

impl Verified {
    /// The board.
    #[must_use]
    pub fn board(&self) -> &BoardName {
        &self.board
    }

    /// What is true of the squares.
    #[must_use]
    pub fn problem(&self) -> Problem {
        self.problem
    }

    /// The number of squares.
    #[must_use]
    pub fn size(&self) -> usize {
        self.size
    }
}

/// Verifies that the squares of a certificate are distinct squares of its board and are what it claims.
///
/// Independence tests every pair of squares of the set, domination every square of the board against the set; where the board
/// has lines, which stand for the same attacks, a large set is put on its lines instead. Of a large set on `n^d` that satisfies a
/// linear equation modulo n, the equation is tested against the directions.
///
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
/// The first [`Fault`] found.
pub fn verify(certificate: &Certificate) -> Result<Verified, Fault> {
    let board = &certificate.board;
    let definition = definition(board);
    let squares = &certificate.squares;
    distinct_squares(board, &*definition, squares)?;
    let lines = || lines(&*definition, squares.len());
    match certificate.problem {
        Problem::IndependentSet => independent(&*definition, lines(), squares)?,
        Problem::DominatingSet => dominating(&*definition, lines(), squares)?,
        Problem::IndependentDominatingSet => {
            independent(&*definition, lines(), squares)?;
            dominating(&*definition, lines(), squares)?;
        }
        Problem::NoThreeInLine => no_three_in_line(board, squares)?,
    }
    Ok(Verified { board: board.clone(), problem: certificate.problem, size: squares.len() })
}

/// [`verify`], for a certificate that must be for the board `expected` and this problem, or that and more.
///
/// # Errors
/// [`Fault::WrongBoard`], [`Fault::WrongProblem`], or the fault that [`verify`] finds.
pub fn verify_on(
    expected: &BoardName,
    problem: Problem,
    certificate: &Certificate,
) -> Result<Verified, Fault> {
    on_board(expected, certificate)?;
    let found = certificate.problem;
    let is_more = found == Problem::IndependentDominatingSet && problem != Problem::NoThreeInLine;
    if found != problem && !is_more {
        return Err(Fault::WrongProblem { expected: problem, found });
    }
    verify(certificate)
}

fn on_board(expected: &BoardName, certificate: &Certificate) -> Result<(), Fault> {
    let found = &certificate.board;
    if found == expected {
        return Ok(());
    }
    Err(Fault::WrongBoard { expected: expected.clone(), found: found.clone() })
}

/// Verifies that the squares of a certificate may be part of a solution on the board `expected`: that they are distinct
/// squares of it, and independent where solutions are. What the certificate claims of them is not looked at.
///
/// # Errors
/// [`Fault::WrongBoard`], or the first fault found.
pub fn verify_part(expected: &BoardName, certificate: &Certificate, solution: Problem) -> Result<(), Fault> {
    on_board(expected, certificate)?;
    let (definition, squares) = (definition(expected), &certificate.squares);
    distinct_squares(expected, &*definition, squares)?;
    match solution {
        Problem::DominatingSet => Ok(()),
        Problem::NoThreeInLine => no_three_in_line(expected, squares),
        Problem::IndependentSet | Problem::IndependentDominatingSet => {
            independent(&*definition, lines(&*definition, squares.len()), squares)
        }
    }
}

/// Checks that every one of `queens` is among the squares of a certificate, as a completion of them must have it.
///
/// # Errors
/// [`Fault::Missing`] with the first that is not.
pub fn includes(certificate: &Certificate, queens: &[Vec<u32>]) -> Result<(), Fault> {
    let squares: HashSet<&Vec<u32>> = certificate.squares.iter().collect();
    match queens.iter().position(|queen| !squares.contains(queen)) {
        None => Ok(()),
        Some(index) => Err(Fault::Missing { queen: queens[index].clone(), position: index + 1 }),
    }
}

fn distinct_squares(
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
                allowed: definition.allowed(),
            });
        }
        if let Some(first) = first_position.insert(square, position) {
            return Err(Fault::Repeated { square: square.clone(), first, second: position });
        }
    }
    Ok(())
}

fn independent(
    definition: &dyn Definition,
    lines: Option<Vec<LineOf<'_>>>,
    squares: &[Vec<u32>],
) -> Result<(), Fault> {
    if squares.len() >= MANY_SQUARES && definition.is_shown_independent(squares) {
        return Ok(());
    }
    let attacker = |j: usize| squares[..j].iter().position(|a| definition.attacks(a, &squares[j]));
    let attacked = match lines {
        Some(lines) => first_on_a_line_of_another(&lines, squares),
        None => (0..squares.len()).find(|&j| attacker(j).is_some()),
    };
    let Some(j) = attacked else { return Ok(()) };
    let i = attacker(j).expect("squares on a line attack each other");
    Err(Fault::Attack { squares: (squares[i].clone(), squares[j].clone()), positions: (i + 1, j + 1) })
}

/// Checks that no three squares of a plain box are on a straight line: from each square, the later ones lie in different directions.
fn no_three_in_line(board: &BoardName, squares: &[Vec<u32>]) -> Result<(), Fault> {
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

/// Returns the direction of the straight line through two different squares: their difference without common divisors, with a first entry
/// other than 0 that is positive.
fn direction(from: &[u32], to: &[u32]) -> Vec<i64> {
    let steps: Vec<i64> = from.iter().zip(to).map(|(&a, &b)| i64::from(b) - i64::from(a)).collect();
    let divisor = steps.iter().fold(0, |divisor, &step| gcd(divisor, step.abs())).max(1);
    let is_backwards = steps.iter().find(|&&step| step != 0).is_some_and(|&step| step < 0);
    let sign = if is_backwards { -1 } else { 1 };
    steps.iter().map(|step| sign * step / divisor).collect()
}

/// Least number of squares with which lines and equations are tried before pairs.
const MANY_SQUARES: usize = 64;

/// The lines of the board, where it has such and the set has so many squares that lines are sooner gone through than pairs.
fn lines(definition: &dyn Definition, squares: usize) -> Option<Vec<LineOf<'_>>> {
    if squares < MANY_SQUARES {
        return None;
    }
    definition.line_names().filter(|lines| lines.len() < squares / 32)
}

/// The first square that is on a line with one before it.
fn first_on_a_line_of_another(lines: &[LineOf<'_>], squares: &[Vec<u32>]) -> Option<usize> {
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

fn dominating(
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
        let left = definition.squares().find(|square| !dominated(square));
        return left.map_or(Ok(()), |square| Err(Fault::Undominated { square }));
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
    fn three_in_line_are_found_as_by_cross_products() {
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
                let found = no_three_in_line(&board, &set);
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
    fn a_placement_is_no_set_without_three_in_line() {
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
    fn lines_judge_random_sets_as_pairs_do() {
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
                // Few of them attack each other, so that those that do are met late.
                let mut set: Vec<Vec<u32>> = Vec::new();
                for square in squares {
                    let clashes = set.iter().any(|other| definition.attacks(other, &square));
                    if rng.random_bool(if clashes { 0.01 } else { 0.8 }) {
                        set.push(square);
                    }
                }
                let by_pairs = independent(&*definition, None, &set);
                attacked += usize::from(by_pairs.is_err());
                assert_eq!(
                    independent(&*definition, definition.line_names(), &set),
                    by_pairs,
                    "{name}: {set:?}"
                );
                let by_squares = dominating(&*definition, None, &set);
                undominated += usize::from(by_squares.is_err());
                assert_eq!(
                    dominating(&*definition, definition.line_names(), &set),
                    by_squares,
                    "{name}: {set:?}"
                );
            }
        }
        assert!(attacked > 100 && undominated > 100, "{attacked} {undominated}");
    }
}
