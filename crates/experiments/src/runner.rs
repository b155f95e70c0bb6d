//! Executes the missing runs of a folder, several at a time, each in a child process.

use std::collections::{HashMap, VecDeque};
use std::ops::ControlFlow;
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

use ndqueens_system::cancel::Deadline;
use ndqueens_workflow::parts::{Share, order};
use ndqueens_workflow::record::verdict::Verdict;
use ndqueens_workflow::record::{Answer, Outcome, Provenance, Stop};
use parking_lot::Mutex;

use crate::error::ExperimentError;
use crate::executor::{End, Ended, Executor, Point, Refuted};
use crate::judge::{self, Conflict, Judge};
use crate::planned::Planned;
use crate::store::{self, Finished, Store};

/// Work of a runner.
#[derive(Debug)]
pub struct Batch<'a> {
    /// Executor of the runs.
    pub executor: &'a dyn Executor,
    /// Folder of the experiment.
    pub store: &'a Store,
    /// Planned runs.
    pub plan: &'a [Planned],
    /// Number of runs executed at the same time.
    pub jobs: usize,
    /// `true` to repeat runs that ended in a crash or an error.
    pub retry: bool,
    /// Share of the runs that is started first.
    pub share: Option<Share>,
    /// Deadline; a run that would not end before it is not started.
    pub fitting: Deadline,
}

/// Event reported by the runner.
#[derive(Debug)]
pub enum Event<'a> {
    /// These runs have a row already and are not repeated; the number is that of failed ones.
    AlreadyDone(&'a [&'a Planned], usize),
    /// A run starts.
    Begun(&'a Planned),
    /// The run has reached this point; without a point, it is still running.
    Point(&'a Planned, Option<&'a Point>),
    /// A run has ended, here or in another runner; `true` if it failed.
    Ended(&'a Finished, bool),
    /// An answer contradicts another fact.
    Conflict(&'a Conflict),
}

/// Result of a batch.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Summary {
    /// Number of runs with a row.
    pub done: usize,
    /// Number of runs without a row.
    pub missing: usize,
    /// Number of missing runs that other runners are executing.
    pub elsewhere: usize,
    /// Number of missing runs that would not end before the deadline.
    pub too_long: usize,
}

/// State shared by the threads of a batch.
struct Shared<'a, 'w> {
    batch: &'a Batch<'a>,
    watch: &'w (dyn Fn(Event<'_>) -> ControlFlow<()> + Sync),
    queue: Mutex<VecDeque<&'a Planned>>,
    elsewhere: AtomicUsize,
    too_long: AtomicUsize,
    /// Time between the start of the batch and its deadline.
    time: Duration,
    state: Mutex<State<'a>>,
}

/// Status of a run with a row.
#[derive(Clone, Copy)]
struct Done {
    failed: bool,
    /// `true` if the run may end differently when it is repeated.
    broken: bool,
}

struct State<'a> {
    planned: HashMap<&'a str, &'a Planned>,
    /// Runs with a row, by id.
    done: HashMap<String, Done>,
    judge: Judge,
    /// Wall-clock seconds of the longest run on each board.
    longest: HashMap<String, f64>,
    error: Option<ExperimentError>,
}

/// Executes the missing runs. Returns when every run has a row or is executed by another runner, or when
/// `watch` breaks.
///
/// # Errors
/// Returns an error if the folder cannot be read or written, or no process can be started. Existing rows are
/// kept.
pub fn run(
    batch: &Batch<'_>,
    watch: &(dyn Fn(Event<'_>) -> ControlFlow<()> + Sync),
) -> Result<Summary, ExperimentError> {
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
        // The durations are unknown, so all runs count alike.
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
    /// Reports an event. Returns `true` if the batch continues: it was not stopped, and no error has
    /// occurred.
    fn going(&self, event: Event<'_>) -> bool {
        (self.watch)(event).is_continue() && self.state.lock().error.is_none()
    }

    fn work(&self) -> Result<(), ExperimentError> {
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

    /// Returns `true` if a run is expected to end before the deadline. The estimate is the longest time on
    /// its board or its time limit, whichever is shorter. A run on a board without rows is also started in
    /// the first half of the time.
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

    /// Executes a run and stores its row.
    fn make(&self, planned: &'a Planned) -> Result<(), ExperimentError> {
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
            .map_err(|cause| ExperimentError::Start { program: executor.name(), cause })?;
        if ended.end == End::Interrupted {
            return Ok(());
        }
        self.batch.store.add(&row(planned, ended))?;
        self.catch_up(true)
    }

    /// Reads the new rows of the folder, and reports them if `reports` is `true`. Conflicts
    /// are always reported.
    fn catch_up(&self, reports: bool) -> Result<(), ExperimentError> {
        // Hold the lock, so that no row is reported twice or out of order.
        let mut state = self.state.lock();
        for row in self.batch.store.news()? {
            let conflicts = state.judge.add(&row);
            let longest = state.longest.entry(row.planned.question.board.to_string()).or_default();
            *longest = longest.max(row.process.wall_seconds);
            if state.planned.contains_key(row.planned.id.as_str()) {
                let failed = state.judge.last().is_some_and(Verdict::is_failure);
                state.done.insert(row.planned.id.clone(), Done { failed, broken: is_broken(&row) });
                if reports {
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

/// Returns `true` if a run ended by a crash or an error, not by a limit.
fn is_broken(row: &Finished) -> bool {
    matches!(row.answer.stop, Stop::Crash | Stop::Error)
}

/// Creates the row of an ended run, with the verdict on it alone.
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

/// Returns the reason why a process gave no answer, as a code and as a sentence.
fn without_answer(planned: &Planned, end: &End, words: &str) -> (Stop, String) {
    // The last line of a panic message is advice and not the cause.
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
    use ndqueens_system::note::Notes;

    /// Executor whose processes end without an answer.
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

    /// Executor that cannot start a process.
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

    fn sample_plan() -> Vec<Planned> {
        let text = "title = \"t\"\nsource = \"s\"\n[[runs]]\nboards = [\"3^3\"]\nformulations = [\"base\"]\nseeds = 5\n";
        let definition = Definition::parse(Path::new("e.toml"), text.to_owned()).expect("well formed");
        plan::plan(&definition).expect("valid")
    }

    /// Executes the missing runs of a folder.
    fn batch(
        folder: &Path,
        executor: &dyn Executor,
        retry: bool,
        watch: &(dyn Fn(Event<'_>) -> ControlFlow<()> + Sync),
    ) -> Result<Summary, ExperimentError> {
        let (store, plan) = (Store::open(folder, &Notes::default()).expect("a folder"), sample_plan());
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
        assert!(matches!(fault, Err(ExperimentError::Start { program, .. }) if program == "absent"));
    }
}
