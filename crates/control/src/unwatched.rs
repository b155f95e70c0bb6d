//! Cancellation of work that does not poll for stop requests.

use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread::Builder;
use std::time::Duration;

use super::threads::spawn_on_this_core;

/// Interval between two calls of `go_on`.
const PACE: Duration = Duration::from_millis(20);

/// Runs `work`, which does not poll for stop requests, on a new thread and returns its result.
///
/// Calls `go_on` every 20 ms. Returns `None` as soon as it returns `false`; the thread is then abandoned and
/// its result dropped. Also returns `None` if the thread cannot be started or panics.
pub fn unless_stopped<T: Send + 'static>(
    go_on: &mut dyn FnMut() -> bool,
    work: impl FnOnce() -> T + Send + 'static,
) -> Option<T> {
    let (sender, receiver) = mpsc::channel();
    let run = move || {
        // Sending fails if the work was abandoned, because the receiver is gone.
        let _ = sender.send(work());
    };
    // If the thread cannot be started, the channel is disconnected and the loop below returns `None`.
    let _ = spawn_on_this_core(Builder::new(), run);
    loop {
        match receiver.recv_timeout(PACE) {
            Ok(done) => return Some(done),
            Err(RecvTimeoutError::Timeout) if go_on() => {}
            Err(_) => return None,
        }
    }
}
