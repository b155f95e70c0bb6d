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
