//! Rows of files of inequalities.

use super::Term;

/// Row of a file of inequalities.
#[derive(Debug)]
pub(super) struct FileRow {
    pub(super) name: String,
    pub(super) terms: Vec<Term>,
    pub(super) sense: String,
    pub(super) rhs: i64,
}
