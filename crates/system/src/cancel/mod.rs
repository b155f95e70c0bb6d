//! Cancellation: stop requests, deadlines, and work on threads that can be abandoned.
//!
//! A [`Control`] is the token that engines, local searches and backends share with their callers. A
//! [`Deadline`] ends work by itself. Work that polls neither runs in [`abandon_on_stop`].
//!
//! ```
//! use std::thread;
//!
//! use ndqueens_system::cancel::Control;
//!
//! let control = Control::new();
//! let work = || {
//!     while !control.is_stopped() {
//!         control.count(1, 0.0);
//!     }
//! };
//! thread::scope(|scope| {
//!     scope.spawn(work);
//!     while control.nodes() < 1000 {
//!         thread::yield_now();
//!     }
//!     control.stop();
//! });
//! assert!(control.nodes() >= 1000);
//! ```

mod deadline;
mod reader;
mod reason;
mod work;

use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicBool, AtomicU64};

pub use self::deadline::Deadline;
pub use self::reader::StoppableReader;
pub use self::reason::StopReason;
pub use self::work::{GRACE, PACE, ThreadError, abandon_on_stop, run_stoppable};

/// Stop flag and progress counters that a computation shares with its monitor on another thread.
#[derive(Debug, Default)]
pub struct Control {
    stopped: AtomicBool,
    nodes: AtomicU64,
    /// Sum of the explored fractions of all search trees, in units of 2^-50.
    done: AtomicU64,
}

/// One complete search tree in the units of the field `done`.
const WHOLE: f64 = (1u64 << 50) as f64;

impl Control {
    /// Creates a control without a stop request and with counters at 0.
    #[must_use]
    pub const fn new() -> Self {
        Self { stopped: AtomicBool::new(false), nodes: AtomicU64::new(0), done: AtomicU64::new(0) }
    }

    /// Requests that the work stop.
    pub fn stop(&self) {
        self.stopped.store(true, Relaxed);
    }

    /// Returns `true` if a stop was requested.
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        self.stopped.load(Relaxed)
    }

    /// Returns the number of search nodes so far, including those of unsuccessful searches.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.nodes.load(Relaxed)
    }

    /// Returns the sum over all searches of the explored fraction of the search tree, each from 0 to 1.
    #[must_use]
    pub fn done(&self) -> f64 {
        self.done.load(Relaxed) as f64 / WHOLE
    }

    /// Adds search nodes, and the fraction of a search tree that they explored.
    pub fn count(&self, nodes: u64, done: f64) {
        self.nodes.fetch_add(nodes, Relaxed);
        self.done.fetch_add((done * WHOLE) as u64, Relaxed);
    }

    /// Subtracts a fraction of a search tree that must be explored again.
    pub fn uncount_progress(&self, done: f64) {
        // The subtraction saturates because a sum of rounded parts may be less than the rounded sum.
        let less = |counted: u64| Some(counted.saturating_sub((done * WHOLE) as u64));
        let _ = self.done.fetch_update(Relaxed, Relaxed, less);
    }
}
