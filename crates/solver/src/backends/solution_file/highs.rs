//! Solution files of HiGHS: raw, sparse and pretty.

use super::values::{BREAKS_OFF, FileResult, Lines, SolutionFile, StatedNumbers, Values, other_status};
use crate::backends::claim::SolverStatus;
use ndqueens_notation::counted::counted;

/// Objective below which a solution with the status *optimal* is optimal. HiGHS reports this status at a
/// relative gap of 1e-4, into which no integer fits then.
const HIGHS_EXACT: f64 = 1e4;

/// Prefixes of the lines that state the dual bound and the relative gap, from HiGHS 1.16 on.
const BOUNDS: [&str; 2] = ["Objective_bound", "Objective bound:"];
const GAPS: [&str; 2] = ["MIP_rel_gap", "MIP relative gap:"];

/// Reads a line that states the bound or the gap; returns `false` for any other line.
fn read_numbers(line: &str, lines: &Lines<'_>, stated: &mut StatedNumbers) -> FileResult<bool> {
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

/// Returns the status of a text with the stated numbers.
fn status_of(text: &str, stated: &StatedNumbers) -> SolverStatus {
    let StatedNumbers { objective, bound, .. } = stated;
    match text {
        "Optimal" if bound.is_some() || objective.is_none_or(|value| value.abs() < HIGHS_EXACT) => {
            SolverStatus::Optimal
        }
        "Infeasible" => SolverStatus::Infeasible,
        other => other_status(other),
    }
}

/// Reads a raw or sparse file.
pub(super) fn raw(mut lines: Lines<'_>, mut values: Values<'_>) -> FileResult<SolutionFile> {
    let status = lines.require()?;
    lines.require_heading("# Primal solution values")?;
    let mut stated = StatedNumbers::default();
    if lines.require()? != "Feasible" {
        loop {
            let line = lines.require()?;
            if line.starts_with(DUAL) {
                break;
            }
            refuse_second(line, &lines)?;
            read_numbers(line, &lines, &mut stated)?;
        }
        refuse_more(&mut lines, Some(DUAL))?;
        return Ok(values.without_point("HiGHS", status_of(status, &stated), stated.bound));
    }
    let objective = lines.require_heading("Objective")?;
    stated.objective = Some(lines.float(objective)?);
    let objective_line = lines.number;
    // Zeros are omitted if the number of columns is negative.
    let Count { number: count, sparse } = loop {
        let line = lines.require()?;
        if let Some(count) = line.strip_prefix("# Columns") {
            break parse_count(count.trim(), &lines)?;
        }
        if !line.is_empty() && !read_numbers(line, &lines, &mut stated)? {
            return lines.fault("\"Objective_bound\", \"MIP_rel_gap\" or \"# Columns\" is needed");
        }
    };
    if !sparse {
        values.check_count(count, lines.number)?;
    }
    for _ in 0..count {
        let words: Vec<&str> = lines.require()?.split_whitespace().collect();
        match words[..] {
            [name, _, number] if sparse => {
                values.store_number(name, number, 0, lines.number)?;
            }
            [_, _] if !sparse => {}
            _ if sparse => return lines.fault("a name, a value and a number are needed"),
            _ => return lines.fault("a name and a value are needed"),
        }
        values.set_words(&lines, words.into_iter())?;
    }
    // The zeros in a sparse file are values that are not exactly 0.
    values.complete &= !sparse;
    let line = skip_rows(&mut lines, count, sparse)?;
    refuse_more(&mut lines, line)?;
    let file = values.finish("HiGHS", status_of(status, &stated), stated, objective_line)?;
    Ok(SolutionFile { point: file.point.filter(|_| status != "Infeasible"), ..file })
}

/// Skips empty lines and the values of rows, which follow `count` columns. Returns the line that was read
/// last, if it is neither.
fn skip_rows<'t>(lines: &mut Lines<'t>, count: usize, sparse: bool) -> FileResult<Option<&'t str>> {
    let next = loop {
        match lines.next() {
            Some("") => {}
            line => break line,
        }
    };
    match next.map(|line| (line, line.strip_prefix("# Rows"))) {
        Some((_, Some(rows))) => {
            for _ in 0..parse_count(rows.trim(), lines)?.number {
                lines.require()?;
            }
            Ok(None)
        }
        Some((line, None)) if !line.starts_with('#') => {
            lines.fault(format!("the file announces {}, but has another one here", counted(count, "column")))
        }
        _ if sparse => Ok(next),
        _ => lines.fault(BREAKS_OFF),
    }
}

/// Checks that nothing but dual values and a basis follows the values. `line` was read last.
fn refuse_more<'t>(lines: &mut Lines<'t>, mut line: Option<&'t str>) -> FileResult<()> {
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

/// Returns `true` if a line may belong to the dual values or the basis: a title, a status, a name with a
/// value, or the states of columns.
fn is_dual_or_basis(line: &str) -> bool {
    let words: Vec<&str> = line.split_whitespace().collect();
    match words[..] {
        ["None" | "Feasible" | "Infeasible" | "Valid" | "Invalid"] => true,
        [first, ..] if first.starts_with('#') || first.starts_with("HiGHS") => true,
        [_, value] if value.parse::<f64>().is_ok() => true,
        _ => words.iter().all(|word| word.parse::<u8>().is_ok()),
    }
}

/// Returns an error for the first line of a second solution.
fn refuse_second(line: &str, lines: &Lines<'_>) -> FileResult<()> {
    match line {
        "Model status" | "# Primal solution values" => lines.fault("a second solution begins here"),
        _ => Ok(()),
    }
}

/// Number of columns or rows in a file.
struct Count {
    number: usize,
    /// `true` if zeros are omitted.
    sparse: bool,
}

/// Parses a number of columns or rows. It is negative or followed by "sparse" if zeros are omitted.
fn parse_count(text: &str, lines: &Lines<'_>) -> FileResult<Count> {
    let marked = text.strip_suffix("sparse").map(str::trim_end);
    let number = marked.unwrap_or(text);
    let negative = number.strip_prefix('-');
    match negative.unwrap_or(number).parse::<usize>() {
        Ok(count) if marked.is_none() || negative.is_some() || count == 0 => {
            Ok(Count { number: count, sparse: marked.is_some() || negative.is_some() })
        }
        _ => lines.fault(format!("\"{text}\" is not a number of lines")),
    }
}

/// Reads a pretty file.
pub(super) fn pretty(mut lines: Lines<'_>, mut values: Values<'_>) -> FileResult<SolutionFile> {
    // Values are right-aligned under their titles; any of them may be missing.
    let titles = lines.require()?;
    let end = |title: &str| titles.find(title).map(|start| start + title.len());
    let (Some(start), Some(end)) = (end("Upper"), end("Primal")) else {
        return lines.fault("the titles Upper and Primal are needed");
    };
    let (mut read, mut given) = (0, 0);
    loop {
        let line = lines.require()?;
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
    values.check_count(read, lines.number)?;
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
    let status = status_of(status, &stated);
    match stated.objective {
        None => Ok(values.without_point("HiGHS", status, stated.bound)),
        Some(_) => values.finish("HiGHS", status, stated, objective_line),
    }
}
