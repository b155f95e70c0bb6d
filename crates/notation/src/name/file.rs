//! Board files: a drawing of squares, or a graph.
//!
//! The first line that is neither empty nor a comment determines the form of a file.
//!
//! **A drawing** is a polyomino or a box with holes. `#` is a square, `.` is a hole:
//! ```text
//! ndqueens board 1
//! piece: queen
//! ##.##
//! #####
//! .###.
//! ```
//! Optional headers, each at most once, precede the rows (`note:` may be repeated):
//!
//! | header | value | default |
//! | --- | --- | --- |
//! | `piece:` | `queen`, `rook` or `bishop` | `queen` |
//! | `sides:` | side lengths of the box: `3x4x5`, `3^3`, `7^1` | two dimensions, as drawn |
//! | `vision:` | `through` holes or `blocked` by holes | `through` |
//! | `note:` | a comment | |
//!
//! The rows run along the last axis, in lexicographic order of the other coordinates; with `sides:`, blank
//! lines are allowed anywhere. A square has its coordinates in the box, counted from 0. Squares are numbered
//! in lexicographic order without the holes. Attacks depend on the difference of the coordinates only, as on
//! the whole box, and holes do not block them. With `vision: blocked`, two squares attack each other only if
//! no square of the box between them is a hole. This is the convention for polyominoes, where lines of sight
//! end at the boundary.
//!
//! **A graph** is a board whose squares are the vertices. The only coordinate of a square is the number of
//! the vertex in the file. Two squares attack each other if an edge joins them, so a maximum solution is a
//! maximum independent set. Repeated and reversed edges count once and are reported in a note. Vertices are
//! 32-bit numbers without leading zeros.
//!
//! | first line | edges | vertices |
//! | --- | --- | --- |
//! | `p edge N M` (DIMACS; also `p col`, `p edges`) | `e i j` | 1 to `N` |
//! | `p td N M` (PACE; also `tw`, `vc`, `ds`) | `i j` | 1 to `N` |
//! | `%%MatrixMarket matrix coordinate pattern symmetric`, then `N N M` | `i j` | 1 to `N` |
//! | `n N` | `i j` | 0 to `N`-1 |
//! | an edge | `i j` | the ends of the edges |
//! | `N M`, read as `header:PATH` | `i j` | `N`, see below |
//!
//! In the forms with `p`, a third number on that line, lines that begin with `d`, `v` or `x`, and a wrong `M`
//! are ignored and reported in a note. `n v 1` gives vertex `v` the weight 1; other weights are rejected. In
//! lists without `p`, two vertices may be separated by a comma or semicolon, and `{}` may follow them. Lines
//! that begin with `#`, `%` or the word `c` are comments.
//!
//! The first line `N M` of a list of edges may be an edge or a header. If both are possible, `file:PATH` is
//! rejected; `edges:PATH` reads the line as an edge, `header:PATH` as a header ([`FirstLine`]). The vertices
//! of a graph with a header are the ends of the edges if there are `N` of them, otherwise 0 to `N`-1 or 1 to
//! `N`, whichever range contains them. If both ranges do, or neither does, the file is rejected.
//!
//! `cliques:` before `file:`, `edges:` or `header:` means the complement of the graph: independent sets of
//! the board are the cliques of the file. A DIMACS file that `ndq model` wrote as `.clq` also means the
//! complement: its comments before the `p` line contain the sentence "an edge joins squares that do not
//! attack each other: cliques are independent sets".

use std::cmp::Ordering;
use std::fmt::Write as _;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use sha2::{Digest as _, Sha256};

use super::NameError;
pub use super::lines::HEADER;
pub use super::reading::{FirstLine, Reading};
use super::text::{self, BoardContent};

/// Well-formed board file with its [`Reading`]. Two files are equal if their texts and readings are equal;
/// the paths may differ.
///
/// # Examples
/// ```
/// use ndqueens_notation::name::file::{BoardFile, Reading};
///
/// let (reading, path) = Reading::split("file:path.col").expect("the name of a file");
/// let file = BoardFile::new(path, "p edge 3 2\ne 1 2\ne 2 3\n".to_owned(), reading)?;
/// assert_eq!((file.path(), file.digest().len()), ("path.col", 64));
/// # Ok::<(), ndqueens_notation::name::NameError>(())
/// ```
#[derive(Debug, Clone)]
pub struct BoardFile {
    contents: Arc<Contents>,
    reading: Reading,
}

/// Path and text of a board file, and notes to the user on it.
#[derive(Debug)]
struct Contents {
    path: String,
    text: String,
    notes: Vec<String>,
}

impl BoardFile {
    /// Creates a board file from its text.
    ///
    /// # Errors
    /// Returns [`NameError::Contents`] if the text is malformed.
    pub fn new(path: &str, text: String, reading: Reading) -> Result<Self, NameError> {
        let content = text::parse_content(&text, reading).map_err(|fault| NameError::Contents {
            path: path.to_owned(),
            line: fault.line,
            column: fault.column,
            fault: fault.message,
        })?;
        let mut notes = Vec::new();
        if let BoardContent::Graph(graph) = content {
            notes.extend(graph.notes.iter().map(|note| format!("{path}: {note}")));
            if is_clique_instance(path) && !graph.complemented {
                notes.push(format!(
                    "{path}: independent sets of its graph are meant; cliques:{}{path} means its cliques",
                    reading.prefix()
                ));
            }
        }
        Ok(Self { contents: Arc::new(Contents { path: path.to_owned(), text, notes }), reading })
    }

    /// Returns the path of the file.
    #[must_use]
    pub fn path(&self) -> &str {
        &self.contents.path
    }

    /// Returns the text of the file.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.contents.text
    }

    /// Returns notes to the user, for example on repeated edges. Each is a sentence that names the file.
    #[must_use]
    pub fn notes(&self) -> &[String] {
        &self.contents.notes
    }

    /// Returns the interpretation of the file that its name specifies.
    #[must_use]
    pub fn reading(&self) -> Reading {
        self.reading
    }

    /// Parses the text and returns the drawing or the graph.
    ///
    /// # Panics
    /// Never panics, because [`BoardFile::new`] has parsed the same text.
    #[must_use]
    pub fn content(&self) -> BoardContent {
        text::parse_content(self.text(), self.reading).expect("a board file is well-formed")
    }

    /// Returns the SHA-256 digest of the text in hexadecimal.
    #[must_use]
    pub fn digest(&self) -> String {
        Sha256::digest(self.text().as_bytes()).iter().fold(String::new(), |mut digits, byte| {
            write!(digits, "{byte:02x}").expect("a string takes everything");
            digits
        })
    }
}

/// Returns `true` if the file name is that of an instance for clique solvers.
fn is_clique_instance(path: &str) -> bool {
    let path = path.to_ascii_lowercase();
    path.strip_suffix(".gz").unwrap_or(&path).ends_with(".clq")
}

impl PartialEq for BoardFile {
    fn eq(&self, other: &Self) -> bool {
        (self.reading, self.text()) == (other.reading, other.text())
    }
}

impl Eq for BoardFile {}

impl Hash for BoardFile {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.reading, self.text()).hash(state);
    }
}

impl PartialOrd for BoardFile {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for BoardFile {
    fn cmp(&self, other: &Self) -> Ordering {
        (self.text(), self.reading).cmp(&(other.text(), other.reading))
    }
}
