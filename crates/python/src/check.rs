//! Checks of proofs of bounds and counts.

use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};

use ndqueens_crosscheck::bound::{self, BoundError, format_mixed};
use ndqueens_notation::proof::{is_bound, is_proof};
use ndqueens_system::cancel::Control;
use ndqueens_system::file::{self, FileError, packed};
use pyo3::prelude::*;

use crate::attended::{Attendant, deadline};
use crate::draft;
use crate::fault::{does_not_hold, file, input};

/// Result of a checked file.
#[pyclass(frozen, get_all, module = "ndqueens._native")]
#[derive(Default)]
pub(crate) struct Shown {
    kind: &'static str,
    board: String,
    at_most: Option<u64>,
    /// Size and number of the solutions, and `true` if the file proves that no larger solutions exist.
    count: Option<(u64, u64, bool)>,
    nodes: Option<u64>,
    boxes: Option<u64>,
    /// Largest sum of the right-hand sides over all cases, and the number of inequalities.
    sum: Option<(String, usize)>,
    /// Bounds of other boards on which the result depends.
    needs: Vec<(String, u64)>,
}

/// Checks every step of a proof tree or an orbit LP bound and returns the result, or `None` if the time limit
/// was reached first.
#[pyfunction]
pub(crate) fn check_proof(
    py: Python<'_>,
    path: PathBuf,
    time_limit: Option<f64>,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<Option<Shown>> {
    let control = Control::new();
    let waiting = Attendant { py, control: &control, deadline: deadline(time_limit)?, progress };
    Ok(waiting.attend(&String::new, || check(&path, &control))?.0)
}

fn check(path: &Path, control: &Control) -> PyResult<Option<Shown>> {
    let unreadable = |cause| file(FileError::new("read", path, cause));
    let mut text = BufReader::new(file::open_plain(path).map_err(unreadable)?);
    let first = packed::beginning(text.fill_buf().map_err(unreadable)?);
    let text = packed::read(text).map_err(unreadable)?;
    if is_bound(&first) {
        return match bound::check_while(text, &mut || !control.is_stopped()) {
            Err(BoundError::Stopped) => Ok(None),
            Err(fault) => Err(does_not_hold(fault)),
            Ok(shown) => Ok(Some(Shown {
                kind: "orbit LP",
                board: shown.board().to_string(),
                at_most: Some(shown.at_most()),
                sum: Some((format_mixed(shown.sum()), shown.rows())),
                needs: shown.needs().iter().map(|(board, &most)| (board.to_string(), most)).collect(),
                ..Shown::default()
            })),
        };
    }
    if !is_proof(&first) {
        let words = "it is neither a proof tree nor an orbit LP bound";
        return Err(input(format!("{}: {words}", path.display())));
    }
    match draft::read(text, control) {
        Err(_) if control.is_stopped() => Ok(None),
        Err(fault) => Err(does_not_hold(fault)),
        Ok(proved) => Ok(Some(Shown {
            kind: "proof tree",
            board: proved.board().to_string(),
            at_most: proved.at_most(),
            count: proved.count().map(|count| (count.size, count.sets, count.no_more_fit)),
            nodes: Some(proved.nodes()),
            boxes: Some(proved.boxes()),
            ..Shown::default()
        })),
    }
}
