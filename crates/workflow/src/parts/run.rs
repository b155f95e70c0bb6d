//! Threads that run the missing parts and report progress.

use std::io;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicBool, AtomicUsize};

use ndqueens_system::cancel::{Control, Deadline, StopReason};
use ndqueens_system::thread::with_threads;
use rayon::prelude::*;

use crate::run::{Event, PartsProgress, Watch, WorkflowError, run_watched};

/// Run of missing parts.
#[derive(Debug)]
pub(crate) struct MissingParts<'a> {
    /// Numbers of the parts, in the order in which they are started.
    pub(crate) missing: &'a [usize],
    /// Total number of parts.
    pub(crate) parts: usize,
    /// Number of parts that are finished already.
    pub(crate) finished_before: usize,
    /// Share of the tree of the finished parts, from 0 to 1.
    pub(crate) share_before: f64,
    /// True if no part is missing afterwards, so that the remaining time can be estimated.
    pub(crate) completes: bool,
    /// Number of threads.
    pub(crate) threads: usize,
    /// Deadline of the work.
    pub(crate) deadline: Deadline,
    /// Control that stops the work.
    pub(crate) control: &'a Control,
}

/// Reason why parts were not run.
#[derive(Debug)]
pub(crate) enum PartsError {
    /// The threads cannot be started.
    Threads(io::Error),
    /// A part failed.
    Part(WorkflowError),
}

impl PartsError {
    /// Converts the error, with `threads` for that of the threads.
    pub(crate) fn into_workflow_error(
        self,
        threads: impl FnOnce(io::Error) -> WorkflowError,
    ) -> WorkflowError {
        match self {
            Self::Threads(cause) => threads(cause),
            Self::Part(fault) => fault,
        }
    }
}

impl MissingParts<'_> {
    /// Runs `work` on the parts, several at a time; it returns `true` if it finished the part. The first
    /// error stops the other parts. The second value is the reason of a stop.
    pub(crate) fn run(
        &self,
        watch: &mut Watch<'_>,
        work: impl Fn(usize) -> Result<bool, WorkflowError> + Sync,
    ) -> (Result<(), PartsError>, Option<StopReason>) {
        let &Self { missing, parts, finished_before, share_before, completes, threads, deadline, control } =
            self;
        let (done_before, nodes_before) = (control.done(), control.nodes());
        let (finished, late) = (AtomicUsize::new(0), AtomicBool::new(false));
        let progress = |seconds: f64| {
            let done = control.done() - done_before;
            Event::Parts(PartsProgress {
                finished: finished_before + finished.load(Relaxed),
                parts,
                done: share_before + done,
                nodes: control.nodes() - nodes_before,
                seconds,
                left: (completes && done > 0.0)
                    .then(|| (1.0 - share_before - done).max(0.0) / done * seconds),
            })
        };
        let one = |&number: &usize| {
            // Small parts end before the watcher checks the deadline.
            if deadline.is_over() {
                late.store(true, Relaxed);
                control.stop();
            }
            if !control.is_stopped() && work(number).inspect_err(|_| control.stop())? {
                finished.fetch_add(1, Relaxed);
            }
            Ok(())
        };
        // The parts are started one after the other, in this order.
        let all = || missing.iter().par_bridge().try_for_each(one);
        let (done, stop) = run_watched(control, deadline, watch, &progress, |_| with_threads(threads, all));
        let result = match done {
            Ok(result) => result.map_err(PartsError::Part),
            Err(cause) => Err(PartsError::Threads(cause)),
        };
        (result, stop.or(late.into_inner().then_some(StopReason::TimeLimit)))
    }
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;
    use std::time::Duration;

    use parking_lot::Mutex;

    use super::*;

    fn pump<'a>(missing: &'a [usize], control: &'a Control) -> MissingParts<'a> {
        let parts = missing.len();
        MissingParts {
            missing,
            parts,
            finished_before: 0,
            share_before: 0.0,
            completes: true,
            threads: 2,
            deadline: Deadline::NEVER,
            control,
        }
    }

    #[test]
    fn every_part_is_worked_on_once() {
        let (control, missing) = (Control::new(), (0..100).collect::<Vec<_>>());
        let done = Mutex::new(Vec::new());
        let (result, stop) = pump(&missing, &control).run(&mut |_| ControlFlow::Continue(()), |number| {
            done.lock().push(number);
            Ok(true)
        });
        result.expect("no fault");
        let mut done = done.into_inner();
        done.sort_unstable();
        assert_eq!((done, stop), (missing, None));
    }

    #[test]
    fn no_part_is_started_after_the_deadline() {
        let (control, missing) = (Control::new(), (0..100).collect::<Vec<_>>());
        let deadline = Deadline::after(Some(Duration::ZERO));
        let run = MissingParts { deadline, ..pump(&missing, &control) };
        let (result, stop) = run.run(&mut |_| ControlFlow::Continue(()), |number| panic!("part {number}"));
        result.expect("no fault");
        assert_eq!(stop, Some(StopReason::TimeLimit));
    }

    #[test]
    fn a_fault_stops_the_other_parts() {
        let (control, missing) = (Control::new(), (0..100).collect::<Vec<_>>());
        let (result, _) = pump(&missing, &control).run(&mut |_| ControlFlow::Continue(()), |_| {
            Err(WorkflowError::Engine(io::Error::other("the disk is full")))
        });
        assert!(matches!(result, Err(PartsError::Part(WorkflowError::Engine(_)))));
        assert!(control.is_stopped());
    }
}
