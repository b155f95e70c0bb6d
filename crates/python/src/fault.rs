//! Conversion of errors to the exceptions of `ndqueens.errors`, with the messages of `ndq`.

use std::any::Any;
use std::io;
use std::panic::{self, AssertUnwindSafe};

use pyo3::{PyErr, PyResult, Python, import_exception};

import_exception!(ndqueens.errors, DoesNotHold);
import_exception!(ndqueens.errors, Failure);
import_exception!(ndqueens.errors, FileError);
import_exception!(ndqueens.errors, InputError);

/// Returns the exception for invalid input.
pub(crate) fn input(words: impl ToString) -> PyErr {
    InputError::new_err(words.to_string())
}

/// Returns the exception for a failed check.
pub(crate) fn does_not_hold(words: impl ToString) -> PyErr {
    DoesNotHold::new_err(words.to_string())
}

/// Returns the exception for a file that cannot be read or written.
pub(crate) fn file(fault: ndqueens_system::file::FileError) -> PyErr {
    FileError::new_err(fault.to_string())
}

/// Returns the exception for an error of the exact engine: the board is too large, or the proof cannot be
/// written.
pub(crate) fn engine(fault: io::Error) -> PyErr {
    match fault.kind() {
        io::ErrorKind::InvalidInput => input(fault),
        _ => fault
            .downcast()
            .map_or_else(|fault| Failure::new_err(format!("the exact engine failed: {fault}")), file),
    }
}

/// Returns the exception for a panic, which is a defect of this package.
pub(crate) fn failure(panic: &(dyn Any + Send)) -> PyErr {
    let words = panic.downcast_ref::<&str>().copied().or(panic.downcast_ref::<String>().map(String::as_str));
    Failure::new_err(format!("ndqueens failed, which is a defect of it: {}", words.unwrap_or("no words")))
}

/// Runs `work` without the GIL and converts a panic to an exception.
pub(crate) fn guarded<T: Send>(py: Python<'_>, work: impl FnOnce() -> PyResult<T> + Send) -> PyResult<T> {
    let done = py.detach(|| panic::catch_unwind(AssertUnwindSafe(work)));
    done.unwrap_or_else(|panic| Err(failure(&*panic)))
}

/// Silences the message of a panic on standard error, because panics become exceptions.
///
/// The extension module contains its own copy of the standard library, so the hook does not affect other code
/// in the process.
pub(crate) fn keep_panics_quiet() {
    panic::set_hook(Box::new(|_| {}));
}
