//! Checks the trees of a proof on several threads.
//!
//! The crosscheck crate decides which proofs are accepted: it reads the statements, checks each tree, or each
//! piece of a tree, by a pure function, and requires the result of every tree. This module decides on which
//! thread and in which order that happens. Neither the result nor the reported error depends on this choice:
//! the error is that of the first tree in the proof that is rejected.

mod ahead;
mod split_points;

use std::collections::BTreeMap;
use std::io::BufRead;
use std::sync::Arc;
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::Relaxed;
use std::thread;

use ndqueens_crosscheck::proof::{
    BoxTree, CheckedPiece, CheckedTree, MAX_TREE_BYTES, OpenedTree, ProofError, ProofResult, SplitPoint,
    Statements, check as check_sequentially,
};
use ndqueens_notation::name::{BoardName, NameError};
use parking_lot::{Condvar, Mutex, MutexGuard};

pub use self::ahead::CheckedAhead;

/// Maximum total length of waiting trees, in bytes; a single waiting tree may be longer.
const MOST_WAITING: usize = 2 * MAX_TREE_BYTES;

/// Length in bytes from which a tree is checked in pieces.
const LONG: usize = 1 << 15;

/// Number of pieces of a long tree for each thread.
const PIECES: usize = 4;

/// Checks a proof on `threads` threads; with one thread, on the calling one. Reads the names of boards by
/// `read_board`. With several threads, trees that were checked `ahead` are not checked again, and the check
/// fails once `stop` returns `true`.
///
/// # Errors
/// Returns an error at the first step that is not accepted.
pub fn check_text_on(
    ahead: &CheckedAhead,
    threads: usize,
    read_board: &dyn Fn(&str) -> Result<BoardName, NameError>,
    text: impl BufRead,
    stop: &(dyn Fn() -> bool + Sync),
) -> Result<ProofResult, ProofError> {
    match threads {
        ..=1 => check_sequentially(text, read_board),
        _ => check_on(threads, text, read_board, ahead, stop),
    }
}

/// Checks a proof with `threads` threads for its trees. Trees that were checked `ahead` are not checked
/// again.
///
/// # Errors
/// Returns an error at the first step that is not accepted, or [`ProofError::Stopped`] if `stop` returns
/// `true`.
pub fn check_on(
    threads: usize,
    mut proof: impl BufRead,
    read_board: &dyn Fn(&str) -> Result<BoardName, NameError>,
    ahead: &CheckedAhead,
    stop: &(dyn Fn() -> bool + Sync),
) -> Result<ProofResult, ProofError> {
    let threads = threads.max(1);
    let mut statements = Statements::read(&mut proof, read_board)?;
    let queue = Queue { jobs: BTreeMap::new(), bytes: 0, unfinished: 0, is_closed: false, workers: threads };
    let pool = Pool {
        queue: Mutex::new(queue),
        changed: Condvar::new(),
        outcome: Mutex::default(),
        first_fault: AtomicUsize::new(usize::MAX),
        threads,
        ahead,
        stop,
    };
    let read = thread::scope(|scope| {
        for _ in 0..threads {
            let worker = Worker(&pool);
            scope.spawn(move || worker.run());
        }
        let _closing = Closing(&pool);
        while let Some(tree) = statements.next_tree()? {
            if !pool.hand_over(tree) {
                break;
            }
        }
        Ok(())
    });
    let Outcome { checked, fault } = pool.outcome.into_inner();
    match fault {
        Some((_, fault)) => Err(fault),
        None => read.and_then(|()| statements.conclude(checked)),
    }
}

/// Results of the workers.
#[derive(Default)]
struct Outcome {
    checked: Vec<CheckedTree>,
    /// Number of the first tree that was rejected, and its error.
    fault: Option<(usize, ProofError)>,
}

/// Work for one thread.
enum Job {
    Tree(Arc<BoxTree>),
    Piece { tree: Arc<LongTree>, index: usize },
}

/// Tree that is checked in pieces.
struct LongTree {
    opened: OpenedTree,
    points: Vec<SplitPoint>,
    pieces: Mutex<Vec<Option<Result<CheckedPiece, ProofError>>>>,
    /// Index of the first piece that failed or continued to the end of the tree; later pieces do not count.
    last: AtomicUsize,
}

/// Jobs that wait for a thread.
struct Queue {
    /// Keys are the length in bytes, the number of the tree, and the index of the piece.
    jobs: BTreeMap<(usize, usize, usize), Job>,
    /// Total length of the waiting trees, in bytes.
    bytes: usize,
    /// Number of trees and pieces that were handed over and are not finished.
    unfinished: usize,
    /// True if no more trees are handed over.
    is_closed: bool,
    /// Number of threads that take jobs.
    workers: usize,
}

/// State that the threads share.
struct Pool<'g> {
    queue: Mutex<Queue>,
    changed: Condvar,
    outcome: Mutex<Outcome>,
    /// Number of the first tree that was rejected; trees after it need not be checked.
    first_fault: AtomicUsize,
    threads: usize,
    ahead: &'g CheckedAhead,
    stop: &'g (dyn Fn() -> bool + Sync),
}

impl Pool<'_> {
    fn wait_while(&self, condition: impl FnMut(&mut Queue) -> bool) -> MutexGuard<'_, Queue> {
        let mut queue = self.queue.lock();
        self.changed.wait_while(&mut queue, condition);
        queue
    }

    /// Adds a tree to the queue as soon as there is room. Returns `false` if no more trees are needed,
    /// because one was rejected or no thread takes jobs.
    fn hand_over(&self, tree: BoxTree) -> bool {
        let length = tree.text().len();
        let is_full = |queue: &mut Queue| {
            !queue.jobs.is_empty() && queue.bytes + length > MOST_WAITING && queue.workers > 0
        };
        let mut queue = self.wait_while(is_full);
        let is_needed = queue.workers > 0 && self.first_fault.load(Relaxed) == usize::MAX;
        queue.bytes += length;
        queue.unfinished += 1;
        queue.jobs.insert((length, tree.number(), 0), Job::Tree(Arc::new(tree)));
        self.changed.notify_all();
        is_needed
    }

    /// Takes jobs, the longest first, so that no long job is left to one thread at the end.
    fn work(&self) {
        loop {
            let ends = |queue: &Queue| queue.is_closed && queue.unfinished == 0;
            let mut queue = self.wait_while(|queue| queue.jobs.is_empty() && !ends(queue));
            let Some(((length, ..), job)) = queue.jobs.pop_last() else { return };
            if let Job::Tree(_) = job {
                queue.bytes -= length;
                self.changed.notify_all();
            }
            drop(queue);
            let _finished = Finished(self);
            match job {
                Job::Tree(tree) => self.check_tree(&tree),
                Job::Piece { tree, index } => self.check_piece(&tree, index),
            }
        }
    }

    /// Checks a tree, or adds its pieces to the queue.
    fn check_tree(&self, tree: &Arc<BoxTree>) {
        let number = tree.number();
        let stop = || number > self.first_fault.load(Relaxed) || (self.stop)();
        if let Some(checked) = self.ahead.find(tree) {
            return self.finish(number, Ok(checked));
        }
        if tree.text().len() < LONG || self.threads == 1 {
            return self.finish(number, tree.check(&stop));
        }
        let opened = match tree.open() {
            Ok(opened) => opened,
            Err(fault) => return self.finish(number, Err(fault)),
        };
        let points = split_points::find(&opened, PIECES * self.threads, &stop);
        let pieces = points.len() + 1;
        let at = |index: usize| match index {
            0 => opened.first_node().1,
            _ => points[index - 1].offset(),
        };
        let end = |index: usize| if index + 1 < pieces { at(index + 1) } else { tree.text().len() };
        let lengths: Vec<usize> = (0..pieces).map(|index| end(index) - at(index)).collect();
        let results = (0..pieces).map(|_| None).collect();
        let tree = Arc::new(LongTree {
            opened,
            points,
            pieces: Mutex::new(results),
            last: AtomicUsize::new(usize::MAX),
        });
        let mut queue = self.queue.lock();
        queue.unfinished += pieces;
        for (index, length) in lengths.into_iter().enumerate() {
            queue.jobs.insert((length, number, index), Job::Piece { tree: Arc::clone(&tree), index });
        }
        self.changed.notify_all();
    }

    /// Checks a piece, and joins the pieces of its tree if it is the last one to be finished.
    fn check_piece(&self, tree: &LongTree, index: usize) {
        let LongTree { opened, points, .. } = tree;
        let number = opened.tree().number();
        let stop =
            || index > tree.last.load(Relaxed) || number > self.first_fault.load(Relaxed) || (self.stop)();
        let from = index.checked_sub(1).map(|before| &points[before]);
        let checked = opened.check_piece(from, points.get(index), &stop);
        if !checked.as_ref().is_ok_and(CheckedPiece::ended_at_split_point) {
            tree.last.fetch_min(index, Relaxed);
        }
        let mut pieces = tree.pieces.lock();
        pieces[index] = Some(checked);
        if pieces.iter().all(Option::is_some) {
            let joined = opened.join(pieces.drain(..).flatten());
            drop(pieces);
            self.finish(number, joined);
        }
    }

    /// Records the result of a tree.
    fn finish(&self, number: usize, checked: Result<CheckedTree, ProofError>) {
        let mut outcome = self.outcome.lock();
        match checked {
            Ok(checked) => outcome.checked.push(checked),
            Err(fault) => {
                self.first_fault.fetch_min(number, Relaxed);
                if outcome.fault.as_ref().is_none_or(|(first, _)| number < *first) {
                    outcome.fault = Some((number, fault));
                }
            }
        }
    }
}

/// Counts a job as finished when it is dropped.
struct Finished<'p, 'g>(&'p Pool<'g>);

impl Drop for Finished<'_, '_> {
    fn drop(&mut self) {
        let mut queue = self.0.queue.lock();
        queue.unfinished = queue.unfinished.saturating_sub(1);
        drop(queue);
        self.0.changed.notify_all();
    }
}

/// Marks the end of the trees when it is dropped.
struct Closing<'p, 'g>(&'p Pool<'g>);

impl Drop for Closing<'_, '_> {
    fn drop(&mut self) {
        self.0.queue.lock().is_closed = true;
        self.0.changed.notify_all();
    }
}

/// Thread that takes jobs.
struct Worker<'p, 'g>(&'p Pool<'g>);

impl Worker<'_, '_> {
    fn run(self) {
        self.0.work();
    }
}

impl Drop for Worker<'_, '_> {
    fn drop(&mut self) {
        let mut queue = self.0.queue.lock();
        queue.workers -= 1;
        if thread::panicking() {
            // The panic is propagated at the end of the scope; the other threads must not wait for this one.
            queue.is_closed = true;
            queue.jobs.clear();
            queue.unfinished = 0;
        }
        self.0.changed.notify_all();
    }
}
