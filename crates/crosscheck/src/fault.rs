//! Reasons why a checker does not accept a file: it is wrong, it is malformed, or the check reached a limit.

use ndqueens_notation::error_class::ErrorClass;

/// Reason why a checker did not accept a file.
///
/// # Examples
/// ```
/// use ndqueens_crosscheck::bound;
/// use ndqueens_crosscheck::fault::FaultKind;
///
/// let fault = bound::check("ndqueens bound 1\nboard 3^2\nat most 3\n".as_bytes()).expect_err("no sum");
/// assert_eq!(fault.kind(), FaultKind::Invalid);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FaultKind {
    /// The file was read, and one of its steps is invalid.
    Invalid,
    /// The text does not follow the format: it is damaged, truncated, or in another format.
    Unreadable,
    /// The check reached a limit on time, squares, steps or the size of numbers. The file may be valid or
    /// not.
    Limit,
}

impl From<FaultKind> for ErrorClass {
    fn from(kind: FaultKind) -> Self {
        match kind {
            FaultKind::Invalid => Self::Refuted,
            FaultKind::Unreadable => Self::BadInput,
            FaultKind::Limit => Self::Limit,
        }
    }
}

/// Kind and description of a fault.
#[cfg(feature = "proofs")]
#[derive(Debug)]
pub(crate) struct Reason {
    pub(crate) kind: FaultKind,
    pub(crate) words: String,
}

#[cfg(feature = "proofs")]
impl Reason {
    /// Creates the fault of a text that does not follow the format.
    pub(crate) fn unreadable(words: impl Into<String>) -> Self {
        Self { kind: FaultKind::Unreadable, words: words.into() }
    }

    /// Creates the fault of a check that reached a limit.
    pub(crate) fn limit(words: impl Into<String>) -> Self {
        Self { kind: FaultKind::Limit, words: words.into() }
    }
}

/// Creates the fault of an invalid step, the most frequent kind.
#[cfg(feature = "proofs")]
impl<W: Into<String>> From<W> for Reason {
    fn from(words: W) -> Self {
        Self { kind: FaultKind::Invalid, words: words.into() }
    }
}
