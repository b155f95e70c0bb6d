//! How work is stopped, limited and watched: all that engines, walks and backends share with whoever runs them.
//!
//! ```
//! use std::thread;
//!
//! use ndqueens_control::Control;
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
pub mod interruptible;
pub mod memory;
pub mod stack;
mod stop;
mod stoppable;
mod threads;
mod unwatched;

use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicBool, AtomicU64};

pub use self::deadline::Deadline;
pub use self::stop::StopReason;
pub use self::stoppable::Stoppable;
pub use self::threads::{all_cores, in_idle_time, with_threads};
pub use self::unwatched::unless_stopped;

/// What work shares with whoever watches it, on another thread.
#[derive(Debug, Default)]
pub struct Control {
    stopped: AtomicBool,
    nodes: AtomicU64,
    /// In units of 2^-50.
    done: AtomicU64,
}

/// One, as a control counts what is done.
const WHOLE: f64 = (1u64 << 50) as f64;

impl Control {
    /// A control that nobody has used.
    #[must_use]
    pub const fn new() -> Self {
        Self { stopped: AtomicBool::new(false), nodes: AtomicU64::new(0), done: AtomicU64::new(0) }
    }

    /// Asks the work to stop.
    pub fn stop(&self) {
        self.stopped.store(true, Relaxed);
    }

    /// Whether the work was asked to stop.
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        self.stopped.load(Relaxed)
    }

    /// Search nodes so far, those of searches that led nowhere included.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.nodes.load(Relaxed)
    }

    /// The part of their trees that is done, from 0 to 1 each, of all searches together.
    #[must_use]
    pub fn done(&self) -> f64 {
        self.done.load(Relaxed) as f64 / WHOLE
    }

    /// Counts search nodes, and the part of a tree that is done with them.
    pub fn count(&self, nodes: u64, done: f64) {
        self.nodes.fetch_add(nodes, Relaxed);
        self.done.fetch_add((done * WHOLE) as u64, Relaxed);
    }

    /// So much of a tree is to be done again.
    pub fn uncount_progress(&self, done: f64) {
        // Sums of rounded parts may be less than the rounded sum.
        let less = |counted: u64| Some(counted.saturating_sub((done * WHOLE) as u64));
        let _ = self.done.fetch_update(Relaxed, Relaxed, less);
    }
}
