//! Lines of board files, and the faults in them.

/// First line of a drawing.
pub const HEADER: &str = "ndqueens board 1";

/// What is wrong with a text, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Fault {
    /// Line, counted from 1.
    pub(crate) line: usize,
    /// Column, counted from 1.
    pub(crate) column: usize,
    /// What is wrong there and what is allowed.
    pub(crate) words: String,
}

pub(super) fn fault<T>(line: usize, column: usize, words: impl Into<String>) -> Result<T, Fault> {
    Err(Fault { line, column, words: words.into() })
}

/// A line and its number, counted from 1.
pub(super) type Numbered<'t> = (usize, &'t str);
