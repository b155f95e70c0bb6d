//! Solution files of other solvers, read back against the programme that they were made for.
//!
//! | solver | files |
//! | --- | --- |
//! | HiGHS | raw (style 0), pretty (style 1) and sparse (style 4) |
//! | CBC | `solution`, with all columns or the nonzero ones |
//! | SCIP | `write solution`, with or without zeros and the line of the status |
//! | Gurobi | `.sol`, which never tells the status, and `.json`, which does |
//! | GLPK | what glpsol writes with `-w`, and prints with `-o` |
//!
//! The first line tells them apart. What a file leaves out is 0. A file is refused when it breaks off, holds a value that is
//! no integer, or states an objective that its values do not have; and as the solution of another programme when it
//! names a column that the programme does not have, numbers one otherwise, or lists zeros and yet not every column.
//! CBC's files and HiGHS's sparse ones have numbers, Gurobi's and GLPK's list every column. So a file of a smaller board may pass only
//! when it is SCIP's without zeros. Whether the point is feasible is not looked at here.

mod glpk;

use std::collections::{HashMap, HashSet};

use ndqueens_model::ilp::{Program, Sense};
use serde::Deserialize;

use crate::backends::StopReason;
use crate::backends::claim::{EXACT, SolverStatus};

/// What a solution file says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SolutionFile {
    /// The solver that wrote it.
    pub solver: &'static str,
    /// What the solver claims.
    pub claim: SolverStatus,
    /// One value for each column, when there is a solution.
    pub point: Option<Vec<i64>>,
}

/// Why a file is not the solution of the programme.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {fault}")]
pub struct SolutionFileError {
    /// The line, counted from 1.
    pub line: usize,
    /// What is wrong there.
    pub fault: String,
}

/// How far a value may be from an integer.
const INTEGRALITY: f64 = 1e-5;

/// How far the objective that a file states may be from that of its values.
const OBJECTIVE: f64 = 1e-4;

/// HiGHS calls a solution optimal when its relative gap is at most 1e-4: below this no integer fits into the gap.
const HIGHS_EXACT: f64 = 1e4;

/// Reads a solution file.
///
/// # Errors
/// Line and reason, when the text is not a solution file or not one of this programme.
pub fn read(text: &str, programme: &dyn Program) -> Result<SolutionFile, SolutionFileError> {
    let mut lines = Lines { rest: text.lines(), number: 0 };
    let first = lines.next().unwrap_or_default();
    let values = Values::of(programme);
    if first.starts_with('{') {
        return gurobi_json(text, values);
    }
    if !text.ends_with('\n') {
        return Err(SolutionFileError { line: text.lines().count().max(1), fault: BREAKS_OFF.to_owned() });
    }
    if first == "Model status" {
        highs_raw(lines, values)
    } else if first == "Columns" {
        highs_pretty(lines, values)
    } else if first.contains(CBC_OBJECTIVE) {
        cbc(first, lines, values)
    } else if first.starts_with(SCIP_STATUS) || first.starts_with(SCIP_OBJECTIVE) {
        scip(first, lines, values)
    } else if first.starts_with("# Solution for model") || first.starts_with(GUROBI_OBJECTIVE) {
        gurobi(first, lines, values)
    } else if first.starts_with("c Problem:") || first.starts_with("s mip ") {
        glpk::raw(Lines { rest: text.lines(), number: 0 }, values)
    } else if first.starts_with("Problem:") {
        glpk::printed(lines, values)
    } else {
        lines.fault("this is not a solution file of HiGHS, CBC, SCIP, Gurobi or GLPK")
    }
}

const BREAKS_OFF: &str = "the file breaks off here";
const ANOTHER: &str = "this is the solution of another one";
const CBC_OBJECTIVE: &str = " - objective value ";
const SCIP_STATUS: &str = "solution status:";
const SCIP_OBJECTIVE: &str = "objective value:";
const GUROBI_OBJECTIVE: &str = "# Objective value =";

type Read<T> = Result<T, SolutionFileError>;

struct Lines<'t> {
    rest: std::str::Lines<'t>,
    number: usize,
}

impl<'t> Lines<'t> {
    fn next(&mut self) -> Option<&'t str> {
        self.number += 1;
        self.rest.next().map(str::trim_end)
    }

    fn need(&mut self) -> Read<&'t str> {
        match self.next() {
            Some(line) => Ok(line),
            None => self.fault(BREAKS_OFF),
        }
    }

    /// Goes on to the line that begins like this, and gives what follows on it.
    fn seek(&mut self, beginning: &str) -> Read<&'t str> {
        loop {
            if let Some(rest) = self.need()?.strip_prefix(beginning) {
                return Ok(rest.trim());
            }
        }
    }

    fn fault<T>(&self, fault: impl Into<String>) -> Read<T> {
        Err(SolutionFileError { line: self.number, fault: fault.into() })
    }

    fn float(&self, word: &str) -> Read<f64> {
        match word.parse::<f64>() {
            Ok(value) if value.is_finite() => Ok(value),
            _ => self.fault(format!("\"{word}\" is not a finite number")),
        }
    }
}

/// The values of a point, as they are read.
struct Values<'p> {
    programme: &'p dyn Program,
    numbers: HashMap<&'p str, usize>,
    point: Vec<Option<i64>>,
    /// Whether the file lists every column, and not only those that are not 0.
    complete: bool,
}

impl<'p> Values<'p> {
    fn of(programme: &'p dyn Program) -> Self {
        let names = programme.columns().iter().enumerate();
        let numbers: HashMap<&str, usize> = names.map(|(k, column)| (column.name.as_str(), k)).collect();
        Self { programme, numbers, point: vec![None; programme.columns().len()], complete: false }
    }

    /// Refuses a count of columns that is not the programme's.
    fn counted(&self, count: usize) -> Result<(), String> {
        let expected = self.point.len();
        if count == expected {
            return Ok(());
        }
        Err(format!("the file lists {count} columns, but the programme has {expected}: {ANOTHER}, or a part"))
    }

    /// Refuses a number that the file gives to a column and the programme does not.
    fn numbered(&self, name: &str, number: &str) -> Result<(), String> {
        match self.numbers.get(name) {
            Some(expected) if number.parse() != Ok(*expected) => Err(format!(
                "{name} is column {number} of the file, but column {expected} of the programme: {ANOTHER}"
            )),
            _ => Ok(()),
        }
    }

    fn set(&mut self, name: &str, value: f64) -> Result<(), String> {
        let Some(&number) = self.numbers.get(name) else {
            return Err(format!("\"{name}\" is no column of the programme: {ANOTHER}"));
        };
        self.complete |= value == 0.0;
        let rounded = value.round();
        if !value.is_finite() || rounded.abs() > EXACT as f64 || (value - rounded).abs() > INTEGRALITY {
            return Err(format!("{name} = {value} is not an integer"));
        }
        match self.point[number].replace(rounded as i64) {
            None => Ok(()),
            Some(_) => Err(format!("{name} has two values")),
        }
    }

    fn set_words<'w>(&mut self, lines: &Lines<'_>, mut words: impl Iterator<Item = &'w str>) -> Read<()> {
        match (words.next(), words.next()) {
            (Some(name), Some(value)) => {
                let value = lines.float(value)?;
                self.set(name, value).or_else(|fault| lines.fault(fault))
            }
            _ => lines.fault("a name and a value are needed"),
        }
    }

    /// The point, if it has the objective that is stated in that line.
    fn finish(self, stated: f64, line: usize) -> Read<Vec<i64>> {
        let point: Vec<i64> = self.point.iter().map(|value| value.unwrap_or(0)).collect();
        let value = match self.programme.sense() {
            Sense::Feasibility => 0,
            Sense::Maximise | Sense::Minimise => self.programme.value(&point),
        } as f64;
        // An MPS file asks for the minimum of the negated objective.
        let negated = if self.programme.sense() == Sense::Maximise { -value } else { value };
        let off = |value: f64| (stated - value).abs() > OBJECTIVE;
        if off(value) && off(negated) {
            let fault = format!("the objective is stated as {stated}, but the values give {value}");
            return Err(SolutionFileError { line, fault });
        }
        if self.complete {
            let count = self.point.iter().flatten().count();
            self.counted(count).map_err(|fault| SolutionFileError { line, fault })?;
        }
        Ok(point)
    }
}

/// What the words of a status that is neither "optimal" nor "infeasible" say.
fn other_status(words: &str) -> SolverStatus {
    let words = words.to_lowercase();
    let says = |word| words.contains(word);
    // "Infeasible or unbounded" may be true.
    if says("unbounded") && !says("infeasible") {
        return SolverStatus::Unbounded;
    }
    SolverStatus::Stopped(if says("time") {
        StopReason::TimeLimit
    } else if says("node") || says("solution limit") {
        StopReason::NodeLimit
    } else if says("interrupt") || says("ctrl-c") {
        StopReason::Interrupted
    } else {
        StopReason::Unstated
    })
}

fn highs_status(status: &str, objective: Option<f64>) -> SolverStatus {
    match status {
        "Optimal" if objective.is_none_or(|value| value.abs() < HIGHS_EXACT) => SolverStatus::Optimal,
        "Infeasible" => SolverStatus::Infeasible,
        other => other_status(other),
    }
}

fn highs_raw(mut lines: Lines<'_>, mut values: Values<'_>) -> Read<SolutionFile> {
    let status = lines.need()?;
    lines.seek("# Primal solution values")?;
    if lines.need()? != "Feasible" {
        lines.seek("# Dual solution values")?;
        return Ok(SolutionFile { solver: "HiGHS", claim: highs_status(status, None), point: None });
    }
    let objective = lines.seek("Objective")?;
    let objective = lines.float(objective)?;
    let objective_line = lines.number;
    // A negative number of columns: zeros are left out.
    let count = count(&mut lines, "# Columns")?;
    if let Ok(count) = usize::try_from(count) {
        values.counted(count).or_else(|fault| lines.fault(fault))?;
    }
    for _ in 0..count.unsigned_abs() {
        let words = lines.need()?.split_whitespace();
        if count < 0
            && let (Some(name), Some(number)) = (words.clone().next(), words.clone().nth(2))
        {
            values.numbered(name, number).or_else(|fault| lines.fault(fault))?;
        }
        values.set_words(&lines, words)?;
    }
    // Of the zeros, a sparse file lists those that are not quite 0.
    values.complete &= count >= 0;
    if count >= 0 {
        for _ in 0..self::count(&mut lines, "# Rows")? {
            lines.need()?;
        }
    }
    let point = Some(values.finish(objective, objective_line)?).filter(|_| status != "Infeasible");
    Ok(SolutionFile { solver: "HiGHS", claim: highs_status(status, Some(objective)), point })
}

fn count(lines: &mut Lines<'_>, title: &str) -> Read<i64> {
    let count = lines.seek(title)?;
    count.parse().or_else(|_| lines.fault(format!("\"{count}\" is not a number of lines")))
}

fn highs_pretty(mut lines: Lines<'_>, mut values: Values<'_>) -> Read<SolutionFile> {
    // Values are right-aligned under their titles; any of them may be missing.
    let titles = lines.need()?;
    let end = |title: &str| titles.find(title).map(|start| start + title.len());
    let (Some(start), Some(end)) = (end("Upper"), end("Primal")) else {
        return lines.fault("the titles Upper and Primal are needed");
    };
    let (mut read, mut given) = (0, 0);
    loop {
        let line = lines.need()?;
        if line == "Rows" {
            break;
        }
        let (Some(value), Some(name)) = (line.get(start..end), line.split_whitespace().last()) else {
            return lines.fault(BREAKS_OFF);
        };
        read += 1;
        if !value.trim().is_empty() {
            given += 1;
            values.set_words(&lines, [name, value.trim()].into_iter())?;
        }
    }
    values.counted(read).or_else(|fault| lines.fault(fault))?;
    let status = lines.seek("Model status:")?;
    let objective = lines.seek("Objective value:")?;
    if given == 0 || status == "Infeasible" {
        return Ok(SolutionFile { solver: "HiGHS", claim: highs_status(status, None), point: None });
    }
    let objective = lines.float(objective)?;
    let point = values.finish(objective, lines.number)?;
    Ok(SolutionFile { solver: "HiGHS", claim: highs_status(status, Some(objective)), point: Some(point) })
}

fn cbc(first: &str, mut lines: Lines<'_>, mut values: Values<'_>) -> Read<SolutionFile> {
    let (status, objective) = first.split_once(CBC_OBJECTIVE).unwrap_or_default();
    let claim = match status {
        "Optimal" => SolverStatus::Optimal,
        "Infeasible" | "Integer infeasible" => SolverStatus::Infeasible,
        other => other_status(other),
    };
    // What follows then is the point of an LP relaxation.
    if claim == SolverStatus::Infeasible || status.contains("no integer solution") {
        return Ok(SolutionFile { solver: "CBC", claim, point: None });
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
            values.numbered(name, number).or_else(|fault| lines.fault(fault))?;
        }
        values.set_words(&lines, words)?;
    }
    let point = values.finish(objective, 1)?;
    Ok(SolutionFile { solver: "CBC", claim, point: Some(point) })
}

fn scip(first: &str, mut lines: Lines<'_>, mut values: Values<'_>) -> Read<SolutionFile> {
    let (claim, line) = match first.strip_prefix(SCIP_STATUS).map(str::trim) {
        Some("optimal solution found") => (SolverStatus::Optimal, lines.need()?),
        Some("infeasible") => (SolverStatus::Infeasible, lines.need()?),
        Some(other) => (other_status(other), lines.need()?),
        None => (SolverStatus::Stopped(StopReason::Unstated), first),
    };
    if line == "no solution available" {
        return Ok(SolutionFile { solver: "SCIP", claim, point: None });
    }
    let Some(objective) = line.strip_prefix(SCIP_OBJECTIVE) else {
        return lines.fault("the objective value or \"no solution available\" is needed");
    };
    let objective = lines.float(objective.trim())?;
    let objective_line = lines.number;
    while let Some(line) = lines.next() {
        values.set_words(&lines, line.split_whitespace())?;
    }
    let point = values.finish(objective, objective_line)?;
    Ok(SolutionFile { solver: "SCIP", claim, point: Some(point) })
}

fn gurobi(first: &str, mut lines: Lines<'_>, mut values: Values<'_>) -> Read<SolutionFile> {
    let line = if first.starts_with(GUROBI_OBJECTIVE) { first } else { lines.need()? };
    let Some(objective) = line.strip_prefix(GUROBI_OBJECTIVE) else {
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

fn gurobi_json(text: &str, mut values: Values<'_>) -> Read<SolutionFile> {
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
