//! Kinds of faults: a file is shown to be wrong, cannot be read, or was not checked to the end.

/// Reason why a checker did not accept a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FaultKind {
    /// The file was read, and one of its steps is not valid.
    False,
    /// The text is not a file of its format: it is damaged, cut off, or in another format.
    Unreadable,
    /// The check reached a limit: of time, of squares, of the size of numbers or of steps. Neither a yes nor a no follows.
    Limit,
}

/// A fault in words, with its kind.
#[cfg(feature = "proofs")]
#[derive(Debug)]
pub(crate) struct Reason {
    pub(crate) kind: FaultKind,
    pub(crate) words: String,
}

#[cfg(feature = "proofs")]
impl Reason {
    /// Returns the fault of a text that does not follow the format.
    pub(crate) fn unreadable(words: impl Into<String>) -> Self {
        Self { kind: FaultKind::Unreadable, words: words.into() }
    }

    /// Returns the fault of a check that reached a limit.
    pub(crate) fn limit(words: impl Into<String>) -> Self {
        Self { kind: FaultKind::Limit, words: words.into() }
    }
}

/// Makes the fault of a step that is not valid, which is the usual case.
#[cfg(feature = "proofs")]
impl<W: Into<String>> From<W> for Reason {
    fn from(words: W) -> Self {
        Self { kind: FaultKind::False, words: words.into() }
    }
}
