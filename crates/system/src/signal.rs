//! Signals to this process.

use std::io;

pub use nix::sys::signal::Signal;
use nix::sys::signal::{SigHandler, signal};

/// Calls `handler` on a separate thread at each SIGINT, SIGTERM and SIGHUP.
///
/// A signal that is ignored now stays ignored: `nohup` starts programs with SIGHUP ignored. SIGXFSZ is
/// ignored from now on, so that a file longer than `ulimit -f` allows is a failed write, as on a full disk.
///
/// Must be called at most once, by a program and not by a library.
///
/// # Errors
/// Returns an error if a handler is already installed or the system does not accept it.
pub fn on_stop_request(handler: impl FnMut() + Send + 'static) -> io::Result<()> {
    let ignored: Vec<Signal> =
        [Signal::SIGHUP, Signal::SIGINT].into_iter().filter(|&signal| is_ignored(signal)).collect();
    let installed = ctrlc::set_handler(handler);
    for signal in ignored {
        replace(signal, SigHandler::SigIgn);
    }
    replace(Signal::SIGXFSZ, SigHandler::SigIgn);
    installed.map_err(io::Error::other)
}

/// Returns `true` if a signal is ignored.
fn is_ignored(signal: Signal) -> bool {
    // The handler is replaced and restored, because nix has no other safe way to query it.
    let before = replace(signal, SigHandler::SigIgn);
    before.is_some_and(|before| replace(signal, before).is_some() && matches!(before, SigHandler::SigIgn))
}

/// Replaces the handler of a signal and returns the previous one.
#[allow(unsafe_code, reason = "a handler may do anything; these are the system's own")]
fn replace(of: Signal, by: SigHandler) -> Option<SigHandler> {
    // SAFETY: no function of this program becomes a handler.
    unsafe { signal(of, by) }.ok()
}
