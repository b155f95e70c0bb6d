//! What every backend is: something that takes an integer program and says what it found, and what it proved.

pub mod choice;
pub mod claim;
pub mod command;
pub mod good_lp;
pub mod highs;
#[cfg(feature = "sat")]
pub mod sat;
pub mod solution_file;
pub mod start_file;

use std::ops::ControlFlow;
use std::path::PathBuf;
use std::time::Duration;

use ndqueens_model::ilp::{Ilp, Program as _};

use ndqueens_system::cancel::StopReason;

/// A solver for integer programs.
pub trait Backend {
    /// Name and version, as records show it: `HiGHS 1.15.0`.
    fn solver(&self) -> String;

    /// The first of these settings, in words, that the backend has no place for; `start` tells whether there is a point to
    /// start from.
    fn refuses(&self, options: &Options, start: bool) -> Option<&'static str>;

    /// Solves a program. `monitor` is called from time to time and may stop the run; incumbent and bound are kept.
    ///
    /// Every solution in the answer is integral and satisfies every row in integer arithmetic.
    ///
    /// # Errors
    /// When the backend fails or gives an answer that does not hold.
    fn solve(
        &self,
        programme: &Ilp,
        options: &Options,
        monitor: &mut dyn FnMut(&Progress) -> ControlFlow<()>,
    ) -> Result<Run, BackendError>;
}

/// Settings of a run; what is `None` is left to the backend.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// Seed for the backend's random choices; a backend that cannot be given one takes 0 alone.
    pub seed: u32,
    /// Number of threads; `None` means 1.
    pub threads: Option<u32>,
    /// Wall-clock limit.
    pub time_limit: Option<Duration>,
    /// Limit on branch-and-bound nodes.
    pub node_limit: Option<u64>,
    /// Limit on the nodes of each sub-box, where that is less; of the exact engine alone.
    pub box_limit: Option<u64>,
    /// Presolve on or off.
    pub presolve: Option<bool>,
    /// Symmetry detection on or off.
    pub symmetry: Option<bool>,
    /// A feasible point to start from, one value for each column.
    pub start: Option<Vec<i64>>,
    /// Options of HiGHS by their own names.
    pub native: Vec<highs::NativeOption>,
    /// File for the log of HiGHS.
    pub log: Option<PathBuf>,
}

/// Where a run stands.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Progress {
    /// Seconds since the run began.
    pub seconds: f64,
    /// Value of the best solution so far.
    pub incumbent: Option<i64>,
    /// The dual bound as the backend states it (float).
    pub dual_bound: Option<f64>,
    /// Branch-and-bound nodes.
    pub nodes: Option<u64>,
    /// Simplex iterations.
    pub lp_iterations: Option<u64>,
}

/// What a run found. `Optimal` and `Infeasible` mean *proved by that backend*.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// A solution that is proved to be the best.
    Optimal {
        /// One value for each column.
        solution: Vec<i64>,
        /// Its objective value.
        value: i64,
    },
    /// There is no solution.
    Infeasible,
    /// A solution; also the answer to a feasibility problem.
    Feasible {
        /// One value for each column.
        solution: Vec<i64>,
        /// Its objective value.
        value: i64,
        /// The dual bound, rounded to the integer that it proves.
        bound: Option<i64>,
    },
    /// Neither a solution nor a proof that there is none.
    Unknown {
        /// The dual bound, rounded to the integer that it proves.
        bound: Option<i64>,
    },
}

/// The account of one run. What a backend cannot report is absent.
#[derive(Debug, Clone, PartialEq)]
pub struct Run {
    /// Name and version of the solver.
    pub solver: String,
    /// What was found.
    pub outcome: Outcome,
    /// Why the run stopped.
    pub stop: StopReason,
    /// The dual bound as the backend states it (float).
    pub dual_bound: Option<f64>,
    /// Branch-and-bound nodes.
    pub nodes: Option<u64>,
    /// Simplex iterations.
    pub lp_iterations: Option<u64>,
    /// Wall-clock seconds of the solve.
    pub seconds: f64,
}

/// The LP relaxation of a program, solved in floating point.
#[derive(Debug, Clone, PartialEq)]
pub struct Relaxation {
    /// The optimum (float); `None` when the relaxation is infeasible, or was not solved to the end.
    pub value: Option<f64>,
    /// Where the optimum is reached (float), a value for each column; empty without an optimum.
    pub point: Vec<f64>,
    /// How the optimum changes with the right-hand side of each row (float); empty without an optimum.
    pub duals: Vec<f64>,
    /// Why the run stopped; with `Finished`, no value means infeasible.
    pub stop: StopReason,
    /// Simplex iterations.
    pub lp_iterations: u64,
    /// Wall-clock seconds of the solve.
    pub seconds: f64,
}

/// Why a backend gave no answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BackendError {
    /// The backend failed.
    #[error("{solver} failed: {fault}")]
    Failed {
        /// Name and version of the solver.
        solver: String,
        /// What it said.
        fault: String,
    },
    /// The program of the backend cannot be started.
    #[error("{program} {fault}")]
    Missing {
        /// The program as its command names it.
        program: String,
        /// The reason.
        fault: String,
    },
    /// The backend's answer does not satisfy the program.
    #[error("{solver} gave an answer that does not hold: {violation}")]
    Wrong {
        /// Name and version of the solver.
        solver: String,
        /// The row or column that is violated.
        violation: String,
    },
    /// The backend claims something that is refuted by a solution which is known.
    #[error("{solver} gave an answer that does not hold: {claim}")]
    Refuted {
        /// Name and version of the solver.
        solver: String,
        /// What it claims, and what refutes that.
        claim: String,
    },
    /// The point to start from is not feasible.
    #[error("the start is not a feasible point: {0}")]
    BadStart(String),
    /// The backend cannot take a setting that was asked for.
    #[error("{solver} cannot take {setting}")]
    Unsupported {
        /// Name and version of the solver.
        solver: String,
        /// The setting, in words.
        setting: &'static str,
    },
}

impl BackendError {
    /// Whether the solver failed or is wrong, and not what it was given.
    #[must_use]
    pub fn is_failure(&self) -> bool {
        !matches!(self, Self::BadStart(_) | Self::Unsupported { .. })
    }

    pub(crate) fn failed(solver: impl Into<String>, fault: impl Into<String>) -> Self {
        Self::Failed { solver: solver.into(), fault: fault.into() }
    }

    /// Creates the error for a program that the system does not start.
    pub(crate) fn missing(program: &str, error: &std::io::Error) -> Self {
        Self::Missing {
            program: program.to_owned(),
            fault: ndqueens_system::program::start_failure(program, error),
        }
    }

    pub(crate) fn wrong(solver: impl Into<String>, violation: impl Into<String>) -> Self {
        Self::Wrong { solver: solver.into(), violation: violation.into() }
    }

    pub(crate) fn refuted(solver: impl Into<String>, claim: impl Into<String>) -> Self {
        Self::Refuted { solver: solver.into(), claim: claim.into() }
    }
}

impl Options {
    /// The first setting, in words, that a solver behind a narrow interface has no place for.
    pub(crate) fn beyond_plain(&self, threads: bool, seed: bool) -> Option<&'static str> {
        let refused = [
            (!self.native.is_empty(), "options of HiGHS"),
            (self.log.is_some(), "the name of a log"),
            (self.node_limit.is_some(), "a node limit"),
            (self.presolve.is_some(), "a choice of presolve"),
            (self.symmetry.is_some(), "a choice of symmetry detection"),
            (!threads && self.threads.is_some_and(|threads| threads > 1), "more than one thread"),
            (!seed && self.seed != 0, "a seed"),
        ];
        refused.into_iter().find(|(asked, _)| *asked).map(|(_, setting)| setting)
    }

    /// Refuses the settings that the backend has no place for, and a start that is not feasible.
    pub(crate) fn check(
        &self,
        programme: &Ilp,
        backend: &dyn Backend,
        solver: &str,
    ) -> Result<(), BackendError> {
        if let Some(setting) = backend.refuses(self, self.start.is_some()) {
            return Err(BackendError::Unsupported { solver: solver.to_owned(), setting });
        }
        let violation = self.start.as_ref().and_then(|start| programme.violation(start));
        violation.map_or(Ok(()), |violation| Err(BackendError::BadStart(violation)))
    }
}
