//! The files of HiGHS: raw, sparse and pretty.

use super::values::{BREAKS_OFF, Lines, Read, SolutionFile, StatedNumbers, Values, other_status};
use crate::backends::claim::SolverStatus;
use ndqueens_notation::counted::counted;

/// HiGHS calls a solution optimal when its relative gap is at most 1e-4: below this no integer fits into the gap.
const HIGHS_EXACT: f64 = 1e4;

/// Prefixes of the lines that state the dual bound and the relative gap, from HiGHS 1.16 on.
const BOUNDS: [&str; 2] = ["Objective_bound", "Objective bound:"];
const GAPS: [&str; 2] = ["MIP_rel_gap", "MIP relative gap:"];

/// Reads a line that states the bound or the gap; returns `false` for any other line.
fn read_numbers(line: &str, lines: &Lines<'_>, stated: &mut StatedNumbers) -> Read<bool> {
    for (names, place) in [(BOUNDS, &mut stated.bound), (GAPS, &mut stated.gap)] {
        if let Some(word) = names.iter().find_map(|name| line.strip_prefix(name)) {
            if place.replace(lines.bound(word.trim())?).is_some() {
                return lines.fault("this number is stated twice");
            }
            return Ok(true);
        }
    }
    Ok(false)
}

/// First line of the section of dual values.
const DUAL: &str = "# Dual solution values";

fn highs_status(status: &str, stated: &StatedNumbers) -> SolverStatus {
    let StatedNumbers { objective, bound, .. } = stated;
    match status {
        "Optimal" if bound.is_some() || objective.is_none_or(|value| value.abs() < HIGHS_EXACT) => {
            SolverStatus::Optimal
        }
        "Infeasible" => SolverStatus::Infeasible,
        other => other_status(other),
    }
}

pub(super) fn raw(mut lines: Lines<'_>, mut values: Values<'_>) -> Read<SolutionFile> {
    let status = lines.need()?;
    lines.headed("# Primal solution values")?;
    let mut stated = StatedNumbers::default();
    if lines.need()? != "Feasible" {
        loop {
            let line = lines.need()?;
            if line.starts_with(DUAL) {
                break;
            }
            refuse_second(line, &lines)?;
            read_numbers(line, &lines, &mut stated)?;
        }
        refuse_more(&mut lines, Some(DUAL))?;
        return Ok(values.without_point("HiGHS", highs_status(status, &stated), stated.bound));
    }
    let objective = lines.headed("Objective")?;
    stated.objective = Some(lines.float(objective)?);
    let objective_line = lines.number;
    // A negative number of columns: zeros are left out.
    let (count, sparse) = loop {
        let line = lines.need()?;
        if let Some(count) = line.strip_prefix("# Columns") {
            break column_count(count.trim(), &lines)?;
        }
        if !line.is_empty() && !read_numbers(line, &lines, &mut stated)? {
            return lines.fault("\"Objective_bound\", \"MIP_rel_gap\" or \"# Columns\" is needed");
        }
    };
    if !sparse {
        values.counted(count).or_else(|fault| lines.fault(fault))?;
    }
    for _ in 0..count {
        let words: Vec<&str> = lines.need()?.split_whitespace().collect();
        match words[..] {
            [name, _, number] if sparse => {
                values.numbered(name, number, 0, lines.number).or_else(|fault| lines.fault(fault))?;
            }
            [_, _] if !sparse => {}
            _ if sparse => return lines.fault("a name, a value and a number are needed"),
            _ => return lines.fault("a name and a value are needed"),
        }
        values.set_words(&lines, words.into_iter())?;
    }
    // Of the zeros, a sparse file lists those that are not quite 0.
    values.complete &= !sparse;
    let after = loop {
        match lines.next() {
            Some("") => {}
            line => break line,
        }
    };
    let mut next = after;
    match after.map(|line| (line, line.strip_prefix("# Rows"))) {
        Some((_, Some(rows))) => {
            let (rows, _) = column_count(rows.trim(), &lines)?;
            for _ in 0..rows {
                lines.need()?;
            }
            next = None;
        }
        Some((line, None)) if !line.starts_with('#') => {
            return lines
                .fault(format!("the file announces {}, but has another one here", counted(count, "column")));
        }
        Some(_) if sparse => {}
        None if sparse => {}
        _ => return lines.fault(BREAKS_OFF),
    }
    refuse_more(&mut lines, next)?;
    let file = values.finish("HiGHS", highs_status(status, &stated), stated, objective_line)?;
    Ok(SolutionFile { point: file.point.filter(|_| status != "Infeasible"), ..file })
}

/// Refuses what may not follow the values of rows: anything but dual values and a basis. `line` was read last.
fn refuse_more<'t>(lines: &mut Lines<'t>, mut line: Option<&'t str>) -> Read<()> {
    let mut has_begun = false;
    loop {
        if let Some(line) = line.filter(|line| !line.is_empty()) {
            refuse_second(line, lines)?;
            has_begun |= line.starts_with(DUAL) || line.starts_with("# Basis");
            if !has_begun || !is_dual_or_basis(line) {
                return lines.fault("nothing but dual values and a basis may follow the solution");
            }
        }
        line = lines.next();
        if line.is_none() {
            return Ok(());
        }
    }
}

/// Returns `true` if a line may stand in the sections of dual values and of the basis: a title, a status, a name with a value, or the
/// states of columns.
fn is_dual_or_basis(line: &str) -> bool {
    let words: Vec<&str> = line.split_whitespace().collect();
    match words[..] {
        ["None" | "Feasible" | "Infeasible" | "Valid" | "Invalid"] => true,
        [first, ..] if first.starts_with('#') || first.starts_with("HiGHS") => true,
        [_, value] if value.parse::<f64>().is_ok() => true,
        _ => words.iter().all(|word| word.parse::<u8>().is_ok()),
    }
}

/// Refuses a line with which a second solution begins.
fn refuse_second(line: &str, lines: &Lines<'_>) -> Read<()> {
    match line {
        "Model status" | "# Primal solution values" => lines.fault("a second solution begins here"),
        _ => Ok(()),
    }
}

/// Parses a number of columns or rows, and whether zeros are left out: then the number is negative, or followed by "sparse".
fn column_count(text: &str, lines: &Lines<'_>) -> Read<(usize, bool)> {
    let marked = text.strip_suffix("sparse").map(str::trim_end);
    let number = marked.unwrap_or(text);
    let negative = number.strip_prefix('-');
    match negative.unwrap_or(number).parse::<usize>() {
        Ok(count) if marked.is_none() || negative.is_some() || count == 0 => {
            Ok((count, marked.is_some() || negative.is_some()))
        }
        _ => lines.fault(format!("\"{text}\" is not a number of lines")),
    }
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
    let objective_line = lines.number;
    let mut stated = StatedNumbers::default();
    if given > 0 && status != "Infeasible" {
        stated.objective = Some(lines.float(objective)?);
    }
    while let Some(line) = lines.next() {
        if !line.is_empty() && !read_numbers(line, &lines, &mut stated)? {
            return lines.fault("nothing but the bound and the gap may follow the objective value");
        }
    }
    let claim = highs_status(status, &stated);
    match stated.objective {
        None => Ok(values.without_point("HiGHS", claim, stated.bound)),
        Some(_) => values.finish("HiGHS", claim, stated, objective_line),
    }
}
