//! A solver on a thread of its own, attended from the thread that asked for the run.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread::Builder;
use std::time::Duration;

use super::threads::in_place;

/// Time between two calls of the monitor.
pub const PACE: Duration = Duration::from_millis(50);

/// How long a solver may take to end after it was told to stop.
pub const PATIENCE: Duration = Duration::from_millis(500);

/// Stack of a run in bytes: what a main thread commonly has.
const STACK: usize = 8 << 20;

/// Tells the run to stop when it goes out of scope, for whatever reason.
struct StopOnDrop(Arc<AtomicBool>);

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Runs `job` on a thread of its own, and calls `tick` on this one until it breaks off or the job has ended. The job's
/// flag is raised when it is to stop; `None` when it did not within [`PATIENCE`] and was left alone.
///
/// # Errors
/// In words, when there is no thread or it panicked.
pub fn run_interruptible<T: Send + 'static>(
    name: &str,
    job: impl FnOnce(&AtomicBool) -> T + Send + 'static,
    tick: &mut dyn FnMut() -> ControlFlow<()>,
) -> Result<Option<T>, String> {
    let stop = Arc::new(AtomicBool::new(false));
    let stop_on_drop = StopOnDrop(Arc::clone(&stop));
    let (sender, receiver) = mpsc::channel();
    let run = move || {
        // Nobody listens any more when the run was left alone.
        let _ = sender.send(job(&stop));
    };
    let thread = Builder::new().name(name.to_owned()).stack_size(STACK);
    in_place(thread, run).map_err(|error| format!("it got no thread: {error}"))?;

    let died = || Err("its thread panicked".to_owned());
    loop {
        match receiver.recv_timeout(PACE) {
            Ok(answer) => return Ok(Some(answer)),
            Err(RecvTimeoutError::Disconnected) => return died(),
            Err(RecvTimeoutError::Timeout) if tick().is_break() => break,
            Err(RecvTimeoutError::Timeout) => {}
        }
    }
    drop(stop_on_drop);
    match receiver.recv_timeout(PATIENCE) {
        Ok(answer) => Ok(Some(answer)),
        Err(RecvTimeoutError::Disconnected) => died(),
        Err(RecvTimeoutError::Timeout) => Ok(None),
    }
}
