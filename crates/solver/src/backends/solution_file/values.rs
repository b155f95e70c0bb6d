//! Lines, column values and stated numbers, which the readers of all formats use.

use std::collections::{HashMap, HashSet};

use ndqueens_model::ilp::{Program, Sense};
use ndqueens_notation::counted::counted;
use ndqueens_notation::escape::escape;
use ndqueens_system::cancel::StopReason;

use crate::backends::claim::{EXACT, SolverStatus};

/// Content of a solution file.
#[derive(Debug, Clone, PartialEq)]
pub struct SolutionFile {
    /// Solver, or kind of solver, that writes such files.
    pub solver: &'static str,
    /// Reported status, which is optimal only if no stated bound or gap leaves room for a better solution.
    pub status: SolverStatus,
    /// One value for each column, if there is a solution.
    pub point: Option<Vec<i64>>,
    /// Stated dual bound, in the sense of the program.
    pub bound: Option<f64>,
    /// `true` if the file names the columns. A file with numbers only is read in the order of the columns.
    pub named: bool,
}

impl SolutionFile {
    /// Creates a file of named columns without a solution and without a bound.
    pub(super) fn empty(solver: &'static str, status: SolverStatus) -> Self {
        Self { solver, status, point: None, bound: None, named: true }
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
    /// Returns `true` if these numbers leave room for an integer that is better than `value`. `bound` is the
    /// stated bound in the sense of the program.
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

/// Reason why a text is not a solution file of the program.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {}", escape(fault))]
pub struct SolutionFileError {
    /// Number of the line, counted from 1.
    pub line: usize,
    /// Fault in this line.
    pub fault: String,
}

/// Largest difference of a value from an integer.
const INTEGRALITY: f64 = 1e-5;

/// Largest difference of the stated objective from that of the values.
const OBJECTIVE: f64 = 1e-4;

pub(super) const BREAKS_OFF: &str = "the file breaks off here";
pub(super) const ANOTHER: &str = "this is the solution of another one";

pub(super) type FileResult<T> = Result<T, SolutionFileError>;

/// Lines of a text with the number of the last one, counted from 1.
pub(super) struct Lines<'t> {
    pub(super) rest: std::str::Lines<'t>,
    pub(super) number: usize,
}

impl<'t> Lines<'t> {
    pub(super) fn next(&mut self) -> Option<&'t str> {
        self.number += 1;
        self.rest.next().map(str::trim_end)
    }

    /// Returns the next line.
    ///
    /// # Errors
    /// Returns an error at the end of the text.
    pub(super) fn require(&mut self) -> FileResult<&'t str> {
        match self.next() {
            Some(line) => Ok(line),
            None => self.fault(BREAKS_OFF),
        }
    }

    /// Skips to the line that begins with `beginning` and returns the rest of that line.
    pub(super) fn seek(&mut self, beginning: &str) -> FileResult<&'t str> {
        loop {
            if let Some(rest) = self.require()?.strip_prefix(beginning) {
                return Ok(rest.trim());
            }
        }
    }

    /// Returns the rest of the next line that is not empty, which must begin with `beginning`.
    pub(super) fn require_heading(&mut self, beginning: &str) -> FileResult<&'t str> {
        loop {
            let line = self.require()?;
            match line.strip_prefix(beginning) {
                Some(rest) => return Ok(rest.trim()),
                None if line.trim().is_empty() => {}
                None => return self.fault(format!("\"{beginning}\" is needed")),
            }
        }
    }

    /// Returns an error for the last line.
    pub(super) fn fault<T>(&self, fault: impl Into<String>) -> FileResult<T> {
        Err(SolutionFileError { line: self.number, fault: fault.into() })
    }

    /// Parses a finite number.
    pub(super) fn float(&self, word: &str) -> FileResult<f64> {
        match word.parse::<f64>() {
            Ok(value) if value.is_finite() => Ok(value),
            _ => self.fault(format!("\"{word}\" is not a finite number")),
        }
    }

    /// Parses a bound or a gap, which may be infinite.
    pub(super) fn bound(&self, word: &str) -> FileResult<f64> {
        match word.parse::<f64>() {
            Ok(value) if !value.is_nan() => Ok(value),
            _ => self.fault(format!("\"{word}\" is not a number")),
        }
    }
}

/// Column with a number in the file.
#[derive(Clone, Copy)]
struct NumberedColumn {
    line: usize,
    /// Position in the file, counted from 0.
    position: usize,
    /// Number of the first position.
    base: usize,
    /// Column of the name.
    column: usize,
}

/// Values of a point while a file is read. The argument `line` of the methods is the line for errors.
pub(super) struct Values<'p> {
    pub(super) program: &'p dyn Program,
    /// Columns by their names.
    pub(super) numbers: HashMap<&'p str, usize>,
    /// Value of each column.
    pub(super) point: Vec<Option<i64>>,
    /// `true` if the file lists every column rather than the nonzero ones.
    pub(super) complete: bool,
    /// Columns in the order of the file that the solver read, if it is known.
    order: Option<&'p [usize]>,
    numbered: Vec<NumberedColumn>,
    /// `true` if the columns are called `x1`, `x2` and so on, as in an OPB file.
    by_position: Option<bool>,
}

impl<'p> Values<'p> {
    pub(super) fn new(program: &'p dyn Program, order: Option<&'p [usize]>) -> Self {
        let names = program.columns().iter().enumerate();
        let numbers: HashMap<&str, usize> = names.map(|(k, column)| (column.name.as_str(), k)).collect();
        Self {
            program,
            numbers,
            point: vec![None; program.columns().len()],
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
    pub(super) fn check_count(&self, count: usize, line: usize) -> FileResult<()> {
        let expected = self.point.len();
        if count == expected {
            return Ok(());
        }
        let count = counted(count, "column");
        let fault = format!("the file lists {count}, but the program has {expected}: {ANOTHER}, or a part");
        Err(SolutionFileError { line, fault })
    }

    /// Stores the number, counted from `base`, of a column in the file; [`Self::check_numbers`]
    /// checks all of them.
    pub(super) fn store_number(
        &mut self,
        name: &str,
        number: &str,
        base: usize,
        line: usize,
    ) -> FileResult<()> {
        let Some(column) = self.column(name) else { return Ok(()) };
        let Some(position) = number.parse::<usize>().ok().and_then(|number| number.checked_sub(base)) else {
            let fault = format!("\"{number}\" is not the number of a column");
            return Err(SolutionFileError { line, fault });
        };
        self.numbered.push(NumberedColumn { line, position, base, column });
        Ok(())
    }

    /// Checks the numbers of columns in the file. A modelling layer may have written the columns in another
    /// order; but if numbers in the order of the program have gaps, the file belongs to another program.
    pub(super) fn check_numbers(&self) -> FileResult<()> {
        let size = self.point.len();
        let mut expected: Vec<usize> = (0..size).collect();
        for (position, &column) in self.order.unwrap_or_default().iter().enumerate() {
            expected[column] = position;
        }
        let Some(first) = self.numbered.iter().find(|entry| entry.position != expected[entry.column]) else {
            return Ok(());
        };
        let mut seen = HashSet::new();
        let bad = self.numbered.iter().find(|entry| entry.position >= size || !seen.insert(entry.position));
        let mut by_column: Vec<(usize, usize)> =
            self.numbered.iter().map(|entry| (entry.column, entry.position)).collect();
        by_column.sort_unstable();
        let in_order = by_column.is_sorted_by(|a, b| a.1 < b.1);
        let all = self.numbered.len() == size;
        if self.order.is_none() && bad.is_none() && (all || !in_order) {
            return Ok(());
        }
        let NumberedColumn { line, position, base, column } = *bad.unwrap_or(first);
        let fault = format!(
            "{} is column {} of the file, but column {} of the program: {ANOTHER}",
            self.program.columns()[column].name,
            position + base,
            expected[column] + base
        );
        Err(SolutionFileError { line, fault })
    }

    /// Returns the column of a name, which may be `x1`, `x2` and so on as in an OPB file.
    fn column(&self, name: &str) -> Option<usize> {
        if let Some(&number) = self.numbers.get(name) {
            return Some(number);
        }
        let position = name
            .strip_prefix('x')
            .filter(|digits| !digits.starts_with('0') && digits.bytes().all(|digit| digit.is_ascii_digit()))
            .and_then(|digits| digits.parse::<usize>().ok())
            .and_then(|number| number.checked_sub(1));
        position.and_then(|position| self.column_at(position))
    }

    /// Sets the value of the column of a name.
    pub(super) fn set(&mut self, name: &str, value: f64, line: usize) -> FileResult<()> {
        let error = |fault: String| Err(SolutionFileError { line, fault });
        let Some(column) = self.column(name) else {
            return error(format!("\"{name}\" is not a column of the program: {ANOTHER}"));
        };
        let by_position = !self.numbers.contains_key(name);
        if *self.by_position.get_or_insert(by_position) != by_position {
            return error(format!(
                "\"{name}\" follows names of another kind: x1, x2 and so on are the names in an OPB file"
            ));
        }
        self.set_column(column, name, value, line)
    }

    /// Sets the value of a column that the file calls `name`.
    pub(super) fn set_column(
        &mut self,
        column: usize,
        name: &str,
        value: f64,
        line: usize,
    ) -> FileResult<()> {
        let error = |fault: String| Err(SolutionFileError { line, fault });
        self.complete |= value == 0.0;
        let rounded = value.round();
        if !value.is_finite() || rounded.abs() > EXACT as f64 || (value - rounded).abs() > INTEGRALITY {
            return error(format!("{name} = {value} is not an integer"));
        }
        match self.point[column].replace(rounded as i64) {
            None => Ok(()),
            Some(_) => error(format!("{name} has two values")),
        }
    }

    /// Sets the value of a column from the words of a line, a name and a value.
    pub(super) fn set_words<'w>(
        &mut self,
        lines: &Lines<'_>,
        mut words: impl Iterator<Item = &'w str>,
    ) -> FileResult<()> {
        match (words.next(), words.next()) {
            (Some(name), Some(value)) => self.set(name, lines.float(value)?, lines.number),
            _ => lines.fault("a name and a value are needed"),
        }
    }

    /// Returns the file with its point. `line` is the line of the objective.
    ///
    /// # Errors
    /// Returns an error if a column has a wrong number, a complete file lacks a column, or the stated
    /// objective is wrong.
    pub(super) fn finish(
        self,
        solver: &'static str,
        status: SolverStatus,
        stated: StatedNumbers,
        line: usize,
    ) -> FileResult<SolutionFile> {
        self.check_numbers()?;
        let point: Vec<i64> = self.point.iter().map(|value| value.unwrap_or(0)).collect();
        let sense = self.program.sense();
        let value = match sense {
            Sense::Feasibility => 0,
            Sense::Maximise | Sense::Minimise => self.program.value(&point),
        };
        let mut negated = false;
        if let Some(objective) = stated.objective {
            let off = |value: i64| (objective - value as f64).abs() > OBJECTIVE;
            // An MPS or OPB file asks for the minimum of the negated objective.
            negated = sense == Sense::Maximise && off(value);
            if off(if negated { -value } else { value }) {
                let fault = format!("the objective is stated as {objective}, but the values give {value}");
                return Err(SolutionFileError { line, fault });
            }
        }
        if self.complete {
            let count = self.point.iter().flatten().count();
            self.check_count(count, line)?;
        }
        let bound = orient(sense, negated || value == 0 && stated.objective.is_some(), stated.bound);
        let open = sense != Sense::Feasibility && stated.is_open(value, bound);
        let status = match status {
            SolverStatus::Optimal if open => SolverStatus::Stopped(StopReason::Unstated),
            status => status,
        };
        let bound = bound.filter(|bound| bound.is_finite() && sense != Sense::Feasibility);
        Ok(SolutionFile { solver, status, point: Some(point), bound, named: true })
    }

    /// Returns the file without a point.
    pub(super) fn without_point(
        &self,
        solver: &'static str,
        status: SolverStatus,
        bound: Option<f64>,
    ) -> SolutionFile {
        let sense = self.program.sense();
        let bound =
            orient(sense, true, bound).filter(|bound| bound.is_finite() && sense != Sense::Feasibility);
        SolutionFile { bound, ..SolutionFile::empty(solver, status) }
    }
}

/// Returns a stated bound in the sense of the program. If the program maximises, the bound of a file that
/// minimises the negated objective is negative.
fn orient(sense: Sense, perhaps_negated: bool, bound: Option<f64>) -> Option<f64> {
    bound.map(|bound| if sense == Sense::Maximise && perhaps_negated && bound < 0.0 { -bound } else { bound })
}

/// Returns the meaning of a status that is neither "optimal" nor "infeasible".
pub(super) fn other_status(words: &str) -> SolverStatus {
    let words = words.to_lowercase();
    let has = |word| words.contains(word);
    // "Infeasible or unbounded" may be true.
    if has("unbounded") && !has("infeasible") {
        return SolverStatus::Unbounded;
    }
    SolverStatus::Stopped(if has("time") {
        StopReason::TimeLimit
    } else if has("node") || has("solution limit") {
        StopReason::NodeLimit
    } else if has("interrupt") || has("ctrl-c") {
        StopReason::Interrupted
    } else {
        StopReason::Unstated
    })
}

/// Returns `true` if two objectives differ by 1 or more, so that a better integer may lie between them, or by
/// an unknown amount.
fn is_room(difference: f64) -> bool {
    difference.is_nan() || difference >= 1.0
}
