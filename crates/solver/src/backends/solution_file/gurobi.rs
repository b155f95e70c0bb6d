//! Solution files of Gurobi: `.sol`, `.mst` and `.json`.

use ndqueens_system::cancel::StopReason;
use serde::Deserialize;

use super::values::{FileResult, Lines, SolutionFile, SolutionFileError, StatedNumbers, Values};
use crate::backends::claim::SolverStatus;

/// Beginning of the comment with the objective.
pub(super) const OBJECTIVE: &str = "# Objective value =";
/// Beginning of the first line of a `.sol` file.
const SOLUTION: &str = "# Solution for model";

/// Reads `.sol` and `.mst` files: comments, among them the objective, then a name and a value for every
/// column. A start file states no objective.
pub(super) fn sol(first: &str, mut lines: Lines<'_>, mut values: Values<'_>) -> FileResult<SolutionFile> {
    let mut stated = StatedNumbers::default();
    let (mut objective_line, mut values_begin) = (lines.number, false);
    values.complete = true;
    let mut line = Some(first);
    while let Some(text) = line {
        if let Some(objective) = text.strip_prefix(OBJECTIVE) {
            if stated.objective.is_some() || values_begin {
                return lines.fault("a second solution begins here; the file must hold one");
            }
            stated.objective = Some(lines.float(objective.trim())?);
            objective_line = lines.number;
        } else if !text.starts_with('#') && !text.is_empty() {
            if !values_begin && stated.objective.is_none() && first.starts_with(SOLUTION) {
                return lines.fault("the objective value is needed");
            }
            values_begin = true;
            let mut words = text.split_whitespace();
            values.set_words(&lines, words.by_ref())?;
            if let Some(word) = words.next() {
                return lines.fault(format!("\"{word}\" follows the value of the column"));
            }
        }
        line = lines.next();
    }
    values.finish("Gurobi", SolverStatus::Stopped(StopReason::Unstated), stated, objective_line)
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
    #[serde(rename = "MIPGap")]
    gap: Option<f64>,
    #[serde(default)]
    sol_count: u32,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Entry {
    var_name: String,
    x: f64,
}

/// Reads a `.json` file.
pub(super) fn json(text: &str, mut values: Values<'_>) -> FileResult<SolutionFile> {
    let Json { info, variables } = serde_json::from_str(text)
        .map_err(|error| SolutionFileError { line: error.line(), fault: error.to_string() })?;
    let status = match info.status {
        2 => SolverStatus::Optimal,
        3 => SolverStatus::Infeasible,
        5 => SolverStatus::Unbounded,
        8 => SolverStatus::Stopped(StopReason::NodeLimit),
        9 => SolverStatus::Stopped(StopReason::TimeLimit),
        11 => SolverStatus::Stopped(StopReason::Interrupted),
        _ => SolverStatus::Stopped(StopReason::Unstated),
    };
    match info.obj_val {
        Some(objective) if info.sol_count > 0 => {
            if variables.is_empty() {
                let fault = "the file names no columns; Gurobi writes them with JSONSolDetail=1".to_owned();
                return Err(SolutionFileError { line: 1, fault });
            }
            // With JSONSolDetail=0 the file names the nonzero columns. It has a single line.
            for Entry { var_name, x } in &variables {
                values.set(var_name, *x, 1)?;
            }
            // An optimum of an integer program comes with a bound.
            let bound = info.obj_bound.or((info.status == 2).then_some(f64::INFINITY));
            let stated = StatedNumbers { objective: Some(objective), bound, gap: info.gap };
            values.finish("Gurobi", status, stated, 1)
        }
        _ => Ok(values.without_point("Gurobi", status, info.obj_bound)),
    }
}
