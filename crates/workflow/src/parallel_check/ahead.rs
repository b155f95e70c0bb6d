//! Trees of boxes that are checked while the search for the rest of their proof continues.
//!
//! The result of a tree counts if the same text occurs in a proof that may cite the same bounds, or lower
//! ones; the crosscheck crate decides this. Any other tree is checked where it occurs, and so is one that was
//! rejected here.

use std::collections::HashMap;
use std::panic;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

use ndqueens_crosscheck::proof::{BoxTree, CheckedTree, MAX_TREE_BYTES};
use ndqueens_notation::name::BoardName;
use parking_lot::{Condvar, Mutex};

/// Maximum total length of the trees that are checked ahead, in bytes.
const MOST_BYTES: usize = 2 * MAX_TREE_BYTES;

/// Time for which a thread waits for a tree whose check is not finished.
const PATIENCE: Duration = Duration::from_millis(100);

/// Trees that were accepted before their proof existed.
#[derive(Debug, Default)]
pub struct CheckedAhead {
    trees: Mutex<Trees>,
    changed: Condvar,
    /// True if no more checks are started.
    is_over: AtomicBool,
    /// True if running checks are to stop.
    is_stopped: AtomicBool,
}

#[derive(Debug, Default)]
struct Trees {
    /// Keys are the box and the number of queens that do not fit.
    by_box: HashMap<(BoardName, Option<u64>), Progress>,
    bytes: usize,
}

/// Progress of the check of a tree.
#[derive(Debug)]
enum Progress {
    Running,
    Accepted(Arc<BoxTree>, CheckedTree),
}

impl CheckedAhead {
    /// Checks by the lines of its tree and these bounds of boxes that at most `at_most` queens fit on a box.
    pub fn check(&self, board: BoardName, at_most: u64, bounds: HashMap<BoardName, u64>, text: Vec<u8>) {
        let bytes = text.len();
        let Some(tree) = BoxTree::new(board, at_most, bounds, text) else { return };
        let key = (tree.board().clone(), tree.queens());
        let mut trees = self.trees.lock();
        if self.is_over.load(Relaxed) || trees.bytes + bytes > MOST_BYTES {
            return;
        }
        trees.bytes += bytes;
        trees.by_box.insert(key.clone(), Progress::Running);
        drop(trees);
        let tree = Arc::new(tree);
        // A panic of the checker is reported where the proof is checked.
        let is_stopped = &self.is_stopped;
        let checked = panic::catch_unwind(|| tree.check(&|| is_stopped.load(Relaxed)));
        let mut trees = self.trees.lock();
        match checked {
            Ok(Ok(checked)) => drop(trees.by_box.insert(key, Progress::Accepted(tree, checked))),
            _ => drop(trees.by_box.remove(&key)),
        }
        self.changed.notify_all();
    }

    /// Starts no more checks, and stops the running ones unless `are_wanted`.
    pub fn end(&self, are_wanted: bool) {
        self.is_over.store(true, Relaxed);
        self.is_stopped.store(!are_wanted, Relaxed);
    }

    /// Returns the result of a tree of a proof, if it was accepted. Waits for a running check only a short
    /// time, because that check has a low priority.
    pub(super) fn find(&self, tree: &BoxTree) -> Option<CheckedTree> {
        let key = (tree.board().clone(), tree.queens());
        let is_being_checked = |trees: &mut Trees| matches!(trees.by_box.get(&key), Some(Progress::Running));
        let mut trees = self.trees.lock();
        let waited = self.changed.wait_while_for(&mut trees, is_being_checked, PATIENCE);
        if waited.timed_out() {
            drop(trees);
            self.end(false);
            return None;
        }
        match trees.by_box.get(&key)? {
            Progress::Accepted(checked, result) => result.reuse_for(checked, tree),
            Progress::Running => None,
        }
    }
}
