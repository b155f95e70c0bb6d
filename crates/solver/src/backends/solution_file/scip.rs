//! Solution files of SCIP.

use ndqueens_system::cancel::StopReason;

use super::values::{FileResult, Lines, SolutionFile, StatedNumbers, Values, other_status};
use crate::backends::claim::SolverStatus;

/// Beginning of the first line, if there is a status.
pub(super) const STATUS: &str = "solution status:";
/// Beginning of the first line, or of the second one after a status.
pub(super) const OBJECTIVE: &str = "objective value:";

/// Reads a file; `first` is its first line.
pub(super) fn read(first: &str, mut lines: Lines<'_>, mut values: Values<'_>) -> FileResult<SolutionFile> {
    let (status, line) = match first.strip_prefix(STATUS).map(str::trim) {
        Some("optimal solution found") => (SolverStatus::Optimal, lines.require()?),
        Some("infeasible") => (SolverStatus::Infeasible, lines.require()?),
        Some(other) => (other_status(other), lines.require()?),
        None => (SolverStatus::Stopped(StopReason::Unstated), first),
    };
    if line == "no solution available" {
        return Ok(SolutionFile::empty("SCIP", status));
    }
    let Some(objective) = line.strip_prefix(OBJECTIVE) else {
        return lines.fault("the objective value or \"no solution available\" is needed");
    };
    let objective = lines.float(objective.trim())?;
    let objective_line = lines.number;
    while let Some(line) = lines.next() {
        values.set_words(&lines, line.split_whitespace())?;
    }
    let stated = StatedNumbers { objective: Some(objective), ..StatedNumbers::default() };
    values.finish("SCIP", status, stated, objective_line)
}
