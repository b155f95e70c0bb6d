//! The checker for pages in a browser, as WebAssembly: what [`answer`] is asked goes to `crosscheck`, and nothing is decided here.
//!
//! A page writes a question where `reserve` says, calls `ask`, and reads the answer where that says, `length` bytes of it.
//! Both are text:
//!
//! | question | answer |
//! | --- | --- |
//! | `check`, and a certificate in the lines below | `holds`, `fault` (it does not hold) or `limit` (it was not checked); a sentence; its board, and a line for each of its squares; or `unreadable` and a sentence |
//! | `squares BOARD` | a line for each square, or `fault` and a sentence |
//! | `attacked BOARD SQUARE` | a line for each square that a piece on this one attacks, or `fault` and a sentence |

#[cfg(target_arch = "wasm32")]
mod memory;

use ndqueens_crosscheck::boards::definition;
use ndqueens_crosscheck::verify::verify;
use ndqueens_notation::certificate::{Certificate, Problem};
use ndqueens_notation::name::{BoardName, open_none};

#[cfg(target_arch = "wasm32")]
pub use self::memory::{ask, length, reserve};

/// A page draws boards of no more squares than this.
const MOST_SQUARES: usize = 100_000;

/// A page tests no more than so many pairs of a square of the board and one of the certificate.
const MOST_PAIRS: u128 = 1_000_000_000;

/// The answer to a question.
#[must_use]
pub fn answer(question: &str) -> String {
    let (verb, rest) = question.split_at(question.find([' ', '\n']).unwrap_or(question.len()));
    let rest = rest.get(1..).unwrap_or_default();
    let answered = match verb {
        "check" => return check(rest),
        "squares" => board(rest).map(|board| squares(&board)),
        "attacked" => attacked(rest),
        _ => Err(format!("there is no question \"{verb}\"")),
    };
    answered.unwrap_or_else(|fault| format!("fault\n{fault}"))
}

fn check(text: &str) -> String {
    let certificate = match Certificate::read(text, &open_none) {
        Ok(certificate) => certificate,
        Err(fault) => return format!("unreadable\n{fault}"),
    };
    let Certificate { board, problem, squares, .. } = &certificate;
    let is_large = *problem != Problem::IndependentSet && extent(board) * squares.len() as u128 > MOST_PAIRS;
    let verdict = if is_large {
        "limit\nthe board has too many squares to be checked in a page; ndq check has no such limit"
            .to_owned()
    } else {
        match verify(&certificate) {
            Ok(verified) => {
                let set = verified.problem().with_article();
                format!("holds\n{} squares of {} are {set}", verified.size(), verified.board())
            }
            Err(fault) => format!("fault\n{fault}"),
        }
    };
    format!("{verdict}\n{board}\n{}", lines(squares))
}

/// At least as many squares as the board has.
fn extent(board: &BoardName) -> u128 {
    match board {
        BoardName::Grid { sides, .. } | BoardName::Leaper { sides, .. } => {
            sides.iter().map(|&side| u128::from(side)).product()
        }
        BoardName::Surface { sides, .. } => sides.iter().map(|&side| u128::from(side)).product(),
        BoardName::Hex(side) => 3 * u128::from(*side).pow(2),
        BoardName::Three(side) => u128::from(*side).pow(2),
        BoardName::Sudoku(order) | BoardName::SudokuX(order) => u128::from(*order).pow(6),
        BoardName::Cells(order) | BoardName::CellsX(order) => u128::from(*order).pow(4),
        BoardName::File(_) => 0,
    }
}

/// A board that a page draws.
fn board(name: &str) -> Result<BoardName, String> {
    let board = BoardName::read(name.trim(), &open_none).map_err(|fault| fault.to_string())?;
    if extent(&board) > MOST_SQUARES as u128 {
        return Err(format!("{board} has more than {MOST_SQUARES} squares, which a page does not draw"));
    }
    Ok(board)
}

fn squares(board: &BoardName) -> String {
    lines(&definition(board).squares().collect::<Vec<_>>())
}

fn attacked(text: &str) -> Result<String, String> {
    let mut words = text.split_whitespace();
    let board = board(words.next().unwrap_or_default())?;
    let definition = definition(&board);
    let square: Vec<u32> = words.filter_map(|word| word.parse().ok()).collect();
    if square.len() != definition.dimension() || !definition.contains(&square) {
        return Err(format!("this is no square of {board}; {}", definition.allowed()));
    }
    let attacked =
        definition.squares().filter(|other| *other != square && definition.attacks(&square, other));
    Ok(lines(&attacked.collect::<Vec<_>>()))
}

fn lines(squares: &[Vec<u32>]) -> String {
    let line = |square: &Vec<u32>| square.iter().map(u32::to_string).collect::<Vec<_>>().join(" ");
    squares.iter().map(line).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn certificate(board: &str, squares: &str) -> String {
        let size = squares.lines().count();
        format!(
            "check\nndqueens certificate 1\nboard: {board}\nproblem: independent set\nsize: {size}\norigin: a test\n{squares}\n"
        )
    }

    #[test]
    fn certificates_are_checked_as_the_program_checks_them() {
        assert_eq!(
            answer(&certificate("4^2", "0 1\n1 3\n2 0\n3 2")),
            "holds\n4 squares of 4^2 are an independent set\n4^2\n0 1\n1 3\n2 0\n3 2"
        );
        assert_eq!(
            answer(&certificate("4^2", "0 0\n2 2")),
            "fault\nsquares 1 and 2 of the list, (0, 0) and (2, 2), attack each other\n4^2\n0 0\n2 2"
        );
    }

    #[test]
    fn what_is_no_certificate_is_refused_in_a_sentence() {
        for (question, fault) in [
            ("check\n", "the file is empty"),
            ("check\n<script>alert(1)</script>", "must begin with"),
            (&*certificate("file:/etc/passwd", "0"), "board files are not opened here"),
            (&*certificate("9^99", "0"), "certificate, line 2"),
            ("attacked 4^2 4 4", "no square of 4^2"),
            ("squares 1000^3", "more than 100000 squares"),
            ("prove 5^3", "there is no question"),
            ("", "there is no question"),
        ] {
            let answer = answer(question);
            let kind = if question.starts_with("check") { "unreadable\n" } else { "fault\n" };
            assert!(answer.starts_with(kind) && answer.contains(fault), "{question}: {answer}");
        }
        let dominating = certificate("40000x40000", "0 0\n1 2").replace("independent", "dominating");
        assert!(
            answer(&dominating).starts_with("limit\n") && answer(&dominating).contains("too many squares")
        );
    }

    #[test]
    fn squares_and_attacks_are_those_of_the_definition() {
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
