//! Proofs of a maximum by the exact engine. The proof is written to a file and checked before the result is
//! reported.

use std::collections::HashMap;
use std::io::BufRead as _;
use std::path::Path;
use std::sync::{Arc, OnceLock};

use ndqueens_crosscheck::fault::LineFault;
use ndqueens_crosscheck::proof::{ProofError, ProofResult};
use ndqueens_exact::box_cache;
use ndqueens_exact::{self as exact, Maximum, Settings, TreeChecker, WorkStore};
use ndqueens_model::board::Board;
use ndqueens_notation::certificate::Problem;
use ndqueens_notation::name::BoardName;
use ndqueens_solver::backends::Options;
use ndqueens_system::cancel::{Control, Deadline, StopReason};
use ndqueens_system::thread::spawn_idle;

use crate::parallel_check::CheckedAhead;
use crate::run::exact_engine::{BoxesMonitor, FOUND_BY, WorkFolder, settings};
use crate::run::placement_check::{self, ensure_size};
use crate::run::{
    CHECKING, ProofDraft, RefusedError, Watch, WorkflowError, nodes, run_watched, run_watched_with,
};

/// Result of the exact engine, with a checked placement.
#[derive(Debug)]
pub struct ExactResult {
    /// Bounds and placement that the engine found.
    pub maximum: Maximum,
    /// Result of crosscheck's check of the proof, or the reason why the engine stopped without a proof.
    pub proved: Result<ProofResult, StopReason>,
}

/// Finds and proves the maximum on a board, or bounds it as far as the options' node limit allows. The proof
/// is written to the file `keep`, packed if its name ends in `.gz`. Settled boxes are cached in the folder
/// `work`. If `target` queens are placed, the engine stops without a proof. The options' time limit covers
/// all of the work.
///
/// # Errors
/// Returns an error if the proof cannot be written, the board is too large, or the placement or the proof
/// does not pass the check.
pub fn run(
    board: &Board,
    options: &Options,
    work: Option<&Path>,
    keep: Option<&Path>,
    target: Option<u64>,
    watch: &mut Watch<'_>,
) -> Result<ExactResult, WorkflowError> {
    let draft = ProofDraft::new(keep)?;
    let bounded = run_in(&draft, board, options, work, target, watch)?;
    if bounded.proved.is_ok() {
        draft.persist()?;
    }
    Ok(bounded)
}

/// Like [`run`], but leaves the proof in its draft.
pub(crate) fn run_in(
    draft: &ProofDraft,
    board: &Board,
    options: &Options,
    work: Option<&Path>,
    target: Option<u64>,
    watch: &mut Watch<'_>,
) -> Result<ExactResult, WorkflowError> {
    let folder = work.map(|folder| WorkFolder::of_boxes(folder, &options.notes)).transpose()?;
    let enough = target.map(OnceLock::from);
    run_with(draft, board, options, folder.as_ref(), enough.as_ref(), watch, |_, _| {})
}

/// Starts to prove the maximum while this thread computes how many queens are enough. If `target` returns
/// `None`, no proof is needed and the engine stops.
///
/// # Errors
/// Returns the errors of [`run`].
pub(crate) fn run_until(
    board: &Board,
    options: &Options,
    watch: &mut Watch<'_>,
    target: impl FnOnce(&mut Watch<'_>) -> Option<u64>,
) -> Result<ExactResult, WorkflowError> {
    let enough = OnceLock::new();
    run_with(&ProofDraft::new(None)?, board, options, None, Some(&enough), watch, |control, watch| {
        let _guard = StopWithoutTarget { enough: &enough, control };
        target(watch).map(|target| enough.set(target));
    })
}

/// Guard that stops the engine on drop if no target was set, also on a panic.
struct StopWithoutTarget<'t> {
    enough: &'t OnceLock<u64>,
    control: &'t Control,
}

impl Drop for StopWithoutTarget<'_> {
    fn drop(&mut self) {
        if self.enough.set(0).is_ok() {
            self.control.stop();
        }
    }
}

#[derive(Debug)]
struct Ahead(Arc<CheckedAhead>);

impl TreeChecker for Ahead {
    fn check(&self, board: BoardName, at_most: u64, bounds: HashMap<BoardName, u64>, tree: Vec<u8>) {
        let checked = Arc::clone(&self.0);
        spawn_idle(move || checked.check(board, at_most, bounds, tree));
    }
}

/// Runs the engine on another thread, and `meanwhile` on this one. `enough` is the number of queens at which
/// the engine stops without a proof.
fn run_with(
    draft: &ProofDraft,
    board: &Board,
    options: &Options,
    folder: Option<&WorkFolder>,
    enough: Option<&OnceLock<u64>>,
    watch: &mut Watch<'_>,
    meanwhile: impl FnOnce(&Control, &mut Watch<'_>),
) -> Result<ExactResult, WorkflowError> {
    let deadline = Deadline::after(options.time_limit);
    ensure_size(board)?;
    let control = Control::default();
    let monitor = BoxesMonitor::new(&control);
    let ahead = Ahead(Arc::default());
    let settings = Settings {
        proofs: true,
        tree_checker: Some(&ahead),
        box_cache: folder.map(|folder| folder as &dyn WorkStore),
        target: enough,
        ..settings(options, &control)
    };
    let (found, stopped) = run_watched_with(
        &control,
        deadline,
        watch,
        &|seconds| monitor.now(seconds),
        |_| {
            draft
                .write(|out, _| exact::maximum(board, &settings, Some(out), &mut |step| monitor.record(step)))
        },
        |watch| meanwhile(&control, watch),
    );
    ahead.0.end(found.as_ref().is_ok_and(|maximum| maximum.end.is_finished()));
    let maximum = found.map_err(WorkflowError::engine)?;
    let squares: Vec<_> = maximum.placement.iter().filter_map(|square| board.square(square)).collect();
    placement_check::certify(board, &squares, Problem::IndependentSet, &[], FOUND_BY)?;
    let is_needed = enough.and_then(OnceLock::get) != Some(&0);
    let (proved, stopped) = if maximum.end.is_finished() && is_needed {
        let control = Control::default();
        let deadline = deadline.later(CHECKING);
        run_watched(&control, deadline, watch, &|seconds| nodes(&control, seconds), |_| {
            let shows = |proved: &ProofResult| {
                proved.board() == board.name() && proved.at_most() == Some(maximum.upper)
            };
            draft.check(board.name(), &shows, &ahead.0, settings.threads, &control)
        })
    } else {
        (Ok(None), stopped)
    };
    let proved = proved.map_err(|fault| of_file(fault, draft, folder, board))?;
    let proved = proved.ok_or(stopped.unwrap_or(StopReason::Interrupted));
    Ok(ExactResult { maximum, proved })
}

/// Adds the file of the box that the rejected step is about, if boxes are taken from a folder.
fn of_file(
    fault: WorkflowError,
    draft: &ProofDraft,
    folder: Option<&WorkFolder>,
    board: &Board,
) -> WorkflowError {
    let WorkflowError::Refused(RefusedError::Proof { found_by, fault }) = fault else { return fault };
    let file = match &fault {
        ProofError::Step(LineFault { line, .. }) => folder.zip(board.grid()).and_then(|(folder, grid)| {
            let sides = box_of(draft, *line)?;
            Some(folder.path(&box_cache::entry_name(grid.piece(), &sides)))
        }),
        _ => None,
    };
    match file {
        Some(file) => RefusedError::File { file, fault }.into(),
        None => RefusedError::Proof { found_by, fault }.into(),
    }
}

/// Returns the sides of the box that a line of a proof is about; `None` for the lines after the last box.
fn box_of(draft: &ProofDraft, line: u64) -> Option<Vec<u32>> {
    let lines = draft.text().ok()?.lines().map_while(Result::ok).take(line as usize);
    let last = lines.filter(|text| text.starts_with("box ") || text.starts_with("at most ")).last()?;
    let (sides, _) = last.strip_prefix("box ")?.split_once(' ')?;
    sides.split('x').map(|side| side.parse().ok()).collect()
}
