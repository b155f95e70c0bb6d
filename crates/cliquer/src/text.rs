//! The text of a board, and of a game on it:
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
//! A line `rules: 2=1 3=3 4=5 again=3` may precede the dots of a game with other rules, see [`crate::scoring`]. A line for each dot
//! holds its two coordinates; the dots are called A, B, C and so on. The moves come after them, if there are
//! any, and are those of the first and the second player in turn.

use std::fmt::Write as _;

use ndqueens_notation::escape::escape;

use crate::board::{Board, BoardError, Dot, FARTHEST, MOST_DOTS, letter};
use crate::rules::{Game, IllegalMove};
use crate::scoring::{Scoring, ScoringError};

/// What a file begins with.
pub const HEADER: &str = "ndqueens cliquer 1";

/// Prefix of the line with other rules than the usual ones.
const RULES: &str = "rules:";

/// What comes before the moves.
const MOVES: &str = "moves:";

/// What is wrong with a text, and where.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, column {column}: {}", escape(words))]
pub struct TextError {
    /// Line, counted from 1.
    pub line: usize,
    /// Column, counted from 1.
    pub column: usize,
    /// What is wrong there.
    pub words: String,
}

/// A word of a text and its place there.
#[derive(Debug, Clone, Copy)]
struct Word<'t> {
    line: usize,
    column: usize,
    text: &'t str,
}

impl Word<'_> {
    fn fault(self, words: &(impl ToString + ?Sized)) -> TextError {
        TextError { line: self.line, column: self.column, words: words.to_string() }
    }

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

/// The words of each line that has some, remarks left out.
fn lines(text: &str) -> impl Iterator<Item = Vec<Word<'_>>> {
    (1..).zip(text.lines()).map(|(line, whole)| words(line, whole)).filter(|words| !words.is_empty())
}

fn words(line: usize, whole: &str) -> Vec<Word<'_>> {
    let content = whole.split('#').next().unwrap_or_default();
    let word = |text| {
        let before = str::as_ptr(text) as usize - whole.as_ptr() as usize;
        Word { line, column: 1 + whole[..before].chars().count(), text }
    };
    content.split_whitespace().map(word).collect()
}

/// Whether a text begins as one of a board of CliqueR does, of whatever version.
#[must_use]
pub fn is_board(text: &str) -> bool {
    let mut first = lines(text).next().unwrap_or_default().into_iter().map(|word| word.text);
    [first.next(), first.next()] == [Some("ndqueens"), Some("cliquer")]
}

/// Reads a board and the moves of a game on it, each a segment; there are none in the file of a board. The moves have been
/// checked by the rules.
///
/// # Errors
/// At the first place that is no such text, or no board, or where a move is not allowed.
pub fn read(text: &str) -> Result<(Board, Vec<usize>), TextError> {
    let last = text.lines().count().max(1);
    let end = |words: String| TextError { line: last, column: 1, words };
    let mut lines = lines(text);
    let head = lines.next().ok_or_else(|| end(format!("the file is empty; it begins with \"{HEADER}\"")))?;
    let said = head.iter().map(|word| word.text).collect::<Vec<_>>().join(" ");
    if said != HEADER {
        let words = if said.starts_with("ndqueens cliquer") {
            format!("\"{said}\" is another version; this reads \"{HEADER}\"")
        } else {
            format!("a CliqueR board begins with \"{HEADER}\", not with \"{said}\"")
        };
        return Err(head[0].fault(&words));
    }
    let mut dots: Vec<(Dot, Word<'_>)> = Vec::new();
    let mut moves: Option<Vec<Word<'_>>> = None;
    let mut scoring: Option<Scoring> = None;
    for words in lines {
        match (&mut moves, words.as_slice()) {
            (Some(moves), words) => moves.extend(words),
            (None, [keyword]) if keyword.text == MOVES => moves = Some(Vec::new()),
            (None, [keyword, rules @ ..]) if keyword.text == RULES => {
                if scoring.is_some() || !dots.is_empty() {
                    return Err(keyword.fault("the rules are stated once, before the dots"));
                }
                let stated: Vec<&str> = rules.iter().map(|word| word.text).collect();
                scoring =
                    Some(stated.join(" ").parse().map_err(|fault: ScoringError| keyword.fault(&fault))?);
            }
            (None, &[x, y]) => {
                let dot = Dot { x: x.coordinate()?, y: y.coordinate()? };
                if dots.len() == MOST_DOTS {
                    return Err(x.fault(&BoardError::TooMany(MOST_DOTS + 1)));
                }
                dots.push((dot, x));
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
    }
    let board = Board::new(dots.iter().map(|(dot, _)| *dot).collect()).map_err(|fault| match &fault {
        BoardError::TooFew(_) | BoardError::TooMany(_) => end(fault.to_string()),
        BoardError::TooFar { dot, .. } => dots[*dot].1.fault(&fault),
        BoardError::Same { dots: [first, second], .. } => {
            dots[*second].1.fault(&format!("{fault}; {} is in line {}", letter(*first), dots[*first].1.line))
        }
        BoardError::OnALine { dots: three, .. } => dots[three[2]].1.fault(&fault),
    })?;
    let board = board.with_scoring(scoring.unwrap_or_default());
    let mut game = Game::new(&board);
    for word in moves.unwrap_or_default() {
        let segment = board.named(word.text).map_err(|fault| word.fault(&fault))?;
        game.play(segment).map_err(|fault: IllegalMove| {
            word.fault(&format!("move {} is not allowed: {fault}", game.moves().len() + 1))
        })?;
    }
    let moves = game.segments();
    Ok((board, moves))
}

/// The text of a board and of the moves made on it, under remarks, one a line.
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
        for some in moves.chunks(10) {
            let names: Vec<String> = some.iter().map(|&segment| board.name(segment)).collect();
            let _ = writeln!(text, "{}", names.join(" "));
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_again() {
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
    fn faults_are_told_with_their_place() {
        let head = "ndqueens cliquer 1\n";
        for (body, said) in [
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
            assert!(fault.starts_with(said), "{body}: {fault}");
        }
        for (text, said) in [
            ("", "line 1, column 1: the file is empty"),
            (
                "\n\n 0 0\n",
                "line 3, column 2: a CliqueR board begins with \"ndqueens cliquer 1\", not with \"0 0\"",
            ),
            ("ndqueens cliquer 2\n", "line 1, column 1: \"ndqueens cliquer 2\" is another version"),
        ] {
            let fault = read(text).expect_err(text).to_string();
            assert!(fault.starts_with(said), "{text}: {fault}");
        }
        let many: String = (0..53).map(|i| format!("{i} {}\n", i * i)).collect();
        let fault = read(&format!("{head}{many}")).expect_err("too many").to_string();
        assert_eq!(fault, "line 54, column 1: a board has at most 52 dots, one for each letter, not 53");
    }
}
