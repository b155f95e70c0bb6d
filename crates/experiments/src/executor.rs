//! What makes the runs of a batch, and what comes of a run.

use std::fmt;
use std::io;
use std::ops::ControlFlow;

use ndqueens_record::Record;
use ndqueens_record::verdict::Verdict;
use ndqueens_solver::backends::Progress;
use serde::{Deserialize, Serialize};

use crate::planned::Planned;

/// What makes planned runs, several at a time.
pub trait Executor: fmt::Debug + Sync {
    /// Its name, for messages.
    fn name(&self) -> String;

    /// Makes a run. `watch` is called some times a second, with points as they come, and may stop it.
    ///
    /// # Errors
    /// When the run cannot be started.
    fn run(
        &self,
        planned: &Planned,
        watch: &mut dyn FnMut(Option<&Point>) -> ControlFlow<()>,
    ) -> io::Result<Ended>;
}

/// An answer of a solver that the process itself found to be wrong.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Refuted {
    /// In a word.
    pub verdict: Verdict,
    /// In a sentence.
    pub words: String,
}

/// Where a run stood at a time.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Point {
    /// Seconds since the solver began.
    pub seconds: f64,
    /// Value of the best solution so far, as the solver says.
    pub incumbent: Option<i64>,
    /// The dual bound, as the solver says.
    pub dual_bound: Option<f64>,
}

impl Point {
    /// The point of a progress report, when it says something new: another incumbent, or a bound that differs by a tenth.
    #[must_use]
    pub fn new_since(&self, progress: &Progress) -> Option<Self> {
        let dual_bound = progress.dual_bound.filter(|bound| bound.is_finite());
        let tenth = |bound: Option<f64>| bound.map(|bound| (bound * 10.0).round());
        let new = progress.incumbent != self.incumbent || tenth(dual_bound) != tenth(self.dual_bound);
        new.then_some(Self { seconds: progress.seconds, incumbent: progress.incumbent, dual_bound })
    }
}

/// How a run ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum End {
    /// By itself, with this code.
    Exit(i32),
    /// By a signal that nobody here sent.
    Signal(String),
    /// It was killed, for it did not keep its time limit.
    HardLimit,
    /// The batch was stopped.
    Interrupted,
}

/// What the operating system says of a process that has ended.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Usage {
    /// Wall-clock seconds from start to end.
    pub wall_seconds: f64,
    /// CPU seconds, user and system, of the process and of what it ran.
    pub cpu_seconds: f64,
    /// The most memory that it held, in bytes. What was killed counts what its parent held when it was made.
    pub peak_memory_bytes: u64,
}

/// A run that has ended.
#[derive(Debug)]
pub struct Ended {
    /// Its answer, if it gave one.
    pub record: Option<Box<Record>>,
    /// The answer that it found to be wrong.
    pub refuted: Option<Refuted>,
    /// Incumbent and bound over time.
    pub trace: Vec<Point>,
    /// How it ended.
    pub end: End,
    /// What it took.
    pub usage: Usage,
    /// The end of what it said on standard error.
    pub words: String,
}
