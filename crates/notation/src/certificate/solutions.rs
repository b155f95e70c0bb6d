//! Solution lists: files that contain several solutions of one board.
//!
//! ```text
//! ndqueens solutions 1
//! board: 4^2
//! size: 4
//! list: all
//! solutions: 2
//! origin: ...
//! 0 1, 1 3, 2 0, 3 2
//! 0 2, 1 0, 2 3, 3 1
//! ```
//!
//! Each line is one solution. Its squares are in increasing order, separated by commas; coordinates count
//! from 0. `list` is one of:
//!
//! | value | the file contains |
//! | --- | --- |
//! | `all` | all solutions with `size` squares |
//! | `up-to-symmetry` | one such solution of each orbit under the board's symmetry group |
//! | `maximal` | the maximal independent sets (no square can be added), each of `size` squares or more |
//!
//! A line `digest: ` follows the board as in a certificate. Empty lines and lines that start with `#` are
//! skipped. The only solution of size 0 has no line. The reader checks the format only.

use std::fmt;

use super::{CertificateError, FileKind, Lines, certificate_error, has_header, square};
use crate::counted::counted;
use crate::name::{BoardName, OpenFile};

/// First line of every solution list.
pub const HEADER: &str = "ndqueens solutions 1";

/// Selection of solutions that a list contains.
///
/// # Examples
/// ```
/// use ndqueens_notation::certificate::solutions::ListKind;
///
/// assert_eq!(ListKind::UpToSymmetry.to_string(), "up-to-symmetry");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ListKind {
    /// All solutions of the given size.
    All,
    /// One solution of each orbit under the board's symmetry group (de Groot's "fundamental solutions").
    UpToSymmetry,
    /// The maximal independent sets of all sizes, i.e. those to which no square can be added.
    Maximal,
}

impl fmt::Display for ListKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::All => "all",
            Self::UpToSymmetry => "up-to-symmetry",
            Self::Maximal => "maximal",
        })
    }
}

/// Header fields of a solution list.
///
/// # Examples
/// ```
/// use ndqueens_notation::certificate::solutions::{Heading, ListKind};
///
/// let heading = Heading {
///     board: "4^2".parse()?,
///     size: 4,
///     listed: ListKind::All,
///     solutions: 2,
///     origin: "by hand".to_owned(),
/// };
/// assert!(heading.to_string().contains("list: all\nsolutions: 2\n"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Heading {
    /// The board.
    pub board: BoardName,
    /// Number of squares of each solution; in a list of maximal sets, a lower bound on it.
    pub size: usize,
    /// The selection of solutions in the list.
    pub listed: ListKind,
    /// Number of solutions in the list.
    pub solutions: usize,
    /// Origin of the list, e.g. the method that produced it; one line.
    pub origin: String,
}

impl fmt::Display for Heading {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { board, size, listed, solutions, origin } = self;
        writeln!(f, "{HEADER}\nboard: {board}")?;
        if let BoardName::File(file) = board {
            writeln!(f, "digest: {}", file.digest())?;
        }
        write!(f, "size: {size}\nlist: {listed}\nsolutions: {solutions}\n")?;
        writeln!(f, "origin: {}", origin.replace(['\n', '\r'], " "))
    }
}

/// Formats a solution as a line of a list, without the line feed.
#[must_use]
pub fn format_line(squares: &[Vec<u32>]) -> String {
    let tuple = |square: &Vec<u32>| square.iter().map(u32::to_string).collect::<Vec<_>>().join(" ");
    squares.iter().map(tuple).collect::<Vec<_>>().join(", ")
}

/// Solution list, with the line number of each solution.
///
/// # Examples
/// ```
/// use ndqueens_notation::certificate::solutions::Solutions;
/// use ndqueens_notation::name::reject_files;
///
/// let text = "ndqueens solutions 1\nboard: 1x2\nsize: 1\nlist: all\nsolutions: 2\norigin: by hand\n0 0\n0 1\n";
/// let list = Solutions::parse_with(text, &reject_files)?;
/// assert_eq!((list.heading.solutions, list.sets.len()), (2, 2));
/// # Ok::<(), ndqueens_notation::certificate::CertificateError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Solutions {
    /// The header fields.
    pub heading: Heading,
    /// Line number, counted from 1, and squares of each solution.
    pub sets: Vec<(usize, Vec<Vec<u32>>)>,
}

/// Returns `true` if `text` starts with the header of a solution list.
#[must_use]
pub fn is_list(text: &str) -> bool {
    has_header(text, HEADER)
}

impl Solutions {
    /// Reads a solution list. Opens the board file that it names, if any, with `open`.
    ///
    /// # Errors
    /// Returns an error if the text is not a solution list, or if the board file cannot be read or has
    /// changed. The error names the line, the column and the values allowed there.
    ///
    /// # Examples
    /// ```
    /// use ndqueens_notation::certificate::solutions::Solutions;
    /// use ndqueens_notation::name::reject_files;
    ///
    /// let text = "ndqueens solutions 1\nboard: 4^2\nsize: 4\nlist: up-to-symmetry\nsolutions: 1\n\
    ///             origin: by hand\n0 1, 1 3, 2 0, 3 2\n";
    /// let list = Solutions::parse_with(text, &reject_files)?;
    /// assert_eq!(list.sets[0], (7, vec![vec![0, 1], vec![1, 3], vec![2, 0], vec![3, 2]]));
    /// # Ok::<(), ndqueens_notation::certificate::CertificateError>(())
    /// ```
    pub fn parse_with(text: &str, open: OpenFile<'_>) -> Result<Self, CertificateError> {
        Self::parse(text, open).map_err(|error| CertificateError { file: FileKind::Solutions, ..error })
    }

    /// Reads a solution list. Errors name another kind of file.
    fn parse(text: &str, open: OpenFile<'_>) -> Result<Self, CertificateError> {
        let mut lines = Lines::new(text, HEADER)?;
        let board = lines.board(open)?;
        let (_, _, size) = lines.number("size")?;
        let listed = match lines.field("list")? {
            (_, _, "all") => ListKind::All,
            (_, _, "up-to-symmetry") => ListKind::UpToSymmetry,
            (_, _, "maximal") => ListKind::Maximal,
            (line, column, other) => {
                return Err(certificate_error(
                    line,
                    column,
                    format!("a list is all, up-to-symmetry or maximal, not \"{other}\""),
                ));
            }
        };
        let (number_line, number_column, solutions) = lines.number("solutions")?;
        let origin = lines.origin()?;
        let mut sets = Vec::new();
        while let Some((line, text)) = lines.next() {
            if let Some(empty) = text.split(',').find(|part| part.trim().is_empty()) {
                let before = empty.as_ptr() as usize - text.as_ptr() as usize;
                let column = text[..before].chars().count() + 1;
                let message =
                    "a square is missing here; commas separate the squares of a solution".to_owned();
                return Err(certificate_error(line, column, message));
            }
            let set: Vec<Vec<u32>> =
                text.split(',').map(|part| square(line, text, part)).collect::<Result<_, _>>()?;
            let has_valid_size =
                if listed == ListKind::Maximal { set.len() >= size } else { set.len() == size };
            if !has_valid_size {
                let or_more = if listed == ListKind::Maximal { " or more" } else { "" };
                let message =
                    format!("expected a solution of size {size}{or_more}, not one of {}", set.len());
                return Err(certificate_error(line, 1, message));
            }
            sets.push((line, set));
        }
        if size == 0 && solutions > 0 {
            sets.push((number_line, Vec::new()));
        }
        if sets.len() != solutions {
            let message = format!(
                "the number of solutions is given as {solutions}, but the file has {}",
                counted(sets.len(), "solution")
            );
            return Err(certificate_error(number_line, number_column, message));
        }
        Ok(Self { heading: Heading { board, size, listed, solutions, origin }, sets })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::name::reject_files;

    const LIST: &str = "ndqueens solutions 1\nboard: 4^2\nsize: 4\nlist: all\nsolutions: 2\norigin: by hand\n\
                        0 1, 1 3, 2 0, 3 2\n0 2, 1 0, 2 3, 3 1\n";

    #[test]
    fn reads_back_a_written_list() {
        let list = Solutions::parse_with(LIST, &reject_files).expect("a list");
        let lines: String = list.sets.iter().map(|(_, set)| format_line(set) + "\n").collect();
        assert_eq!(format!("{}{lines}", list.heading), LIST);
    }

    #[test]
    fn solution_without_queens_has_no_line() {
        let read_empty = |solutions: &str| {
            let heading = LIST.lines().take(6).collect::<Vec<_>>().join("\n");
            let text = heading.replace("size: 4", "size: 0").replace("solutions: 2", solutions);
            Solutions::parse_with(&text, &reject_files).map(|list| list.sets)
        };
        assert_eq!(read_empty("solutions: 1"), Ok(vec![(5, Vec::new())]));
        assert_eq!(read_empty("solutions: 0"), Ok(Vec::new()));
        let error = read_empty("solutions: 2").expect_err("there is only one");
        assert_eq!((error.line, error.column), (5, 12));
    }

    #[test]
    fn errors_name_line_and_column() {
        for (from, to, line, column) in [
            (HEADER, "queens", 1, 1),
            ("list: all", "list: some", 4, 7),
            ("2 0, 3 2", "2 0, 3 2,", 7, 20),
            ("0 1, 1 3", "0 1,, 1 3", 7, 5),
            ("size: 4", "size: x", 3, 7),
            ("solutions: 2", "solutions: 3", 5, 12),
            ("1 3, 2 0, 3 2", "1 3, 2 0", 7, 1),
            ("2 0, 3 2", "2 0, 3 -2", 7, 18),
        ] {
            let error = Solutions::parse_with(&LIST.replace(from, to), &reject_files).expect_err(to);
            assert_eq!((error.line, error.column), (line, column), "{error}");
        }
    }
}
