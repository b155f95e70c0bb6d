//! The files of HiGHS: raw, sparse and pretty.

use super::values::{BREAKS_OFF, Lines, Read, SolutionFile, Values, other_status};
use crate::backends::claim::SolverStatus;

/// HiGHS calls a solution optimal when its relative gap is at most 1e-4: below this no integer fits into the gap.
const HIGHS_EXACT: f64 = 1e4;

fn highs_status(status: &str, objective: Option<f64>) -> SolverStatus {
    match status {
        "Optimal" if objective.is_none_or(|value| value.abs() < HIGHS_EXACT) => SolverStatus::Optimal,
        "Infeasible" => SolverStatus::Infeasible,
        other => other_status(other),
    }
}

pub(super) fn raw(mut lines: Lines<'_>, mut values: Values<'_>) -> Read<SolutionFile> {
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

pub(super) fn pretty(mut lines: Lines<'_>, mut values: Values<'_>) -> Read<SolutionFile> {
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
