//! How many threads work at a time.

use std::{io, thread};

/// How many threads the machine runs at a time.
#[must_use]
pub fn all_cores() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}

/// Does something with so many threads for what it does in parallel.
///
/// # Errors
/// When the threads cannot be had.
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

#[cfg(target_os = "linux")]
const LEAST_URGENT: i32 = 19;
