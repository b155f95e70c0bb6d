//! Runs work on another thread without the GIL, and meanwhile checks for Ctrl-C, reports progress and
//! enforces the time limit.

use std::thread;
use std::time::{Duration, Instant};

use ndqueens_system::cancel::{Control, Deadline, StopReason};
use pyo3::prelude::*;

use crate::fault::{Failure, failure, input};

/// Longest interval between two checks for Ctrl-C, and between two progress reports.
const EVERY: Duration = Duration::from_millis(50);

/// Returns the deadline of a time limit in seconds that starts now.
pub(crate) fn deadline(seconds: Option<f64>) -> PyResult<Deadline> {
    let limit = seconds.map(Duration::try_from_secs_f64).transpose();
    limit.map(Deadline::after).map_err(|_| input("a time limit is a number of seconds, 0 or more"))
}

/// Runs `work` without the GIL. Ctrl-C stops it as soon as it checks the control.
///
/// # Errors
/// Returns an error if `work` fails, and `KeyboardInterrupt` on Ctrl-C.
pub(crate) fn interruptible<T: Send>(
    py: Python<'_>,
    work: impl FnOnce(&Control) -> PyResult<T> + Send,
) -> PyResult<T> {
    let control = Control::new();
    let waiting = Attendant { py, control: &control, deadline: Deadline::after(None), progress: None };
    Ok(waiting.attend(&String::new, || work(&control))?.0)
}

/// Context of a Python thread that waits for work on another thread.
pub(crate) struct Attendant<'a, 'py> {
    pub(crate) py: Python<'py>,
    pub(crate) control: &'a Control,
    pub(crate) deadline: Deadline,
    /// Callback that receives the elapsed seconds, the number of nodes and a text.
    pub(crate) progress: Option<&'a Bound<'py, PyAny>>,
}

impl Attendant<'_, '_> {
    /// Runs `work`. Returns its result, and the reason if it was stopped. `last` describes the latest step
    /// for progress reports.
    ///
    /// # Errors
    /// Returns an error if `work` fails. After the work has stopped, returns `KeyboardInterrupt` on Ctrl-C,
    /// or the exception that the callback raised.
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
