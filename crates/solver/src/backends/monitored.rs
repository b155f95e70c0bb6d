//! Runs of a solver under a monitor: clock, deadline, incumbent and progress, which all backends share.

use std::fmt;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use ndqueens_model::ilp::{Ilp, Program as _, Sense};
use ndqueens_system::cancel::{Control, Deadline, StopReason, run_stoppable};

use crate::backends::claim::{self, CheckedClaim, SolverClaim};
use crate::backends::{BackendError, Options, Progress, Run};

/// Time limit in seconds that is passed to a solver in a run without a limit.
const FOREVER: f64 = 1e9;

/// Run of a solver on an integer program. A backend reads its input here and polls while the solver
/// works.
pub struct MonitoredRun<'a> {
    /// Name and version of the solver.
    pub(super) solver: String,
    pub(super) ilp: &'a Ilp,
    pub(super) options: &'a Options,
    pub(super) deadline: Deadline,
    /// Last known feasible point: the start, or an incumbent that the solver reported later.
    pub(super) incumbent: Option<Vec<i64>>,
    /// `true` once a poll found that the deadline had passed.
    pub(super) is_late: bool,
    began: Instant,
    monitor: &'a mut dyn FnMut(&Progress) -> ControlFlow<()>,
}

/// Report of a solver during a run; a solver that reports nothing has the default.
#[derive(Debug, Default)]
pub(super) struct SolverReport {
    /// Dual bound, which is finite.
    pub(super) dual_bound: Option<f64>,
    pub(super) nodes: Option<u64>,
    pub(super) lp_iterations: Option<u64>,
    /// Solution that is better than all before.
    pub(super) solution: Option<Vec<f64>>,
}

impl fmt::Debug for MonitoredRun<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MonitoredRun").field("solver", &self.solver).finish_non_exhaustive()
    }
}

impl<'a> MonitoredRun<'a> {
    /// Creates a run that began at `began`, with the start as its incumbent.
    pub(super) fn new(
        solver: String,
        ilp: &'a Ilp,
        options: &'a Options,
        began: Instant,
        monitor: &'a mut dyn FnMut(&Progress) -> ControlFlow<()>,
    ) -> Self {
        let (deadline, incumbent) = (Deadline::since(began, options.time_limit), options.start.clone());
        Self { solver, ilp, options, deadline, incumbent, is_late: false, began, monitor }
    }

    /// Returns the seconds since the run began.
    pub(super) fn seconds(&self) -> f64 {
        self.began.elapsed().as_secs_f64()
    }

    /// Returns the seconds until the deadline, as a time limit of the solver.
    pub(super) fn seconds_left(&self) -> f64 {
        self.deadline.left().map_or(FOREVER, |left| left.as_secs_f64().min(FOREVER))
    }

    /// Creates the error of a solver that failed.
    pub(super) fn failed(&self, fault: impl Into<String>) -> BackendError {
        BackendError::failed(&self.solver, fault)
    }

    /// Stores a reported solution, if it is feasible, and passes the progress to the monitor. Breaks if the
    /// monitor does, or, without a call of the monitor, if the deadline passed `grace` ago.
    pub(super) fn poll(&mut self, grace: Duration, report: impl FnOnce() -> SolverReport) -> ControlFlow<()> {
        self.is_late |= self.deadline.later(grace).is_over();
        if self.is_late {
            return ControlFlow::Break(());
        }
        let SolverReport { dual_bound, nodes, lp_iterations, solution } = report();
        if let Some(point) = solution.and_then(|point| claim::feasible(self.ilp, &point)) {
            self.incumbent = Some(point);
        }
        let incumbent = self.incumbent.as_ref().map(|point| self.ilp.value(point));
        let progress = Progress { seconds: self.seconds(), incumbent, dual_bound, nodes, lp_iterations };
        (self.monitor)(&progress)
    }

    /// Runs `job` on a new thread and polls until it ends. Returns `None` if a poll breaks and the job does
    /// not end soon; its thread is then abandoned.
    ///
    /// # Errors
    /// Returns an error if the thread cannot be started or panics.
    pub(super) fn run_on_thread<T: Send + 'static>(
        &mut self,
        grace: Duration,
        report: &dyn Fn() -> SolverReport,
        job: impl FnOnce(&Control) -> T + Send + 'static,
    ) -> Result<Option<T>, BackendError> {
        let ended = run_stoppable("solver", job, &mut || self.poll(grace, report));
        ended.map_err(|error| self.failed(error.to_string()))
    }

    /// Returns the claim of a solver that was stopped by a poll.
    pub(super) fn stopped(&self) -> SolverClaim {
        SolverClaim::stopped(if self.is_late { StopReason::TimeLimit } else { StopReason::Interrupted })
    }

    /// Ends the run: checks the claim of the solver against the program and the incumbent.
    ///
    /// # Errors
    /// Returns an error if the claim is false.
    pub(super) fn finish(self, claim: SolverClaim) -> Result<Run, BackendError> {
        let began = self.began;
        // For a feasibility problem, solvers state a bound on the constant 0.
        let dual_bound = claim.dual_bound.filter(|_| self.ilp.sense() != Sense::Feasibility);
        let (nodes, lp_iterations) = (claim.nodes, claim.lp_iterations);
        let CheckedClaim { outcome, stop } = claim.check(self.ilp, self.incumbent, &self.solver)?;
        let seconds = began.elapsed().as_secs_f64();
        Ok(Run { solver: self.solver, outcome, stop, dual_bound, nodes, lp_iterations, seconds })
    }
}
