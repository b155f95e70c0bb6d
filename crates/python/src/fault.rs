//! Faults as the exceptions of `ndqueens.errors`, with the words that ndq has for them.

use std::any::Any;
use std::io;
use std::panic::{self, AssertUnwindSafe};

use pyo3::{PyErr, PyResult, Python, import_exception};

import_exception!(ndqueens.errors, DoesNotHold);
import_exception!(ndqueens.errors, Failure);
import_exception!(ndqueens.errors, FileError);
import_exception!(ndqueens.errors, InputError);

/// Bad input.
pub(crate) fn input(words: impl ToString) -> PyErr {
    InputError::new_err(words.to_string())
}

/// What was checked does not hold.
pub(crate) fn does_not_hold(words: impl ToString) -> PyErr {
    DoesNotHold::new_err(words.to_string())
}

/// A file that cannot be read or written.
pub(crate) fn file(fault: ndqueens_system::file::FileError) -> PyErr {
    FileError::new_err(fault.to_string())
}

/// A fault of the exact engine: the board is too large for it, or its proof cannot be written.
pub(crate) fn engine(fault: io::Error) -> PyErr {
    match fault.kind() {
        io::ErrorKind::InvalidInput => input(fault),
        _ => fault
            .downcast()
            .map_or_else(|fault| Failure::new_err(format!("the exact engine failed: {fault}")), file),
    }
}

/// A panic, which is a defect of this program.
pub(crate) fn failure(panic: &(dyn Any + Send)) -> PyErr {
    let words = panic.downcast_ref::<&str>().copied().or(panic.downcast_ref::<String>().map(String::as_str));
    Failure::new_err(format!("ndqueens failed, which is a defect of it: {}", words.unwrap_or("no words")))
}

/// Does work without Python's lock; a panic becomes an exception.
pub(crate) fn guarded<T: Send>(py: Python<'_>, work: impl FnOnce() -> PyResult<T> + Send) -> PyResult<T> {
    let done = py.detach(|| panic::catch_unwind(AssertUnwindSafe(work)));
    done.unwrap_or_else(|panic| Err(failure(&*panic)))
}

/// Silences the message of a panic on standard error, because panics become exceptions.
///
/// The extension module is the end product, with a standard library of its own: the hook holds for no other code in
/// the process.
pub(crate) fn keep_panics_quiet() {
    panic::set_hook(Box::new(|_| {}));
}
