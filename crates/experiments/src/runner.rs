//! The runner: what is missing in a folder is run, each run in a child process, several at a time.

use std::collections::{HashMap, VecDeque};
use std::ops::ControlFlow;
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

use ndqueens_lab::parts::{Share, order};
use ndqueens_record::verdict::Verdict;
use ndqueens_record::{Answer, Outcome, Provenance, Stop};
use ndqueens_system::cancel::Deadline;
use ndqueens_system::file::FileError;
use parking_lot::Mutex;

use crate::executor::{End, Ended, Executor, Point, Refuted};
use crate::judge::{self, Conflict, Judge};
use crate::planned::Planned;
use crate::store::{self, Finished, Store, StoreError};

/// What is to be run.
#[derive(Debug)]
pub struct Batch<'a> {
    /// What makes the runs.
    pub executor: &'a dyn Executor,
    /// The folder.
    pub store: &'a Store,
    /// The runs.
    pub plan: &'a [Planned],
    /// How many are run at a time.
    pub jobs: usize,
    /// Whether runs that ended in a crash or an error are made again.
    pub retry: bool,
    /// Which runs are begun first.
    pub share: Option<Share>,
    /// When no run is begun any more that would not have ended by then.
    pub fitting: Deadline,
}

/// What the runner reports.
#[derive(Debug)]
pub enum Event<'a> {
    /// These runs have a row already and are not made again; so many of them failed.
    AlreadyDone(&'a [&'a Planned], usize),
    /// A run begins.
    Begun(&'a Planned),
    /// A run is in this state; without a point it only goes on.
    Point(&'a Planned, Option<&'a Point>),
    /// A run has ended, here or in another runner, and whether it failed.
    Ended(&'a Finished, bool),
    /// An answer cannot be right.
    Conflict(&'a Conflict),
}

/// How a batch ended.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Summary {
    /// Runs with a row.
    pub done: usize,
    /// Runs without a row.
    pub missing: usize,
    /// Of these, those that other runners make just now.
    pub elsewhere: usize,
    /// Of these, those that would not end in time.
    pub too_long: usize,
}

/// Why a batch cannot go on.
#[derive(Debug, thiserror::Error)]
pub enum RunnerError {
    /// The folder cannot be read or written.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// No process can be started.
    #[error("cannot start {program}: {cause}")]
    Start {
        /// The program.
        program: String,
        /// What the operating system says.
        cause: std::io::Error,
    },
}

impl RunnerError {
    /// Whether the system failed, and not what was given.
    #[must_use]
    pub fn is_failure(&self) -> bool {
        match self {
            Self::Store(error) => error.is_failure(),
            Self::Start { .. } => true,
        }
    }
}

impl From<FileError> for RunnerError {
    fn from(error: FileError) -> Self {
        Self::Store(error.into())
    }
}

/// What the threads of a batch share.
struct Shared<'a, 'w> {
    batch: &'a Batch<'a>,
    watch: &'w (dyn Fn(Event<'_>) -> ControlFlow<()> + Sync),
    queue: Mutex<VecDeque<&'a Planned>>,
    elsewhere: AtomicUsize,
    too_long: AtomicUsize,
    /// The time that there is in all.
    time: Duration,
    state: Mutex<State<'a>>,
}

/// How a run with a row ended.
#[derive(Clone, Copy)]
struct Done {
    failed: bool,
    /// Whether it may end otherwise when it is made again.
    broken: bool,
}

struct State<'a> {
    planned: HashMap<&'a str, &'a Planned>,
    /// Runs with a row.
    done: HashMap<String, Done>,
    judge: Judge,
    /// The longest run on each board, in seconds.
    longest: HashMap<String, f64>,
    error: Option<RunnerError>,
}

/// Runs what is missing. Returns when every run has a row or is made by another runner, or when `watch` breaks.
///
/// # Errors
/// When the folder cannot be read or written, or no process can be started. Rows that are there stay.
pub fn run(
    batch: &Batch<'_>,
    watch: &(dyn Fn(Event<'_>) -> ControlFlow<()> + Sync),
) -> Result<Summary, RunnerError> {
    let shared = Shared {
        batch,
        watch,
        queue: Mutex::default(),
        elsewhere: AtomicUsize::new(0),
        too_long: AtomicUsize::new(0),
        time: batch.fitting.left().unwrap_or(Duration::MAX),
        state: Mutex::new(State {
            planned: batch.plan.iter().map(|run| (run.id.as_str(), run)).collect(),
            done: HashMap::new(),
            judge: Judge::default(),
            longest: HashMap::new(),
            error: None,
        }),
    };
    shared.catch_up(false)?;
    let queue = {
        let mut state = shared.state.lock();
        if batch.retry {
            state.done.retain(|_, done| !done.broken);
        }
        let there: Vec<_> = batch.plan.iter().filter(|run| state.done.contains_key(&run.id)).collect();
        let failed = state.done.values().filter(|done| done.failed).count();
        let _ = watch(Event::AlreadyDone(&there, failed));
        let missing: Vec<&Planned> =
            batch.plan.iter().filter(|run| !state.done.contains_key(&run.id)).collect();
        // What a run takes is not known.
        order(&vec![1.0; missing.len()], batch.share).into_iter().map(|k| missing[k]).collect()
    };
    *shared.queue.lock() = queue;
    std::thread::scope(|threads| {
        for _ in 0..batch.jobs.max(1) {
            threads.spawn(|| {
                if let Err(error) = shared.work() {
                    shared.state.lock().error.get_or_insert(error);
                }
            });
        }
    });
    let mut state = shared.state.lock();
    if let Some(error) = state.error.take() {
        return Err(error);
    }
    let done = batch.plan.iter().filter(|run| state.done.contains_key(&run.id)).count();
    Ok(Summary {
        done,
        missing: batch.plan.len() - done,
        elsewhere: shared.elsewhere.load(Relaxed),
        too_long: shared.too_long.load(Relaxed),
    })
}

impl<'a> Shared<'a, '_> {
    /// Whether to go on: nobody has stopped the batch, and nothing is broken.
    fn going(&self, event: Event<'_>) -> bool {
        (self.watch)(event).is_continue() && self.state.lock().error.is_none()
    }

    fn work(&self) -> Result<(), RunnerError> {
        loop {
            let Some(planned) = self.queue.lock().pop_front() else { return Ok(()) };
            if !self.going(Event::Point(planned, None)) {
                return Ok(());
            }
            if !self.fits(planned) {
                self.too_long.fetch_add(1, Relaxed);
                continue;
            }
            let claim = self.batch.store.claim(&planned.id)?;
            self.catch_up(true)?;
            if self.state.lock().done.contains_key(&planned.id) {
                continue;
            }
            if claim.is_none() {
                self.elsewhere.fetch_add(1, Relaxed);
                continue;
            }
            self.make(planned)?;
        }
    }

    /// Whether a run would end in time: if it takes as long as the longest one on its board, or else as its limit allows. One of
    /// which nothing is known begins in the first half of the time.
    fn fits(&self, planned: &Planned) -> bool {
        let Some(left) = self.batch.fitting.left() else { return true };
        let longest = self.state.lock().longest.get(&planned.question.board.to_string()).copied();
        let limit = planned.question.time_limit_seconds;
        let takes = match (longest, limit) {
            (Some(longest), Some(limit)) => longest.min(limit),
            (known, None) | (None, known) => known.unwrap_or(f64::INFINITY),
        };
        takes <= left.as_secs_f64() || longest.is_none() && left >= self.time / 2
    }

    /// Makes a run and keeps its row.
    fn make(&self, planned: &'a Planned) -> Result<(), RunnerError> {
        if !self.going(Event::Begun(planned)) {
            return Ok(());
        }
        let executor = self.batch.executor;
        let ended = executor
            .run(planned, &mut |point| {
                if self.going(Event::Point(planned, point)) {
                    ControlFlow::Continue(())
                } else {
                    ControlFlow::Break(())
                }
            })
            .map_err(|cause| RunnerError::Start { program: executor.name(), cause })?;
        if ended.end == End::Interrupted {
            return Ok(());
        }
        self.batch.store.add(&row(planned, ended))?;
        self.catch_up(true)
    }

    /// Takes in the rows that are new in the folder.
    fn catch_up(&self, tell: bool) -> Result<(), RunnerError> {
        // One at a time, so that no row is told twice or out of order.
        let mut state = self.state.lock();
        for row in self.batch.store.news()? {
            let conflicts = state.judge.hear(&row);
            let longest = state.longest.entry(row.planned.question.board.to_string()).or_default();
            *longest = longest.max(row.process.wall_seconds);
            if state.planned.contains_key(row.planned.id.as_str()) {
                let failed = state.judge.last().is_some_and(Verdict::is_failure);
                state.done.insert(row.planned.id.clone(), Done { failed, broken: is_broken(&row) });
                if tell {
                    let _ = (self.watch)(Event::Ended(&row, failed));
                }
            }
            for conflict in conflicts {
                let _ = (self.watch)(Event::Conflict(&conflict));
            }
        }
        Ok(())
    }
}

/// Whether a run ended by a crash or an error, not by a limit.
fn is_broken(row: &Finished) -> bool {
    matches!(row.answer.stop, Stop::Crash | Stop::Error)
}

/// The row of a run that has ended, judged by itself.
fn row(planned: &Planned, ended: Ended) -> Finished {
    let Ended { record, refuted, trace, end, usage, words } = ended;
    let without = |stop, verdict| Answer {
        stop,
        outcome: Outcome::Unknown,
        wall_seconds: usage.wall_seconds,
        cpu_seconds: usage.cpu_seconds,
        verdict: Some(verdict),
        ..Answer::default()
    };
    let (mut answer, failure) = match (record, refuted) {
        (Some(record), _) => (record.answer, None),
        (None, Some(Refuted { verdict, words })) => (without(Stop::Error, verdict), Some(words)),
        (None, None) => {
            let (stop, why) = without_answer(planned, &end, &words);
            (without(stop, Verdict::FailAbort), Some(why))
        }
    };
    answer.verdict = Some(judge::assess(planned, &answer, failure.as_deref()).verdict);
    Finished {
        layout: store::LAYOUT,
        planned: planned.clone(),
        answer,
        process: usage,
        failure,
        trace,
        provenance: Provenance::here(),
    }
}

/// Why a process gave no answer: in a word, and in a sentence.
fn without_answer(planned: &Planned, end: &End, words: &str) -> (Stop, String) {
    // A panic ends with advice.
    let last =
        words.lines().rfind(|line| !line.starts_with("note:") && !line.trim().is_empty()).unwrap_or_default();
    let detail = if last.is_empty() { String::new() } else { format!(": {last}") };
    let out_of_memory = ["memory allocation", "bad_alloc", "out of memory", "Cannot allocate memory"];
    if planned.memory_limit_mib.is_some() && out_of_memory.iter().any(|sign| words.contains(sign)) {
        return (Stop::MemoryLimit, format!("it exceeded its memory limit{detail}"));
    }
    match end {
        End::HardLimit => {
            (Stop::HardTimeLimit, "it did not stop at its time limit and was killed".to_owned())
        }
        End::Signal(name) => (Stop::Crash, format!("its process was ended by {name}{detail}")),
        End::Exit(code) => {
            (Stop::Error, format!("its process gave no answer and ended with exit code {code}{detail}"))
        }
        End::Interrupted => (Stop::Error, "the batch was stopped".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use std::io;
    use std::path::Path;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;
    use crate::definition::Definition;
    use crate::executor::Usage;
    use crate::plan;

    /// Runs whose processes end without an answer.
    #[derive(Debug, Default)]
    struct Failing(AtomicUsize);

    impl Executor for Failing {
        fn name(&self) -> String {
            "failing".to_owned()
        }

        fn run(
            &self,
            _: &Planned,
            watch: &mut dyn FnMut(Option<&Point>) -> ControlFlow<()>,
        ) -> io::Result<Ended> {
            self.0.fetch_add(1, Ordering::Relaxed);
            let end = if watch(None).is_break() { End::Interrupted } else { End::Exit(4) };
            let (usage, words) = (Usage::default(), "it fails".to_owned());
            Ok(Ended { record: None, refuted: None, trace: Vec::new(), end, usage, words })
        }
    }

    /// Nothing can be started.
    #[derive(Debug)]
    struct Absent;

    impl Executor for Absent {
        fn name(&self) -> String {
            "absent".to_owned()
        }

        fn run(
            &self,
            _: &Planned,
            _: &mut dyn FnMut(Option<&Point>) -> ControlFlow<()>,
        ) -> io::Result<Ended> {
            Err(io::ErrorKind::NotFound.into())
        }
    }

    fn planned() -> Vec<Planned> {
        let text = "title = \"t\"\nsource = \"s\"\n[[runs]]\nboards = [\"3^3\"]\nformulations = [\"base\"]\nseeds = 5\n";
        let definition = Definition::parse(Path::new("e.toml"), text.to_owned()).expect("well formed");
        plan::plan(&definition).expect("valid")
    }

    /// Runs what is missing in a folder.
    fn batch(
        folder: &Path,
        executor: &dyn Executor,
        retry: bool,
        watch: &(dyn Fn(Event<'_>) -> ControlFlow<()> + Sync),
    ) -> Result<Summary, RunnerError> {
        let (store, plan) = (Store::open(folder).expect("a folder"), planned());
        let (share, fitting) = (None, Deadline::NEVER);
        run(&Batch { executor, store: &store, plan: &plan, jobs: 3, retry, share, fitting }, watch)
    }

    #[test]
    fn every_run_is_made_once_and_failed_ones_again_when_asked() {
        let folder = tempfile::tempdir().expect("a folder");
        let go_on = |_: Event<'_>| ControlFlow::Continue(());
        for (retry, made) in [(false, 5), (false, 0), (true, 5)] {
            let executor = Failing::default();
            let summary = batch(folder.path(), &executor, retry, &go_on).expect("a batch");
            assert_eq!(summary, Summary { done: 5, ..Summary::default() });
            assert_eq!(executor.0.into_inner(), made);
        }
    }

    #[test]
    fn a_run_that_is_stopped_has_no_row() {
        let folder = tempfile::tempdir().expect("a folder");
        let stop = |event: Event<'_>| match event {
            Event::Point(_, Some(_)) | Event::Begun(_) => ControlFlow::Break(()),
            _ => ControlFlow::Continue(()),
        };
        let executor = Failing::default();
        let summary = batch(folder.path(), &executor, false, &stop).expect("a batch");
        assert_eq!((summary.done, executor.0.into_inner()), (0, 0));
    }

    #[test]
    fn a_process_that_cannot_be_started_ends_the_batch() {
        let folder = tempfile::tempdir().expect("a folder");
        let fault = batch(folder.path(), &Absent, false, &|_| ControlFlow::Continue(()));
        assert!(matches!(fault, Err(RunnerError::Start { program, .. }) if program == "absent"));
    }
}
