//! Solution files of CPLEX: XML with a header of attributes and an element for every variable.

use ndqueens_system::cancel::StopReason;
use roxmltree::{Document, Node};

use super::values::{FileResult, SolutionFile, SolutionFileError, StatedNumbers, Values, other_status};
use crate::backends::claim::SolverStatus;

/// Name of the solver.
const SOLVER: &str = "CPLEX";

/// Returns the status of a number among those of mixed-integer programs.
fn status_of(number: u32) -> Option<SolverStatus> {
    Some(match number {
        101 | 102 => SolverStatus::Optimal,
        103 => SolverStatus::Infeasible,
        104..=106 => SolverStatus::Stopped(StopReason::NodeLimit),
        107 | 108 => SolverStatus::Stopped(StopReason::TimeLimit),
        113 | 114 => SolverStatus::Stopped(StopReason::Interrupted),
        118 => SolverStatus::Unbounded,
        109..=112 | 115..=117 | 119..=133 => SolverStatus::Stopped(StopReason::Unstated),
        _ => return None,
    })
}

/// Returns the status of the text that accompanies the number.
fn status_in_words(words: &str) -> SolverStatus {
    match words {
        "integer optimal solution" | "integer optimal, tolerance" => SolverStatus::Optimal,
        "integer infeasible" => SolverStatus::Infeasible,
        other => other_status(other),
    }
}

/// Reads a file.
pub(super) fn read(text: &str, mut values: Values<'_>) -> FileResult<SolutionFile> {
    let document = Document::parse(text).map_err(|error| SolutionFileError {
        line: error.pos().row as usize,
        fault: format!("this is not well-formed XML: {error}"),
    })?;
    let line = |node: Node<'_, '_>| document.text_pos_at(node.range().start).row as usize;
    let fault = |node: Node<'_, '_>, fault: String| SolutionFileError { line: line(node), fault };
    let root = document.root_element();
    let mut solutions = document.descendants().filter(|node| node.has_tag_name("CPLEXSolution"));
    let Some(solution) = solutions.next() else {
        return Err(fault(
            root,
            format!("the element CPLEXSolution is needed, and this is {}", root.tag_name().name()),
        ));
    };
    if let Some(second) = solutions.next() {
        return Err(fault(second, "a second solution begins here; the file must hold one".to_owned()));
    }
    let Some(header) = solution.children().find(|node| node.has_tag_name("header")) else {
        return Err(fault(solution, "the element header is needed".to_owned()));
    };
    let status = read_status(header, line(header))?;
    let stated = read_numbers(header, line(header))?;
    let variables: Vec<Node<'_, '_>> = solution
        .children()
        .filter(|node| node.has_tag_name("variables"))
        .flat_map(|node| node.children())
        .filter(Node::is_element)
        .collect();
    let is_elsewhere = |node: &Node<'_, '_>| node.has_tag_name("variable") && !variables.contains(node);
    if let Some(other) = document.descendants().find(is_elsewhere) {
        return Err(fault(other, "the element variable is outside of variables".to_owned()));
    }
    if variables.is_empty() || status == SolverStatus::Infeasible {
        return Ok(values.without_point(SOLVER, status, stated.bound));
    }
    // Levels 3 and 4 omit zeros, and level 4 continuous variables.
    values.complete = !matches!(header.attribute("writeLevel"), Some("3" | "4"));
    for variable in variables {
        if !variable.has_tag_name("variable") {
            return Err(fault(
                variable,
                format!("the element {} is not known here", variable.tag_name().name()),
            ));
        }
        let (Some(name), Some(value)) = (variable.attribute("name"), variable.attribute("value")) else {
            return Err(fault(variable, "a variable needs a name and a value".to_owned()));
        };
        let Ok(value) = value.parse::<f64>() else {
            return Err(fault(variable, format!("\"{value}\" is not a number")));
        };
        if let Some(number) = variable.attribute("index") {
            values.store_number(name, number, 0, line(variable))?;
        }
        values.set(name, value, line(variable))?;
    }
    values.finish(SOLVER, status, stated, line(header))
}

/// Returns the status in the header, which is in this line.
fn read_status(header: Node<'_, '_>, line: usize) -> FileResult<SolverStatus> {
    let error = |fault: String| SolutionFileError { line, fault };
    let number = header.attribute("solutionStatusValue");
    let number =
        number.map(|text| text.parse::<u32>().map_err(|_| error(format!("\"{text}\" is not a status"))));
    let (number, words) = (number.transpose()?, header.attribute("solutionStatusString"));
    let by_number = match number {
        Some(1..=100) => {
            let fault = "this is the solution of an LP relaxation; that of the integer program has a status from 101 on";
            return Err(error(fault.to_owned()));
        }
        Some(number) => Some(status_of(number).ok_or_else(|| error(format!("{number} is not a status")))?),
        None => None,
    };
    let by_words = words.map(status_in_words);
    if let (Some(first), Some(second), Some(words)) = (by_number, by_words, words) {
        let is_proof = |status| matches!(status, SolverStatus::Optimal | SolverStatus::Infeasible);
        if first != second && (is_proof(first) || is_proof(second)) {
            return Err(error(format!("the status {} is not \"{words}\"", number.unwrap_or_default())));
        }
    }
    let missing = || error("solutionStatusValue or solutionStatusString is needed".to_owned());
    by_number.or(by_words).ok_or_else(missing)
}

/// Returns objective, bound and gap in the header, which is in this line. "Integer optimal, tolerance" needs
/// one of the latter two.
fn read_numbers(header: Node<'_, '_>, line: usize) -> FileResult<StatedNumbers> {
    let mut stated = StatedNumbers::default();
    for attribute in header.attributes() {
        let name = attribute.name().to_lowercase();
        let place = match name.as_str() {
            "objectivevalue" => &mut stated.objective,
            "bestbound" | "mipbestbound" | "bestobjectivebound" | "objectivebound" | "bestobjvalue"
            | "mipbestobjective" | "bestobjective" => &mut stated.bound,
            "mipgap" | "miprelgap" | "miprelativegap" | "relativegap" | "gap" => &mut stated.gap,
            _ => continue,
        };
        let number = attribute.value().parse::<f64>().ok().filter(|number| !number.is_nan());
        if number.is_none() {
            let fault = format!("{} = \"{}\" is not a number", attribute.name(), attribute.value());
            return Err(SolutionFileError { line, fault });
        }
        *place = number;
    }
    let tolerance = header.attribute("solutionStatusValue") == Some("102")
        || header.attribute("solutionStatusString") == Some("integer optimal, tolerance");
    if tolerance && stated.bound.is_none() && stated.gap.is_none() {
        stated.gap = Some(f64::INFINITY);
    }
    Ok(stated)
}
