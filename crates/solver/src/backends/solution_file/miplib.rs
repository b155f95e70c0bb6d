//! Solution files of MIPLIB and its checker: `=obj=` with the objective, then names and values of
//! the nonzero columns.

use super::values::{FileResult, Lines, SolutionFile, StatedNumbers, Values};
use crate::backends::claim::SolverStatus;
use ndqueens_system::cancel::StopReason;

/// Beginnings of the first line that is not a comment.
pub(super) const HEADS: [&str; 3] = ["=obj=", "=infeas=", "=unbd="];

/// Reads a file; `first` is the line that begins with one of [`HEADS`].
pub(super) fn read(first: &str, mut lines: Lines<'_>, mut values: Values<'_>) -> FileResult<SolutionFile> {
    let status = match first.trim() {
        "=infeas=" => Some(SolverStatus::Infeasible),
        "=unbd=" => Some(SolverStatus::Unbounded),
        _ => None,
    };
    let mut stated = StatedNumbers::default();
    let objective_line = lines.number;
    if status.is_none() {
        let objective = first.strip_prefix(HEADS[0]).unwrap_or_default();
        stated.objective = Some(lines.float(objective.trim())?);
    }
    while let Some(line) = lines.next() {
        if line.trim().is_empty() || line.starts_with('#') {
            continue;
        }
        if status.is_some() {
            return lines.fault(format!("{first} says that there is no solution, and values follow"));
        }
        let mut words = line.split_whitespace();
        values.set_words(&lines, words.by_ref())?;
        if let Some(word) = words.next() {
            return lines.fault(format!("\"{word}\" follows the value of the column"));
        }
    }
    match status {
        Some(status) => Ok(SolutionFile::empty("MIPLIB", status)),
        None => values.finish("MIPLIB", SolverStatus::Stopped(StopReason::Unstated), stated, objective_line),
    }
}
