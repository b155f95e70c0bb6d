//! Reasons why files prove nothing.

use std::{fmt, io};

use ndqueens_notation::error_class::{Classified, ErrorClass};

use crate::external_checker::CheckerError;

/// Reason why a file proves nothing.
#[derive(Debug, thiserror::Error)]
pub enum Refusal {
    /// The file was read, and its statement or proof is wrong.
    #[error("{0}")]
    Wrong(String),
    /// The file cannot be read: it is damaged, truncated, or in another format.
    #[error("{0}")]
    Unreadable(String),
    /// The file cannot be checked in the given form.
    #[error("{0}")]
    Unchecked(String),
    /// The file does not name its board, and none was given.
    #[error("{0}")]
    NoBoard(String),
    /// The system or this program failed.
    #[error("{0}")]
    Failed(String),
    /// The check reached a time limit or a limit of the checker, so the result is unknown.
    #[error("{0}")]
    Limit(String),
}

impl Refusal {
    /// Creates the refusal of a file of the kind `of`, given the error of its checker.
    #[must_use]
    pub fn new(error: &impl Classified, of: &str) -> Self {
        match error.class() {
            ErrorClass::BadInput => Self::unreadable(error, of),
            ErrorClass::Refuted => Self::Wrong(error.to_string()),
            ErrorClass::Limit => Self::Limit(error.to_string()),
            ErrorClass::Failure => Self::Failed(error.to_string()),
        }
    }

    /// Creates the refusal of a text that does not have the form of its kind.
    pub(super) fn unreadable(why: impl fmt::Display, of: &str) -> Self {
        Self::Unreadable(format!("it cannot be read as {of}: {why}"))
    }

    /// Creates the refusal of a file of a kind that could not be read to its end.
    #[must_use]
    pub fn from_read_error(fault: &io::Error, of: &str) -> Self {
        use io::ErrorKind::{InvalidData, InvalidInput, TimedOut, UnexpectedEof};
        match fault.kind() {
            TimedOut => Self::Limit("the check was stopped before its end".to_owned()),
            InvalidData | InvalidInput | UnexpectedEof => Self::unreadable(fault, of),
            _ => Self::Failed(fault.to_string()),
        }
    }
}

impl Classified for Refusal {
    fn class(&self) -> ErrorClass {
        match self {
            Self::Unreadable(_) | Self::Unchecked(_) | Self::NoBoard(_) => ErrorClass::BadInput,
            Self::Wrong(_) => ErrorClass::Refuted,
            Self::Limit(_) => ErrorClass::Limit,
            Self::Failed(_) => ErrorClass::Failure,
        }
    }
}

impl From<CheckerError> for Refusal {
    fn from(error: CheckerError) -> Self {
        let words = error.to_string();
        match error {
            CheckerError::Stopped(_) => Self::Limit(words),
            CheckerError::Fault { .. } | CheckerError::Room(_) => Self::Failed(words),
            CheckerError::Missing { .. } | CheckerError::OtherProgram { .. } => Self::Unchecked(words),
        }
    }
}
