//! Extension module of the Python package `ndqueens`, wrapped by `crates/python/ndqueens/`. Arrays are
//! returned as bytes in native byte order, so that this crate does not depend on numpy.

#![expect(clippy::needless_pass_by_value, reason = "what Python gives is given by value")]

mod attended;
mod board;
mod bytes;
mod certificate;
mod check;
mod construct;
mod count;
mod draft;
mod fault;
mod formulation;
mod known;
mod own;
mod prove;

/// Native functions and classes of the package.
#[pyo3::pymodule]
mod _native {
    use pyo3::prelude::*;

    #[pymodule_export]
    use super::board::Board;
    #[pymodule_export]
    use super::certificate::{read_certificate, verify, write_certificate};
    #[pymodule_export]
    use super::check::{Shown, check_proof};
    #[pymodule_export]
    use super::construct::construct;
    #[pymodule_export]
    use super::count::count;
    #[pymodule_export]
    use super::formulation::{Formulation, formulations};
    #[pymodule_export]
    use super::known::known;
    #[pymodule_export]
    use super::prove::prove;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        super::fault::keep_panics_quiet();
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
