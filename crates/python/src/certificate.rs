//! Reading, writing and verification of certificates.

use std::path::{Path, PathBuf};

use ndqueens_crosscheck::verify::verify as check;
use ndqueens_model::import::{self, Convention};
use ndqueens_notation::certificate::{Certificate, Problem};
use ndqueens_system::file;
use pyo3::prelude::*;

use crate::board::Board;
use crate::fault::{does_not_hold, file, guarded, input};

/// Certificate as returned to Python: board, problem, origin and squares.
pub(crate) type Parts = (String, String, String, Vec<Vec<u32>>);

pub(crate) fn parts(certificate: Certificate) -> Parts {
    let Certificate { board, problem, origin, squares } = certificate;
    (board.to_string(), problem.to_string(), origin, squares)
}

/// Problem, origin and squares as received from Python.
type Given = (String, String, Vec<Vec<i64>>);

fn certificate(board: &Board, (problem, origin, squares): Given) -> PyResult<Certificate> {
    let board = board.0.name().clone();
    let known = Problem::ALL.into_iter().find(|known| known.to_string() == problem);
    let problem = known.ok_or_else(|| {
        let allowed = Problem::ALL.map(|problem| problem.to_string()).join(", ");
        input(format!("unknown problem \"{problem}\"; expected one of {allowed}"))
    })?;
    let coordinate = |c: i64| {
        u32::try_from(c)
            .map_err(|_| input(format!("a coordinate must be a non-negative integer, not \"{c}\"")))
    };
    let square = |square: Vec<i64>| square.into_iter().map(coordinate).collect::<PyResult<Vec<u32>>>();
    let squares = squares.into_iter().map(square).collect::<PyResult<Vec<_>>>()?;
    Ok(Certificate { board, problem, origin, squares })
}

/// Reads a certificate from a file in the given convention.
#[pyfunction]
pub(crate) fn read_certificate(
    py: Python<'_>,
    path: PathBuf,
    convention: &str,
    board: Option<&Board>,
) -> PyResult<Parts> {
    let convention: Convention = convention.parse().map_err(input)?;
    guarded(py, move || {
        let text = file::read(&path).map_err(file)?;
        let read = import::import(&text, convention, board.map(|board| board.0.name()), &file::open);
        read.map(parts).map_err(|fault| input(format!("{}: {fault}", path.display())))
    })
}

/// Verifies a certificate and writes it to a file.
#[pyfunction]
pub(crate) fn write_certificate(py: Python<'_>, board: &Board, given: Given, path: PathBuf) -> PyResult<()> {
    guarded(py, move || {
        board.ensure_unchanged()?;
        let certificate = certificate(board, given)?;
        check(&certificate).map_err(does_not_hold)?;
        file::write(Path::new(&path), |out| write!(out, "{certificate}")).map_err(file)
    })
}

/// Verifies a certificate and returns its number of squares.
#[pyfunction]
pub(crate) fn verify(py: Python<'_>, board: &Board, given: Given) -> PyResult<usize> {
    guarded(py, move || Ok(check(&certificate(board, given)?).map_err(does_not_hold)?.size()))
}
