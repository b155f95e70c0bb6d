//! Board files: a drawing of squares, or a graph.
//!
//! The first line that is not empty tells which of the three forms a file has; in a graph, lines that begin with `#` or
//! with the word `c` are remarks and are skipped.
//!
//! **A drawing** is a polyomino or a box with holes. `#` is a square, `.` is a hole:
//! ```text
//! ndqueens board 1
//! piece: queen
//! ##.##
//! #####
//! .###.
//! ```
//! Headers, each at most once and all optional, stand before the rows:
//!
//! | header | is | when absent |
//! | --- | --- | --- |
//! | `piece:` | `queen`, `rook` or `bishop` | `queen` |
//! | `sides:` | side lengths of the box, as in a board name: `3x4x5`, `3^3`, `7^1` | the drawing is two-dimensional |
//! | `vision:` | `through` or `blocked` by holes | `through` |
//! | `note:` | a remark | |
//!
//! The rows run along the last axis and stand in lexicographic order of the other coordinates; with `sides:`, blank lines
//! may stand anywhere. A square has its coordinates in the box, counted from 0; squares are numbered in lexicographic
//! order, holes left out. Attack is by difference alone, as on the whole box, and holes do not block it; with
//! `vision: blocked` two squares attack each other only when every square of the box between them is there, which is the
//! convention for polyominoes, where lines of sight end at the boundary.
//!
//! **A graph in DIMACS form** has vertices counted from 1, and `M` distinct edges, each in one direction only:
//! ```text
//! c a path
//! p edge 3 2
//! e 1 2
//! e 2 3
//! ```
//! `p col` means the same.
//!
//! **A graph as a list of edges** has vertices counted from 0. There are as many as the largest one tells, or `N` of them
//! when the list begins with `n N`:
//! ```text
//! n 4
//! 0 1
//! 1 2
//! ```
//! In both forms a square is a vertex, its one coordinate the vertex counted from 0, and two squares attack each other iff
//! they are joined: a maximum solution is a maximum independent set of the graph.

use std::cmp::Ordering;
use std::fmt::Write as _;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use sha2::{Digest as _, Sha256};

use super::NameError;
pub use super::text::HEADER;
use super::text::{self, Described};

/// A well-formed board file. Two are equal when they have the same text, wherever they lie.
#[derive(Debug, Clone)]
pub struct BoardFile {
    path: Arc<str>,
    text: Arc<str>,
}

impl BoardFile {
    /// Takes over the text of a file.
    ///
    /// # Errors
    /// [`NameError::Contents`] if it holds no board.
    pub fn new(path: &str, text: String) -> Result<Self, NameError> {
        text::read(&text).map_err(|fault| NameError::Contents {
            path: path.to_owned(),
            line: fault.line,
            column: fault.column,
            fault: fault.words,
        })?;
        Ok(Self { path: path.into(), text: text.into() })
    }

    /// Where the file was read.
    #[must_use]
    pub fn path(&self) -> &str {
        &self.path
    }

    /// What it holds.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    pub(crate) fn described(&self) -> Described {
        text::read(&self.text).expect("a board file is well-formed")
    }

    /// SHA-256 of the text, in hexadecimal digits.
    #[must_use]
    pub fn digest(&self) -> String {
        Sha256::digest(self.text.as_bytes()).iter().fold(String::new(), |mut digits, byte| {
            write!(digits, "{byte:02x}").expect("a string takes everything");
            digits
        })
    }
}

impl PartialEq for BoardFile {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

impl Eq for BoardFile {}

impl Hash for BoardFile {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.text.hash(state);
    }
}

impl PartialOrd for BoardFile {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for BoardFile {
    fn cmp(&self, other: &Self) -> Ordering {
        self.text.cmp(&other.text)
    }
}
