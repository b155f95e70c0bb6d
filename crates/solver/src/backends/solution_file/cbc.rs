//! Solution files of CBC.

use std::collections::HashSet;

use super::values::{FileResult, Lines, SolutionFile, StatedNumbers, Values, other_status};
use crate::backends::claim::SolverStatus;

/// Text between the status and the objective in the first line.
pub(super) const OBJECTIVE: &str = " - objective value ";

/// Reads a file; `first` is its first line.
pub(super) fn read(first: &str, mut lines: Lines<'_>, mut values: Values<'_>) -> FileResult<SolutionFile> {
    let (text, objective) = first.split_once(OBJECTIVE).unwrap_or_default();
    let status = match text {
        "Optimal" => SolverStatus::Optimal,
        "Infeasible" | "Integer infeasible" => SolverStatus::Infeasible,
        other => other_status(other),
    };
    // The values are then those of an LP relaxation.
    if status == SolverStatus::Infeasible || text.contains("no integer solution") {
        return Ok(SolutionFile::empty("CBC", status));
    }
    let objective = lines.float(objective.trim())?;
    let mut rows: Option<HashSet<String>> = None;
    while let Some(line) = lines.next() {
        // Number, name, value, reduced cost; two stars mark values outside the tolerances of CBC.
        let line = line.trim_start();
        let mut words = line.strip_prefix("**").unwrap_or(line).split_whitespace();
        let number = words.next().unwrap_or_default();
        if let Some(name) = words.clone().next() {
            if !values.numbers.contains_key(name) {
                // With all printing options on, the rows are listed as well.
                let rows = rows
                    .get_or_insert_with(|| values.program.rows().map(|row| row.tag.to_string()).collect());
                if rows.contains(name) {
                    continue;
                }
            }
            values.store_number(name, number, 0, lines.number)?;
        }
        values.set_words(&lines, words)?;
    }
    values.finish("CBC", status, StatedNumbers { objective: Some(objective), ..StatedNumbers::default() }, 1)
}
