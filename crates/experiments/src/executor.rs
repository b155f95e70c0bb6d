//! Interface between the runner and whatever executes runs, and the result of a run.

use std::fmt;
use std::io;
use std::ops::ControlFlow;

use ndqueens_solver::backends::Progress;
use ndqueens_workflow::record::Record;
use ndqueens_workflow::record::verdict::Verdict;
use serde::{Deserialize, Serialize};

use crate::planned::Planned;

/// Executes planned runs, several at a time.
pub trait Executor: fmt::Debug + Sync {
    /// Returns the name used in messages.
    fn name(&self) -> String;

    /// Executes a run. `watch` is called several times a second, with points as they arrive, and may stop the
    /// run.
    ///
    /// # Errors
    /// Returns an error if the run cannot be started.
    fn run(
        &self,
        planned: &Planned,
        watch: &mut dyn FnMut(Option<&Point>) -> ControlFlow<()>,
    ) -> io::Result<Ended>;
}

/// Answer of a solver that its own process found to be wrong.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Refuted {
    /// Verdict on the answer.
    pub verdict: Verdict,
    /// Explanation in a sentence.
    pub words: String,
}

/// State of a run at a point in time.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Point {
    /// Seconds since the solver started.
    pub seconds: f64,
    /// Value of the best solution so far, as reported by the solver.
    pub incumbent: Option<i64>,
    /// Dual bound, as reported by the solver.
    pub dual_bound: Option<f64>,
}

impl Point {
    /// Returns the point of a progress report if it differs from this one in the incumbent, or in the bound
    /// rounded to one decimal.
    #[must_use]
    pub fn new_since(&self, progress: &Progress) -> Option<Self> {
        let dual_bound = progress.dual_bound.filter(|bound| bound.is_finite());
        let tenth = |bound: Option<f64>| bound.map(|bound| (bound * 10.0).round());
        let new = progress.incumbent != self.incumbent || tenth(dual_bound) != tenth(self.dual_bound);
        new.then_some(Self { seconds: progress.seconds, incumbent: progress.incumbent, dual_bound })
    }
}

/// Way in which a run ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum End {
    /// The process exited with this code.
    Exit(i32),
    /// The process was terminated by a signal that the runner did not send.
    Signal(String),
    /// The process was killed because it exceeded its time limit.
    HardLimit,
    /// The batch was stopped.
    Interrupted,
}

/// Resource usage of a finished process, as reported by the operating system.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Usage {
    /// Wall-clock seconds from start to end.
    pub wall_seconds: f64,
    /// CPU seconds, user and system, of the process and its children.
    pub cpu_seconds: f64,
    /// Peak memory in bytes. For a killed process this includes the memory that its parent held when it was
    /// started.
    pub peak_memory_bytes: u64,
}

/// Result of an ended run.
#[derive(Debug)]
pub struct Ended {
    /// Record with the answer, if there is one.
    pub record: Option<Box<Record>>,
    /// Answer that the process found to be wrong.
    pub refuted: Option<Refuted>,
    /// Incumbent and bound over time.
    pub trace: Vec<Point>,
    /// Way in which the run ended.
    pub end: End,
    /// Resource usage.
    pub usage: Usage,
    /// Last part of the output on standard error.
    pub words: String,
}
