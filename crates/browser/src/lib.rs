//! WebAssembly interface of the checker, for web pages. All checks are made by `crosscheck`.
//!
//! A page calls `reserve` to allocate a buffer, writes a question into it and calls `ask`. This returns the
//! address of the answer, which has `length` bytes. Questions and answers are text:
//!
//! | question | lines of the answer |
//! | --- | --- |
//! | `check`, then a certificate | verdict; sentence; board; each square of the certificate |
//! | `squares BOARD` | each square |
//! | `attacked BOARD SQUARE` | each square attacked by a piece on `SQUARE` |
//!
//! The verdict is `holds` (verified), `fault` (refuted) or `limit` (not checked). If the certificate cannot
//! be parsed, the answer is `unreadable` and a sentence. If another question is invalid, the answer is
//! `fault` and a sentence.

#[cfg(target_arch = "wasm32")]
mod memory;

use std::fmt;

use ndqueens_crosscheck::boards::definition;
use ndqueens_crosscheck::verify::verify;
use ndqueens_notation::certificate::{Certificate, Problem};
use ndqueens_notation::counted::counted;
use ndqueens_notation::name::{BoardName, NameError, reject_files};

#[cfg(target_arch = "wasm32")]
pub use self::memory::{ask, length, reserve};

/// Largest number of squares of a board that a page draws.
const MAX_SQUARES: usize = 100_000;

/// Largest number of pairs, of a square of the board and a square of the certificate, that a page tests.
const MAX_PAIRS: u128 = 1_000_000_000;

/// Returns the answer to a question.
///
/// # Examples
/// ```
/// use ndqueens_browser::answer;
///
/// assert_eq!(answer("attacked rook:2^2 0 0"), "0 1\n1 0");
/// ```
#[must_use]
pub fn answer(question: &str) -> String {
    let (verb, rest) = question.split_at(question.find([' ', '\n']).unwrap_or(question.len()));
    let rest = rest.get(1..).unwrap_or_default();
    let result = match verb {
        "check" => return check(rest),
        "squares" => parse_board(rest).map(|board| list_squares(&board)),
        "attacked" => list_attacked(rest),
        _ => Err(QuestionFault::Unknown(verb.to_owned())),
    };
    result.unwrap_or_else(|fault| format!("fault\n{fault}"))
}

/// Answers the question `check`.
fn check(text: &str) -> String {
    let certificate = match Certificate::parse_with(text, &reject_files) {
        Ok(certificate) => certificate,
        Err(fault) => return format!("unreadable\n{fault}"),
    };
    let Certificate { board, problem, squares, .. } = &certificate;
    let is_large = *problem != Problem::IndependentSet
        && board.count_squares().saturating_mul(squares.len() as u128) > MAX_PAIRS;
    let verdict = if is_large {
        "limit\nthe board has too many squares to be checked in a page; ndq check has no such limit"
            .to_owned()
    } else {
        match verify(&certificate) {
            Ok(verified) => {
                let set = verified.problem().with_article();
                format!(
                    "holds\n{} of {} {} {set}",
                    counted(verified.size(), "square"),
                    verified.board(),
                    if verified.size() == 1 { "is" } else { "are" }
                )
            }
            Err(fault) => format!("fault\n{fault}"),
        }
    };
    format!("{verdict}\n{board}\n{}", format_squares(squares))
}

/// Fault of a question.
#[derive(Debug)]
enum QuestionFault {
    Unknown(String),
    Board(NameError),
    TooLarge(BoardName),
    /// Numbers that are not a square of the board, whose squares are described.
    NoSquare(BoardName, String),
}

impl fmt::Display for QuestionFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown(verb) => write!(f, "there is no question \"{verb}\""),
            Self::Board(fault) => fault.fmt(f),
            Self::TooLarge(board) => {
                write!(f, "{board} has more than {MAX_SQUARES} squares, which a page does not draw")
            }
            Self::NoSquare(board, squares) => write!(f, "this is no square of {board}; {squares}"),
        }
    }
}

/// Parses the name of a board. Returns an error if the board is too large to be drawn.
fn parse_board(name: &str) -> Result<BoardName, QuestionFault> {
    let board = BoardName::parse_with(name.trim(), &reject_files).map_err(QuestionFault::Board)?;
    if board.count_squares() > MAX_SQUARES as u128 {
        return Err(QuestionFault::TooLarge(board));
    }
    Ok(board)
}

/// Answers the question `squares`.
fn list_squares(board: &BoardName) -> String {
    format_squares(&definition(board).squares().collect::<Vec<_>>())
}

/// Answers the question `attacked`.
fn list_attacked(text: &str) -> Result<String, QuestionFault> {
    let mut words = text.split_whitespace();
    let board = parse_board(words.next().unwrap_or_default())?;
    let definition = definition(&board);
    let square: Vec<u32> = words.filter_map(|word| word.parse().ok()).collect();
    if square.len() != definition.dimension() || !definition.contains(&square) {
        let squares = definition.describe_squares();
        return Err(QuestionFault::NoSquare(board.clone(), squares));
    }
    let attacked =
        definition.squares().filter(|other| *other != square && definition.attacks(&square, other));
    Ok(format_squares(&attacked.collect::<Vec<_>>()))
}

/// Formats squares, one on each line.
fn format_squares(squares: &[Vec<u32>]) -> String {
    let line = |square: &Vec<u32>| square.iter().map(u32::to_string).collect::<Vec<_>>().join(" ");
    squares.iter().map(line).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the question `check` with a certificate.
    fn check_question(board: &str, squares: &str) -> String {
        let size = squares.lines().count();
        format!(
            "check\nndqueens certificate 1\nboard: {board}\nproblem: independent set\nsize: {size}\norigin: a test\n{squares}\n"
        )
    }

    #[test]
    fn checks_certificates() {
        assert_eq!(
            answer(&check_question("4^2", "0 1\n1 3\n2 0\n3 2")),
            "holds\n4 squares of 4^2 are an independent set\n4^2\n0 1\n1 3\n2 0\n3 2"
        );
        assert_eq!(
            answer(&check_question("4^2", "0 0\n2 2")),
            "fault\nsquares 1 and 2 of the list, (0, 0) and (2, 2), attack each other\n4^2\n0 0\n2 2"
        );
    }

    #[test]
    fn rejects_invalid_questions_with_a_sentence() {
        for (question, fault) in [
            ("check\n", "the file is empty"),
            ("check\n<script>alert(1)</script>", "must begin with"),
            (&*check_question("file:/etc/passwd", "0"), "board files are not opened here"),
            (&*check_question("9^99", "0"), "certificate, line 2"),
            ("attacked 4^2 4 4", "no square of 4^2"),
            ("squares 1000^3", "more than 100000 squares"),
            ("prove 5^3", "there is no question"),
            ("", "there is no question"),
        ] {
            let answer = answer(question);
            let kind = if question.starts_with("check") { "unreadable\n" } else { "fault\n" };
            assert!(answer.starts_with(kind) && answer.contains(fault), "{question}: {answer}");
        }
        let dominating = check_question("40000x40000", "0 0\n1 2").replace("independent", "dominating");
        assert!(
            answer(&dominating).starts_with("limit\n") && answer(&dominating).contains("too many squares")
        );
    }

    #[test]
    fn limits_use_the_number_of_squares() {
        for name in [
            "2x3x4",
            "torus:3^3",
            "knight:4x5",
            "klein:4x5",
            "hex:1",
            "hex:4",
            "three:2",
            "three:8",
            "sudoku:2",
            "sudoku-x:2",
            "cells:3",
            "cells-x:2",
        ] {
            let board: BoardName = name.parse().expect(name);
            let squares = answer(&format!("squares {name}"));
            assert_eq!(board.count_squares(), squares.lines().count() as u128, "{name}");
        }
        // They have 98304 and 101400 squares; the squares of both sides are below 100000.
        assert!(!answer("squares three:256").starts_with("fault"));
        assert!(answer("squares three:260").contains("more than 100000 squares"));
    }

    #[test]
    fn lists_squares_and_attacked_squares() {
        assert_eq!(answer("squares 2x2"), "0 0\n0 1\n1 0\n1 1");
        assert_eq!(answer("squares hex:2").lines().count(), 7);
        assert_eq!(
            answer("attacked 3^2 0 1").lines().collect::<Vec<_>>(),
            ["0 0", "0 2", "1 0", "1 1", "1 2", "2 1"]
        );
        assert_eq!(answer("attacked rook:3^2 0 1").lines().count(), 4);
        assert_eq!(answer("attacked knight:5^2 2 2").lines().count(), 8);
        assert_eq!(answer("attacked king:3^3 1 1 1").lines().count(), 26);
        assert_eq!(answer("squares klein:4x5").lines().count(), 20);
    }
}
