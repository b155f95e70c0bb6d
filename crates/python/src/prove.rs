//! Maxima by the exact engine with checked proofs.

use std::path::PathBuf;

use ndqueens_crosscheck::proof::ProofResult;
use ndqueens_crosscheck::verify::verify;
use ndqueens_exact::{self as exact, MOST_SQUARES, Maximum, Settings, Step};
use ndqueens_model::board;
use ndqueens_notation::certificate::Certificate;
use ndqueens_notation::name::BoardName;
use ndqueens_solver::construct::Heuristics;
use ndqueens_system::cancel::{Control, Deadline, StopReason};
use ndqueens_system::file::Draft;
use parking_lot::Mutex;
use pyo3::prelude::*;

use crate::attended::{Attendant, deadline};
use crate::board::Board;
use crate::certificate::{Parts, parts};
use crate::draft::finish;
use crate::fault::{Failure, engine, file, input};

/// Origin that certificates name.
const FOUND_BY: &str = concat!("exact engine ", env!("CARGO_PKG_VERSION"));

/// Returns settings of the engine with primal heuristics and without LP relaxations, which require HiGHS.
pub(crate) fn settings(seed: u32, threads: usize, control: &Control) -> Settings<'_> {
    Settings { seed: seed.into(), threads, heuristics: Some(&Heuristics), ..Settings::new(control) }
}

/// Returns an error if the board is too large for the search.
pub(crate) fn ensure_size(board: &board::Board) -> PyResult<()> {
    if board.size() <= MOST_SQUARES {
        return Ok(());
    }
    let name = board.name();
    Err(input(format!("{name} has more than {MOST_SQUARES} squares, the most that the exact engine takes")))
}

/// Bounds of a maximum with a verified placement.
pub(crate) struct Bounded {
    pub(crate) maximum: Maximum,
    pub(crate) certificate: Certificate,
    /// Result of the check of the proof, or the reason why the engine stopped without a proof.
    pub(crate) proved: Result<ProofResult, StopReason>,
}

/// Finds the maximum of a board and proves it. Writes the proof to the file `path` if it is given.
pub(crate) fn bounded(
    board: &board::Board,
    settings: &Settings<'_>,
    path: Option<&PathBuf>,
    waiting: &Attendant<'_, '_>,
) -> PyResult<Bounded> {
    ensure_size(board)?;
    let draft = Draft::new(path.map(PathBuf::as_path)).map_err(file)?;
    let last = Mutex::new(String::new());
    let latest = || last.lock().clone();
    let work = || {
        let tell = &mut |Step { sides, entry, .. }: Step<'_>| {
            let queens = if entry.is_closed() {
                entry.lower.to_string()
            } else {
                format!("{} to {}", entry.lower, entry.upper)
            };
            *last.lock() = format!("{}: {queens}", BoardName::queen(sides));
        };
        let found = draft.write(|out| exact::maximum(board, settings, Some(out), tell)).map_err(engine)?;
        let certificate = Certificate::independent(board.name().clone(), found.placement.clone(), FOUND_BY);
        let refused =
            |fault| Failure::new_err(format!("the placement of the {FOUND_BY} was refused: {fault}"));
        verify(&certificate).map_err(refused)?;
        let finished =
            found.end.is_finished().then(|| finish(draft, board.name(), found.upper, settings.control));
        Ok((found, certificate, finished.transpose()?.flatten()))
    };
    let ((maximum, certificate, proved), stopped) = waiting.attend(&latest, work)?;
    let proved = proved.ok_or(stopped.unwrap_or(StopReason::Interrupted));
    Ok(Bounded { maximum, certificate, proved })
}

/// Result of [`prove`]: certificate, upper bound, number of nodes, number of boxes that the proof bounds, and
/// the reason for a stop without a proof.
type Answer = (Parts, u64, u64, u64, Option<String>);

/// Finds the maximum of a board and proves it.
#[pyfunction]
pub(crate) fn prove(
    py: Python<'_>,
    board: &Board,
    path: Option<PathBuf>,
    seed: u32,
    threads: usize,
    time_limit: Option<f64>,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<Answer> {
    board.ensure_unchanged()?;
    let (control, deadline): (_, Deadline) = (Control::new(), deadline(time_limit)?);
    let waiting = Attendant { py, control: &control, deadline, progress };
    let settings = Settings { proofs: true, ..settings(seed, threads, &control) };
    let Bounded { maximum, certificate, proved } = bounded(&board.0, &settings, path.as_ref(), &waiting)?;
    let certificate = parts(certificate);
    Ok(match proved {
        Ok(proved) => (certificate, maximum.upper, proved.nodes(), proved.boxes(), None),
        Err(stop) => (certificate, maximum.upper, maximum.nodes, 0, Some(stop.to_string())),
    })
}
