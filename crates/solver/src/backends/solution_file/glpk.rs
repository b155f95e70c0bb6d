//! Solution files of glpsol: those of `-w`, with numbers for names, and those of `-o`, for people.

use super::values::{FileResult, Lines, SolutionFile, StatedNumbers, Values};
use crate::backends::claim::SolverStatus;
use ndqueens_notation::counted::counted;
use ndqueens_system::cancel::StopReason;

const RELAXATION: &str =
    "this is the solution of an LP relaxation; that of the integer program begins with an integer status";

/// Returns the status of a text, or `None` if it is not the status of an integer program.
fn status_of(text: &str) -> Option<SolverStatus> {
    match text {
        "o" | "INTEGER OPTIMAL" => Some(SolverStatus::Optimal),
        "n" | "INTEGER EMPTY" => Some(SolverStatus::Infeasible),
        "f" | "INTEGER NON-OPTIMAL" | "u" | "INTEGER UNDEFINED" => {
            Some(SolverStatus::Stopped(StopReason::Unstated))
        }
        _ => None,
    }
}

/// Returns `true` if a file with this status has values other than zeros.
fn has_point(text: &str) -> bool {
    matches!(text, "o" | "f" | "INTEGER OPTIMAL" | "INTEGER NON-OPTIMAL")
}

/// Returns the file, with a point if it has one.
fn finish(
    values: Values<'_>,
    status: SolverStatus,
    has_point: bool,
    objective: f64,
    line: usize,
) -> FileResult<SolutionFile> {
    if !has_point {
        return Ok(SolutionFile::empty("GLPK", status));
    }
    let stated = StatedNumbers { objective: Some(objective), ..StatedNumbers::default() };
    values.finish("GLPK", status, stated, line)
}

/// Reads a file of `-w`: comments, a line `s mip ROWS COLUMNS STATUS OBJECTIVE`, and then `i` or `j` with
/// number and value of each row or column.
pub(super) fn raw(mut lines: Lines<'_>, mut values: Values<'_>) -> FileResult<SolutionFile> {
    let head = loop {
        let line = lines.require()?;
        match line.strip_prefix("s ") {
            Some(rest) => break rest,
            None if line.trim().is_empty() || line.starts_with('c') => {}
            None => {
                return lines
                    .fault("a comment or the line \"s mip ROWS COLUMNS STATUS OBJECTIVE\" is needed");
            }
        }
    };
    let head: Vec<&str> = head.split_whitespace().collect();
    let ["mip", rows, count, text, objective] = head[..] else { return lines.fault(RELAXATION) };
    let Some(status) = status_of(text) else {
        return lines.fault(format!("\"{text}\" is not a status of an integer program"));
    };
    let Ok(count) = count.parse() else {
        return lines.fault(format!("\"{count}\" is not a number of columns"));
    };
    values.check_count(count, lines.number)?;
    let (objective, objective_line) = (lines.float(objective)?, lines.number);
    let columns = values.program.columns();
    let Ok(rows) = rows.parse::<u64>() else {
        return lines.fault(format!("\"{rows}\" is not a number of rows"));
    };
    let mut listed = 0;
    values.complete = true;
    loop {
        let line = lines.require()?;
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            ["e", "o", "f"] => break,
            ["i", _, _] => listed += 1,
            ["j", number, value] => {
                let position = number.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
                let Some(column) = position.and_then(|position| values.column_at(position)) else {
                    return lines.fault("this is not a column of the program");
                };
                if has_point(text) {
                    let value = lines.float(value)?;
                    values.set_column(column, &columns[column].name, value, lines.number)?;
                }
            }
            _ => return lines.fault("\"i\" or \"j\" with number and value, or \"e o f\" is needed"),
        }
    }
    if listed != rows {
        return lines.fault(format!("the file lists {}, but announces {rows}", counted(listed, "row")));
    }
    let file = finish(values, status, has_point(text), objective, objective_line)?;
    Ok(SolutionFile { named: false, ..file })
}

/// Reads a file of `-o`: a heading, a table of rows, a table of columns, and a last line. A name that is too
/// long for the table has a line of its own.
pub(super) fn report(mut lines: Lines<'_>, mut values: Values<'_>) -> FileResult<SolutionFile> {
    let text = lines.seek("Status:")?;
    let Some(status) = status_of(text) else { return lines.fault(RELAXATION) };
    let objective = lines.seek("Objective:")?;
    let objective_line = lines.number;
    let stated = objective.split_once('=').and_then(|(_, rest)| rest.split_whitespace().next());
    let objective = lines.float(stated.unwrap_or_default())?;
    lines.seek("   No. Column name")?;
    lines.require()?;
    let mut listed = 0;
    loop {
        let line = lines.require()?;
        if line.is_empty() {
            break;
        }
        let mut words: Vec<&str> = line.split_whitespace().collect();
        if words.len() == 2 {
            words.extend(lines.require()?.split_whitespace());
        }
        words.retain(|word| *word != "*");
        let [number, name, value, ..] = words[..] else {
            return lines.fault("number, name and activity of a column are needed");
        };
        listed += 1;
        values.store_number(name, number, 1, lines.number)?;
        if has_point(text) {
            values.set_words(&lines, [name, value].into_iter())?;
        }
    }
    lines.seek("End of output")?;
    values.check_numbers()?;
    values.check_count(listed, lines.number)?;
    finish(values, status, has_point(text), objective, objective_line)
}
