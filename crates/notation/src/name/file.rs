//! Board files: a drawing of squares, or a graph.
//!
//! The first line that is not empty and no remark tells which form a file has.
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
//! **A graph** is a board whose squares are the vertices. The one coordinate of a square is the number that the file gives
//! the vertex, and two squares attack each other if an edge joins them: a maximum solution is a maximum independent set.
//! Repeated and reversed edges count once and are noted. Vertices are 32-bit numbers without leading zeros.
//!
//! | first line | edges | vertices |
//! | --- | --- | --- |
//! | `p edge N M` (DIMACS; also `p col`, `p edges`) | `e i j` | 1 to `N` |
//! | `p td N M` (PACE; also `tw`, `vc`, `ds`) | `i j` | 1 to `N` |
//! | `%%MatrixMarket matrix coordinate pattern symmetric`, then `N N M` | `i j` | 1 to `N` |
//! | `n N` | `i j` | 0 to `N`-1 |
//! | an edge | `i j` | those that occur |
//! | `N M`, read as `header:PATH` | `i j` | `N`, see below |
//!
//! In the forms with `p`, a third number on that line, lines that begin with `d`, `v` or `x`, and a wrong `M` are noted and
//! not used; `n v 1` gives vertex `v` the weight 1, and other weights are refused. In lists without `p`, one comma or
//! semicolon may stand between two vertices, and `{}` after them. Lines that begin with `#`, `%` or the word `c` are remarks.
//!
//! The first line `N M` of a list of edges may be an edge or a header. If both readings are possible, `file:PATH` is refused;
//! `edges:PATH` takes the line as an edge, `header:PATH` as a header ([`FirstLine`]). A header's vertices are those that occur
//! if there are `N`, otherwise 0 to `N`-1 or 1 to `N`, whichever one fits.
//!
//! `cliques:` before `file:`, `edges:` or `header:` takes the complement of the graph: independent sets of the board are the
//! cliques of the file. So does a file in DIMACS form that `ndq model` wrote as `.clq`: its remarks before the `p` line contain
//! the sentence "an edge joins squares that do not attack each other: cliques are independent sets".

use std::cmp::Ordering;
use std::fmt::Write as _;
use std::hash::{Hash, Hasher};
use std::sync::{Arc, OnceLock};

use sha2::{Digest as _, Sha256};

use super::NameError;
pub use super::lines::HEADER;
pub use super::reading::{FirstLine, Reading};
use super::text::{self, BoardContent};

static LISTENER: OnceLock<fn(&str)> = OnceLock::new();

/// Reports notes on the files that are read from now on, each a sentence that names the file, to `listener`. Only the first
/// call counts.
pub fn listen(listener: fn(&str)) {
    let _ = LISTENER.set(listener);
}

/// A well-formed board file and the way in which it is read. Two are equal if they have the same text and reading, wherever
/// they lie.
#[derive(Debug, Clone)]
pub struct BoardFile {
    path: Arc<str>,
    text: Arc<str>,
    reading: Reading,
}

impl BoardFile {
    /// Takes over the text of a file and reports what a user should know about it.
    ///
    /// # Errors
    /// Returns [`NameError::Contents`] if the text is not a board in this reading.
    pub fn new(path: &str, text: String, reading: Reading) -> Result<Self, NameError> {
        let described = text::read(&text, reading).map_err(|fault| NameError::Contents {
            path: path.to_owned(),
            line: fault.line,
            column: fault.column,
            fault: fault.words,
        })?;
        if let (BoardContent::Graph(graph), Some(listener)) = (described, LISTENER.get()) {
            graph.notes.iter().for_each(|note| listener(&format!("{path}: {note}")));
            if is_clique_instance(path) && !graph.complemented {
                listener(&format!(
                    "{path}: independent sets of its graph are meant; cliques:{}{path} means its cliques",
                    reading.prefix()
                ));
            }
        }
        Ok(Self { path: path.into(), text: text.into(), reading })
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

    /// How it is read.
    #[must_use]
    pub fn reading(&self) -> Reading {
        self.reading
    }

    /// Returns the drawing or the graph that the file holds.
    ///
    /// # Panics
    /// Never: [`BoardFile::new`] has read the same text.
    #[must_use]
    pub fn content(&self) -> BoardContent {
        text::read(&self.text, self.reading).expect("a board file is well-formed")
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

/// Returns `true` if a file has the name of an instance for clique solvers.
fn is_clique_instance(path: &str) -> bool {
    let path = path.to_ascii_lowercase();
    path.strip_suffix(".gz").unwrap_or(&path).ends_with(".clq")
}

impl PartialEq for BoardFile {
    fn eq(&self, other: &Self) -> bool {
        (self.reading, &self.text) == (other.reading, &other.text)
    }
}

impl Eq for BoardFile {}

impl Hash for BoardFile {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.reading, &self.text).hash(state);
    }
}

impl PartialOrd for BoardFile {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for BoardFile {
    fn cmp(&self, other: &Self) -> Ordering {
        (&self.text, self.reading).cmp(&(&other.text, other.reading))
    }
}
