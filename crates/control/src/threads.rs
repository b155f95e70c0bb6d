//! How many threads work at a time.

use std::thread::Builder;
use std::{io, thread};

/// How many threads the machine runs at a time.
#[must_use]
pub fn all_cores() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}

/// Does something with so many threads for what it does in parallel.
///
/// # Errors
/// If the threads cannot be started.
pub fn with_threads<T: Send>(threads: usize, work: impl FnOnce() -> T + Send) -> io::Result<T> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads.max(1)).build();
    Ok(pool.map_err(io::Error::other)?.install(work))
}

/// Does something on a thread of its own, which has the processor only as far as nothing else wants it; without one where the system
/// has no such threads, it is left undone.
pub fn in_idle_time(work: impl FnOnce() + Send + 'static) {
    #[cfg(target_os = "linux")]
    thread::spawn(move || {
        // On Linux this is of the thread alone.
        if rustix::process::nice(LEAST_URGENT).is_ok() {
            work();
        }
    });
    #[cfg(not(target_os = "linux"))]
    drop(work);
}

/// Does something on a thread of its own, which begins on the core of this one. It is for threads that wait at once: elsewhere the new
/// one may wait itself, behind a thread that is at work, while this core is idle for milliseconds.
pub(crate) fn in_place(thread: Builder, work: impl FnOnce() + Send + 'static) -> io::Result<()> {
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

#[cfg(target_os = "linux")]
const LEAST_URGENT: i32 = 19;
