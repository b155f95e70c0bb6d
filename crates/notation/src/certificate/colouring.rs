//! Colouring files: a partition of a board's squares into classes, so that no two squares of a class attack
//! each other.
//!
//! ```text
//! ndqueens colouring 1
//! board: 5^2
//! classes: full solutions
//! colours: 5
//! origin: rows shifted by 2
//! 0,0 1,2 2,4 3,1 4,3
//! 0,1 1,3 2,0 3,2 4,4
//! ...
//! ```
//!
//! Each line is one class. Spaces separate its squares, commas the coordinates of a square; coordinates count
//! from 0. `classes` is one of:
//!
//! | value | each class |
//! | --- | --- |
//! | `independent sets` | is an independent set |
//! | `full solutions` | is an independent set of n^(d-1) squares of `n^d` |
//! | `at distance K` | consists of squares at pairwise distance `K` or more, where `K` is at least 2 |
//!
//! Empty lines and lines that start with `#` are skipped; a line `digest: ` follows the board as in a
//! certificate. The reader checks the format only. The crosscheck crate checks the classes.

use std::fmt;
use std::num::IntErrorKind;

use super::{CertificateError, FileKind, Lines, certificate_error, has_header, plain_number};
use crate::counted::counted;
use crate::name::{BoardName, OpenFile};

/// First line of every colouring file.
pub const HEADER: &str = "ndqueens colouring 1";

/// Property that the classes of a colouring are claimed to have.
///
/// # Examples
/// ```
/// use ndqueens_notation::certificate::colouring::ClassKind;
///
/// assert_eq!(ClassKind::AtDistance(3).to_string(), "at distance 3");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ClassKind {
    /// Each class is an independent set.
    IndependentSets,
    /// Each class is an independent set of n^(d-1) squares of `n^d`.
    FullSolutions,
    /// Any two squares of a class are at this distance or more in the attack graph; at least 2.
    AtDistance(u32),
}

impl ClassKind {
    /// Parses the text that [`fmt::Display`] writes.
    fn parse(text: &str) -> Option<Self> {
        let distance = |text: &str| text.strip_prefix("at distance ")?.parse().ok().map(Self::AtDistance);
        let kinds = [Self::IndependentSets, Self::FullSolutions].into_iter().chain(distance(text));
        let is_allowed = |kind: &Self| !matches!(kind, Self::AtDistance(0 | 1));
        kinds.filter(is_allowed).find(|kind| kind.to_string() == text)
    }
}

impl fmt::Display for ClassKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::IndependentSets => f.write_str("independent sets"),
            Self::FullSolutions => f.write_str("full solutions"),
            Self::AtDistance(distance) => write!(f, "at distance {distance}"),
        }
    }
}

/// Partition of a board into classes, with the property that they are claimed to have.
///
/// # Examples
/// ```
/// use ndqueens_notation::certificate::colouring::{ClassKind, Colouring};
///
/// let classes = vec![vec![vec![0, 1]], vec![vec![0, 0]]];
/// let colouring = Colouring::new("1x2".parse()?, ClassKind::IndependentSets, classes, "by hand");
/// assert_eq!((colouring.colours(), colouring.class_of(&[0, 0])), (2, Some(0)));
/// # Ok::<(), ndqueens_notation::name::NameError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Colouring {
    /// The board.
    pub board: BoardName,
    /// The property that the classes are claimed to have.
    pub kind: ClassKind,
    /// Origin of the colouring, e.g. the method that produced it; one line.
    pub origin: String,
    /// The classes, each a list of squares as coordinate tuples; coordinates count from 0.
    pub classes: Vec<Vec<Vec<u32>>>,
}

impl Colouring {
    /// Creates a colouring. Sorts the squares of each class, and the classes by their first squares.
    #[must_use]
    pub fn new(
        board: BoardName,
        kind: ClassKind,
        mut classes: Vec<Vec<Vec<u32>>>,
        origin: impl Into<String>,
    ) -> Self {
        classes.iter_mut().for_each(|class| class.sort_unstable());
        classes.sort_unstable();
        Self { board, kind, origin: origin.into(), classes }
    }

    /// Returns the number of colours.
    #[must_use]
    pub fn colours(&self) -> usize {
        self.classes.len()
    }

    /// Returns the index of the first class that contains `square`, or `None` if no class does.
    #[must_use]
    pub fn class_of(&self, square: &[u32]) -> Option<usize> {
        self.classes.iter().position(|class| class.iter().any(|member| member == square))
    }

    /// Returns `true` if `text` starts with the header of a colouring file.
    #[must_use]
    pub fn is_colouring(text: &str) -> bool {
        has_header(text, HEADER)
    }

    /// Reads a colouring. Opens the board file that it names, if any, with `open`.
    ///
    /// # Errors
    /// Returns an error if the text is not a colouring, or if the board file cannot be read or has changed.
    /// The error names the line, the column and the values allowed there.
    ///
    /// # Examples
    /// ```
    /// use ndqueens_notation::certificate::colouring::Colouring;
    /// use ndqueens_notation::name::reject_files;
    ///
    /// let text = "ndqueens colouring 1\nboard: 1x2\nclasses: independent sets\ncolours: 2\n\
    ///             origin: by hand\n0,0\n0,1\n";
    /// let colouring = Colouring::parse_with(text, &reject_files)?;
    /// assert_eq!(colouring.class_of(&[0, 1]), Some(1));
    /// # Ok::<(), ndqueens_notation::certificate::CertificateError>(())
    /// ```
    pub fn parse_with(text: &str, open: OpenFile<'_>) -> Result<Self, CertificateError> {
        Self::parse(text, open).map_err(|error| CertificateError { file: FileKind::Colouring, ..error })
    }

    /// Reads a colouring. Errors name another kind of file.
    fn parse(text: &str, open: OpenFile<'_>) -> Result<Self, CertificateError> {
        let mut lines = Lines::new(text, HEADER)?;
        let board = lines.board(open)?;
        let (line, column, value) = lines.field("classes")?;
        let kind = ClassKind::parse(value).ok_or_else(|| {
            let allowed = "independent sets, full solutions, at distance K with K of 2 or more";
            certificate_error(
                line,
                column,
                format!("unknown kind of classes \"{value}\"; expected one of {allowed}"),
            )
        })?;
        let (colours_line, colours_column, colours) = lines.number("colours")?;
        let origin = lines.origin()?;
        let mut classes = Vec::new();
        while let Some((line, text)) = lines.next() {
            let mut class = Vec::new();
            for word in text.split_whitespace() {
                let column = text[..word.as_ptr() as usize - text.as_ptr() as usize].chars().count() + 1;
                let square: Result<Vec<u32>, _> = word.split(',').map(plain_number).collect();
                class.push(square.map_err(|kind| {
                    let message = format!(
                        "a square must be coordinates without signs or leading zeros, separated by commas, not \"{word}\""
                    );
                    let message = match kind {
                        IntErrorKind::PosOverflow => format!("a coordinate of \"{word}\" is too large"),
                        _ => message,
                    };
                    certificate_error(line, column, message)
                })?);
            }
            classes.push(class);
        }
        if classes.len() != colours {
            let message = format!(
                "the number of colours is given as {colours}, but the file has {}",
                counted(classes.len(), "class")
            );
            return Err(certificate_error(colours_line, colours_column, message));
        }
        Ok(Self { board, kind, origin, classes })
    }
}

impl fmt::Display for Colouring {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{HEADER}\nboard: {}", self.board)?;
        if let BoardName::File(file) = &self.board {
            writeln!(f, "digest: {}", file.digest())?;
        }
        writeln!(f, "classes: {}\ncolours: {}", self.kind, self.colours())?;
        writeln!(f, "origin: {}", self.origin.replace(['\n', '\r'], " "))?;
        for class in &self.classes {
            let tuple = |square: &Vec<u32>| square.iter().map(u32::to_string).collect::<Vec<_>>().join(",");
            writeln!(f, "{}", class.iter().map(tuple).collect::<Vec<_>>().join(" "))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::name::reject_files;

    fn example() -> Colouring {
        let classes = vec![vec![vec![1, 0]], vec![vec![0, 0]], vec![vec![1, 1]], vec![vec![0, 1]]];
        Colouring::new(BoardName::queen(&[2, 2]), ClassKind::IndependentSets, classes, "by hand")
    }

    #[test]
    fn reads_back_a_written_colouring() {
        let text = example().to_string();
        assert!(Colouring::is_colouring(&text));
        assert_eq!(Colouring::parse_with(&text, &reject_files), Ok(example()));
        assert_eq!(
            Colouring::parse_with(&text.replace("0,1", "# a remark\n\n  0,1 "), &reject_files),
            Ok(example())
        );
        let distant = Colouring { kind: ClassKind::AtDistance(3), ..example() };
        assert_eq!(Colouring::parse_with(&distant.to_string(), &reject_files), Ok(distant));
        assert_eq!(example().class_of(&[1, 0]), Some(2));
    }

    #[test]
    fn errors_name_line_and_column() {
        let text = example().to_string();
        for (from, to, line, column) in [
            (HEADER, "ndqueens certificate 1", 1, 1),
            ("board: 2^2", "board: 2^0", 2, 8),
            ("independent sets", "cliques", 3, 10),
            ("independent sets", "at distance 1", 3, 10),
            ("independent sets", "at distance 03", 3, 10),
            ("colours: 4", "colours: four", 4, 10),
            ("colours: 4", "colours: 5", 4, 10),
            ("origin: by hand\n", "", 5, 1),
            ("0,1", "0,x", 7, 1),
            ("0,1", "0,+1", 7, 1),
            ("0,1", "00,1", 7, 1),
            ("0,1", "0,0  -1,1", 7, 6),
        ] {
            let error = Colouring::parse_with(&text.replace(from, to), &reject_files).expect_err(to);
            assert_eq!((error.line, error.column), (line, column), "{error}");
        }
        for (text, line) in [("", 1), (HEADER, 2)] {
            let error = Colouring::parse_with(text, &reject_files).expect_err("too short");
            assert_eq!((error.line, error.column), (line, 1), "{error}");
        }
    }
}
