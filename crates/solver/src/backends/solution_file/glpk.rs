//! The two files of glpsol: that of `-w`, with numbers for names, and that of `-o`, to be read by people.

use super::values::{Lines, Read, SolutionFile, StatedNumbers, Values};
use crate::backends::claim::SolverStatus;
use ndqueens_notation::counted::counted;
use ndqueens_system::cancel::StopReason;

const RELAXATION: &str =
    "this is the solution of an LP relaxation; that of the integer program begins with an integer status";

fn claim(status: &str) -> Option<SolverStatus> {
    match status {
        "o" | "INTEGER OPTIMAL" => Some(SolverStatus::Optimal),
        "n" | "INTEGER EMPTY" => Some(SolverStatus::Infeasible),
        "f" | "INTEGER NON-OPTIMAL" | "u" | "INTEGER UNDEFINED" => {
            Some(SolverStatus::Stopped(StopReason::Unstated))
        }
        _ => None,
    }
}

/// Whether values come with this status, and not only zeros.
fn has_point(status: &str) -> bool {
    matches!(status, "o" | "f" | "INTEGER OPTIMAL" | "INTEGER NON-OPTIMAL")
}

/// Returns the file with its point, if there is one.
fn file(
    values: Values<'_>,
    claim: SolverStatus,
    has_point: bool,
    objective: f64,
    line: usize,
) -> Read<SolutionFile> {
    if !has_point {
        return Ok(SolutionFile::empty("GLPK", claim));
    }
    let stated = StatedNumbers { objective: Some(objective), ..StatedNumbers::default() };
    values.finish("GLPK", claim, stated, line)
}

/// `-w`: after comments a line `s mip ROWS COLUMNS STATUS OBJECTIVE`, then `i` and `j` with number and value of rows and
/// columns.
pub(super) fn raw(mut lines: Lines<'_>, mut values: Values<'_>) -> Read<SolutionFile> {
    let head = loop {
        let line = lines.need()?;
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
    let ["mip", rows, count, status, objective] = head[..] else { return lines.fault(RELAXATION) };
    let Some(claim) = claim(status) else {
        return lines.fault(format!("\"{status}\" is not a status of an integer program"));
    };
    let Ok(count) = count.parse() else {
        return lines.fault(format!("\"{count}\" is not a number of columns"));
    };
    values.counted(count).or_else(|fault| lines.fault(fault))?;
    let (objective, objective_line) = (lines.float(objective)?, lines.number);
    let columns = values.programme.columns();
    let Ok(rows) = rows.parse::<u64>() else {
        return lines.fault(format!("\"{rows}\" is not a number of rows"));
    };
    let mut listed = 0;
    values.complete = true;
    loop {
        let line = lines.need()?;
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            ["e", "o", "f"] => break,
            ["i", _, _] => listed += 1,
            ["j", number, value] => {
                let position = number.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
                let Some(column) = position.and_then(|position| values.column_at(position)) else {
                    return lines.fault("this is not a column of the program");
                };
                if has_point(status) {
                    let value = lines.float(value)?;
                    let set = values.set_column(column, &columns[column].name, value);
                    set.or_else(|fault| lines.fault(fault))?;
                }
            }
            _ => return lines.fault("\"i\" or \"j\" with number and value, or \"e o f\" is needed"),
        }
    }
    if listed != rows {
        return lines.fault(format!("the file lists {}, but announces {rows}", counted(listed, "row")));
    }
    let file = file(values, claim, has_point(status), objective, objective_line)?;
    Ok(SolutionFile { named: false, ..file })
}

/// `-o`: a heading, a table of rows, a table of columns, and a last line. A name that is too long for the table has a line of its
/// own.
pub(super) fn printed(mut lines: Lines<'_>, mut values: Values<'_>) -> Read<SolutionFile> {
    let status = lines.seek("Status:")?;
    let Some(claim) = claim(status) else { return lines.fault(RELAXATION) };
    let objective = lines.seek("Objective:")?;
    let objective_line = lines.number;
    let stated = objective.split_once('=').and_then(|(_, rest)| rest.split_whitespace().next());
    let objective = lines.float(stated.unwrap_or_default())?;
    lines.seek("   No. Column name")?;
    lines.need()?;
    let mut listed = 0;
    loop {
        let line = lines.need()?;
        if line.is_empty() {
            break;
        }
        let mut words: Vec<&str> = line.split_whitespace().collect();
        if words.len() == 2 {
            words.extend(lines.need()?.split_whitespace());
        }
        words.retain(|word| *word != "*");
        let [number, name, value, ..] = words[..] else {
            return lines.fault("number, name and activity of a column are needed");
        };
        listed += 1;
        values.numbered(name, number, 1, lines.number).or_else(|fault| lines.fault(fault))?;
        if has_point(status) {
            values.set_words(&lines, [name, value].into_iter())?;
        }
    }
    lines.seek("End of output")?;
    values.counted_in_order(listed)?.or_else(|fault| lines.fault(fault))?;
    file(values, claim, has_point(status), objective, objective_line)
}
