//! Bound and gap in the log of a solver, for files that do not state them.

use ndqueens_model::ilp::{Program, Sense};
use ndqueens_system::cancel::StopReason;

use super::values::{SolutionFile, StatedNumbers};
use crate::backends::claim::SolverStatus;

/// Beginnings of the lines that state the objective of the best solution.
const OBJECTIVES: [&str; 4] = ["primal bound", "best objective", "objective value:", "mip - integer"];
/// Beginnings of the lines that state the dual bound.
const BOUNDS: [&str; 4] = ["dual bound", "lower bound:", "upper bound:", "current mip best bound"];

/// Reads objective, bound and gap from the last lines that state them in a log of HiGHS, SCIP, CBC,
/// Gurobi, CPLEX or GLPK.
pub(super) fn read_numbers(log: &str) -> StatedNumbers {
    let mut stated = StatedNumbers::default();
    for line in log.lines() {
        let line = line.trim().to_lowercase();
        let line = line.trim_start_matches(|c: char| c == '+' || c.is_ascii_digit() || c == ' ');
        if let Some((objective, bound)) = glpk_numbers(line) {
            (stated.objective, stated.bound) = (Some(objective), bound.or(stated.bound));
            continue;
        }
        if let Some(rest) = rest_after(line, &OBJECTIVES) {
            let objective = if line.starts_with("mip - ") {
                rest.split_once("objective =").map(|(_, rest)| rest)
            } else {
                Some(rest)
            };
            stated.objective = objective.and_then(parse_number).or(stated.objective);
        }
        if let Some(rest) = rest_after(line, &BOUNDS) {
            stated.bound = parse_number(rest).or(stated.bound);
        }
        // Gurobi states all three on one line.
        if line.starts_with("best objective") {
            stated.bound =
                line.split_once("best bound").and_then(|(_, rest)| parse_number(rest)).or(stated.bound);
        }
        let gap = rest_after(line, &["gap"]).or_else(|| {
            line.starts_with("best objective")
                .then(|| line.split_once(", gap").map(|(_, rest)| rest))
                .flatten()
        });
        stated.gap = gap.and_then(parse_gap).or(stated.gap);
    }
    stated
}

/// Returns the rest of the line after one of the beginnings.
fn rest_after<'l>(line: &'l str, beginnings: &[&str]) -> Option<&'l str> {
    beginnings.iter().find_map(|beginning| line.strip_prefix(beginning))
}

/// Parses the first word after separators as a number.
fn parse_number(text: &str) -> Option<f64> {
    let text = text.trim_start_matches([' ', '\t', ':', '=']);
    let end = text.find(|c: char| c.is_whitespace() || c == ',' || c == '(').unwrap_or(text.len());
    text[..end].parse::<f64>().ok().filter(|number| !number.is_nan())
}

/// Parses a gap, in percent or as a fraction.
fn parse_gap(text: &str) -> Option<f64> {
    let text = text.trim_start_matches([' ', '\t', ':', '=']);
    let end = text.find(|c: char| c.is_whitespace() || c == '%' || c == '(').unwrap_or(text.len());
    let value = match &text[..end] {
        "infinite" => f64::INFINITY,
        word => word.parse::<f64>().ok().filter(|number| !number.is_nan())?,
    };
    let percent = text[end..].trim_start().starts_with('%');
    Some(if percent { value / 100.0 } else { value })
}

/// Parses a progress line of GLPK: `mip = 4 <= 5 25.0% (3; 0)`.
fn glpk_numbers(line: &str) -> Option<(f64, Option<f64>)> {
    let rest = line.trim_start_matches([':', ' ', '>']).strip_prefix("mip =")?;
    let words: Vec<&str> = rest.split_whitespace().collect();
    let objective = words.first()?.parse().ok()?;
    let bound = match words.get(1) {
        Some(&("<=" | ">=")) => words.get(2).and_then(|word| word.parse().ok()),
        _ => None,
    };
    // "tree is empty" closes the gap.
    Some((objective, bound.or(Some(objective))))
}

impl SolutionFile {
    /// Completes the file by the log of the run: adds a bound that the file does not state, and lowers the
    /// status *optimal* if bound or gap leave room for a better solution.
    #[must_use]
    pub(crate) fn with_log(mut self, log: &str, program: &dyn Program) -> Self {
        let (Some(point), None, false) = (&self.point, self.bound, program.sense() == Sense::Feasibility)
        else {
            return self;
        };
        let value = program.value(point);
        let stated = read_numbers(log);
        // Logs state either objective, that of the program or the negated one.
        let is_same = |objective: f64| (objective.abs() - (value as f64).abs()).abs() < 0.5;
        let difference = match (stated.objective, stated.bound) {
            (Some(objective), Some(bound)) if is_same(objective) => Some((objective - bound).abs()),
            _ => None,
        };
        self.bound = difference.filter(|difference| difference.is_finite()).map(|difference| {
            value as f64 + if program.sense() == Sense::Maximise { difference } else { -difference }
        });
        let open = difference.is_some_and(|difference| difference.is_nan() || difference >= 1.0)
            || StatedNumbers { gap: stated.gap, ..StatedNumbers::default() }.is_open(value, self.bound);
        if self.status == SolverStatus::Optimal && open {
            self.status = SolverStatus::Stopped(StopReason::Unstated);
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_bound_and_gap_of_every_solver() {
        let numbers = |objective: f64, bound: f64, gap: Option<f64>| StatedNumbers {
            objective: Some(objective),
            bound: Some(bound),
            gap,
        };
        for (log, expected) in [
            (
                "  Status            Optimal\n  Primal bound      6\n  Dual bound        4\n  Gap               33.33% (tolerance: 50%)\n",
                numbers(6.0, 4.0, Some(0.3333)),
            ),
            (
                "Primal Bound       : +6.00000000000000e+00 (3 solutions)\nDual Bound         : +4.0e+00\nGap                : 50.00 %\n",
                numbers(6.0, 4.0, Some(0.5)),
            ),
            (
                "Best objective 6.000000000000e+00, best bound 4.000000000000e+00, gap 33.3333%\n",
                numbers(6.0, 4.0, Some(0.333_333)),
            ),
            (
                "Objective value:                6.00000000\nLower bound:  4.000\nGap:   0.50\n",
                numbers(6.0, 4.0, Some(0.5)),
            ),
            (
                "MIP - Integer optimal, tolerance (0.5/1e-06):  Objective =  6.0000000000e+00\nCurrent MIP best bound =  4.0000000000e+00 (gap = 2, 33.33%)\n",
                numbers(6.0, 4.0, None),
            ),
            (
                "+    12: mip =   6.000000000e+00 >=   4.000000000e+00  33.3% (4; 0)\n",
                numbers(6.0, 4.0, None),
            ),
            (
                "+    12: mip =   6.000000000e+00 >=     tree is empty   0.0% (0; 7)\n",
                numbers(6.0, 6.0, None),
            ),
        ] {
            let found = read_numbers(log);
            assert_eq!((found.objective, found.bound), (expected.objective, expected.bound), "{log}");
            let gaps = found.gap.zip(expected.gap);
            assert_eq!(found.gap.is_some(), expected.gap.is_some(), "{log}");
            assert!(gaps.is_none_or(|(a, b)| (a - b).abs() < 1e-9), "{log}");
        }
        assert_eq!(
            read_numbers("Result - Optimal solution found\nContinuous objective value is 9\n"),
            StatedNumbers::default()
        );
    }
}
