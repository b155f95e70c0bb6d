//! Trees of boxes checked beside each other: each of them rests on bounds that stand further up, and on nothing in other trees.
//!
//! The lines of a tree go to another thread as they are, with the line after them, and the statement goes on as if the tree had been
//! accepted. What is accepted in the end, and the fault that is told, are those of one check after the other.

use std::collections::BTreeMap;
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

use super::ProofError;
use super::ahead::CheckedAhead;
use super::job::{Job, LONGEST, check};
use super::seats::Seats;

/// Trees that wait take so many bytes at most, or there is only one.
const MOST_WAITING: usize = 2 * LONGEST;

/// What came of the trees.
struct Outcome {
    nodes: u64,
    /// The first tree that was refused, and why.
    fault: Option<(usize, ProofError)>,
}

/// The trees that wait for a thread.
struct Waiting {
    /// By length and number.
    jobs: BTreeMap<(usize, usize), Job>,
    bytes: usize,
    /// Whether no more will come.
    is_over: bool,
    /// How many threads take them.
    threads: usize,
}

/// What the threads have in common.
struct Common<'g> {
    waiting: Mutex<Waiting>,
    changed: Condvar,
    outcome: Mutex<Outcome>,
    /// The first tree that was refused; those after it need not be looked at.
    refused: AtomicUsize,
    seats: Seats,
    ahead: &'g CheckedAhead,
    go_on: &'g (dyn Fn() -> bool + Sync),
}

impl Common<'_> {
    fn waiting(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits as long as this holds.
    fn wait_while(&self, holds: impl FnMut(&mut Waiting) -> bool) -> MutexGuard<'_, Waiting> {
        self.changed.wait_while(self.waiting(), holds).unwrap_or_else(PoisonError::into_inner)
    }

    /// The longest tree that waits, as soon as there is one, so that none is left to one thread at the end; `None` when no more come.
    fn next(&self) -> Option<(usize, Job)> {
        let mut waiting = self.wait_while(|waiting| waiting.jobs.is_empty() && !waiting.is_over);
        let ((length, number), job) = waiting.jobs.pop_last()?;
        waiting.bytes -= length;
        self.changed.notify_all();
        Some((number, job))
    }
}

/// Where trees are handed over.
pub(super) struct Aside<'c> {
    common: &'c Common<'c>,
    number: usize,
}

impl Aside<'_> {
    /// Hands a tree over, as soon as there is room. False when no thread takes any more.
    pub(super) fn hand_over(&mut self, job: Job) -> bool {
        let length = job.text.len();
        let is_full = |waiting: &mut Waiting| {
            !waiting.jobs.is_empty() && waiting.bytes + length > MOST_WAITING && waiting.threads > 0
        };
        let mut waiting = self.common.wait_while(is_full);
        waiting.jobs.insert((length, self.number), job);
        waiting.bytes += length;
        self.number += 1;
        self.common.changed.notify_all();
        waiting.threads > 0
    }
}

impl Drop for Aside<'_> {
    fn drop(&mut self) {
        self.common.waiting().is_over = true;
        self.common.changed.notify_all();
    }
}

/// A thread that takes trees.
struct Worker<'c>(&'c Common<'c>);

impl Drop for Worker<'_> {
    fn drop(&mut self) {
        self.0.waiting().threads -= 1;
        self.0.changed.notify_all();
    }
}

/// Reads a proof with so many threads for its trees, but for those that were checked ahead: what `read` gives, and the nodes of the trees
/// that it handed over. Stops in a fault when `go_on` says so.
pub(super) fn with_threads<T>(
    threads: usize,
    ahead: &CheckedAhead,
    go_on: &(dyn Fn() -> bool + Sync),
    read: impl FnOnce(Aside<'_>) -> Result<T, ProofError>,
) -> Result<(T, u64), ProofError> {
    let common = Common {
        waiting: Mutex::new(Waiting { jobs: BTreeMap::new(), bytes: 0, is_over: false, threads }),
        changed: Condvar::new(),
        outcome: Mutex::new(Outcome { nodes: 0, fault: None }),
        refused: AtomicUsize::new(usize::MAX),
        seats: Seats::new(threads),
        ahead,
        go_on,
    };
    let read = thread::scope(|scope| {
        for _ in 0..threads {
            let worker = Worker(&common);
            scope.spawn(move || work(&worker));
        }
        read(Aside { common: &common, number: 0 })
    });
    let Outcome { nodes, fault } = common.outcome.into_inner().unwrap_or_else(PoisonError::into_inner);
    match fault {
        Some((_, fault)) => Err(fault),
        None => read.map(|read| (read, nodes)),
    }
}

fn work(Worker(common): &Worker<'_>) {
    while let Some((number, job)) = common.next() {
        if number > common.refused.load(Relaxed) {
            continue;
        }
        let _seat = common.seats.wait();
        let go_on = || number <= common.refused.load(Relaxed) && (common.go_on)();
        let checked = common.ahead.nodes(&job).map_or_else(|| check(job, &go_on, Some(&common.seats)), Ok);
        let mut outcome = common.outcome.lock().unwrap_or_else(PoisonError::into_inner);
        match checked {
            Ok(nodes) => outcome.nodes += nodes,
            Err(fault) => {
                common.refused.fetch_min(number, Relaxed);
                if outcome.fault.as_ref().is_none_or(|(first, _)| number < *first) {
                    outcome.fault = Some((number, fault));
                }
            }
        }
    }
}
