//! Text format of a board, and of a game on it:
//!
//! ```text
//! ndqueens cliquer 1
//! # a remark, up to the end of its line
//! 0 0
//! 10 1
//! 4 9
//! 5 3
//! moves:
//! A-B A-C
//! B-D
//! ```
//!
//! A line `rules: 2=1 3=3 4=5 again=3` may precede the dots of a game with other rules, see
//! [`crate::scoring`]. Each dot has a line with its two coordinates; the dots are named A, B, C and so on.
//! The moves follow, if there are any, in the order in which they were made.

use std::fmt::Write as _;

use ndqueens_notation::escape::escape;

use crate::board::{Board, BoardError, Dot, FARTHEST, MOST_DOTS, letter};
use crate::rules::{Game, IllegalMove};
use crate::scoring::{Scoring, ScoringError};

/// First line of a file.
pub const HEADER: &str = "ndqueens cliquer 1";

/// First word of the line with rules.
const RULES: &str = "rules:";

/// Line that precedes the moves.
const MOVES: &str = "moves:";

/// Error of a text that is not a board or a game.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, column {column}: {}", escape(message))]
pub struct TextError {
    /// Line, counted from 1.
    pub line: usize,
    /// Column, counted from 1.
    pub column: usize,
    /// Description of the fault.
    pub message: String,
}

/// Word of a text with its line and column, from 1.
#[derive(Debug, Clone, Copy)]
struct Word<'t> {
    line: usize,
    column: usize,
    text: &'t str,
}

impl Word<'_> {
    /// Creates an error at the word.
    fn fault(self, message: &(impl ToString + ?Sized)) -> TextError {
        TextError { line: self.line, column: self.column, message: message.to_string() }
    }

    /// Parses a coordinate.
    fn coordinate(self) -> Result<i64, TextError> {
        if let Ok(number) = self.text.parse() {
            return Ok(number);
        }
        let digits = self.text.strip_prefix(['-', '+']).unwrap_or(self.text);
        if !digits.is_empty() && digits.chars().all(|c| c.is_ascii_digit()) {
            return Err(
                self.fault(&format!("{} is too far away: coordinates go up to {FARTHEST}", self.text))
            );
        }
        Err(self.fault(&format!("a coordinate is a whole number, not \"{}\"", self.text)))
    }
}

/// Returns the words of each line, without remarks; lines without words are skipped.
fn lines(text: &str) -> impl Iterator<Item = Vec<Word<'_>>> {
    (1..).zip(text.lines()).map(|(line, whole)| words(line, whole)).filter(|words| !words.is_empty())
}

/// Returns the words of one line, without the remark.
fn words(line: usize, whole: &str) -> Vec<Word<'_>> {
    let content = whole.split('#').next().unwrap_or_default();
    let word = |text| {
        let before = str::as_ptr(text) as usize - whole.as_ptr() as usize;
        Word { line, column: 1 + whole[..before].chars().count(), text }
    };
    content.split_whitespace().map(word).collect()
}

/// Returns `true` if a text starts like a board of CliqueR, in any version of the format.
#[must_use]
pub fn is_board(text: &str) -> bool {
    let mut first = lines(text).next().unwrap_or_default().into_iter().map(|word| word.text);
    [first.next(), first.next()] == [Some("ndqueens"), Some("cliquer")]
}

/// Reads a board and the moves of a game on it, each a segment; the file of a board has no moves.
///
/// # Errors
/// Returns an error at the first word that does not follow the format, if the dots do not form a board, or if
/// a move is not allowed.
pub fn read(text: &str) -> Result<(Board, Vec<usize>), TextError> {
    let last = text.lines().count().max(1);
    let end = |message: String| TextError { line: last, column: 1, message };
    let mut lines = lines(text);
    let head = lines.next().ok_or_else(|| end(format!("the file is empty; it begins with \"{HEADER}\"")))?;
    check_header(&head)?;
    let mut draft = Draft::default();
    for words in lines {
        draft.add_line(&words)?;
    }
    let Draft { dots, moves, scoring } = draft;
    let board = Board::new(dots.iter().map(|(dot, _)| *dot).collect()).map_err(|fault| match &fault {
        BoardError::TooFew(_) | BoardError::TooMany(_) => end(fault.to_string()),
        BoardError::TooFar { dot, .. } => dots[*dot].1.fault(&fault),
        BoardError::Same { dots: [first, second], .. } => {
            dots[*second].1.fault(&format!("{fault}; {} is in line {}", letter(*first), dots[*first].1.line))
        }
        BoardError::OnALine { dots: three, .. } => dots[three[2]].1.fault(&fault),
    })?;
    let board = board.with_scoring(scoring.unwrap_or_default());
    let moves = check_moves(&board, &moves.unwrap_or_default())?;
    Ok((board, moves))
}

/// Checks the first line of a file.
fn check_header(head: &[Word<'_>]) -> Result<(), TextError> {
    let found = head.iter().map(|word| word.text).collect::<Vec<_>>().join(" ");
    if found == HEADER {
        return Ok(());
    }
    let message = if found.starts_with("ndqueens cliquer") {
        format!("\"{found}\" is another version; this reads \"{HEADER}\"")
    } else {
        format!("a CliqueR board begins with \"{HEADER}\", not with \"{found}\"")
    };
    Err(head[0].fault(&message))
}

/// Content of the lines read so far.
#[derive(Default)]
struct Draft<'t> {
    /// Dots, each with its first word.
    dots: Vec<(Dot, Word<'t>)>,
    /// Words after the line [`MOVES`].
    moves: Option<Vec<Word<'t>>>,
    scoring: Option<Scoring>,
}

impl<'t> Draft<'t> {
    /// Adds the words of a line.
    fn add_line(&mut self, words: &[Word<'t>]) -> Result<(), TextError> {
        match (&mut self.moves, words) {
            (Some(moves), words) => moves.extend(words),
            (None, [keyword]) if keyword.text == MOVES => self.moves = Some(Vec::new()),
            (None, [keyword, rules @ ..]) if keyword.text == RULES => {
                if self.scoring.is_some() || !self.dots.is_empty() {
                    return Err(keyword.fault("the rules are stated once, before the dots"));
                }
                let rules: Vec<&str> = rules.iter().map(|word| word.text).collect();
                let scoring = rules.join(" ").parse().map_err(|fault: ScoringError| keyword.fault(&fault))?;
                self.scoring = Some(scoring);
            }
            (None, &[x, y]) => {
                let dot = Dot { x: x.coordinate()?, y: y.coordinate()? };
                if self.dots.len() == MOST_DOTS {
                    return Err(x.fault(&BoardError::TooMany(MOST_DOTS + 1)));
                }
                self.dots.push((dot, x));
            }
            (None, &[one]) => {
                one.coordinate()?;
                return Err(one.fault("a dot has two coordinates, and this line has one"));
            }
            (None, &[x, y, third, ..]) => {
                x.coordinate()?;
                y.coordinate()?;
                return Err(third.fault(&format!(
                    "a dot has two coordinates, and this line continues with \"{}\"",
                    third.text
                )));
            }
            (None, []) => {}
        }
        Ok(())
    }
}

/// Returns the segments of moves, which must be allowed by the rules.
fn check_moves(board: &Board, moves: &[Word<'_>]) -> Result<Vec<usize>, TextError> {
    let mut game = Game::new(board);
    for word in moves {
        let segment = board.parse_segment(word.text).map_err(|fault| word.fault(&fault))?;
        game.play(segment).map_err(|fault: IllegalMove| {
            word.fault(&format!("move {} is not allowed: {fault}", game.moves().len() + 1))
        })?;
    }
    Ok(game.segments())
}

/// Formats a board and the moves of a game on it; each remark is a line after the header.
#[must_use]
pub fn write(board: &Board, moves: &[usize], remarks: &[String]) -> String {
    let mut text = format!("{HEADER}\n");
    for remark in remarks {
        let _ = writeln!(text, "# {remark}");
    }
    if board.scoring() != Scoring::default() {
        let _ = writeln!(text, "{RULES} {}", board.scoring());
    }
    for dot in board.dots() {
        let _ = writeln!(text, "{} {}", dot.x, dot.y);
    }
    if !moves.is_empty() {
        let _ = writeln!(text, "{MOVES}");
        for line in moves.chunks(10) {
            let names: Vec<String> = line.iter().map(|&segment| board.name(segment)).collect();
            let _ = writeln!(text, "{}", names.join(" "));
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_back_what_it_writes() {
        let text =
            "ndqueens cliquer 1\n# a remark\n\n  0 0 # the first\n10 1\n4 9\n5 3\nmoves:\na-b ac\n\nBD\n";
        let (board, moves) = read(text).expect("a game");
        assert_eq!(moves.iter().map(|&s| board.name(s)).collect::<Vec<_>>(), ["A-B", "A-C", "B-D"]);
        assert_eq!(read(&write(&board, &moves, &["remark".to_owned()])), Ok((board.clone(), moves)));
        assert_eq!(read(&write(&board, &[], &[])), Ok((board, Vec::new())));
        assert!(
            is_board(text)
                && is_board("# first\n\n ndqueens  cliquer 2")
                && !is_board("ndqueens board 1")
                && !is_board("")
        );
    }

    #[test]
    fn errors_state_line_and_column() {
        let head = "ndqueens cliquer 1\n";
        for (body, expected) in [
            (
                "0 0\n1 0\n0 1\n 2 -1\n",
                "line 5, column 2: three dots are on a line: B at (1, 0), C at (0, 1), D at (2, -1)",
            ),
            ("0 0\n1 0\n0 1\n0 0\n", "line 5, column 1: the dots A and D are both at (0, 0); A is in line 2"),
            ("0 0\n1 0\n", "line 3, column 1: a board has at least 3 dots, not 2"),
            ("0 0\n1\n", "line 3, column 1: a dot has two coordinates, and this line has one"),
            ("0 0\nx 1\n", "line 3, column 1: a coordinate is a whole number, not \"x\""),
            ("0 0\n1 2.5\n", "line 3, column 3: a coordinate is a whole number, not \"2.5\""),
            ("0 0 0\n", "line 2, column 5: a dot has two coordinates, and this line continues with \"0\""),
            ("0 0\n1 0\n0 99999999999999999999\n", "line 4, column 3: 99999999999999999999 is too far away"),
            ("0 0\n1 0\n0 2000000000\n", "line 4, column 1: the dot C at (0, 2000000000) is too far away"),
            (
                "0 0\n9 0\n9 9\n0 8\nmoves:\nA-C\nC-A\n",
                "line 8, column 1: move 2 is not allowed: A-C repeats move 1",
            ),
            (
                "0 0\n9 0\n9 9\n0 8\nmoves:\nA-C B-D\n",
                "line 7, column 5: move 2 is not allowed: B-D crosses A-C, which is move 1",
            ),
            ("0 0\n9 0\n9 9\nmoves:\nA-E\n", "line 6, column 1: there is no dot E: the dots are A to C"),
            ("0 0\n9 0\n9 9\nmoves:\nA-A\n", "line 6, column 1: A cannot be joined to itself"),
            ("0 0\n9 0\n9 9\nmoves:\nA\n", "line 6, column 1: a move is two dots, such as A-B, not \"A\""),
        ] {
            let fault = read(&format!("{head}{body}")).expect_err(body).to_string();
            assert!(fault.starts_with(expected), "{body}: {fault}");
        }
        for (text, expected) in [
            ("", "line 1, column 1: the file is empty"),
            (
                "\n\n 0 0\n",
                "line 3, column 2: a CliqueR board begins with \"ndqueens cliquer 1\", not with \"0 0\"",
            ),
            ("ndqueens cliquer 2\n", "line 1, column 1: \"ndqueens cliquer 2\" is another version"),
        ] {
            let fault = read(text).expect_err(text).to_string();
            assert!(fault.starts_with(expected), "{text}: {fault}");
        }
        let many: String = (0..53).map(|i| format!("{i} {}\n", i * i)).collect();
        let fault = read(&format!("{head}{many}")).expect_err("too many").to_string();
        assert_eq!(fault, "line 54, column 1: a board has at most 52 dots, one for each letter, not 53");
    }
}
