//! Trees of boxes checked while the search for the rest of their proof goes on.
//!
//! What was accepted counts where the same text stands in a proof that bounds every box further up by as much as the tree rests on, or by
//! less. Whatever else stands there is checked in its place, and so is what was refused here.

use std::collections::HashMap;
use std::panic;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use ndqueens_notation::name::BoardName;

use super::job::{Job, LONGEST, check};
use super::layers::Steps;
use super::seats::Seats;
use super::{Format, is_statement};

/// Trees that were accepted before their proof was there.
#[derive(Debug, Default)]
pub struct CheckedAhead {
    trees: Mutex<Trees>,
    changed: Condvar,
    /// Whether no more are begun, and whether those that were are given up.
    is_over: AtomicBool,
    is_stopped: AtomicBool,
    /// Of the threads that wait for a tree.
    seats: Seats,
}

#[derive(Debug, Default)]
struct Trees {
    /// By box and queens that do not fit; `None` while one is being checked.
    by_box: HashMap<(BoardName, Option<u64>), Option<Accepted>>,
    bytes: usize,
}

#[derive(Debug)]
struct Accepted {
    text: Vec<u8>,
    bounds: HashMap<BoardName, u64>,
    nodes: u64,
    /// Steps of its case splits.
    steps: u64,
}

/// Trees take so many bytes at most.
const MOST_BYTES: usize = 2 * LONGEST;

/// How long one waits for a tree that is being checked.
const PATIENCE: Duration = Duration::from_millis(100);

impl CheckedAhead {
    /// Checks that no more than so many queens fit on a box, by the lines of this tree and these bounds of boxes.
    pub fn check(&self, board: BoardName, at_most: u64, bounds: HashMap<BoardName, u64>, text: Vec<u8>) {
        let BoardName::Grid { torus: false, sides, .. } = &board else { return };
        let (sides, bytes, key) = (sides.clone(), text.len(), (board.clone(), at_most.checked_add(1)));
        let mut trees = self.trees();
        if self.is_over.load(Relaxed) || trees.bytes + bytes > MOST_BYTES || !text.ends_with(b"\n") {
            return;
        }
        trees.bytes += bytes;
        trees.by_box.insert(key.clone(), None);
        drop(trees);
        let (lemmas, queens) = (bounds.clone(), key.1);
        let steps = Arc::new(Steps::default());
        let counted = Arc::clone(&steps);
        // What format 2 accepts, format 3 accepts.
        let format = Format::Two;
        let job = Job { board, sides, queens, lemmas, text: text.clone(), lines_before: 0, steps, format };
        // A fault of the checker itself is told where the proof is checked.
        let checked =
            panic::catch_unwind(|| check(job, &|| !self.is_stopped.load(Relaxed), Some(&self.seats)));
        let mut trees = self.trees();
        match checked {
            Ok(Ok(nodes)) => drop(
                trees.by_box.insert(key, Some(Accepted { text, bounds, nodes, steps: counted.so_far() })),
            ),
            _ => drop(trees.by_box.remove(&key)),
        }
        self.changed.notify_all();
    }

    /// Begins no further tree, and gives up those that are being checked unless they are wanted.
    pub fn end(&self, are_wanted: bool) {
        self.is_over.store(true, Relaxed);
        self.is_stopped.store(!are_wanted, Relaxed);
    }

    /// The nodes of a tree of a proof, if it was accepted. Waits for one that is being checked, whose check may have a thread more then, but
    /// not long: it may have the processor only as far as nothing else wants it.
    pub(super) fn nodes(&self, job: &Job) -> Option<u64> {
        let key = (job.board.clone(), job.queens);
        let is_being_checked = |trees: &mut Trees| matches!(trees.by_box.get(&key), Some(None));
        let mut trees = self.trees();
        if is_being_checked(&mut trees) {
            drop(trees);
            self.seats.lend(|| {
                let waited = self.changed.wait_timeout_while(self.trees(), PATIENCE, is_being_checked);
                if waited.unwrap_or_else(PoisonError::into_inner).1.timed_out() {
                    self.end(false);
                }
            });
            trees = self.trees();
        }
        let Accepted { text, bounds, nodes, steps } = trees.by_box.get(&key)?.as_ref()?;
        let rest = job.text.strip_prefix(text.as_slice())?;
        let holds = |(board, most)| job.lemmas.get(board).is_some_and(|known: &u64| known <= most);
        ((rest.is_empty() || is_statement(rest)) && bounds.iter().all(holds))
            // With too many steps it is checked again, where that is reported.
            .then_some(*nodes)
            .filter(|_| job.steps.add(*steps).is_ok())
    }

    fn trees(&self) -> MutexGuard<'_, Trees> {
        self.trees.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TREE: &str = "order lexicographic\nslab 1 0-0 1\nslab 2 1-1 1\ncover 0 0,1,2,3 /\n";

    fn board() -> BoardName {
        "2x2".parse().expect("a board")
    }

    fn bounds(most: u64) -> HashMap<BoardName, u64> {
        HashMap::from([("1x2".parse().expect("a board"), most)])
    }

    fn job(most: u64, queens: u64, text: String) -> Job {
        let (board, sides, lemmas) = (board(), vec![2, 2], bounds(most));
        Job {
            board,
            sides,
            queens: Some(queens),
            lemmas,
            text: text.into_bytes(),
            lines_before: 7,
            steps: Arc::default(),
            format: Format::Two,
        }
    }

    #[test]
    fn an_accepted_tree_counts_where_it_stands_and_what_it_rests_on_holds() {
        let ahead = CheckedAhead::default();
        let nodes = |job: &Job| ahead.nodes(job);
        assert_eq!(nodes(&job(1, 2, TREE.to_owned())), None);
        ahead.check(board(), 1, bounds(1), TREE.into());
        assert_eq!(nodes(&job(1, 2, TREE.to_owned())), Some(1));
        assert_eq!(nodes(&job(0, 2, TREE.to_owned())), Some(1));
        assert_eq!(nodes(&job(1, 2, format!("{TREE}box 2x3 2 lines\n"))), Some(1));
        let without = Job { lemmas: HashMap::new(), ..job(1, 2, TREE.to_owned()) };
        let not_so = [
            without,
            job(2, 2, TREE.to_owned()),
            job(1, 1, TREE.to_owned()),
            job(1, 2, format!("{TREE}cover 0 /\n")),
            job(1, 2, TREE.replace(" 0-0 1", " 0-0 2")),
            job(1, 2, TREE.trim_end().to_owned()),
        ];
        assert!(not_so.iter().all(|job| nodes(job).is_none()));
    }

    #[test]
    fn what_is_refused_or_comes_too_late_does_not_count() {
        let ahead = CheckedAhead::default();
        let refused = [
            TREE.replace(" 0,1,2,3", ""),
            TREE.replace("slab 1 0-0 1", "slab 1 0-0 2"),
            TREE.trim_end().to_owned(),
            format!("{TREE}cover 0 /\n"),
            String::new(),
        ];
        for text in refused {
            ahead.check(board(), 1, bounds(1), text.clone().into());
            assert_eq!(ahead.nodes(&job(1, 2, text.clone())), None, "{text}");
        }
        ahead.check(board(), 0, bounds(0), TREE.into());
        assert_eq!(ahead.nodes(&job(0, 1, TREE.to_owned())), None);
        ahead.end(true);
        ahead.check(board(), 1, bounds(1), TREE.into());
        assert_eq!(ahead.nodes(&job(1, 2, TREE.to_owned())), None);
    }

    #[test]
    fn one_does_not_wait_long_for_a_tree_that_is_being_checked() {
        let ahead = CheckedAhead::default();
        ahead.trees().by_box.insert((board(), Some(2)), None);
        assert_eq!(ahead.nodes(&job(1, 2, TREE.to_owned())), None);
        assert!(ahead.is_stopped.load(Relaxed));
    }
}
