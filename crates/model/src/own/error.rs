//! Errors of inequalities in files.

use ndqueens_notation::escape::escape;

/// Largest absolute value of coefficients and right-hand sides.
pub const MAX_NUMBER: i64 = 1_000_000_000;

/// Maximum number of squares of an inequality.
pub const MAX_SQUARES: usize = 100_000;

/// Error of an inequality in a formulation's file, as the end of a sentence.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum InequalityError {
    /// Missing key.
    #[error("it needs {0}")]
    Missing(&'static str),
    /// Key without the key that it belongs to.
    #[error("{key} goes with {with}")]
    Without {
        /// Key that is given.
        key: &'static str,
        /// Key that is missing.
        with: &'static str,
    },
    /// Two keys that exclude each other.
    #[error("{0} and {1} exclude each other")]
    Conflict(&'static str, &'static str),
    /// Empty list.
    #[error("{0} is empty")]
    Empty(&'static str),
    /// List with a repeated entry.
    #[error("{key} has {value} twice")]
    Repeated {
        /// Key of the list.
        key: &'static str,
        /// Repeated entry.
        value: String,
    },
    /// Lists of different lengths.
    #[error("it has {coefficients} coefficients for {squares} squares")]
    Lengths {
        /// Number of coefficients.
        coefficients: usize,
        /// Number of squares.
        squares: usize,
    },
    /// Coefficient 0.
    #[error("the coefficient of {0} is 0; leave the square out")]
    Zero(String),
    /// Number outside the allowed range.
    #[error("{key} has {value}; numbers from -{MAX_NUMBER} to {MAX_NUMBER} are allowed")]
    Range {
        /// Key of the number.
        key: &'static str,
        /// The number.
        value: i64,
    },
    /// Squares with different numbers of coordinates.
    #[error("{0} and {1} have different numbers of coordinates")]
    Axes(String, String),
    /// Square outside the box.
    #[error("{square} is not a square of its box {sides}")]
    Outside {
        /// The square.
        square: String,
        /// Sides of the box.
        sides: String,
    },
    /// Side or stride of 0.
    #[error("{0} has a 0; numbers from 1 on are allowed")]
    NotPositive(&'static str),
    /// Box with more squares than the limit.
    #[error("its box {0} has more than {MAX_SQUARES} squares")]
    TooLarge(String),
    /// Classes for a box with a side above 3.
    #[error("classes are defined for boxes with sides of 1, 2 and 3, not for {0}")]
    ClassSides(String),
    /// Wrong number of classes.
    #[error("classes has {given} weights; {sides} has squares with 0 to {most} middle coordinates")]
    ClassNumber {
        /// Number of weights.
        given: usize,
        /// Sides of the box.
        sides: String,
        /// Number of sides of 3.
        most: usize,
    },
    /// Unknown comparison.
    #[error("unknown sense \"{}\"; expected one of <=, >=, =", escape(.0))]
    Sense(String),
    /// File that cannot be read.
    #[error("{}: {}", escape(file), escape(fault))]
    File {
        /// Name of the file.
        file: String,
        /// Message of the system.
        fault: String,
    },
    /// File with another extension.
    #[error("{}: files of inequalities end in .csv or .lp", escape(.0))]
    Extension(String),
    /// Malformed line of a file.
    #[error("{}, line {line}: {}", escape(file), escape(fault))]
    Line {
        /// Name of the file.
        file: String,
        /// Number of the line, from 1.
        line: usize,
        /// Description of the error.
        fault: String,
    },
    /// Invalid row of a file.
    #[error("{}: row {}: {fault}", escape(file), escape(row))]
    Row {
        /// Name of the file.
        file: String,
        /// Name of the row.
        row: String,
        /// Error of the row.
        fault: Box<InequalityError>,
    },
    /// File without rows.
    #[error("{}: it has no rows", escape(.0))]
    NoRows(String),
}
