//! Work on a separate thread while this one shows its progress.

use std::panic::resume_unwind;
use std::sync::mpsc;
use std::thread;

use ndqueens_system::cancel::{Control, Deadline, PACE};

use crate::progress::Display;

/// Runs `work` on a new thread and shows `line()` until it ends. Stops the control if the display requests a
/// stop or the deadline is over; the work then has to end by itself.
pub(super) fn run_watched<T: Send>(
    display: &mut Display,
    control: &Control,
    deadline: Deadline,
    line: &dyn Fn() -> String,
    work: impl FnOnce() -> T + Send,
) -> T {
    thread::scope(|scope| {
        let (sender, receiver) = mpsc::channel::<()>();
        let worker = scope.spawn(move || {
            let result = work();
            drop(sender);
            result
        });
        while receiver.recv_timeout(PACE) == Err(mpsc::RecvTimeoutError::Timeout) {
            if display.show_line(&line()).is_break() || deadline.is_over() {
                control.stop();
            }
        }
        worker.join().unwrap_or_else(|panic| resume_unwind(panic))
    })
}
