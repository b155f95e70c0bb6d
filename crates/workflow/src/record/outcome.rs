//! Outcome of a run, and the reason why it stopped.

use std::fmt;

use ndqueens_system::cancel::StopReason;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Outcome of a run: the first four are of `ndq solve`, the others of `ndq prove`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    /// A solution that is proved to be optimal.
    Optimal,
    /// There is no solution.
    Infeasible,
    /// A solution.
    Feasible,
    /// Neither a solution nor a proof that there is none.
    #[default]
    Unknown,
    /// The maximum, by a proof that was checked.
    Proved,
    /// The maximum, as reported by a floating-point solver.
    Solved,
    /// The maximum, or a refutation of the claim, on the condition that bounds hold that were not checked in
    /// the run.
    Conditional,
    /// The maximum is not the number claimed.
    Refuted,
    /// A lower bound below the upper bound.
    Open,
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.serialize(f)
    }
}

/// Reason for which a run stopped; the last four are of processes without an answer.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
pub enum Stop {
    /// The question is answered.
    #[default]
    #[serde(rename = "finished")]
    Finished,
    /// The time limit.
    #[serde(rename = "time limit")]
    TimeLimit,
    /// The node limit.
    #[serde(rename = "node limit")]
    NodeLimit,
    /// An interrupt.
    #[serde(rename = "interrupted")]
    Interrupted,
    /// A reason that the solver does not report.
    #[serde(rename = "reason not stated")]
    Unstated,
    /// A signal ended the process.
    #[serde(rename = "crash")]
    Crash,
    /// The process ended with an error.
    #[serde(rename = "error")]
    Error,
    /// The process exceeded its time limit and was killed.
    #[serde(rename = "hard time limit")]
    HardTimeLimit,
    /// The process exceeded its memory limit.
    #[serde(rename = "memory limit")]
    MemoryLimit,
}

impl From<StopReason> for Stop {
    fn from(reason: StopReason) -> Self {
        match reason {
            StopReason::Finished => Self::Finished,
            StopReason::TimeLimit => Self::TimeLimit,
            StopReason::NodeLimit => Self::NodeLimit,
            StopReason::Interrupted => Self::Interrupted,
            StopReason::Unstated => Self::Unstated,
        }
    }
}

impl fmt::Display for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.serialize(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reason_is_told_in_the_solvers_words() {
        for reason in [
            StopReason::Finished,
            StopReason::TimeLimit,
            StopReason::NodeLimit,
            StopReason::Interrupted,
            StopReason::Unstated,
        ] {
            assert_eq!(Stop::from(reason).to_string(), reason.to_string());
        }
    }

    #[test]
    fn words_that_are_none_are_refused_with_those_that_are() {
        let refused = serde_json::from_str::<Stop>("\"tired\"").expect_err("no reason").to_string();
        assert!(refused.contains("`tired`") && refused.contains("`hard time limit`"), "{refused}");
        assert_eq!(serde_json::from_str::<Outcome>("\"open\"").ok(), Some(Outcome::Open));
    }
}
