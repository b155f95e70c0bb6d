//! The files of CBC.

use std::collections::HashSet;

use super::values::{Lines, Read, SolutionFile, StatedNumbers, Values, other_status};
use crate::backends::claim::SolverStatus;

/// On the first line.
pub(super) const OBJECTIVE: &str = " - objective value ";

pub(super) fn read(first: &str, mut lines: Lines<'_>, mut values: Values<'_>) -> Read<SolutionFile> {
    let (status, objective) = first.split_once(OBJECTIVE).unwrap_or_default();
    let claim = match status {
        "Optimal" => SolverStatus::Optimal,
        "Infeasible" | "Integer infeasible" => SolverStatus::Infeasible,
        other => other_status(other),
    };
    // What follows then is the point of an LP relaxation.
    if claim == SolverStatus::Infeasible || status.contains("no integer solution") {
        return Ok(SolutionFile::empty("CBC", claim));
    }
    let objective = lines.float(objective.trim())?;
    let mut rows: Option<HashSet<String>> = None;
    while let Some(line) = lines.next() {
        // Number, name, value, reduced cost; two stars mark what CBC finds outside its tolerances.
        let line = line.trim_start();
        let mut words = line.strip_prefix("**").unwrap_or(line).split_whitespace();
        let number = words.next().unwrap_or_default();
        if let Some(name) = words.clone().next() {
            if !values.numbers.contains_key(name) {
                // With all printing options on, the rows are listed as well.
                let rows = rows
                    .get_or_insert_with(|| values.programme.rows().map(|row| row.tag.to_string()).collect());
                if rows.contains(name) {
                    continue;
                }
            }
            values.numbered(name, number, 0, lines.number).or_else(|fault| lines.fault(fault))?;
        }
        values.set_words(&lines, words)?;
    }
    values.finish("CBC", claim, StatedNumbers { objective: Some(objective), ..StatedNumbers::default() }, 1)
}
