//! Classes of errors, which determine the exit codes of commands.
//!
//! ```
//! use ndqueens_notation::error_class::{Classified as _, ErrorClass};
//! use ndqueens_notation::name::BoardName;
//!
//! let error = "6^^3".parse::<BoardName>().expect_err("malformed");
//! assert_eq!(error.class(), ErrorClass::BadInput);
//! assert_eq!(error.class().kind(), "bad input");
//! ```

use std::error::Error;

/// Class of an error. If the errors in a chain of causes have different classes, the largest one applies.
///
/// # Examples
/// ```
/// use ndqueens_notation::error_class::ErrorClass;
///
/// assert!(ErrorClass::BadInput < ErrorClass::Failure);
/// assert_eq!(ErrorClass::Limit.kind(), "limit");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ErrorClass {
    /// Input that is malformed, refers to something unknown, or does not suit the request.
    BadInput,
    /// Claim that was checked and does not hold, or question with the answer no.
    Refuted,
    /// Work that was stopped or reached a limit, so that nothing is decided.
    Limit,
    /// Failure of the system or of a program, this one included.
    Failure,
}

impl ErrorClass {
    /// Returns the word for the class in the JSON object of an error.
    #[must_use]
    pub fn kind(self) -> &'static str {
        match self {
            Self::BadInput => "bad input",
            Self::Refuted => "refuted",
            Self::Limit => "limit",
            Self::Failure => "failure",
        }
    }
}

/// Error that states its class.
///
/// # Examples
/// ```
/// use ndqueens_notation::error_class::{Classified, ErrorClass};
///
/// #[derive(Debug, thiserror::Error)]
/// #[error("the board is too large")]
/// struct TooLarge;
///
/// impl Classified for TooLarge {
///     fn class(&self) -> ErrorClass {
///         ErrorClass::Limit
///     }
/// }
///
/// assert_eq!(TooLarge.class().kind(), "limit");
/// ```
pub trait Classified: Error {
    /// Returns the class of the error.
    fn class(&self) -> ErrorClass;
}
