//! What the files of all solvers have in common: lines, values for the columns, and what they come to.

use std::collections::HashMap;

use ndqueens_control::StopReason;
use ndqueens_model::ilp::{Program, Sense};

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

pub(super) const BREAKS_OFF: &str = "the file breaks off here";
pub(super) const ANOTHER: &str = "this is the solution of another one";

pub(super) type Read<T> = Result<T, SolutionFileError>;

pub(super) struct Lines<'t> {
    pub(super) rest: std::str::Lines<'t>,
    pub(super) number: usize,
}

impl<'t> Lines<'t> {
    pub(super) fn next(&mut self) -> Option<&'t str> {
        self.number += 1;
        self.rest.next().map(str::trim_end)
    }

    pub(super) fn need(&mut self) -> Read<&'t str> {
        match self.next() {
            Some(line) => Ok(line),
            None => self.fault(BREAKS_OFF),
        }
    }

    /// Goes on to the line that begins like this, and gives what follows on it.
    pub(super) fn seek(&mut self, beginning: &str) -> Read<&'t str> {
        loop {
            if let Some(rest) = self.need()?.strip_prefix(beginning) {
                return Ok(rest.trim());
            }
        }
    }

    pub(super) fn fault<T>(&self, fault: impl Into<String>) -> Read<T> {
        Err(SolutionFileError { line: self.number, fault: fault.into() })
    }

    pub(super) fn float(&self, word: &str) -> Read<f64> {
        match word.parse::<f64>() {
            Ok(value) if value.is_finite() => Ok(value),
            _ => self.fault(format!("\"{word}\" is not a finite number")),
        }
    }
}

/// The values of a point, as they are read.
pub(super) struct Values<'p> {
    pub(super) programme: &'p dyn Program,
    pub(super) numbers: HashMap<&'p str, usize>,
    pub(super) point: Vec<Option<i64>>,
    /// Whether the file lists every column, and not only those that are not 0.
    pub(super) complete: bool,
}

impl<'p> Values<'p> {
    pub(super) fn of(programme: &'p dyn Program) -> Self {
        let names = programme.columns().iter().enumerate();
        let numbers: HashMap<&str, usize> = names.map(|(k, column)| (column.name.as_str(), k)).collect();
        Self { programme, numbers, point: vec![None; programme.columns().len()], complete: false }
    }

    /// Refuses a count of columns that is not the programme's.
    pub(super) fn counted(&self, count: usize) -> Result<(), String> {
        let expected = self.point.len();
        if count == expected {
            return Ok(());
        }
        Err(format!("the file lists {count} columns, but the programme has {expected}: {ANOTHER}, or a part"))
    }

    /// Refuses a number that the file gives to a column and the programme does not.
    pub(super) fn numbered(&self, name: &str, number: &str) -> Result<(), String> {
        match self.numbers.get(name) {
            Some(expected) if number.parse() != Ok(*expected) => Err(format!(
                "{name} is column {number} of the file, but column {expected} of the programme: {ANOTHER}"
            )),
            _ => Ok(()),
        }
    }

    pub(super) fn set(&mut self, name: &str, value: f64) -> Result<(), String> {
        let Some(&number) = self.numbers.get(name) else {
            return Err(format!("\"{name}\" is not a column of the programme: {ANOTHER}"));
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

    pub(super) fn set_words<'w>(
        &mut self,
        lines: &Lines<'_>,
        mut words: impl Iterator<Item = &'w str>,
    ) -> Read<()> {
        match (words.next(), words.next()) {
            (Some(name), Some(value)) => {
                let value = lines.float(value)?;
                self.set(name, value).or_else(|fault| lines.fault(fault))
            }
            _ => lines.fault("a name and a value are needed"),
        }
    }

    /// The point, if it has the objective that is stated in that line.
    pub(super) fn finish(self, stated: f64, line: usize) -> Read<Vec<i64>> {
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
pub(super) fn other_status(words: &str) -> SolverStatus {
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
