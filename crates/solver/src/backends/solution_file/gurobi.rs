//! The files of Gurobi: `.sol` and `.json`.

use ndqueens_control::StopReason;
use serde::Deserialize;

use super::values::{Lines, Read, SolutionFile, SolutionFileError, Values};
use crate::backends::claim::SolverStatus;

/// The first line, or the second.
pub(super) const OBJECTIVE: &str = "# Objective value =";

pub(super) fn sol(first: &str, mut lines: Lines<'_>, mut values: Values<'_>) -> Read<SolutionFile> {
    let line = if first.starts_with(OBJECTIVE) { first } else { lines.need()? };
    let Some(objective) = line.strip_prefix(OBJECTIVE) else {
        return lines.fault("the objective value is needed");
    };
    let objective = lines.float(objective.trim())?;
    let objective_line = lines.number;
    values.complete = true;
    while let Some(line) = lines.next() {
        if !line.starts_with('#') {
            values.set_words(&lines, line.split_whitespace())?;
        }
    }
    let point = values.finish(objective, objective_line)?;
    Ok(SolutionFile {
        solver: "Gurobi",
        claim: SolverStatus::Stopped(StopReason::Unstated),
        point: Some(point),
    })
}

#[derive(Deserialize)]
struct Json {
    #[serde(rename = "SolutionInfo")]
    info: Info,
    #[serde(rename = "Vars", default)]
    variables: Vec<Entry>,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Info {
    status: u32,
    obj_val: Option<f64>,
    obj_bound: Option<f64>,
    #[serde(default)]
    sol_count: u32,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Entry {
    var_name: String,
    x: f64,
}

pub(super) fn json(text: &str, mut values: Values<'_>) -> Read<SolutionFile> {
    let Json { info, variables } = serde_json::from_str(text)
        .map_err(|error| SolutionFileError { line: error.line(), fault: error.to_string() })?;
    // Gurobi's own tolerance may leave room for an integer between its optimum and its bound.
    let closed = info.obj_val.zip(info.obj_bound).is_some_and(|(value, bound)| (value - bound).abs() < 0.99);
    let claim = match info.status {
        2 if closed => SolverStatus::Optimal,
        3 => SolverStatus::Infeasible,
        5 => SolverStatus::Unbounded,
        8 => SolverStatus::Stopped(StopReason::NodeLimit),
        9 => SolverStatus::Stopped(StopReason::TimeLimit),
        11 => SolverStatus::Stopped(StopReason::Interrupted),
        _ => SolverStatus::Stopped(StopReason::Unstated),
    };
    // The file is all in one line.
    let fault = |fault| SolutionFileError { line: 1, fault };
    let point = match info.obj_val {
        Some(objective) if info.sol_count > 0 => {
            if variables.is_empty() {
                return Err(fault(
                    "the file names no columns; Gurobi writes them with JSONSolDetail=1".to_owned(),
                ));
            }
            values.complete = true;
            for Entry { var_name, x } in &variables {
                values.set(var_name, *x).map_err(fault)?;
            }
            Some(values.finish(objective, 1)?)
        }
        _ => None,
    };
    Ok(SolutionFile { solver: "Gurobi", claim, point })
}
