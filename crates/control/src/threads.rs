//! Thread pools and threads with special scheduling.

use std::thread::Builder;
use std::{io, thread};

/// Returns the number of threads that the machine can run in parallel, or 1 if it is unknown.
#[must_use]
pub fn all_cores() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}

/// Runs `work` in a pool of `threads` threads, at least one, which its parallel iterators use.
///
/// # Errors
/// Returns an error if the threads cannot be started.
pub fn with_threads<T: Send>(threads: usize, work: impl FnOnce() -> T + Send) -> io::Result<T> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads.max(1)).build();
    Ok(pool.map_err(io::Error::other)?.install(work))
}

/// Runs `work` on a new thread of the lowest scheduling priority.
///
/// Drops `work` without running it if the system cannot lower the priority of a single thread.
pub fn in_idle_time(work: impl FnOnce() + Send + 'static) {
    #[cfg(target_os = "linux")]
    thread::spawn(move || {
        // On Linux, `nice` applies to the calling thread only.
        if rustix::process::nice(LOWEST_PRIORITY).is_ok() {
            work();
        }
    });
    #[cfg(not(target_os = "linux"))]
    drop(work);
}

/// Runs `work` on a new thread that starts on the core of the current thread.
///
/// This is for callers that wait for the new thread at once. On another core it might be queued for
/// milliseconds behind a busy thread, while the core of the caller is idle.
///
/// # Errors
/// Returns an error if the thread cannot be started.
pub(crate) fn spawn_on_this_core(thread: Builder, work: impl FnOnce() + Send + 'static) -> io::Result<()> {
    #[cfg(target_os = "linux")]
    {
        use rustix::thread::{CpuSet, sched_getaffinity, sched_getcpu, sched_setaffinity};
        let here = || {
            let mut here = CpuSet::new();
            here.set(sched_getcpu());
            here
        };
        if let Ok(cores) = sched_getaffinity(None)
            && sched_setaffinity(None, &here()).is_ok()
        {
            let anywhere = move || sched_setaffinity(None, &cores);
            let spawned = thread.spawn(move || {
                let _ = anywhere();
                work();
            });
            let _ = anywhere();
            return spawned.map(drop);
        }
    }
    thread.spawn(work).map(drop)
}

/// Nice value of the lowest priority.
#[cfg(target_os = "linux")]
const LOWEST_PRIORITY: i32 = 19;
