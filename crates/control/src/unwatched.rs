//! Work that does not look at the clock itself.

use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread::Builder;
use std::time::Duration;

use super::threads::in_place;

/// How often one looks whether time is up.
const PACE: Duration = Duration::from_millis(20);

/// What some work gives that does not look at the clock itself. Where it is to stop before, it is left to itself, and its answer
/// dropped.
pub fn unless_stopped<T: Send + 'static>(
    go_on: &mut dyn FnMut() -> bool,
    work: impl FnOnce() -> T + Send + 'static,
) -> Option<T> {
    let (sender, receiver) = mpsc::channel();
    let run = move || {
        // Nobody listens any more when it was stopped.
        let _ = sender.send(work());
    };
    // Without a thread, nothing comes.
    let _ = in_place(Builder::new(), run);
    loop {
        match receiver.recv_timeout(PACE) {
            Ok(done) => return Some(done),
            Err(RecvTimeoutError::Timeout) if go_on() => {}
            Err(_) => return None,
        }
    }
}
