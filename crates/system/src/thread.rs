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
pub fn spawn_idle(work: impl FnOnce() + Send + 'static) {
    #[cfg(target_os = "linux")]
    thread::spawn(move || {
        if lower_priority().is_ok() {
            work();
        }
    });
    #[cfg(not(target_os = "linux"))]
    drop(work);
}

/// Gives the current thread the lowest scheduling priority.
#[cfg(target_os = "linux")]
#[allow(unsafe_code, reason = "nix has no function that sets the priority of a thread")]
fn lower_priority() -> io::Result<()> {
    /// Difference of the highest and the lowest priority.
    const RANGE: nix::libc::c_int = 39;
    // On Linux, `nice` applies to the calling thread only. The result is the new value, which is 19 here.
    // SAFETY: the call takes and returns a number.
    match unsafe { nix::libc::nice(RANGE) } {
        -1 => Err(io::Error::last_os_error()),
        _ => Ok(()),
    }
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
        use nix::sched::{CpuSet, sched_getaffinity, sched_getcpu, sched_setaffinity};
        use nix::unistd::Pid;
        /// Id that stands for the calling thread.
        const CURRENT: Pid = Pid::from_raw(0);
        let pin = || {
            let mut here = CpuSet::new();
            here.set(sched_getcpu()?)?;
            sched_setaffinity(CURRENT, &here)
        };
        if let Ok(cores) = sched_getaffinity(CURRENT)
            && pin().is_ok()
        {
            let unpin = move || sched_setaffinity(CURRENT, &cores);
            let spawned = thread.spawn(move || {
                let _ = unpin();
                work();
            });
            let _ = unpin();
            return spawned.map(drop);
        }
    }
    thread.spawn(work).map(drop)
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::sync::mpsc;

    use super::*;

    #[test]
    fn idle_thread_alone_has_the_lowest_priority() {
        // The 19th field of the line is the nice value; the name, in parentheses, may contain spaces.
        let nice = || {
            let stat = std::fs::read_to_string("/proc/thread-self/stat").expect("readable");
            let fields = stat.rsplit_once(')').expect("a name").1.to_owned();
            fields.split_whitespace().nth(16).expect("a number").parse::<i32>().expect("a number")
        };
        let before = nice();
        let (sender, receiver) = mpsc::channel();
        spawn_idle(move || sender.send(nice()).expect("awaited"));
        assert_eq!(receiver.recv().expect("it ran"), 19);
        assert_eq!(nice(), before);
    }

    #[test]
    fn pinning_ends_with_the_start() {
        use nix::sched::sched_getaffinity;
        use nix::unistd::Pid;
        let cores = || sched_getaffinity(Pid::from_raw(0)).expect("Linux reports it");
        let before = cores();
        let (sender, receiver) = mpsc::channel();
        spawn_on_this_core(Builder::new(), move || sender.send(cores()).expect("awaited")).expect("a thread");
        assert_eq!(receiver.recv().expect("it ran"), before);
        assert_eq!(cores(), before);
    }
}
