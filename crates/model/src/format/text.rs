//! Parts that several text formats share: wrapped lines, comments and errors.

use std::fmt;
use std::io::{self, Write};

use crate::ilp::{Column, Program};

/// Width at which lines are wrapped, which is that of a record in fixed MPS. LP readers truncate or reject
/// lines with more than 255 to 560 characters.
pub(super) const WIDTH: usize = 80;

/// Writer of words that wraps lines.
pub(super) struct Wrapped<'w> {
    out: &'w mut dyn Write,
    indent: &'static str,
    length: usize,
    word: String,
}

impl<'w> Wrapped<'w> {
    /// Begins a line with `lead`. Each continuation line begins with `indent`.
    pub(super) fn begin(out: &'w mut dyn Write, lead: &str, indent: &'static str) -> io::Result<Self> {
        out.write_all(lead.as_bytes())?;
        Ok(Self { out, indent, length: lead.chars().count(), word: String::new() })
    }

    /// Writes a word, which is not split.
    pub(super) fn word(&mut self, word: fmt::Arguments<'_>) -> io::Result<()> {
        self.word.clear();
        fmt::Write::write_fmt(&mut self.word, word).expect("a String takes any text");
        let length = 1 + self.word.chars().count();
        if self.length + length > WIDTH {
            write!(self.out, "\n{}", self.indent)?;
            self.length = self.indent.len();
        }
        self.length += length;
        write!(self.out, " {}", self.word)
    }

    /// Ends the line.
    pub(super) fn end(self) -> io::Result<()> {
        self.out.write_all(b"\n")
    }
}

/// Writes a text as wrapped comment lines that begin with `mark`.
pub(super) fn comment(text: &str, mark: &'static str, out: &mut dyn Write) -> io::Result<()> {
    for line in text.lines() {
        let mut wrapped = Wrapped::begin(out, mark, mark)?;
        for word in line.split_whitespace() {
            wrapped.word(format_args!("{word}"))?;
        }
        wrapped.end()?;
    }
    Ok(())
}

/// Writes the comments at the head of a file: name, remarks and conditions of the program.
pub(super) fn head(program: &dyn Program, mark: &'static str, out: &mut dyn Write) -> io::Result<()> {
    comment(&program.name(), mark, out)?;
    for remark in program.remarks() {
        comment(&remark, mark, out)?;
    }
    for condition in program.conditions() {
        comment(&condition, mark, out)?;
    }
    Ok(())
}

/// Comment in files of maximisations in formats that support minimisation only.
pub(super) const NEGATED: &str =
    "minimise the negated objective: the maximum is minus the minimum of this file";

/// Creates the error for a program that a format cannot express.
pub(super) fn unsupported_error(reason: impl Into<String>) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, reason.into())
}

/// Checks that a program has columns and that all of them are Boolean.
///
/// # Errors
/// Returns an error that names the format otherwise.
pub(super) fn ensure_boolean(program: &dyn Program, format: &str) -> io::Result<()> {
    if program.columns().is_empty() {
        return Err(unsupported_error(format!("{format} cannot express a program without columns")));
    }
    match program.columns().iter().find(|column| column.lower < 0 || column.upper > 1) {
        None => Ok(()),
        Some(Column { name, lower, upper, .. }) => Err(unsupported_error(format!(
            "{format} has only variables that are 0 or 1: the column {name} may be {lower} to {upper}"
        ))),
    }
}

/// Returns the Boolean columns that are fixed by their bounds: their numbers, counted from 1, and `true` if
/// the value is 1.
pub(super) fn fixed_columns(program: &dyn Program) -> impl Iterator<Item = (usize, bool)> + '_ {
    (1..).zip(program.columns()).flat_map(|(number, column)| {
        let one = (column.lower == 1).then_some((number, true));
        let zero = (column.upper == 0).then_some((number, false));
        one.into_iter().chain(zero)
    })
}
