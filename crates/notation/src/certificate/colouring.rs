//! Colouring files: a partition of a board's squares into classes, no two squares of which attack each other.
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
//! One class a line, its squares separated by spaces, their coordinates by commas and counted from 0. Classes are
//! `independent sets`, on `n^d` `full solutions` of n^(d-1) pieces each, or squares `at distance 3` or more. Lines that start with `#` and empty lines are
//! skipped; a line `digest: ` follows the board as in a certificate. Reading checks the form only; whether it is a
//! colouring is for the crosscheck crate to say.

use std::fmt;

use super::{CertificateError, Lines, begins_with, fault};
use crate::name::{BoardName, Open};

/// First line of every colouring file.
pub const HEADER: &str = "ndqueens colouring 1";

/// What the classes of a colouring claim to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ClassKind {
    /// No two squares attack each other.
    IndependentSets,
    /// That, and on `n^d` each has n^(d-1) squares.
    FullSolutions,
    /// Any two squares are at this distance or more, at least 2, in the graph of attacks.
    AtDistance(u32),
}

impl ClassKind {
    /// Parses the words that [`fmt::Display`] writes.
    fn parse(words: &str) -> Option<Self> {
        let distance = |words: &str| words.strip_prefix("at distance ")?.parse().ok().map(Self::AtDistance);
        let kinds = [Self::IndependentSets, Self::FullSolutions].into_iter().chain(distance(words));
        let is_allowed = |kind: &Self| !matches!(kind, Self::AtDistance(0 | 1));
        kinds.filter(is_allowed).find(|kind| kind.to_string() == words)
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

/// A partition of a board into classes, with what they claim to be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Colouring {
    /// The board.
    pub board: BoardName,
    /// What the classes claim to be.
    pub kind: ClassKind,
    /// How the colouring was made; one line.
    pub origin: String,
    /// The classes, each a list of squares as coordinate tuples counted from 0.
    pub classes: Vec<Vec<Vec<u32>>>,
}

impl Colouring {
    /// A colouring with the squares of each class in increasing order, and classes in the order of their first squares.
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

    /// The number of colours.
    #[must_use]
    pub fn colours(&self) -> usize {
        self.classes.len()
    }

    /// The number of the class of a square, if it is in one.
    #[must_use]
    pub fn class_of(&self, square: &[u32]) -> Option<usize> {
        self.classes.iter().position(|class| class.iter().any(|member| member == square))
    }

    /// Whether a text begins as a colouring file does.
    #[must_use]
    pub fn is_colouring(text: &str) -> bool {
        begins_with(text, HEADER)
    }

    /// Reads a colouring; the board file that it names is opened.
    ///
    /// # Errors
    /// Line, column and what is allowed there, if the text is not a colouring; the board file cannot be read; or it has
    /// changed.
    pub fn read(text: &str, open: Open<'_>) -> Result<Self, CertificateError> {
        let mut lines = Lines::new(text, HEADER)?;
        let board = lines.board(open)?;
        let (line, column, value) = lines.field("classes")?;
        let kind = ClassKind::parse(value).ok_or_else(|| {
            let allowed = "independent sets, full solutions, at distance K with K of 2 or more";
            fault(line, column, format!("unknown kind of classes \"{value}\"; expected one of {allowed}"))
        })?;
        let (colours_line, colours_column, colours) = lines.number("colours")?;
        let origin = lines.field("origin")?.2.to_owned();
        let mut classes = Vec::new();
        while let Some((line, text)) = lines.next() {
            let mut class = Vec::new();
            for word in text.split_whitespace() {
                let column = text[..word.as_ptr() as usize - text.as_ptr() as usize].chars().count() + 1;
                let square: Result<Vec<u32>, _> = word.split(',').map(str::parse).collect();
                class.push(square.map_err(|_| {
                    let words = format!("a square must be coordinates separated by commas, not \"{word}\"");
                    fault(line, column, words)
                })?);
            }
            classes.push(class);
        }
        if classes.len() != colours {
            let words = match classes.len() {
                1 => format!("there are to be {colours} colours, but 1 class follows"),
                classes => format!("there are to be {colours} colours, but {classes} classes follow"),
            };
            return Err(fault(colours_line, colours_column, words));
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
    use crate::name::open_none;

    fn example() -> Colouring {
        let classes = vec![vec![vec![1, 0]], vec![vec![0, 0]], vec![vec![1, 1]], vec![vec![0, 1]]];
        Colouring::new(BoardName::queen(&[2, 2]), ClassKind::IndependentSets, classes, "by hand")
    }

    #[test]
    fn a_colouring_reads_back_as_written() {
        let text = example().to_string();
        assert!(Colouring::is_colouring(&text));
        assert_eq!(Colouring::read(&text, &open_none), Ok(example()));
        assert_eq!(Colouring::read(&text.replace("0,1", "# a remark\n\n  0,1 "), &open_none), Ok(example()));
        let distant = Colouring { kind: ClassKind::AtDistance(3), ..example() };
        assert_eq!(Colouring::read(&distant.to_string(), &open_none), Ok(distant));
        assert_eq!(example().class_of(&[1, 0]), Some(2));
    }

    #[test]
    fn faults_name_line_and_column() {
        let text = example().to_string();
        for (from, to, line, column, words) in [
            (HEADER, "ndqueens certificate 1", 1, 1, "must begin with"),
            ("board: 2^2", "board: 2^0", 2, 8, "dimension"),
            ("independent sets", "cliques", 3, 10, "unknown kind"),
            ("independent sets", "at distance 1", 3, 10, "unknown kind"),
            ("independent sets", "at distance 03", 3, 10, "unknown kind"),
            ("colours: 4", "colours: four", 4, 10, "must be a number"),
            ("colours: 4", "colours: 5", 4, 10, "4 classes follow"),
            ("origin: by hand\n", "", 5, 1, "\"origin: ...\""),
            ("0,1", "0,x", 7, 1, "separated by commas"),
            ("0,1", "0,0  -1,1", 7, 6, "separated by commas"),
        ] {
            let error = Colouring::read(&text.replace(from, to), &open_none).expect_err(to);
            assert_eq!((error.line, error.column), (line, column), "{error}");
            assert!(error.fault.contains(words), "{error}");
        }
        assert!(Colouring::read("", &open_none).expect_err("empty").fault.contains("must begin"));
        assert!(Colouring::read(HEADER, &open_none).expect_err("short").fault.contains("ends too early"));
    }
}
