//! Interruptible runs: a solver works on a separate thread, and the calling thread monitors it.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread::Builder;
use std::time::Duration;

use super::threads::spawn_on_this_core;

/// Interval between two calls of the monitor.
pub const PACE: Duration = Duration::from_millis(50);

/// Grace period in which a solver must end after a stop request.
pub const PATIENCE: Duration = Duration::from_millis(500);

/// Stack size of the solver thread in bytes, which is that of most main threads.
const STACK: usize = 8 << 20;

/// Guard that requests the stop of a run on drop, also during a panic.
struct StopOnDrop(Arc<AtomicBool>);

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Runs `job` on a new thread and calls `tick` on the current one every [`PACE`], until `tick` breaks or the
/// job ends.
///
/// If `tick` breaks, the flag that `job` receives is set. Returns `None` if the job does not end within
/// [`PATIENCE`] after that; its thread is then abandoned.
///
/// # Errors
/// Returns an error message if the thread cannot be created or panics.
pub fn run_interruptible<T: Send + 'static>(
    name: &str,
    job: impl FnOnce(&AtomicBool) -> T + Send + 'static,
    tick: &mut dyn FnMut() -> ControlFlow<()>,
) -> Result<Option<T>, String> {
    let stop = Arc::new(AtomicBool::new(false));
    let stop_on_drop = StopOnDrop(Arc::clone(&stop));
    let (sender, receiver) = mpsc::channel();
    let run = move || {
        // Sending fails if the run was abandoned, because the receiver is gone.
        let _ = sender.send(job(&stop));
    };
    let thread = Builder::new().name(name.to_owned()).stack_size(STACK);
    spawn_on_this_core(thread, run).map_err(|error| format!("it got no thread: {error}"))?;

    let panicked = || Err("its thread panicked".to_owned());
    loop {
        match receiver.recv_timeout(PACE) {
            Ok(answer) => return Ok(Some(answer)),
            Err(RecvTimeoutError::Disconnected) => return panicked(),
            Err(RecvTimeoutError::Timeout) if tick().is_break() => break,
            Err(RecvTimeoutError::Timeout) => {}
        }
    }
    drop(stop_on_drop);
    match receiver.recv_timeout(PATIENCE) {
        Ok(answer) => Ok(Some(answer)),
        Err(RecvTimeoutError::Disconnected) => panicked(),
        Err(RecvTimeoutError::Timeout) => Ok(None),
    }
}
