//! Rows of CSV files, with errors that name the line, the column and the value.

use std::io;
use std::num::IntErrorKind;

use csv::{DeserializeError, DeserializeErrorKind, ErrorKind, StringRecord};
use ndqueens_notation::counted::counted;
use ndqueens_notation::escape::escape;
use serde::de::{DeserializeOwned, Error as _};
use serde::{Deserialize as _, Deserializer};

/// Reads the rows of a CSV text whose first line names the columns.
///
/// # Errors
/// Returns an error at the first line that is not such a row. The error names the line and, if they are
/// known, the column and the value.
pub fn parse_rows<R: DeserializeOwned>(text: &str) -> Result<Vec<R>, csv::Error> {
    Ok(parse_numbered_rows(text)?.into_iter().map(|(_, row)| row).collect())
}

/// Reads the rows of a CSV text whose first line names the columns, each with its line, counted from 1.
///
/// # Errors
/// Returns an error in the same cases as [`parse_rows`].
pub fn parse_numbered_rows<R: DeserializeOwned>(text: &str) -> Result<Vec<(u64, R)>, csv::Error> {
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let head = reader.headers()?.clone();
    let mut rows = Vec::new();
    for record in reader.records() {
        let record = record.map_err(|fault| locate_fault(&fault, &head, &StringRecord::new()))?;
        let row: R = record.deserialize(Some(&head)).map_err(|fault| locate_fault(&fault, &head, &record))?;
        rows.push((record.position().map_or(1, csv::Position::line), row));
    }
    Ok(rows)
}

/// Checks that the first line of a CSV text names these columns, and perhaps others. A text without lines is
/// accepted.
///
/// # Errors
/// Returns an error at line 1 if a column is missing.
pub fn require_columns(text: &str, columns: &[&str]) -> Result<(), csv::Error> {
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let head = reader.headers()?;
    match columns.iter().find(|column| !head.iter().any(|name| name == **column)) {
        Some(missing) if !head.is_empty() => {
            let names = columns.join(", ");
            Err(line_error(
                1,
                &format!(
                    "it has no column \"{missing}\"; the first line names the columns, among them {names}"
                ),
            ))
        }
        _ => Ok(()),
    }
}

/// Describes the error of a line that is not a record.
#[must_use]
pub fn describe_error(fault: &csv::Error) -> String {
    match fault.kind() {
        ErrorKind::UnequalLengths { expected_len, len, .. } => {
            let (values, columns) = (counted(*len, "value"), counted(*expected_len, "column"));
            format!("it has {values}, but the first line names {columns}")
        }
        ErrorKind::Utf8 { .. } => "it is not a text in UTF-8".to_owned(),
        _ => fault.to_string(),
    }
}

/// Returns an error that describes the fault of a record and names its line.
fn locate_fault(fault: &csv::Error, head: &StringRecord, record: &StringRecord) -> csv::Error {
    let message = match fault.kind() {
        ErrorKind::Deserialize { err, .. } => describe_value_fault(err, head, record),
        _ => describe_error(fault),
    };
    let is_of_head = ["missing column", "unknown column"].iter().any(|begin| message.starts_with(begin));
    let line = if is_of_head { 1 } else { fault.position().map_or(1, csv::Position::line) };
    line_error(line, &message)
}

/// Returns an error of a row in the given line, counted from 1.
pub fn line_error(line: u64, message: &str) -> csv::Error {
    io::Error::new(io::ErrorKind::InvalidData, format!("line {line}: {}", in_one_line(message))).into()
}

/// Returns the part of a message before its first indented line, with control characters escaped. The error
/// of a board name quotes the name in indented lines.
fn in_one_line(message: &str) -> String {
    escape(message.split("\n    ").next().unwrap_or_default())
}

/// Describes the error of a value.
fn describe_value_fault(fault: &DeserializeError, head: &StringRecord, record: &StringRecord) -> String {
    let why = match fault.kind() {
        DeserializeErrorKind::ParseInt(why) if *why.kind() == IntErrorKind::PosOverflow => "is too large",
        DeserializeErrorKind::ParseInt(_) => "is not a non-negative integer",
        DeserializeErrorKind::ParseFloat(_) => "is not a number",
        DeserializeErrorKind::Message(message) => return describe_message(message),
        other => return describe_message(&other.to_string()),
    };
    let index = fault.field().and_then(|field| usize::try_from(field).ok());
    let value = index.and_then(|index| Some((head.get(index)?, record.get(index)?)));
    value.map_or_else(
        || format!("a value {why}"),
        |(column, value)| format!("column {}: \"{}\" {why}", escape(column), escape(value)),
    )
}

/// Describes an error of the deserialization of a row in the words of a table.
fn describe_message(message: &str) -> String {
    let unknown = message.strip_prefix("unknown variant `").and_then(|rest| rest.split_once("`, expected "));
    if let Some((value, allowed)) = unknown {
        return format!("\"{value}\" is not allowed here; expected {}", allowed.replace('`', ""));
    }
    let column = message.strip_prefix("unknown field `").and_then(|rest| rest.split_once("`, expected "));
    if let Some((column, allowed)) = column {
        return format!("unknown column \"{column}\"; expected {}", allowed.replace('`', ""));
    }
    message.replacen("missing field", "missing column", 1)
}

/// Reads a number in decimal digits, without a sign and without leading zeros.
///
/// # Errors
/// Returns an error if the value is not such a number or does not fit into 64 bits.
pub fn parse_number<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u64, D::Error> {
    let text = String::deserialize(deserializer)?;
    let is_plain =
        text.bytes().all(|byte| byte.is_ascii_digit()) && (text.len() == 1 || !text.starts_with('0'));
    let number = text.parse().ok().filter(|_| is_plain);
    number.ok_or_else(|| {
        D::Error::custom(format!("\"{text}\" is not a number below 2^64 without a sign and leading zeros"))
    })
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;

    #[derive(Debug, PartialEq, Deserialize)]
    #[serde(rename_all = "lowercase")]
    enum Side {
        Lower,
    }

    #[derive(Debug, PartialEq, Deserialize)]
    struct BoundLine {
        board: String,
        side: Side,
        value: u64,
    }

    #[test]
    fn errors_have_the_line_without_control_characters() {
        let read = |text: &str| parse_rows::<BoundLine>(&format!("board,side,value\n3^3,lower,4\n{text}\n"));
        let row = |board: &str, value| BoundLine { board: board.to_owned(), side: Side::Lower, value };
        assert_eq!(read("4^3,lower,7").expect("rows"), [row("3^3", 4), row("4^3", 7)]);
        for text in [
            "4^3,lower,seven",
            "4^3,lower,99999999999999999999",
            "4^3,lower",
            "4^3",
            "4^3,lower,\"1\n\u{1b}\"",
            "4^3,above,7",
        ] {
            let fault = read(text).expect_err(text).to_string();
            assert!(fault.starts_with("line 3: ") && !fault.contains(char::is_control), "{fault}");
        }
        let fault = parse_rows::<BoundLine>("board,side\n3^3,lower\n").expect_err("no values");
        assert!(fault.to_string().starts_with("line 1: missing column"), "{fault}");
    }
}
