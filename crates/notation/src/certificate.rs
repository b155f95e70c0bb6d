//! Certificate files: a set of squares that is claimed to solve a problem on a board.
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
//! If the board comes from a file, the line after `board:` is `digest: ` and the SHA-256 of that file's text.
//! A certificate is rejected if the board file has changed since.
//!
//! Each further line is one square; its coordinates count from 0. Empty lines and lines that start with `#`
//! are skipped. The reader checks the format only. The crosscheck crate checks that the squares are on the
//! board and solve the problem.

pub mod colouring;
pub mod facets;
pub mod solutions;

use std::fmt;
use std::num::{IntErrorKind, ParseIntError};
use std::str::FromStr;

use crate::counted::counted;
use crate::error_class::{Classified, ErrorClass};
use crate::escape::escape_lines;
use crate::name::{BoardName, OpenFile, reject_files};

/// First line of every certificate file.
pub const HEADER: &str = "ndqueens certificate 1";

/// Problem on a board that a set of squares may solve.
///
/// # Examples
/// ```
/// use ndqueens_notation::certificate::Problem;
///
/// assert!(Problem::IndependentSet.is_maximised());
/// assert_eq!(Problem::DominatingSet.with_article(), "a dominating set");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Problem {
    /// A set in which no two squares attack each other.
    #[default]
    IndependentSet,
    /// A set such that every square of the board is in it or attacked from it.
    DominatingSet,
    /// An independent set that is also a dominating set.
    IndependentDominatingSet,
    /// A set of squares of a plain box, no three of which are on a straight line of any slope.
    NoThreeInLine,
}

impl Problem {
    /// All problems.
    pub const ALL: [Self; 4] =
        [Self::IndependentSet, Self::DominatingSet, Self::IndependentDominatingSet, Self::NoThreeInLine];

    /// Returns `true` if an optimum is a largest solution, and `false` if it is a smallest one.
    #[must_use]
    pub fn is_maximised(self) -> bool {
        matches!(self, Self::IndependentSet | Self::NoThreeInLine)
    }

    /// Returns `true` if no two squares of a solution attack each other.
    #[must_use]
    pub fn is_independent(self) -> bool {
        matches!(self, Self::IndependentSet | Self::IndependentDominatingSet)
    }

    /// Returns the name of a solution with its article, e.g. `an independent set`.
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

/// Set of squares and the problem that it is claimed to solve.
///
/// # Examples
/// ```
/// use ndqueens_notation::certificate::{Certificate, Problem};
///
/// let text = "ndqueens certificate 1\nboard: 4^2\nproblem: independent set\nsize: 1\n\
///             origin: by hand\n0 1\n";
/// let certificate: Certificate = text.parse()?;
/// assert_eq!((certificate.problem, certificate.size()), (Problem::IndependentSet, 1));
/// assert_eq!(certificate.to_string(), text);
/// # Ok::<(), ndqueens_notation::certificate::CertificateError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Certificate {
    /// The board.
    pub board: BoardName,
    /// The problem that the squares are claimed to solve.
    pub problem: Problem,
    /// Origin of the certificate, e.g. the method that produced it; one line.
    pub origin: String,
    /// The squares as coordinate tuples; coordinates count from 0.
    pub squares: Vec<Vec<u32>>,
}

/// Kind of file that consists of headers and lines of squares.
///
/// # Examples
/// ```
/// use ndqueens_notation::certificate::FileKind;
///
/// assert_eq!(FileKind::Solutions.to_string(), "list of solutions");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileKind {
    /// A certificate, or a set of squares in another convention.
    Certificate,
    /// A colouring.
    Colouring,
    /// Facets with their tight sets.
    Facets,
    /// A list of solutions.
    Solutions,
    /// A file whose first line names a format that is not known.
    Unknown,
}

impl fmt::Display for FileKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Certificate => "certificate",
            Self::Colouring => "colouring",
            Self::Facets => "certificate of facets",
            Self::Solutions => "list of solutions",
            Self::Unknown => "unknown format",
        })
    }
}

/// Error in a certificate file, or in a colouring or a list of solutions.
///
/// # Examples
/// ```
/// use ndqueens_notation::certificate::Certificate;
///
/// let error = "ndqueens certificate 1\nboard 4^2\n".parse::<Certificate>().expect_err("a colon is missing");
/// assert_eq!(error.line, 2);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{file}, line {line}, column {column}: {}", escape_lines(fault))]
pub struct CertificateError {
    /// The kind of file that was expected.
    pub file: FileKind,
    /// Line, counted from 1.
    pub line: usize,
    /// Column, counted from 1.
    pub column: usize,
    /// Description of the error and of the values allowed there.
    pub fault: String,
}

impl Classified for CertificateError {
    fn class(&self) -> ErrorClass {
        ErrorClass::BadInput
    }
}

/// Formats a square, e.g. `(0,1,2)`.
#[must_use]
pub fn format_square(square: &[u32]) -> String {
    let coordinates: Vec<String> = square.iter().map(u32::to_string).collect();
    format!("({})", coordinates.join(","))
}

/// Formats a list of squares, e.g. `(0,1,2), (1,2,0)`.
#[must_use]
pub fn format_squares(squares: &[Vec<u32>]) -> String {
    squares.iter().map(|square| format_square(square)).collect::<Vec<_>>().join(", ")
}

impl Certificate {
    /// Creates a certificate of an independent set. Sorts `squares` in increasing order.
    #[must_use]
    pub fn independent(board: BoardName, mut squares: Vec<Vec<u32>>, origin: impl Into<String>) -> Self {
        squares.sort_unstable();
        Self { board, problem: Problem::IndependentSet, origin: origin.into(), squares }
    }

    /// Returns the number of squares.
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

/// Parses certificates for boards that need no file; see [`Certificate::parse_with`] for the others.
impl FromStr for Certificate {
    type Err = CertificateError;

    fn from_str(text: &str) -> Result<Self, CertificateError> {
        Self::parse_with(text, &reject_files)
    }
}

impl Certificate {
    /// Reads a certificate. Opens the board file that it names, if any, with `open`.
    ///
    /// # Errors
    /// Returns an error if the text is not a certificate, or if the board file cannot be read or has changed.
    /// The error names the line, the column and the values allowed there.
    pub fn parse_with(text: &str, open: OpenFile<'_>) -> Result<Self, CertificateError> {
        let mut lines = Lines::new(text, HEADER)?;
        let board = lines.board(open)?;
        let (line, column, value) = lines.field("problem")?;
        let problem =
            Problem::ALL.into_iter().find(|problem| problem.to_string() == value).ok_or_else(|| {
                let allowed = Problem::ALL.map(|problem| problem.to_string()).join(", ");
                certificate_error(
                    line,
                    column,
                    format!("unknown problem \"{value}\"; expected one of {allowed}"),
                )
            })?;
        let (size_line, size_column, size) = lines.number("size")?;
        let origin = lines.origin()?;
        let mut squares = Vec::new();
        while let Some((line, text)) = lines.next() {
            squares.push(square(line, text, text)?);
        }
        if squares.len() != size {
            return Err(certificate_error(
                size_line,
                size_column,
                format!("the size is given as {size}, but the file has {}", counted(squares.len(), "square")),
            ));
        }
        Ok(Self { board, problem, origin, squares })
    }
}

/// Creates an error in a certificate at `line` and `column`, both counted from 1.
#[must_use]
pub fn certificate_error(line: usize, column: usize, fault: String) -> CertificateError {
    CertificateError { file: FileKind::Certificate, line, column, fault }
}

/// Returns `true` if `text` starts with the header of a certificate file.
#[must_use]
pub fn is_certificate(text: &str) -> bool {
    has_header(text, HEADER)
}

/// Returns `true` if the first line of `text` that is neither empty nor a comment is `header`.
#[must_use]
pub fn has_header(text: &str, header: &str) -> bool {
    Lines::new(text, header).is_ok()
}

/// Iterator over the lines of a file that are neither empty nor comments.
struct Lines<'t> {
    lines: std::iter::Enumerate<std::str::Lines<'t>>,
    /// Line number of the last field.
    last_line: usize,
}

impl<'t> Lines<'t> {
    /// Creates the iterator and consumes the first line, which must be `header`.
    fn new(text: &'t str, header: &str) -> Result<Self, CertificateError> {
        let mut lines = Self { lines: text.lines().enumerate(), last_line: 1 };
        match lines.next() {
            Some((_, line)) if line.trim() == header => Ok(lines),
            Some((number, _)) => {
                Err(certificate_error(number, 1, format!("the file must begin with \"{header}\"")))
            }
            None => {
                Err(certificate_error(1, 1, format!("the file is empty; it must begin with \"{header}\"")))
            }
        }
    }

    /// Returns the next line and its number, counted from 1.
    fn next(&mut self) -> Option<(usize, &'t str)> {
        let is_significant = |line: &&str| !line.trim().is_empty() && !line.trim_start().starts_with('#');
        self.lines.by_ref().find(|(_, line)| is_significant(line)).map(|(i, line)| (i + 1, line))
    }

    /// Reads the next line, which must be `key: value`. Returns the line, the column and the text of the
    /// value.
    fn field(&mut self, key: &str) -> Result<(usize, usize, &'t str), CertificateError> {
        let (number, line) = self.next().ok_or_else(|| {
            certificate_error(
                self.last_line + 1,
                1,
                format!("the file ends too early: expected \"{key}: ...\""),
            )
        })?;
        self.last_line = number;
        let value = line.trim_start().strip_prefix(key).and_then(|rest| rest.strip_prefix(':'));
        let value = value.ok_or_else(|| certificate_error(number, 1, format!("expected \"{key}: ...\"")))?;
        let value_column = line.len() - value.trim_start().len();
        Ok((number, line[..value_column].chars().count() + 1, value.trim()))
    }

    /// Returns the origin. A carriage return in it becomes a space, as it does when the origin is written.
    fn origin(&mut self) -> Result<String, CertificateError> {
        Ok(self.field("origin")?.2.replace('\r', " "))
    }

    /// Reads the next line, which must be `key: value` with a number. Returns its line, column and value.
    fn number(&mut self, key: &str) -> Result<(usize, usize, usize), CertificateError> {
        let (line, column, value) = self.field(key)?;
        let number = plain_number::<usize>(value).map_err(|kind| {
            let message = match kind {
                IntErrorKind::PosOverflow => format!("{key} is too large: {value}"),
                _ => format!("{key} must be a number in decimal digits, not \"{value}\""),
            };
            certificate_error(line, column, message)
        })?;
        Ok((line, column, number))
    }

    /// Reads the board and, if it comes from a file, the digest of that file.
    fn board(&mut self, open: OpenFile<'_>) -> Result<BoardName, CertificateError> {
        let (line, column, value) = self.field("board")?;
        if !BoardName::is_portable(value) {
            let message = format!(
                "\"{value}\" is not a board as files name it, such as 6^3 or rook:4x5x6, without leading zeros"
            );
            return Err(certificate_error(line, column, message));
        }
        let board =
            BoardName::parse_with(value, open).map_err(|e| certificate_error(line, column, e.to_string()))?;
        if let BoardName::File(file) = &board {
            let (line, column, value) = self.field("digest")?;
            let digest = file.digest();
            if value != digest {
                let path = file.path();
                let message = format!(
                    "the board file {path} is another one than this, or has changed: its digest is {digest}"
                );
                return Err(certificate_error(line, column, message));
            }
        }
        Ok(board)
    }
}

/// Parses the coordinates in `part`, a substring of the line `text` with number `line`.
fn square(line: usize, text: &str, part: &str) -> Result<Vec<u32>, CertificateError> {
    let coordinate = |word: &str| {
        plain_number(word).map_err(|kind| {
            let column = text[..word.as_ptr() as usize - text.as_ptr() as usize].chars().count() + 1;
            let message = match kind {
                IntErrorKind::PosOverflow => format!("the coordinate {word} is too large"),
                _ => format!(
                    "a coordinate must be a non-negative integer without a sign or leading zeros, not \"{word}\""
                ),
            };
            certificate_error(line, column, message)
        })
    };
    if let Some(column) = part.chars().position(|c| c != ' ' && (c.is_whitespace() || c.is_control())) {
        let before = text[..part.as_ptr() as usize - text.as_ptr() as usize].chars().count();
        let message = "coordinates must be separated by spaces, and this is another character".to_owned();
        return Err(certificate_error(line, before + column + 1, message));
    }
    part.split_whitespace().map(coordinate).collect()
}

/// Parses a number in decimal digits, without a sign and without leading zeros.
fn plain_number<T: FromStr<Err = ParseIntError>>(word: &str) -> Result<T, IntErrorKind> {
    let is_plain =
        word.bytes().all(|byte| byte.is_ascii_digit()) && (word.len() == 1 || !word.starts_with('0'));
    if !is_plain {
        return Err(IntErrorKind::InvalidDigit);
    }
    word.parse().map_err(|error: ParseIntError| *error.kind())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn example() -> Certificate {
        let squares = vec![vec![1, 2, 0], vec![0, 0, 0]];
        Certificate::independent(BoardName::queen(&[3, 3, 3]), squares, "by hand")
    }

    #[test]
    fn reads_back_a_written_certificate() {
        let text = example().to_string();
        assert_eq!(text.parse(), Ok(example()));
        assert_eq!(text.replace("0 0 0", "# a remark\n\n  0  0 0").parse(), Ok(example()));
    }

    #[test]
    fn origin_with_a_carriage_return_reads_back() {
        let text = example().to_string().replace("by hand", "by\rhand");
        assert_eq!(text.parse(), Ok(example()));
    }

    #[test]
    fn errors_escape_control_characters() {
        let text = example().to_string().replace("independent set", "\u{1b}[2J");
        let error = text.parse::<Certificate>().expect_err("an unknown problem").to_string();
        assert!(error.contains("\\u{1b}[2J") && !error.contains(char::is_control), "{error}");
    }

    #[test]
    fn errors_name_line_and_column() {
        let text = example().to_string();
        for (from, to, line, column) in [
            (HEADER, "queens", 1, 1),
            ("board: 3^3", "board:  3^0", 2, 9),
            ("board: 3^3\n", "", 2, 1),
            ("independent set", "clique", 3, 10),
            ("size: 2", "size: two", 4, 7),
            ("size: 2", "size: 3", 4, 7),
            ("1 2 0", "1 2 x", 7, 5),
            ("1 2 0", "1 -2 0", 7, 3),
            ("1 2 0", "1 +2 0", 7, 3),
            ("1 2 0", "1 02 0", 7, 3),
            ("1 2 0", "1\t2 0", 7, 2),
            ("size: 2", "size: +2", 4, 7),
            ("size: 2", "size: 02", 4, 7),
            ("ndqueens", "\u{feff}ndqueens", 1, 1),
        ] {
            let error = text.replace(from, to).parse::<Certificate>().expect_err(to);
            assert_eq!((error.line, error.column), (line, column), "{error}");
        }
        for (text, line) in [("", 1), (HEADER, 2)] {
            let error = text.parse::<Certificate>().expect_err("too short");
            assert_eq!((error.line, error.column), (line, 1), "{error}");
        }
    }

    #[test]
    fn rejects_a_changed_board_file() {
        let name = |text: &'static str| {
            BoardName::parse_with("file:a.txt", &|_| Ok(text.to_owned())).expect("a graph")
        };
        let (before, after) = (name("0 1"), name("0 1\n1 2"));
        let certificate = Certificate::independent(before.clone(), vec![vec![1]], "by hand");
        let text = certificate.to_string();
        assert_eq!(text.lines().nth(1), Some("board: file:a.txt"));
        assert_eq!(text.lines().nth(2).map(str::len), Some("digest: ".len() + 64));
        assert_eq!(Certificate::parse_with(&text, &before.file_opener()), Ok(certificate));
        let error = Certificate::parse_with(&text, &after.file_opener()).expect_err("changed");
        assert_eq!((error.line, error.column), (3, 9));
        let undigested = text.replace("digest", "digits");
        let error = Certificate::parse_with(&undigested, &before.file_opener()).expect_err("no digest");
        assert_eq!((error.line, error.column), (3, 1));
        let error = text.parse::<Certificate>().expect_err("not opened");
        assert_eq!((error.line, error.column), (2, 8));
    }
}
