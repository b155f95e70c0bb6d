//! Backends: solvers of integer programs behind one interface.
//!
//! [`Backend::solve`] is the only way to a result. It checks the settings and the start, runs the
//! solver under a monitor, and checks the claim of the solver in exact integer arithmetic. A backend
//! implements [`Backend::run_solver`] only: it translates the program, runs the solver, and reads its
//! status and its solution.

pub mod choice;
pub mod claim;
pub mod command;
pub mod good_lp;
pub mod highs;
mod monitored;
#[cfg(feature = "sat")]
pub mod sat;
pub mod solution_file;
pub mod start_file;

use std::ops::ControlFlow;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use ndqueens_model::ilp::{Ilp, Program as _};

use ndqueens_system::cancel::StopReason;
use ndqueens_system::note::Notes;

use self::claim::SolverClaim;
pub use self::monitored::MonitoredRun;

/// Solver of integer programs.
pub trait Backend {
    /// Returns name and version as records show them: `HiGHS 1.15.0`.
    fn solver(&self) -> String;

    /// Returns the first setting that the solver does not support, in words. `has_start` says whether there
    /// will be a start, which `options` need not hold yet.
    fn unsupported_setting(&self, options: &Options, has_start: bool) -> Option<&'static str>;

    /// Runs the solver on the program of `run`, which has columns, and returns what the solver claims.
    /// Nothing in the claim is checked yet.
    ///
    /// # Errors
    /// Returns an error if the solver cannot be run, fails, or leaves no readable answer.
    fn run_solver(&self, run: &mut MonitoredRun<'_>) -> Result<SolverClaim, BackendError>;

    /// Solves a program. `monitor` is called from time to time and may stop the run; incumbent
    /// and bound are kept.
    ///
    /// Every solution in the answer is integral and satisfies every constraint in integer arithmetic.
    ///
    /// # Errors
    /// Returns an error if a setting is not supported, the start is infeasible, the backend fails, or
    /// its claim is false.
    fn solve(
        &self,
        ilp: &Ilp,
        options: &Options,
        monitor: &mut dyn FnMut(&Progress) -> ControlFlow<()>,
    ) -> Result<Run, BackendError> {
        let began = Instant::now();
        let solver = self.solver();
        if let Some(setting) = self.unsupported_setting(options, options.start.is_some()) {
            return Err(BackendError::Unsupported { solver, setting });
        }
        if let Some(violation) = options.start.as_ref().and_then(|start| ilp.violation(start)) {
            return Err(BackendError::BadStart(violation));
        }
        let mut run = MonitoredRun::new(solver, ilp, options, began, monitor);
        let claim = match SolverClaim::without_columns(ilp) {
            Some(claim) => claim,
            None => self.run_solver(&mut run)?,
        };
        run.finish(claim)
    }
}

/// Settings of a run. The backend chooses where a setting is `None`.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// Seed of the random choices of the backend; 0 is the only seed of a backend that takes none.
    pub seed: u32,
    /// Number of threads; `None` means 1.
    pub threads: Option<u32>,
    /// Wall-clock limit.
    pub time_limit: Option<Duration>,
    /// Limit on branch-and-bound nodes.
    pub node_limit: Option<u64>,
    /// Limit on the nodes of each sub-box, if it is less than the node limit. Only the exact engine uses it.
    pub box_limit: Option<u64>,
    /// Presolve on or off.
    pub presolve: Option<bool>,
    /// Symmetry detection on or off.
    pub symmetry: Option<bool>,
    /// Feasible point to start from, one value for each column.
    pub start: Option<Vec<i64>>,
    /// Options of HiGHS by their own names.
    pub native: Vec<highs::NativeOption>,
    /// File for the log of HiGHS.
    pub log: Option<PathBuf>,
    /// Destination of notes about damaged files of intermediate results.
    pub notes: Notes,
}

/// State of a run.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Progress {
    /// Seconds since the run began.
    pub seconds: f64,
    /// Objective value of the best solution so far.
    pub incumbent: Option<i64>,
    /// Dual bound as the backend states it (floating point).
    pub dual_bound: Option<f64>,
    /// Number of branch-and-bound nodes.
    pub nodes: Option<u64>,
    /// Number of simplex iterations.
    pub lp_iterations: Option<u64>,
}

/// Result of a run. The backend claims to have proved `Optimal` and `Infeasible`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// Optimal solution.
    Optimal {
        /// One value for each column.
        solution: Vec<i64>,
        /// Objective value.
        value: i64,
    },
    /// Proof that there is no solution.
    Infeasible,
    /// Solution without a proof of optimality; also the answer to a feasibility problem.
    Feasible {
        /// One value for each column.
        solution: Vec<i64>,
        /// Objective value.
        value: i64,
        /// Dual bound, rounded to the integer that it proves.
        bound: Option<i64>,
    },
    /// Neither a solution nor a proof of infeasibility.
    Unknown {
        /// Dual bound, rounded to the integer that it proves.
        bound: Option<i64>,
    },
}

/// Account of one run. Values that the backend does not report are `None`.
#[derive(Debug, Clone, PartialEq)]
pub struct Run {
    /// Name and version of the solver.
    pub solver: String,
    /// Checked result.
    pub outcome: Outcome,
    /// Reason why the run stopped.
    pub stop: StopReason,
    /// Dual bound as the backend states it (floating point).
    pub dual_bound: Option<f64>,
    /// Number of branch-and-bound nodes.
    pub nodes: Option<u64>,
    /// Number of simplex iterations.
    pub lp_iterations: Option<u64>,
    /// Wall-clock seconds of the solve.
    pub seconds: f64,
}

/// LP relaxation of a program, solved in floating point.
#[derive(Debug, Clone, PartialEq)]
pub struct Relaxation {
    /// Optimal value; `None` if the relaxation is infeasible or the run stopped early.
    pub value: Option<f64>,
    /// Optimal point, one value for each column; empty without an optimum.
    pub point: Vec<f64>,
    /// Dual value of each row: change of the optimum per unit of the right-hand side; empty
    /// without an optimum.
    pub duals: Vec<f64>,
    /// Reason why the run stopped. If it is `Finished` and there is no value, the relaxation is infeasible.
    pub stop: StopReason,
    /// Number of simplex iterations.
    pub lp_iterations: u64,
    /// Wall-clock seconds of the solve.
    pub seconds: f64,
}

/// Reason why a backend gave no answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BackendError {
    /// Failure of the backend.
    #[error("{solver} failed: {fault}")]
    Failed {
        /// Name and version of the solver.
        solver: String,
        /// Description of the failure, with the solver as "it".
        fault: String,
    },
    /// Program of the backend that cannot be started.
    #[error("{program} {fault}")]
    Missing {
        /// Executable as the command names it.
        program: String,
        /// Reason.
        fault: String,
    },
    /// Solution of the backend that does not satisfy the program.
    #[error("{solver} gave an answer that does not hold: {violation}")]
    Wrong {
        /// Name and version of the solver.
        solver: String,
        /// Violated row or column.
        violation: String,
    },
    /// Claim of the backend that a known solution refutes.
    #[error("{solver} gave an answer that does not hold: {claim}")]
    Refuted {
        /// Name and version of the solver.
        solver: String,
        /// Claim and its refutation, with the solver as "it".
        claim: String,
    },
    /// Start that is not a feasible point.
    #[error("the start is not a feasible point: {0}")]
    BadStart(String),
    /// Setting that the backend does not support.
    #[error("{solver} cannot take {setting}")]
    Unsupported {
        /// Name and version of the solver.
        solver: String,
        /// Setting in words.
        setting: &'static str,
    },
}

impl BackendError {
    /// Returns `true` if the solver failed or is wrong, and `false` if its input is at fault.
    #[must_use]
    pub fn is_failure(&self) -> bool {
        !matches!(self, Self::BadStart(_) | Self::Unsupported { .. })
    }

    /// Creates the error of a solver that failed.
    pub(crate) fn failed(solver: impl Into<String>, fault: impl Into<String>) -> Self {
        Self::Failed { solver: solver.into(), fault: fault.into() }
    }

    /// Creates the error of an executable that the system does not start.
    pub(crate) fn missing(program: &str, error: &std::io::Error) -> Self {
        Self::Missing {
            program: program.to_owned(),
            fault: ndqueens_system::program::start_failure(program, error),
        }
    }

    /// Creates the error of an answer that does not satisfy the program.
    pub(crate) fn wrong(solver: impl Into<String>, violation: impl Into<String>) -> Self {
        Self::Wrong { solver: solver.into(), violation: violation.into() }
    }

    /// Creates the error of a claim that a known solution refutes.
    pub(crate) fn refuted(solver: impl Into<String>, claim: impl Into<String>) -> Self {
        Self::Refuted { solver: solver.into(), claim: claim.into() }
    }
}

impl Options {
    /// Returns the first setting, in words, that a solver with a narrow interface does not support. The
    /// arguments say whether it takes a number of threads and a seed.
    pub(crate) fn unsupported_by_plain_solver(&self, threads: bool, seed: bool) -> Option<&'static str> {
        let settings = [
            (!self.native.is_empty(), "options of HiGHS"),
            (self.log.is_some(), "the name of a log"),
            (self.node_limit.is_some(), "a node limit"),
            (self.presolve.is_some(), "a choice of presolve"),
            (self.symmetry.is_some(), "a choice of symmetry detection"),
            (!threads && self.threads.is_some_and(|threads| threads > 1), "more than one thread"),
            (!seed && self.seed != 0, "a seed"),
        ];
        settings.into_iter().find(|(is_set, _)| *is_set).map(|(_, setting)| setting)
    }
}
