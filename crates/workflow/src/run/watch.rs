//! Work on another thread, watched and cancelled from this one.

use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread;
use std::time::{Duration, Instant};

use ndqueens_solver::backends::Progress;
use ndqueens_system::cancel::{Control, Deadline, StopReason};

use super::{Event, Watch};

/// Runs the work on another thread, which may send events. Between these, passes the event of `now`, given
/// the seconds so far, to the watcher at short intervals. If the watcher breaks or the deadline is over,
/// stops the work by its control, and returns the reason as the second value.
pub(crate) fn run_watched<T: Send>(
    control: &Control,
    deadline: Deadline,
    watch: &mut Watch<'_>,
    now: &dyn Fn(f64) -> Event,
    work: impl FnOnce(&Sender<Event>) -> T + Send,
) -> (T, Option<StopReason>) {
    run_watched_with(control, deadline, watch, now, work, |_| {})
}

/// Like [`run_watched`], but first runs `meanwhile` on this thread. The work is watched after that.
pub(crate) fn run_watched_with<T: Send>(
    control: &Control,
    deadline: Deadline,
    watch: &mut Watch<'_>,
    now: &dyn Fn(f64) -> Event,
    work: impl FnOnce(&Sender<Event>) -> T + Send,
    meanwhile: impl FnOnce(&mut Watch<'_>),
) -> (T, Option<StopReason>) {
    let begin = Instant::now();
    let (sender, receiver) = mpsc::channel();
    let mut stopped = None;
    let done = thread::scope(|scope| {
        let engine = scope.spawn(move || work(&sender));
        meanwhile(watch);
        loop {
            let event = match receiver.recv_timeout(EVERY) {
                Ok(event) => event,
                Err(RecvTimeoutError::Timeout) => now(begin.elapsed().as_secs_f64()),
                Err(RecvTimeoutError::Disconnected) => break,
            };
            let broken = watch(&event).is_break().then_some(StopReason::Interrupted);
            if let Some(reason) = stopped.or(broken).or(deadline.reason()) {
                stopped = Some(reason);
                control.stop();
            }
        }
        engine.join()
    });
    (done.unwrap_or_else(|panic| std::panic::resume_unwind(panic)), stopped)
}

/// Returns the number of nodes so far, as an event.
pub(crate) fn nodes(control: &Control, seconds: f64) -> Event {
    Event::Progress(Progress { seconds, nodes: Some(control.nodes()), ..Progress::default() })
}

/// Time between two reports of progress.
const EVERY: Duration = Duration::from_millis(50);

/// Time limit for the check of a bound or a proof after the deadline.
pub(crate) const CHECKING: Duration = Duration::from_secs(1);
