//! Work on another thread, without Python's lock; meanwhile Ctrl-C is heeded, progress is told and time is kept.

use std::thread;
use std::time::{Duration, Instant};

use ndqueens_system::cancel::{Control, Deadline, StopReason};
use pyo3::prelude::*;

use crate::fault::{Failure, failure, input};

/// How often Ctrl-C is looked for and progress is told.
const EVERY: Duration = Duration::from_millis(50);

/// The end of a limit in seconds that begins now.
pub(crate) fn deadline(seconds: Option<f64>) -> PyResult<Deadline> {
    let limit = seconds.map(Duration::try_from_secs_f64).transpose();
    limit.map(Deadline::after).map_err(|_| input("a time limit is a number of seconds, 0 or more"))
}

/// Work without Python's lock, which Ctrl-C ends as soon as it looks at the control.
///
/// # Errors
/// Those of the work, and `KeyboardInterrupt`.
pub(crate) fn interruptible<T: Send>(
    py: Python<'_>,
    work: impl FnOnce(&Control) -> PyResult<T> + Send,
) -> PyResult<T> {
    let control = Control::new();
    let waiting = Attendant { py, control: &control, deadline: Deadline::after(None), progress: None };
    Ok(waiting.attend(&String::new, || work(&control))?.0)
}

/// Whoever waits for the work.
pub(crate) struct Attendant<'a, 'py> {
    pub(crate) py: Python<'py>,
    pub(crate) control: &'a Control,
    pub(crate) deadline: Deadline,
    /// Called with seconds, nodes and a text.
    pub(crate) progress: Option<&'a Bound<'py, PyAny>>,
}

impl Attendant<'_, '_> {
    /// What the work comes to, and why it was asked to stop, if it was. `last` is what it has done last, in words.
    ///
    /// # Errors
    /// Those of the work; `KeyboardInterrupt`, or what the callback raises, once the work has stopped.
    pub(crate) fn attend<T: Send>(
        &self,
        last: &dyn Fn() -> String,
        work: impl FnOnce() -> PyResult<T> + Send,
    ) -> PyResult<(T, Option<StopReason>)> {
        let begin = Instant::now();
        let (mut stopped, mut raised) = (self.deadline.reason(), None);
        stopped.inspect(|_| self.control.stop());
        let done = thread::scope(|scope| {
            let no_thread = |fault| Failure::new_err(format!("cannot start a thread: {fault}"));
            let worker = thread::Builder::new().spawn_scoped(scope, work).map_err(no_thread)?;
            let mut pause = Duration::from_micros(100);
            while !worker.is_finished() {
                self.py.detach(|| thread::sleep(pause));
                pause = EVERY.min(pause * 2);
                if stopped.is_none() {
                    raised = self.report(begin.elapsed(), last).err();
                    let broken = raised.is_some().then_some(StopReason::Interrupted);
                    stopped = broken.or(self.deadline.reason());
                    stopped.inspect(|_| self.control.stop());
                }
            }
            worker.join().unwrap_or_else(|panic| Err(failure(&*panic)))
        });
        match raised {
            Some(error) => Err(error),
            None => Ok((done?, stopped)),
        }
    }

    fn report(&self, time: Duration, last: &dyn Fn() -> String) -> PyResult<()> {
        self.py.check_signals()?;
        let Some(progress) = self.progress.filter(|_| time >= EVERY) else { return Ok(()) };
        progress.call1((time.as_secs_f64(), self.control.nodes(), last())).map(drop)
    }
}
