//! Certificate files: a set of squares that claims to solve a problem on a board.
//!
//! ```text
//! ndqueens certificate 1
//! board: 4^3
//! problem: independent set
//! size: 7
//! origin: greedy
//! 0 0 0
//! 0 1 2
//! ...
//! ```
//!
//! On a board that a file describes, a line `digest: ` with the SHA-256 of that file's text follows the board, so that a
//! file that has changed since is noticed.
//!
//! One square a line, coordinates counted from 0. Lines that start with `#` and empty lines are skipped. Reading checks
//! the form only; whether the squares are on the board and solve the problem is for the crosscheck crate to say.

pub mod colouring;
pub mod solutions;

use std::fmt;
use std::num::{IntErrorKind, ParseIntError};
use std::str::FromStr;

use crate::name::{BoardName, Open, open_none};

/// First line of every certificate file.
pub const HEADER: &str = "ndqueens certificate 1";

/// What a set of squares is to solve.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Problem {
    /// No two squares attack each other.
    #[default]
    IndependentSet,
    /// Every square is in the set or attacked from it.
    DominatingSet,
    /// Both.
    IndependentDominatingSet,
    /// No three squares of a plain box are on a straight line, of whatever slope.
    NoThreeInLine,
}

impl Problem {
    /// Every problem.
    pub const ALL: [Self; 4] =
        [Self::IndependentSet, Self::DominatingSet, Self::IndependentDominatingSet, Self::NoThreeInLine];

    /// Returns `true` if the optimum is the largest solution, and `false` if it is the smallest.
    #[must_use]
    pub fn is_maximised(self) -> bool {
        matches!(self, Self::IndependentSet | Self::NoThreeInLine)
    }

    /// Returns `true` if no two squares of a solution attack each other.
    #[must_use]
    pub fn is_independent(self) -> bool {
        matches!(self, Self::IndependentSet | Self::IndependentDominatingSet)
    }

    /// What one set is that solves it: `an independent set`.
    #[must_use]
    pub fn with_article(self) -> String {
        let article = if self.is_independent() { "an" } else { "a" };
        format!("{article} {self}")
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::IndependentSet => "independent set",
            Self::DominatingSet => "dominating set",
            Self::IndependentDominatingSet => "independent dominating set",
            Self::NoThreeInLine => "no-three-in-line set",
        })
    }
}

/// A set of squares with the problem that it solves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Certificate {
    /// The board.
    pub board: BoardName,
    /// The problem that the squares solve.
    pub problem: Problem,
    /// How the certificate was made; one line.
    pub origin: String,
    /// The squares, as coordinate tuples counted from 0.
    pub squares: Vec<Vec<u32>>,
}

/// Why a certificate file cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("certificate, line {line}, column {column}: {fault}")]
pub struct CertificateError {
    /// Line, counted from 1.
    pub line: usize,
    /// Column, counted from 1.
    pub column: usize,
    /// What is wrong there and what is allowed.
    pub fault: String,
}

/// A square as text: `(0,1,2)`.
#[must_use]
pub fn tuple(square: &[u32]) -> String {
    let coordinates: Vec<String> = square.iter().map(u32::to_string).collect();
    format!("({})", coordinates.join(","))
}

/// Squares as text: `(0,1,2), (1,2,0)`.
#[must_use]
pub fn tuples(squares: &[Vec<u32>]) -> String {
    squares.iter().map(|square| tuple(square)).collect::<Vec<_>>().join(", ")
}

impl Certificate {
    /// A certificate that the squares, in any order, are an independent set. Squares are stored in increasing order.
    #[must_use]
    pub fn independent(board: BoardName, mut squares: Vec<Vec<u32>>, origin: impl Into<String>) -> Self {
        squares.sort_unstable();
        Self { board, problem: Problem::IndependentSet, origin: origin.into(), squares }
    }

    /// The number of squares.
    #[must_use]
    pub fn size(&self) -> usize {
        self.squares.len()
    }
}

impl fmt::Display for Certificate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{HEADER}\nboard: {}", self.board)?;
        if let BoardName::File(file) = &self.board {
            writeln!(f, "digest: {}", file.digest())?;
        }
        writeln!(f, "problem: {}\nsize: {}", self.problem, self.size())?;
        writeln!(f, "origin: {}", self.origin.replace(['\n', '\r'], " "))?;
        for square in &self.squares {
            for (axis, coordinate) in square.iter().enumerate() {
                write!(f, "{}{coordinate}", if axis == 0 { "" } else { " " })?;
            }
            writeln!(f)?;
        }
        Ok(())
    }
}

/// Reads certificates for boards that need no file; see [`Certificate::read`] for the others.
impl FromStr for Certificate {
    type Err = CertificateError;

    fn from_str(text: &str) -> Result<Self, CertificateError> {
        Self::read(text, &open_none)
    }
}

impl Certificate {
    /// Reads a certificate; the board file that it names is opened.
    ///
    /// # Errors
    /// Line, column and what is allowed there, if the text is not a certificate; the board file cannot be read; or it has
    /// changed.
    pub fn read(text: &str, open: Open<'_>) -> Result<Self, CertificateError> {
        let mut lines = Lines::new(text, HEADER)?;
        let board = lines.board(open)?;
        let (line, column, value) = lines.field("problem")?;
        let problem =
            Problem::ALL.into_iter().find(|problem| problem.to_string() == value).ok_or_else(|| {
                let allowed = Problem::ALL.map(|problem| problem.to_string()).join(", ");
                fault(line, column, format!("unknown problem \"{value}\"; expected one of {allowed}"))
            })?;
        let (size_line, size_column, size) = lines.number("size")?;
        let origin = lines.field("origin")?.2.to_owned();
        let mut squares = Vec::new();
        while let Some((line, text)) = lines.next() {
            squares.push(square(line, text, text)?);
        }
        if squares.len() != size {
            return Err(fault(
                size_line,
                size_column,
                match squares.len() {
                    1 => format!("the size is given as {size}, but 1 square follows"),
                    squares => format!("the size is given as {size}, but {squares} squares follow"),
                },
            ));
        }
        Ok(Self { board, problem, origin, squares })
    }
}

/// Returns the error for a fault in `line` and `column`, both counted from 1.
#[must_use]
pub fn fault(line: usize, column: usize, fault: String) -> CertificateError {
    CertificateError { line, column, fault }
}

/// Returns `true` if a text begins as a certificate file.
#[must_use]
pub fn is_certificate(text: &str) -> bool {
    begins_with(text, HEADER)
}

/// Returns `true` if the first line of `text` that is neither empty nor a remark is `header`.
#[must_use]
pub fn begins_with(text: &str, header: &str) -> bool {
    Lines::new(text, header).is_ok()
}

/// The lines of a file that are neither empty nor remarks.
struct Lines<'t> {
    lines: std::iter::Enumerate<std::str::Lines<'t>>,
    /// The number of the last field's line.
    last: usize,
}

impl<'t> Lines<'t> {
    /// Begins to read a file that has `header` as its first line.
    fn new(text: &'t str, header: &str) -> Result<Self, CertificateError> {
        let mut lines = Self { lines: text.lines().enumerate(), last: 1 };
        match lines.next() {
            Some((_, line)) if line.trim() == header => Ok(lines),
            Some((number, _)) => Err(fault(number, 1, format!("the file must begin with \"{header}\""))),
            None => Err(fault(1, 1, format!("the file is empty; it must begin with \"{header}\""))),
        }
    }

    /// The next line, its number counted from 1.
    fn next(&mut self) -> Option<(usize, &'t str)> {
        let worth_reading = |line: &&str| !line.trim().is_empty() && !line.trim_start().starts_with('#');
        self.lines.by_ref().find(|(_, line)| worth_reading(line)).map(|(i, line)| (i + 1, line))
    }

    /// The value of the next line, `key: value`, with its line and column.
    fn field(&mut self, key: &str) -> Result<(usize, usize, &'t str), CertificateError> {
        let (number, line) = self.next().ok_or_else(|| {
            fault(self.last + 1, 1, format!("the file ends too early: expected \"{key}: ...\""))
        })?;
        self.last = number;
        let value = line.trim_start().strip_prefix(key).and_then(|rest| rest.strip_prefix(':'));
        let value = value.ok_or_else(|| fault(number, 1, format!("expected \"{key}: ...\"")))?;
        let value_column = line.len() - value.trim_start().len();
        Ok((number, line[..value_column].chars().count() + 1, value.trim()))
    }

    /// The same for a number.
    fn number(&mut self, key: &str) -> Result<(usize, usize, usize), CertificateError> {
        let (line, column, value) = self.field(key)?;
        let number = plain_number::<usize>(value).map_err(|kind| {
            let words = match kind {
                IntErrorKind::PosOverflow => format!("{key} is too large: {value}"),
                _ => format!("{key} must be a number in decimal digits, not \"{value}\""),
            };
            fault(line, column, words)
        })?;
        Ok((line, column, number))
    }

    /// The board, and the digest of its file if it has one.
    fn board(&mut self, open: Open<'_>) -> Result<BoardName, CertificateError> {
        let (line, column, value) = self.field("board")?;
        if !BoardName::is_plain(value) {
            let words = format!(
                "\"{value}\" is not a board as files name it, such as 6^3 or rook:4x5x6, without leading zeros"
            );
            return Err(fault(line, column, words));
        }
        let board = BoardName::read(value, open).map_err(|e| fault(line, column, e.to_string()))?;
        if let BoardName::File(file) = &board {
            let (line, column, value) = self.field("digest")?;
            let digest = file.digest();
            if value != digest {
                let path = file.path();
                let words = format!(
                    "the board file {path} is another one than this, or has changed: its digest is {digest}"
                );
                return Err(fault(line, column, words));
            }
        }
        Ok(board)
    }
}

/// The coordinates in a part of a line.
fn square(line: usize, text: &str, part: &str) -> Result<Vec<u32>, CertificateError> {
    let coordinate = |word: &str| {
        plain_number(word).map_err(|_| {
            let column = text[..word.as_ptr() as usize - text.as_ptr() as usize].chars().count() + 1;
            let words = format!(
                "a coordinate must be a non-negative integer without a sign or leading zeros, not \"{word}\""
            );
            fault(line, column, words)
        })
    };
    if let Some(column) = part.chars().position(|c| c != ' ' && (c.is_whitespace() || c.is_control())) {
        let before = text[..part.as_ptr() as usize - text.as_ptr() as usize].chars().count();
        let words = "coordinates must be separated by blanks, and this is another character".to_owned();
        return Err(fault(line, before + column + 1, words));
    }
    part.split_whitespace().map(coordinate).collect()
}

/// Reads a number in decimal digits, without a sign and without leading zeros.
fn plain_number<T: FromStr<Err = ParseIntError>>(word: &str) -> Result<T, IntErrorKind> {
    let is_plain =
        word.bytes().all(|byte| byte.is_ascii_digit()) && (word.len() == 1 || !word.starts_with('0'));
    if !is_plain {
        return Err(IntErrorKind::InvalidDigit);
    }
    word.parse().map_err(|fault: ParseIntError| *fault.kind())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn example() -> Certificate {
        let squares = vec![vec![1, 2, 0], vec![0, 0, 0]];
        Certificate::independent(BoardName::queen(&[3, 3, 3]), squares, "by hand")
    }

    #[test]
    fn a_certificate_reads_back_as_written() {
        let text = example().to_string();
        assert_eq!(text.parse(), Ok(example()));
        assert_eq!(text.replace("0 0 0", "# a remark\n\n  0  0 0").parse(), Ok(example()));
    }

    #[test]
    fn faults_name_line_and_column() {
        let text = example().to_string();
        for (from, to, line, column, words) in [
            (HEADER, "queens", 1, 1, "must begin with"),
            ("board: 3^3", "board:  3^0", 2, 9, "dimension"),
            ("board: 3^3\n", "", 2, 1, "\"board: ...\""),
            ("independent set", "clique", 3, 10, "unknown problem"),
            ("size: 2", "size: two", 4, 7, "must be a number"),
            ("size: 2", "size: 3", 4, 7, "2 squares follow"),
            ("1 2 0", "1 2 x", 7, 5, "non-negative integer"),
            ("1 2 0", "1 -2 0", 7, 3, "non-negative integer"),
            ("1 2 0", "1 +2 0", 7, 3, "without a sign"),
            ("1 2 0", "1 02 0", 7, 3, "leading zeros"),
            ("1 2 0", "1\t2 0", 7, 2, "separated by blanks"),
            ("size: 2", "size: +2", 4, 7, "decimal digits"),
            ("size: 2", "size: 02", 4, 7, "decimal digits"),
            ("ndqueens", "\u{feff}ndqueens", 1, 1, "must begin with"),
        ] {
            let error = text.replace(from, to).parse::<Certificate>().expect_err(to);
            assert_eq!((error.line, error.column), (line, column), "{error}");
            assert!(error.fault.contains(words), "{error}");
        }
        assert!("".parse::<Certificate>().expect_err("empty").fault.contains("empty"));
        assert!(HEADER.parse::<Certificate>().expect_err("short").fault.contains("ends too early"));
    }

    #[test]
    fn a_board_file_that_has_changed_is_noticed() {
        let name =
            |text: &'static str| BoardName::read("file:a.txt", &|_| Ok(text.to_owned())).expect("a graph");
        let (before, after) = (name("0 1"), name("0 1\n1 2"));
        let certificate = Certificate::independent(before.clone(), vec![vec![1]], "by hand");
        let text = certificate.to_string();
        assert_eq!(text.lines().nth(1), Some("board: file:a.txt"));
        assert_eq!(text.lines().nth(2).map(str::len), Some("digest: ".len() + 64));
        assert_eq!(Certificate::read(&text, &before.opener()), Ok(certificate));
        let error = Certificate::read(&text, &after.opener()).expect_err("changed");
        assert_eq!((error.line, error.column), (3, 9));
        assert!(error.fault.contains("a.txt is another one than this, or has changed"), "{error}");
        let undigested = text.replace("digest", "digits");
        let error = Certificate::read(&undigested, &before.opener()).expect_err("no digest");
        assert!(error.fault.contains("expected \"digest: ...\""), "{error}");
        let error = text.parse::<Certificate>().expect_err("not opened");
        assert_eq!((error.line, error.column), (2, 8));
        assert!(error.fault.contains("board files are not opened here"), "{error}");
    }
}
