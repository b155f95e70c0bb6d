//! Trees of boxes checked beside each other: each of them rests on bounds that stand further up, and on nothing in other trees.
//!
//! The lines of a tree go to another thread as they are, with the line after them, and the statement goes on as if the tree had been
//! accepted. What is accepted in the end, and the fault that is told, are those of one check after the other.

use std::collections::HashMap;
use std::io::{self, BufRead, Read};
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use ndqueens_model::name::BoardName;

use super::{Checker, Lines, ProofError};

/// Trees that are longer, in bytes, are checked as they are read.
pub(super) const LONGEST: usize = 1 << 25;

/// The tree of a box, as it stands in a proof.
pub(super) struct Job {
    pub(super) board: BoardName,
    pub(super) sides: Vec<u32>,
    /// So many queens are to be refuted; `None` stands for more than can be reckoned with.
    pub(super) queens: Option<u64>,
    /// The bounds that stand further up.
    pub(super) lemmas: HashMap<BoardName, u64>,
    /// Its lines, and the one after them, if there is one.
    pub(super) text: Vec<u8>,
    /// How many lines stand before them.
    pub(super) lines_before: u64,
}

/// What came of the trees.
struct Outcome {
    nodes: u64,
    /// The first tree that was refused, and why.
    fault: Option<(usize, ProofError)>,
}

/// What the threads have in common.
struct Common<'g> {
    outcome: Mutex<Outcome>,
    /// The first tree that was refused; those after it need not be looked at.
    refused: AtomicUsize,
    go_on: &'g (dyn Fn() -> bool + Sync),
}

/// Where trees are handed over.
pub(super) struct Aside {
    jobs: SyncSender<(usize, Job)>,
    number: usize,
}

impl Aside {
    /// Hands a tree over, as soon as a thread is free. False when none of them takes any more.
    pub(super) fn hand_over(&mut self, job: Job) -> bool {
        self.number += 1;
        self.jobs.send((self.number - 1, job)).is_ok()
    }
}

/// Reads a proof with so many threads for its trees: what `read` gives, and the nodes of the trees that it handed over. Stops in a fault
/// when `go_on` says so.
pub(super) fn with_threads<T>(
    threads: usize,
    go_on: &(dyn Fn() -> bool + Sync),
    read: impl FnOnce(Aside) -> Result<T, ProofError>,
) -> Result<(T, u64), ProofError> {
    let common = Common {
        outcome: Mutex::new(Outcome { nodes: 0, fault: None }),
        refused: AtomicUsize::new(usize::MAX),
        go_on,
    };
    let read = thread::scope(|scope| {
        let (jobs, taken) = sync_channel(threads);
        let taken = Arc::new(Mutex::new(taken));
        for _ in 0..threads {
            let (taken, common) = (Arc::clone(&taken), &common);
            scope.spawn(move || work(&taken, common));
        }
        // The last thread that ends takes the receiver along, so that nobody waits for it.
        drop(taken);
        read(Aside { jobs, number: 0 })
    });
    let Outcome { nodes, fault } = common.outcome.into_inner().unwrap_or_else(PoisonError::into_inner);
    match fault {
        Some((_, fault)) => Err(fault),
        None => read.map(|read| (read, nodes)),
    }
}

fn work(taken: &Mutex<Receiver<(usize, Job)>>, common: &Common<'_>) {
    loop {
        let next = taken.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok((number, job)) = next else { return };
        if number > common.refused.load(Relaxed) {
            continue;
        }
        let checked = check(job, number, common);
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

/// Checks a tree, and that nothing follows it but a statement; how many nodes it has.
fn check(job: Job, number: usize, common: &Common<'_>) -> Result<u64, ProofError> {
    let Job { board, sides, queens, lemmas, text, lines_before } = job;
    let mut text = Stoppable { text: &text, number, common };
    let lines = Lines::after(&mut text, "proof", lines_before);
    let mut checker = Checker { lemmas, ..Checker::new(lines) };
    checker.search(&board, queens, &sides, None)?;
    if !checker.lines.is_over()? {
        checker.lines.next()?;
        checker.expect_statement()?;
    }
    Ok(checker.nodes)
}

/// A text that ends in a fault when it is of no use any more.
struct Stoppable<'t, 'g> {
    text: &'t [u8],
    number: usize,
    common: &'t Common<'g>,
}

/// How many bytes pass between two looks.
const PIECE: usize = 1 << 12;

impl Read for Stoppable<'_, '_> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let read = self.fill_buf()?.read(bytes)?;
        self.consume(read);
        Ok(read)
    }
}

impl BufRead for Stoppable<'_, '_> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.number > self.common.refused.load(Relaxed) || !(self.common.go_on)() {
            return Err(io::ErrorKind::TimedOut.into());
        }
        Ok(&self.text[..self.text.len().min(PIECE)])
    }

    fn consume(&mut self, amount: usize) {
        self.text = &self.text[amount..];
    }
}
