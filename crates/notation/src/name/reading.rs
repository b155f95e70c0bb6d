//! How the name of a board says that its file is to be read.

/// The meaning of the first line of a list of edges, if it is two numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub enum FirstLine {
    /// An edge, unless it may be a header: such a file is refused.
    #[default]
    Unmarked,
    /// An edge.
    Edge,
    /// The numbers of vertices and edges.
    Header,
}

/// How a name says that its file is to be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Reading {
    /// The meaning of the first line of a list of edges.
    pub first_line: FirstLine,
    /// `true` if two squares attack each other when no edge joins them.
    pub complement: bool,
}

impl Reading {
    const PREFIXES: [(&str, FirstLine); 3] =
        [("file:", FirstLine::Unmarked), ("edges:", FirstLine::Edge), ("header:", FirstLine::Header)];

    /// Splits the name of a board in a file into its reading and the path; `None` if the name is of another kind.
    #[must_use]
    pub fn split(name: &str) -> Option<(Self, &str)> {
        let (complement, rest) = match name.strip_prefix("cliques:") {
            Some(rest) => (true, rest),
            None => (false, name),
        };
        let of = |(prefix, first_line): (&str, FirstLine)| {
            rest.strip_prefix(prefix).map(|path| (Self { first_line, complement }, path))
        };
        Self::PREFIXES.into_iter().find_map(of)
    }

    /// Returns what stands before the path in a name.
    #[must_use]
    pub fn prefix(self) -> String {
        let first_line = Self::PREFIXES.into_iter().find(|(_, first_line)| *first_line == self.first_line);
        let prefix = first_line.map_or("", |(prefix, _)| prefix);
        format!("{}{prefix}", if self.complement { "cliques:" } else { "" })
    }
}
