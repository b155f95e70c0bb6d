//! Lists of solutions: files that hold many solutions of one board.
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
//! One solution a line, its squares in increasing order with commas between them, coordinates counted from 0. `list` says
//! whether these are all solutions of that size, one of each orbit under the board's symmetry group (`up-to-symmetry`), or the
//! `maximal` sets, which no square can join; of those, `size` is the least. The digest of a board file follows the board, as in certificates. Lines that start with `#` and empty lines are skipped; the one
//! solution of size 0 is not written. Reading checks the form only.

use std::fmt;

use super::{CertificateError, Lines, begins_with, fault, square};
use crate::name::{BoardName, Open};

/// First line of every list of solutions.
pub const HEADER: &str = "ndqueens solutions 1";

/// Which solutions a list holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Listed {
    /// All of them.
    All,
    /// One solution of each orbit under the board's symmetry group (de Groot's fundamental solutions).
    UpToSymmetry,
    /// The maximal sets, of all sizes: those that no square can join.
    Maximal,
}

impl fmt::Display for Listed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::All => "all",
            Self::UpToSymmetry => "up-to-symmetry",
            Self::Maximal => "maximal",
        })
    }
}

/// The beginning of a list of solutions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Heading {
    /// The board.
    pub board: BoardName,
    /// The number of queens in each solution; in a list of maximal sets, in the smallest.
    pub size: usize,
    /// Which solutions they are.
    pub listed: Listed,
    /// How many there are in the list.
    pub solutions: usize,
    /// How the list was made; one line.
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

/// A solution as a line of a list.
#[must_use]
pub fn line(squares: &[Vec<u32>]) -> String {
    let tuple = |square: &Vec<u32>| square.iter().map(u32::to_string).collect::<Vec<_>>().join(" ");
    squares.iter().map(tuple).collect::<Vec<_>>().join(", ")
}

/// A list of solutions, with the line of the file on which each stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Solutions {
    /// What the list says of itself.
    pub heading: Heading,
    /// The solutions: line number, counted from 1, and squares.
    pub sets: Vec<(usize, Vec<Vec<u32>>)>,
}

/// Whether a text begins as a list of solutions.
#[must_use]
pub fn is_list(text: &str) -> bool {
    begins_with(text, HEADER)
}

impl Solutions {
    /// Reads a list; the board file that it names is opened.
    ///
    /// # Errors
    /// Line, column and what is allowed there, if the text is not a list of solutions.
    pub fn read(text: &str, open: Open<'_>) -> Result<Self, CertificateError> {
        let mut lines = Lines::new(text, HEADER)?;
        let board = lines.board(open)?;
        let (_, _, size) = lines.number("size")?;
        let listed = match lines.field("list")? {
            (_, _, "all") => Listed::All,
            (_, _, "up-to-symmetry") => Listed::UpToSymmetry,
            (_, _, "maximal") => Listed::Maximal,
            (line, column, other) => {
                return Err(fault(
                    line,
                    column,
                    format!("a list is all, up-to-symmetry or maximal, not \"{other}\""),
                ));
            }
        };
        let (number_line, number_column, solutions) = lines.number("solutions")?;
        let origin = lines.field("origin")?.2.to_owned();
        let mut sets = Vec::new();
        while let Some((line, text)) = lines.next() {
            let set: Vec<Vec<u32>> =
                text.split(',').map(|part| square(line, text, part)).collect::<Result<_, _>>()?;
            let is_of_size = if listed == Listed::Maximal { set.len() >= size } else { set.len() == size };
            if !is_of_size {
                let or_more = if listed == Listed::Maximal { " or more" } else { "" };
                let words = format!("expected a solution of size {size}{or_more}, not one of {}", set.len());
                return Err(fault(line, 1, words));
            }
            sets.push((line, set));
        }
        if size == 0 && solutions > 0 {
            sets.push((number_line, Vec::new()));
        }
        if sets.len() != solutions {
            let words = format!("the list is said to have {solutions} solutions, but {} follow", sets.len());
            return Err(fault(number_line, number_column, words));
        }
        Ok(Self { heading: Heading { board, size, listed, solutions, origin }, sets })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::name::open_none;

    const LIST: &str = "ndqueens solutions 1\nboard: 4^2\nsize: 4\nlist: all\nsolutions: 2\norigin: by hand\n\
                        0 1, 1 3, 2 0, 3 2\n0 2, 1 0, 2 3, 3 1\n";

    #[test]
    fn a_list_reads_back_as_written() {
        let list = Solutions::read(LIST, &open_none).expect("a list");
        let lines: String = list.sets.iter().map(|(_, set)| line(set) + "\n").collect();
        assert_eq!(format!("{}{lines}", list.heading), LIST);
    }

    #[test]
    fn the_solution_without_queens_needs_no_line() {
        let nothing = |solutions: &str| {
            let heading = LIST.lines().take(6).collect::<Vec<_>>().join("\n");
            let text = heading.replace("size: 4", "size: 0").replace("solutions: 2", solutions);
            Solutions::read(&text, &open_none).map(|list| list.sets)
        };
        assert_eq!(nothing("solutions: 1"), Ok(vec![(5, Vec::new())]));
        assert_eq!(nothing("solutions: 0"), Ok(Vec::new()));
        assert!(nothing("solutions: 2").expect_err("there is but one").fault.contains("but 1 follow"));
    }

    #[test]
    fn faults_name_line_and_column() {
        for (from, to, line, column, words) in [
            (HEADER, "queens", 1, 1, "must begin with"),
            ("list: all", "list: some", 4, 7, "all, up-to-symmetry or maximal"),
            ("size: 4", "size: x", 3, 7, "must be a number"),
            ("solutions: 2", "solutions: 3", 5, 12, "but 2 follow"),
            ("1 3, 2 0, 3 2", "1 3, 2 0", 7, 1, "a solution of size 4"),
            ("2 0, 3 2", "2 0, 3 -2", 7, 18, "non-negative integer"),
        ] {
            let error = Solutions::read(&LIST.replace(from, to), &open_none).expect_err(to);
            assert_eq!((error.line, error.column), (line, column), "{error}");
            assert!(error.fault.contains(words), "{error}");
        }
    }
}
