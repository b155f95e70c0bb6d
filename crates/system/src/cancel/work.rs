//! Stoppable work: it runs on a separate thread, and the calling thread monitors it.

use std::io;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread::Builder;
use std::time::Duration;

use super::Control;
use crate::thread::spawn_on_this_core;

/// Interval between two calls of a monitor.
pub const PACE: Duration = Duration::from_millis(50);

/// Grace period in which a solver must end after a stop request.
pub const GRACE: Duration = Duration::from_millis(500);

/// Stack size of the thread in bytes, which is that of most main threads.
const STACK: usize = 8 << 20;

/// Failure of a thread that runs stoppable work.
#[derive(Debug, thiserror::Error)]
pub enum ThreadError {
    /// The thread cannot be started.
    #[error("its thread cannot be started: {0}")]
    NoThread(#[source] io::Error),
    /// The thread panicked.
    #[error("its thread panicked")]
    Panicked,
}

/// Guard that requests the stop of the work on drop, also during a panic.
struct StopOnDrop(Arc<Control>);

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        self.0.stop();
    }
}

/// Runs `work` on a new thread and calls `tick` on the current one every [`PACE`], until `tick` breaks or the
/// work ends.
///
/// If `tick` breaks, the control that `work` receives is stopped. Returns `None` if the work does not end
/// within [`GRACE`] after that; its thread is then abandoned and its result dropped.
///
/// # Errors
/// Returns an error if the thread cannot be started or panics.
pub fn run_stoppable<T: Send + 'static>(
    name: &str,
    work: impl FnOnce(&Control) -> T + Send + 'static,
    tick: &mut dyn FnMut() -> ControlFlow<()>,
) -> Result<Option<T>, ThreadError> {
    run(name, GRACE, work, tick)
}

/// Runs `work`, which does not poll for stop requests, on a new thread and returns its result.
///
/// Calls `go_on` every [`PACE`]. Returns `None` as soon as it returns `false`; the thread is then abandoned
/// and its result dropped. Also returns `None` if the thread cannot be started or panics.
pub fn abandon_on_stop<T: Send + 'static>(
    go_on: &mut dyn FnMut() -> bool,
    work: impl FnOnce() -> T + Send + 'static,
) -> Option<T> {
    let mut tick = || if go_on() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) };
    run("abandonable", Duration::ZERO, |_| work(), &mut tick).ok().flatten()
}

/// Runs `work` as [`run_stoppable`] does, with the given grace period.
fn run<T: Send + 'static>(
    name: &str,
    grace: Duration,
    work: impl FnOnce(&Control) -> T + Send + 'static,
    tick: &mut dyn FnMut() -> ControlFlow<()>,
) -> Result<Option<T>, ThreadError> {
    let control = Arc::new(Control::new());
    let stop_on_drop = StopOnDrop(Arc::clone(&control));
    let (sender, receiver) = mpsc::channel();
    let job = move || {
        // Sending fails if the work was abandoned, because the receiver is gone.
        let _ = sender.send(work(&control));
    };
    let thread = Builder::new().name(name.to_owned()).stack_size(STACK);
    spawn_on_this_core(thread, job).map_err(ThreadError::NoThread)?;
    loop {
        match receiver.recv_timeout(PACE) {
            Ok(answer) => return Ok(Some(answer)),
            Err(RecvTimeoutError::Disconnected) => return Err(ThreadError::Panicked),
            Err(RecvTimeoutError::Timeout) if tick().is_break() => break,
            Err(RecvTimeoutError::Timeout) => {}
        }
    }
    drop(stop_on_drop);
    match receiver.recv_timeout(grace) {
        Ok(answer) => Ok(Some(answer)),
        Err(RecvTimeoutError::Disconnected) => Err(ThreadError::Panicked),
        Err(RecvTimeoutError::Timeout) => Ok(None),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;

    use super::*;

    #[test]
    fn stop_request_reaches_the_work() {
        let work = |control: &Control| {
            while !control.is_stopped() {
                std::thread::yield_now();
            }
            7
        };
        assert_eq!(run_stoppable("test", work, &mut || ControlFlow::Break(())).expect("a thread"), Some(7));
    }

    #[test]
    fn work_that_does_not_stop_is_abandoned() {
        let (sender, receiver) = channel::<()>();
        let abandoned = abandon_on_stop(&mut || false, move || receiver.recv().is_ok());
        assert_eq!(abandoned, None);
        drop(sender);
        assert_eq!(abandon_on_stop(&mut || true, || 7), Some(7));
    }

    #[test]
    fn reports_a_panic() {
        let panicked = run_stoppable("test", |_| panic!("expected"), &mut || ControlFlow::Continue(()));
        let error = panicked.map(|_: Option<()>| ()).expect_err("a panic");
        assert_eq!(error.to_string(), "its thread panicked");
    }
}
