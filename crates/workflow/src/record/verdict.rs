//! Verdicts on checked answers.
//!
//! # References
//! The verdicts are named as in ipet, the evaluation tool of the SCIP group.

use ndqueens_model::facts::known::PublishedBounds;
use ndqueens_solver::backends::Outcome;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Verdict on an answer, independent of the reason for which the solver stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// The solution, if there is one, was checked, and the answer does not contradict the published values.
    Ok,
    /// Solved, but there is no published optimum to compare with.
    SolvedNotVerified,
    /// A checked solution that is better than any published one.
    Better,
    /// The dual bound excludes a published solution.
    FailDualBound,
    /// Claimed optimal, but a better solution is published.
    FailObjectiveValue,
    /// The solution fails the check.
    FailSolutionInfeasible,
    /// The answer contradicts itself, or it excludes a checked solution that this run, another run or a short
    /// local search found.
    FailInconsistent,
    /// The solver gave no answer.
    FailAbort,
}

impl Verdict {
    /// Returns `true` if there is no answer, or if the answer contradicts published or checked results.
    #[must_use]
    pub fn is_failure(self) -> bool {
        self == Self::FailAbort || self.is_contradiction()
    }

    /// Returns `true` if the answer contradicts published or checked results.
    #[must_use]
    pub fn is_contradiction(self) -> bool {
        !matches!(self, Self::Ok | Self::SolvedNotVerified | Self::Better | Self::FailAbort)
    }
}

impl std::fmt::Display for Verdict {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.serialize(f)
    }
}

/// Statement of an answer on the largest number of queens. Its solution is checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stated {
    /// Number of queens of the solution.
    pub found: Option<u64>,
    /// Smallest number of queens that is stated to be infeasible.
    pub excluded: Option<u64>,
    /// The answer is final: an optimum, or infeasibility.
    pub settled: bool,
}

impl Stated {
    /// Returns the statement of a solver's outcome. `asked` is the smallest number of queens of a feasibility
    /// problem.
    #[must_use]
    pub fn of(outcome: &Outcome, asked: Option<u64>) -> Self {
        let queens = |solution: &[i64]| solution.iter().sum::<i64>().unsigned_abs();
        let beyond = |bound: &i64| bound.unsigned_abs() + 1;
        match outcome {
            Outcome::Optimal { solution, .. } => {
                let found = queens(solution);
                Self { found: Some(found), excluded: Some(found + 1), settled: true }
            }
            Outcome::Infeasible => Self { found: None, excluded: asked, settled: true },
            Outcome::Feasible { solution, bound, .. } => {
                Self { found: Some(queens(solution)), excluded: bound.as_ref().map(beyond), settled: false }
            }
            Outcome::Unknown { bound } => {
                Self { found: None, excluded: bound.as_ref().map(beyond), settled: false }
            }
        }
    }
}

/// Returns the verdict on a checked placement of `lower` queens and a proved upper bound.
#[must_use]
pub fn on_bounds(lower: u64, upper: u64, known: Option<&PublishedBounds>) -> Verdict {
    on_maximum(&Stated { found: Some(lower), excluded: upper.checked_add(1), settled: lower == upper }, known)
}

/// Returns the verdict on a statement on the maximum of independent sets. Without published bounds (`known`),
/// the statement may be on another problem.
#[must_use]
pub fn on_maximum(stated: &Stated, known: Option<&PublishedBounds>) -> Verdict {
    let Stated { found, excluded, settled } = *stated;
    let Some(known) = known else {
        return if settled { Verdict::SolvedNotVerified } else { Verdict::Ok };
    };
    if excluded.zip(known.lower).is_some_and(|(k, lower)| k <= lower) {
        let best = settled && found.is_some_and(|k| Some(k) < known.lower);
        return if best { Verdict::FailObjectiveValue } else { Verdict::FailDualBound };
    }
    if found.zip(known.lower).is_some_and(|(k, lower)| k > lower) {
        return Verdict::Better;
    }
    match known.upper {
        Some(upper) if known.lower < known.upper && excluded.is_some_and(|k| k <= upper) => {
            Verdict::SolvedNotVerified
        }
        None if settled => Verdict::SolvedNotVerified,
        _ => Verdict::Ok,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verdicts_compare_with_published_values() {
        let known = PublishedBounds {
            board: "5^3".parse().expect("a board"),
            lower: Some(3),
            upper: Some(5),
            source: String::new(),
        };
        let optimal = |k: usize| Outcome::Optimal { solution: vec![1; k], value: k as i64 };
        let feasible = |k: usize, bound| Outcome::Feasible { solution: vec![1; k], value: k as i64, bound };
        for (outcome, asked, verdict) in [
            (optimal(2), None, Verdict::FailObjectiveValue),
            (optimal(3), None, Verdict::SolvedNotVerified),
            (optimal(4), None, Verdict::Better),
            (Outcome::Infeasible, Some(3), Verdict::FailDualBound),
            (Outcome::Infeasible, Some(4), Verdict::SolvedNotVerified),
            (Outcome::Infeasible, Some(6), Verdict::Ok),
            (feasible(3, Some(6)), None, Verdict::Ok),
            (feasible(2, Some(2)), None, Verdict::FailDualBound),
            (feasible(4, None), Some(4), Verdict::Better),
            (Outcome::Unknown { bound: Some(2) }, None, Verdict::FailDualBound),
            (Outcome::Unknown { bound: None }, None, Verdict::Ok),
        ] {
            let stated = Stated::of(&outcome, asked);
            assert_eq!(on_maximum(&stated, Some(&known)), verdict, "{outcome:?} {asked:?}");
        }
        assert_eq!(on_maximum(&Stated::of(&optimal(4), None), None), Verdict::SolvedNotVerified);
    }
}
