//! Lines of board files, and errors in them.

/// First line of a drawing.
pub const HEADER: &str = "ndqueens board 1";

/// Error in the text of a board file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Fault {
    /// Line, counted from 1.
    pub(crate) line: usize,
    /// Column, counted from 1.
    pub(crate) column: usize,
    /// Description of the error and of the values allowed there.
    pub(crate) message: String,
}

/// Returns an error at `line` and `column`, both counted from 1.
pub(super) fn fault<T>(line: usize, column: usize, message: impl Into<String>) -> Result<T, Fault> {
    Err(Fault { line, column, message: message.into() })
}

/// Line number, counted from 1, and text of a line.
pub(super) type Numbered<'t> = (usize, &'t str);
