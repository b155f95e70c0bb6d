//! Output of SAT and pseudo-Boolean solvers in the format of their competitions, and the
//! short form of MiniSat.
//!
//! | line | meaning |
//! | --- | --- |
//! | `c ...`, `d ...` | comment |
//! | `s ...` | status, once |
//! | `o N` | objective of a solution, in the sense of the OPB file; the last one belongs to the values |
//! | `v ...` | values: literals that end with 0, or `x1 -x2` for an OPB file; there may be several lines |
//!
//! # References
//! O. Roussel and V. Manquinho, *Input/Output Format and Solver Requirements for the Competitions of
//! Pseudo-Boolean Solvers*, 2012.

use ndqueens_model::format;
use ndqueens_model::ilp::Sense;
use ndqueens_notation::counted::counted;
use ndqueens_system::cancel::StopReason;

use super::values::{BREAKS_OFF, FileResult, Lines, SolutionFile, SolutionFileError, StatedNumbers, Values};
use crate::backends::claim::SolverStatus;

const SAT: &str = "a SAT solver";
const PB: &str = "a pseudo-Boolean solver";

/// Number of a line, and a word of it.
type Word<'t> = (usize, &'t str);

/// Words of the output, sorted by the first letters of their lines.
#[derive(Default)]
struct Output<'t> {
    status: Option<Word<'t>>,
    objective: Option<Word<'t>>,
    values: Vec<Word<'t>>,
    /// Number of the last line.
    end: usize,
}

/// Returns `true` if a line begins the output of such a solver.
pub(super) fn is_first_line(line: &str) -> bool {
    let words: Vec<&str> = line.split_whitespace().collect();
    match words[..] {
        ["s", ..] => true,
        ["o", number] => number.parse::<i64>().is_ok(),
        ["v", ..] => true,
        ["SAT" | "UNSAT" | "INDET"] => true,
        _ => false,
    }
}

/// Reads an output.
pub(super) fn read(text: &str, values: Values<'_>) -> FileResult<SolutionFile> {
    let output = sort_lines(text)?;
    let is_opb = |word: &str| word.trim_start_matches(['-', '~']).starts_with('x');
    let pseudo_boolean = output.objective.is_some()
        || output.values.first().is_some_and(|(_, word)| is_opb(word))
        || output.status.is_some_and(|(_, status)| status == "OPTIMUM FOUND" || status == "UNSUPPORTED");
    if pseudo_boolean { opb(&output, values) } else { cnf(&output, values) }
}

/// Returns an error for a line.
fn fault<T>(line: usize, fault: impl Into<String>) -> FileResult<T> {
    Err(SolutionFileError { line, fault: fault.into() })
}

/// Sorts the lines by their first letters.
fn sort_lines(text: &str) -> FileResult<Output<'_>> {
    let mut lines = Lines { rest: text.lines(), number: 0 };
    let mut output = Output::default();
    let mut short = false;
    while let Some(line) = lines.next() {
        let line = line.trim();
        let (letter, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        match letter {
            "" | "c" | "d" => {}
            "s" | "SAT" | "UNSAT" | "INDET" if output.status.is_some() => {
                return lines.fault("a second status; the file must hold one answer");
            }
            "s" => output.status = Some((lines.number, rest)),
            "SAT" | "UNSAT" | "INDET" if rest.is_empty() && output.values.is_empty() => {
                short = true;
                let status = match letter {
                    "SAT" => "SATISFIABLE",
                    "UNSAT" => "UNSATISFIABLE",
                    _ => "UNKNOWN",
                };
                output.status = Some((lines.number, status));
            }
            "o" => output.objective = Some((lines.number, rest)),
            "v" => output.values.extend(rest.split_whitespace().map(|word| (lines.number, word))),
            _ if short => output.values.extend(line.split_whitespace().map(|word| (lines.number, word))),
            _ if line.starts_with('c') && !letter.contains(|c: char| c.is_ascii_digit()) => {
                return lines.fault(format!("\"{letter}\" begins no line; comments begin with \"c \""));
            }
            _ => return lines.fault("a line that begins with c, s, o, v or d is needed"),
        }
    }
    output.end = lines.number.saturating_sub(1).max(1);
    Ok(output)
}

/// Returns the status, and whether values must follow it.
fn read_status(output: &Output<'_>) -> FileResult<(SolverStatus, bool)> {
    let unstated = SolverStatus::Stopped(StopReason::Unstated);
    let Some((line, words)) = output.status else { return Ok((unstated, true)) };
    let (status, has_values) = match words {
        "OPTIMUM FOUND" => (SolverStatus::Optimal, true),
        "SATISFIABLE" => (unstated, true),
        "UNSATISFIABLE" => (SolverStatus::Infeasible, false),
        "UNKNOWN" | "UNSUPPORTED" => (unstated, false),
        other => return fault(line, format!("\"{other}\" is not a status")),
    };
    match (has_values, output.values.first()) {
        (false, Some(&(line, _))) => fault(line, format!("values follow the status {words}")),
        (true, None) => fault(output.end, BREAKS_OFF),
        _ => Ok((status, has_values)),
    }
}

/// Checks that every column has a value.
fn check_complete(values: &Values<'_>, line: usize) -> FileResult<()> {
    let Some(position) = (0..values.point.len())
        .find(|&position| values.column_at(position).is_none_or(|column| values.point[column].is_none()))
    else {
        return Ok(());
    };
    let (missing, size) = (values.point.iter().filter(|value| value.is_none()).count(), values.point.len());
    fault(
        line,
        format!(
            "{missing} of the {size} variables of the columns {} no value, variable {} first",
            if missing == 1 { "has" } else { "have" },
            position + 1
        ),
    )
}

/// Reads the answer for a CNF file: literals of the columns and of the auxiliary variables.
fn cnf(output: &Output<'_>, mut values: Values<'_>) -> FileResult<SolutionFile> {
    let (status, has_values) = read_status(output)?;
    if !has_values {
        return Ok(SolutionFile { named: false, ..SolutionFile::empty(SAT, status) });
    }
    let first = output.values.first().map_or(1, |&(line, _)| line);
    if values.program.sense() != Sense::Feasibility {
        return fault(
            first,
            "a SAT solver answers a yes/no question, and the program has an objective: name the question",
        );
    }
    let variables = match format::cnf_variables(values.program) {
        Ok(variables) => variables,
        Err(reason) => return fault(first, reason.to_string()),
    };
    let mut auxiliary = std::collections::HashSet::new();
    let mut ended = false;
    for &(line, word) in &output.values {
        if ended {
            return fault(line, format!("\"{word}\" follows the 0 that ends the values"));
        }
        let Ok(literal) = word.parse::<i64>() else {
            return fault(line, format!("\"{word}\" is not a literal"));
        };
        let variable = literal.unsigned_abs();
        if literal == 0 {
            ended = true;
        } else if variable > variables {
            return fault(line, format!("there is no variable {variable}: the formula has {variables}"));
        } else if let Some(column) = usize::try_from(variable - 1).ok().filter(|&k| k < values.point.len()) {
            let Some(column) = values.column_at(column) else {
                return fault(line, format!("variable {variable} is not a column of the program"));
            };
            let name = format!("variable {variable}");
            values.set_column(column, &name, f64::from(literal > 0), line)?;
        } else if !auxiliary.insert(variable) {
            return fault(line, format!("variable {variable} has two values"));
        }
    }
    if !ended {
        return fault(output.end, "the values do not end with 0: the file breaks off here");
    }
    check_complete(&values, output.end)?;
    let file = values.finish(SAT, status, StatedNumbers::default(), output.end)?;
    Ok(SolutionFile { named: false, ..file })
}

/// Sets the value of a column by a literal such as `x1` or `-x1` of an OPB file.
fn set_literal(values: &mut Values<'_>, word: &str, line: usize) -> FileResult<()> {
    let name = word.trim_start_matches(['-', '~']);
    let position = name
        .strip_prefix('x')
        .filter(|digits| digits.bytes().all(|digit| digit.is_ascii_digit()) && !digits.starts_with('0'))
        .and_then(|digits| digits.parse::<usize>().ok());
    let signs = word.len() - name.len();
    let Some(position) = position.filter(|_| signs < 2) else {
        return fault(line, format!("\"{word}\" is not a literal such as x1 or -x1"));
    };
    let Some(column) = values.column_at(position - 1) else {
        let size = counted(values.point.len(), "column");
        return fault(line, format!("there is no variable {name}: the program has {size}"));
    };
    values.set_column(column, name, f64::from(signs == 0), line)
}

/// Reads the answer for an OPB file: `x1 -x2 ...` for all columns.
fn opb(output: &Output<'_>, mut values: Values<'_>) -> FileResult<SolutionFile> {
    let (status, has_values) = read_status(output)?;
    if !has_values {
        return Ok(SolutionFile { named: false, ..SolutionFile::empty(PB, status) });
    }
    for &(line, word) in &output.values {
        set_literal(&mut values, word, line)?;
    }
    check_complete(&values, output.end)?;
    let mut stated = StatedNumbers::default();
    let mut line = output.end;
    if let Some((number, objective)) = output.objective {
        let Ok(objective) = objective.parse::<i64>() else {
            return fault(number, format!("\"{objective}\" is not a whole number"));
        };
        line = number;
        // The file asks for the minimum of the negated objective.
        let objective = objective as f64;
        stated.objective = Some(match values.program.sense() {
            Sense::Maximise => -objective,
            Sense::Minimise | Sense::Feasibility => objective,
        });
    }
    let point: Vec<i64> = values.point.iter().map(|value| value.unwrap_or(0)).collect();
    let expected = match values.program.sense() {
        Sense::Feasibility => 0,
        Sense::Maximise | Sense::Minimise => values.program.value(&point),
    };
    if stated.objective.is_some_and(|objective| (objective - expected as f64).abs() > 0.5) {
        let (stated, sign) = (
            output.objective.map_or("", |(_, objective)| objective),
            if values.program.sense() == Sense::Maximise { -1 } else { 1 },
        );
        return fault(
            line,
            format!("the objective is stated as {stated}, but the values give {}", sign * expected),
        );
    }
    let file = values.finish(PB, status, stated, line)?;
    Ok(SolutionFile { named: false, ..file })
}
