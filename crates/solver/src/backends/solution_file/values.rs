//! Lines, column values and stated numbers, as the readers of all formats use them.

use std::collections::{HashMap, HashSet};

use ndqueens_model::ilp::{Program, Sense};
use ndqueens_notation::counted::counted;
use ndqueens_notation::escape::escape;
use ndqueens_system::cancel::StopReason;

use crate::backends::claim::{EXACT, SolverStatus};

/// The content of a solution file.
#[derive(Debug, Clone, PartialEq)]
pub struct SolutionFile {
    /// The solver, or the kind of solver, that writes such files.
    pub solver: &'static str,
    /// The status that the file reports: optimal only if no stated bound or gap leaves room for a better solution.
    pub claim: SolverStatus,
    /// One value for each column, if there is a solution.
    pub point: Option<Vec<i64>>,
    /// The dual bound that the file states, in the sense of the program.
    pub bound: Option<f64>,
    /// Whether the file names the columns. A file with numbers only is read in the order of the columns.
    pub named: bool,
}

impl SolutionFile {
    /// Creates a file of named columns without a solution and without a bound.
    pub(super) fn empty(solver: &'static str, claim: SolverStatus) -> Self {
        Self { solver, claim, point: None, bound: None, named: true }
    }
}

/// Objective, dual bound and relative gap, as a file or a log states them.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct StatedNumbers {
    pub(crate) objective: Option<f64>,
    pub(crate) bound: Option<f64>,
    pub(crate) gap: Option<f64>,
}

impl StatedNumbers {
    /// Returns `true` if these numbers leave room for an integer that is better than `value`. `bound` is the stated bound in the
    /// sense of the program.
    pub(crate) fn is_open(&self, value: i64, bound: Option<f64>) -> bool {
        let value = value as f64;
        let by_bound = bound.is_some_and(|bound| is_room((bound - value).abs()));
        // Solvers relate the gap to the objective; to an objective of 0 they cannot.
        let by_gap = self.gap.is_some_and(|gap| {
            let difference = gap.abs() * value.abs();
            if value == 0.0 { gap != 0.0 && bound.is_none() } else { is_room(difference) }
        });
        by_bound || by_gap
    }
}

/// A text that is not a solution file of the program.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {}", escape(fault))]
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

    /// Skips to the line that begins with `beginning` and returns the rest of that line.
    pub(super) fn seek(&mut self, beginning: &str) -> Read<&'t str> {
        loop {
            if let Some(rest) = self.need()?.strip_prefix(beginning) {
                return Ok(rest.trim());
            }
        }
    }

    /// Returns the rest of the next line that is not empty, which must begin with `beginning`.
    pub(super) fn headed(&mut self, beginning: &str) -> Read<&'t str> {
        loop {
            let line = self.need()?;
            match line.strip_prefix(beginning) {
                Some(rest) => return Ok(rest.trim()),
                None if line.trim().is_empty() => {}
                None => return self.fault(format!("\"{beginning}\" is needed")),
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

    /// Parses a bound or a gap, which may be infinite.
    pub(super) fn bound(&self, word: &str) -> Read<f64> {
        match word.parse::<f64>() {
            Ok(value) if !value.is_nan() => Ok(value),
            _ => self.fault(format!("\"{word}\" is not a number")),
        }
    }
}

/// A column that a file numbers: the line, the number as a position from 0, the number of the first position, and the
/// column of that name.
#[derive(Clone, Copy)]
struct Numbered {
    line: usize,
    number: usize,
    base: usize,
    column: usize,
}

/// The values of a point while a file is read.
pub(super) struct Values<'p> {
    pub(super) programme: &'p dyn Program,
    pub(super) numbers: HashMap<&'p str, usize>,
    pub(super) point: Vec<Option<i64>>,
    /// Whether the file lists every column, and not only those that are not 0.
    pub(super) complete: bool,
    /// The columns in the order of the file that the solver read, if that is known.
    order: Option<&'p [usize]>,
    numbered: Vec<Numbered>,
    /// Whether the columns are called `x1`, `x2` and so on, as in an OPB file.
    by_position: Option<bool>,
}

impl<'p> Values<'p> {
    pub(super) fn new(programme: &'p dyn Program, order: Option<&'p [usize]>) -> Self {
        let names = programme.columns().iter().enumerate();
        let numbers: HashMap<&str, usize> = names.map(|(k, column)| (column.name.as_str(), k)).collect();
        Self {
            programme,
            numbers,
            point: vec![None; programme.columns().len()],
            complete: false,
            order,
            numbered: Vec::new(),
            by_position: None,
        }
    }

    /// Returns the column at a position, counted from 0, of the file that the solver read.
    pub(super) fn column_at(&self, position: usize) -> Option<usize> {
        if position >= self.point.len() {
            return None;
        }
        self.order.map_or(Some(position), |order| order.get(position).copied())
    }

    /// Checks the number of columns that a file states or lists.
    pub(super) fn counted(&self, count: usize) -> Result<(), String> {
        let expected = self.point.len();
        if count == expected {
            return Ok(());
        }
        Err(format!(
            "the file lists {}, but the program has {expected}: {ANOTHER}, or a part",
            counted(count, "column")
        ))
    }

    /// Checks the number of columns that a file lists, after the numbers that it gives to them.
    pub(super) fn counted_in_order(&self, count: usize) -> Read<Result<(), String>> {
        self.check_numbers()?;
        Ok(self.counted(count))
    }

    /// Stores the number, counted from `base`, that the file gives to a column; [`Self::finish`] checks all of them.
    pub(super) fn numbered(
        &mut self,
        name: &str,
        number: &str,
        base: usize,
        line: usize,
    ) -> Result<(), String> {
        let Some(column) = self.column(name).ok() else { return Ok(()) };
        let Some(number) = number.parse::<usize>().ok().and_then(|number| number.checked_sub(base)) else {
            return Err(format!("\"{number}\" is not the number of a column"));
        };
        self.numbered.push(Numbered { line, number, base, column });
        Ok(())
    }

    /// Checks the numbers that the file gives to columns. A modelling layer may have written the columns in another order;
    /// numbers in the order of the program with others left out belong to another program.
    fn check_numbers(&self) -> Read<()> {
        let size = self.point.len();
        let mut expected: Vec<usize> = (0..size).collect();
        for (position, &column) in self.order.unwrap_or_default().iter().enumerate() {
            expected[column] = position;
        }
        let Some(first) = self.numbered.iter().find(|entry| entry.number != expected[entry.column]) else {
            return Ok(());
        };
        let mut seen = HashSet::new();
        let bad = self.numbered.iter().find(|entry| entry.number >= size || !seen.insert(entry.number));
        let mut by_column: Vec<(usize, usize)> =
            self.numbered.iter().map(|entry| (entry.column, entry.number)).collect();
        by_column.sort_unstable();
        let in_order = by_column.is_sorted_by(|a, b| a.1 < b.1);
        let all = self.numbered.len() == size;
        if self.order.is_none() && bad.is_none() && (all || !in_order) {
            return Ok(());
        }
        let Numbered { line, number, base, column } = *bad.unwrap_or(first);
        let fault = format!(
            "{} is column {} of the file, but column {} of the program: {ANOTHER}",
            self.programme.columns()[column].name,
            number + base,
            expected[column] + base
        );
        Err(SolutionFileError { line, fault })
    }

    /// Returns the column of a name, which may be `x1`, `x2` and so on as in an OPB file.
    fn column(&self, name: &str) -> Result<usize, String> {
        if let Some(&number) = self.numbers.get(name) {
            return Ok(number);
        }
        let position = name
            .strip_prefix('x')
            .filter(|digits| !digits.starts_with('0') && digits.bytes().all(|digit| digit.is_ascii_digit()))
            .and_then(|digits| digits.parse::<usize>().ok())
            .and_then(|number| number.checked_sub(1));
        position
            .and_then(|position| self.column_at(position))
            .ok_or_else(|| format!("\"{name}\" is not a column of the program: {ANOTHER}"))
    }

    pub(super) fn set(&mut self, name: &str, value: f64) -> Result<(), String> {
        let column = self.column(name)?;
        let by_position = !self.numbers.contains_key(name);
        if *self.by_position.get_or_insert(by_position) != by_position {
            return Err(format!(
                "\"{name}\" follows names of another kind: x1, x2 and so on are the names in an OPB file"
            ));
        }
        self.set_column(column, name, value)
    }

    /// Sets the value of a column that the file calls `name`.
    pub(super) fn set_column(&mut self, column: usize, name: &str, value: f64) -> Result<(), String> {
        self.complete |= value == 0.0;
        let rounded = value.round();
        if !value.is_finite() || rounded.abs() > EXACT as f64 || (value - rounded).abs() > INTEGRALITY {
            return Err(format!("{name} = {value} is not an integer"));
        }
        match self.point[column].replace(rounded as i64) {
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

    /// Returns the file with its point, after checking the numbers of the columns, the stated objective, and that no column is
    /// missing. `line` is the line of the objective.
    pub(super) fn finish(
        self,
        solver: &'static str,
        claim: SolverStatus,
        stated: StatedNumbers,
        line: usize,
    ) -> Read<SolutionFile> {
        self.check_numbers()?;
        let point: Vec<i64> = self.point.iter().map(|value| value.unwrap_or(0)).collect();
        let sense = self.programme.sense();
        let value = match sense {
            Sense::Feasibility => 0,
            Sense::Maximise | Sense::Minimise => self.programme.value(&point),
        };
        let fault = |fault: String| Err(SolutionFileError { line, fault });
        let mut negated = false;
        if let Some(objective) = stated.objective {
            let off = |value: i64| (objective - value as f64).abs() > OBJECTIVE;
            // An MPS or OPB file asks for the minimum of the negated objective.
            negated = sense == Sense::Maximise && off(value);
            if off(if negated { -value } else { value }) {
                return fault(format!("the objective is stated as {objective}, but the values give {value}"));
            }
        }
        if self.complete {
            let count = self.point.iter().flatten().count();
            self.counted(count).map_err(|fault| SolutionFileError { line, fault })?;
        }
        let bound = oriented(sense, negated || value == 0 && stated.objective.is_some(), stated.bound);
        let open = sense != Sense::Feasibility && stated.is_open(value, bound);
        let claim = match claim {
            SolverStatus::Optimal if open => SolverStatus::Stopped(StopReason::Unstated),
            claim => claim,
        };
        let bound = bound.filter(|bound| bound.is_finite() && sense != Sense::Feasibility);
        Ok(SolutionFile { solver, claim, point: Some(point), bound, named: true })
    }

    /// Returns the file without a point.
    pub(super) fn without_point(
        &self,
        solver: &'static str,
        claim: SolverStatus,
        bound: Option<f64>,
    ) -> SolutionFile {
        let sense = self.programme.sense();
        let bound =
            oriented(sense, true, bound).filter(|bound| bound.is_finite() && sense != Sense::Feasibility);
        SolutionFile { bound, ..SolutionFile::empty(solver, claim) }
    }
}

/// Returns a stated bound in the sense of the program. The bound of a file that minimises the negated objective is negative
/// where the program maximises.
fn oriented(sense: Sense, perhaps_negated: bool, bound: Option<f64>) -> Option<f64> {
    bound.map(|bound| if sense == Sense::Maximise && perhaps_negated && bound < 0.0 { -bound } else { bound })
}

/// Returns the meaning of a status that is neither "optimal" nor "infeasible".
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

/// Returns `true` if two objectives differ by 1 or more, so that a better integer may lie between them, or by an unknown amount.
fn is_room(difference: f64) -> bool {
    difference.is_nan() || difference >= 1.0
}
