//! This process: time and memory used, host, and its end.

use std::time::Duration;

use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::time::TimeVal;

/// Returns the CPU time so far, user and system, of this process and of the child processes that it waited
/// for.
#[must_use]
pub fn cpu_time() -> Duration {
    let micros = |t: TimeVal| t.tv_sec() as u64 * 1_000_000 + t.tv_usec() as u64;
    let usages = [UsageWho::RUSAGE_SELF, UsageWho::RUSAGE_CHILDREN].into_iter().flat_map(getrusage);
    Duration::from_micros(usages.map(|usage| micros(usage.user_time()) + micros(usage.system_time())).sum())
}

/// Returns the largest resident memory of this process so far, in bytes; `None` if the system does not report
/// it.
#[must_use]
pub fn peak_memory() -> Option<u64> {
    // `getrusage` would also count the memory of the parent when it made this process.
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()? * 1024)
}

/// Returns the name of the host, or `unknown`.
#[must_use]
pub fn host() -> String {
    nix::unistd::gethostname()
        .map_or_else(|_| "unknown".to_owned(), |name| name.to_string_lossy().into_owned())
}

/// Requests that the system send SIGTERM to this process when its parent dies. Has an effect on Linux only.
///
/// # Errors
/// Returns an error if the system does not accept the request.
pub fn end_with_parent() -> std::io::Result<()> {
    #[cfg(target_os = "linux")]
    nix::sys::prctl::set_pdeathsig(nix::sys::signal::Signal::SIGTERM)?;
    Ok(())
}

/// Writes `message` to standard error and ends this process with the exit code `code`. Removes temporary
/// files, but calls no destructors, takes no lock that another thread may hold for good, and allocates only
/// for very long names of temporary files.
///
/// This is for processes that cannot allocate memory or start threads.
#[allow(unsafe_code, reason = "the standard library's functions take locks and call handlers")]
pub fn abort_with(message: &[u8], code: i32) -> ! {
    // SAFETY: the bytes are readable. A failure is ignored, because there is no other place to report it.
    unsafe { nix::libc::write(nix::libc::STDERR_FILENO, message.as_ptr().cast(), message.len()) };
    crate::file::remove_temporaries();
    exit_now(code)
}

/// Ends this process with the exit code `code`, without calling destructors, which would wait for threads
/// that cannot continue.
#[allow(unsafe_code, reason = "the standard library has no such function")]
pub fn exit_now(code: i32) -> ! {
    // SAFETY: the call does not return and runs no code of this process.
    unsafe { nix::libc::_exit(code) }
}
