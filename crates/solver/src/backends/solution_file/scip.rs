//! The files of SCIP.

use ndqueens_system::cancel::StopReason;

use super::values::{Lines, Read, SolutionFile, StatedNumbers, Values, other_status};
use crate::backends::claim::SolverStatus;

/// The first line, if there is a status.
pub(super) const STATUS: &str = "solution status:";
/// The first line, or the second.
pub(super) const OBJECTIVE: &str = "objective value:";

pub(super) fn read(first: &str, mut lines: Lines<'_>, mut values: Values<'_>) -> Read<SolutionFile> {
    let (claim, line) = match first.strip_prefix(STATUS).map(str::trim) {
        Some("optimal solution found") => (SolverStatus::Optimal, lines.need()?),
        Some("infeasible") => (SolverStatus::Infeasible, lines.need()?),
        Some(other) => (other_status(other), lines.need()?),
        None => (SolverStatus::Stopped(StopReason::Unstated), first),
    };
    if line == "no solution available" {
        return Ok(SolutionFile::empty("SCIP", claim));
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
    values.finish("SCIP", claim, stated, objective_line)
}
