//! Interpretation of a board file, as specified by the prefix of the board name.

/// Meaning of the first line of a list of edges, if it consists of two numbers.
///
/// # Examples
/// ```
/// use ndqueens_notation::name::file::{FirstLine, Reading};
///
/// let (reading, path) = Reading::split("edges:g.txt").expect("the name of a file");
/// assert_eq!((reading.first_line, path), (FirstLine::Edge, "g.txt"));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub enum FirstLine {
    /// Not specified: the line is read as an edge, and the file is rejected if it may be a header as well.
    #[default]
    Unmarked,
    /// An edge.
    Edge,
    /// A header: the numbers of vertices and edges.
    Header,
}

/// Interpretation of a board file, as specified by the prefix of the board name.
///
/// # Examples
/// ```
/// use ndqueens_notation::name::file::Reading;
///
/// let (reading, path) = Reading::split("cliques:file:g.col").expect("the name of a file");
/// assert!(reading.complement && path == "g.col");
/// assert_eq!(reading.prefix(), "cliques:file:");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Reading {
    /// The meaning of the first line of a list of edges.
    pub first_line: FirstLine,
    /// `true` if two squares attack each other exactly if no edge joins them.
    pub complement: bool,
}

impl Reading {
    /// Prefixes of board names, without `cliques:`.
    const PREFIXES: [(&str, FirstLine); 3] =
        [("file:", FirstLine::Unmarked), ("edges:", FirstLine::Edge), ("header:", FirstLine::Header)];

    /// Splits the name of a board file into its interpretation and the path. Returns `None` for other board
    /// names.
    #[must_use]
    pub fn split(name: &str) -> Option<(Self, &str)> {
        let (complement, rest) = match name.strip_prefix("cliques:") {
            Some(rest) => (true, rest),
            None => (false, name),
        };
        let split_prefix = |(prefix, first_line): (&str, FirstLine)| {
            rest.strip_prefix(prefix).map(|path| (Self { first_line, complement }, path))
        };
        Self::PREFIXES.into_iter().find_map(split_prefix)
    }

    /// Returns the prefix of the path in a board name.
    #[must_use]
    pub fn prefix(self) -> String {
        let first_line = Self::PREFIXES.into_iter().find(|(_, first_line)| *first_line == self.first_line);
        let prefix = first_line.map_or("", |(prefix, _)| prefix);
        format!("{}{prefix}", if self.complement { "cliques:" } else { "" })
    }
}
