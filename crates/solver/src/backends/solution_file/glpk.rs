//! The two files of glpsol: that of `-w`, with numbers for names, and that of `-o`, to be read by people.

use super::values::{ANOTHER, Lines, Read, SolutionFile, Values};
use crate::backends::claim::SolverStatus;
use ndqueens_control::StopReason;

const RELAXATION: &str =
    "this is the solution of an LP relaxation; that of the integer programme begins with an integer status";

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

fn file(claim: SolverStatus, point: Option<Vec<i64>>) -> SolutionFile {
    SolutionFile { solver: "GLPK", claim, point }
}

/// `-w`: after comments a line `s mip ROWS COLUMNS STATUS OBJECTIVE`, then `i` and `j` with number and value of rows and
/// columns.
pub(super) fn raw(mut lines: Lines<'_>, mut values: Values<'_>) -> Read<SolutionFile> {
    let head: Vec<&str> = lines.seek("s ")?.split_whitespace().collect();
    let ["mip", _, count, status, objective] = head[..] else { return lines.fault(RELAXATION) };
    let Some(claim) = claim(status) else {
        return lines.fault(format!("\"{status}\" is not a status of an integer programme"));
    };
    let Ok(count) = count.parse() else {
        return lines.fault(format!("\"{count}\" is not a number of columns"));
    };
    values.counted(count).or_else(|fault| lines.fault(fault))?;
    let (objective, objective_line) = (lines.float(objective)?, lines.number);
    let columns = values.programme.columns();
    values.complete = true;
    loop {
        let line = lines.need()?;
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            ["e", "o", "f"] => break,
            ["i", ..] => {}
            ["j", number, value] => {
                let number = number.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
                let Some(column) = number.and_then(|number| columns.get(number)) else {
                    return lines.fault("this is not a column of the programme");
                };
                if has_point(status) {
                    values.set_words(&lines, [&*column.name, value].into_iter())?;
                }
            }
            _ => return lines.fault("\"i\" or \"j\" with number and value, or \"e o f\" is needed"),
        }
    }
    let point = has_point(status).then(|| values.finish(objective, objective_line)).transpose()?;
    Ok(file(claim, point))
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
        let expected = values.numbers.get(name).map(|number| number + 1);
        if expected.is_some() && number.parse().ok() != expected {
            return lines.fault(format!("{name} is column {number} of the file: {ANOTHER}"));
        }
        if has_point(status) {
            values.set_words(&lines, [name, value].into_iter())?;
        }
    }
    values.counted(listed).or_else(|fault| lines.fault(fault))?;
    lines.seek("End of output")?;
    let point = has_point(status).then(|| values.finish(objective, objective_line)).transpose()?;
    Ok(file(claim, point))
}
