//! The files of Gurobi: `.sol`, `.mst` and `.json`.

use ndqueens_system::cancel::StopReason;
use serde::Deserialize;

use super::values::{Lines, Read, SolutionFile, SolutionFileError, StatedNumbers, Values};
use crate::backends::claim::SolverStatus;

/// The first line, or a later comment.
pub(super) const OBJECTIVE: &str = "# Objective value =";
/// The first line of a `.sol` file.
const SOLUTION: &str = "# Solution for model";

/// Reads `.sol` and `.mst` files: comments, among them the objective, then a name and a value for every column. A start file
/// states no objective.
pub(super) fn sol(first: &str, mut lines: Lines<'_>, mut values: Values<'_>) -> Read<SolutionFile> {
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

pub(super) fn json(text: &str, mut values: Values<'_>) -> Read<SolutionFile> {
    let Json { info, variables } = serde_json::from_str(text)
        .map_err(|error| SolutionFileError { line: error.line(), fault: error.to_string() })?;
    let claim = match info.status {
        2 => SolverStatus::Optimal,
        3 => SolverStatus::Infeasible,
        5 => SolverStatus::Unbounded,
        8 => SolverStatus::Stopped(StopReason::NodeLimit),
        9 => SolverStatus::Stopped(StopReason::TimeLimit),
        11 => SolverStatus::Stopped(StopReason::Interrupted),
        _ => SolverStatus::Stopped(StopReason::Unstated),
    };
    // The file is all in one line.
    let fault = |fault| SolutionFileError { line: 1, fault };
    match info.obj_val {
        Some(objective) if info.sol_count > 0 => {
            if variables.is_empty() {
                return Err(fault(
                    "the file names no columns; Gurobi writes them with JSONSolDetail=1".to_owned(),
                ));
            }
            // With JSONSolDetail=0 the file names the columns that are not 0.
            for Entry { var_name, x } in &variables {
                values.set(var_name, *x).map_err(fault)?;
            }
            // An optimum of an integer program comes with a bound.
            let bound = info.obj_bound.or((info.status == 2).then_some(f64::INFINITY));
            let stated = StatedNumbers { objective: Some(objective), bound, gap: info.gap };
            values.finish("Gurobi", claim, stated, 1)
        }
        _ => Ok(values.without_point("Gurobi", claim, info.obj_bound)),
    }
}
