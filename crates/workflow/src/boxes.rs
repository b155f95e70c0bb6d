//! Maximum numbers of queens on a box and on every box inside it.

use std::io::{self, Read as _, Write};

use ndqueens_crosscheck::proof::ProofError;
use ndqueens_exact::Step;
use ndqueens_exact::box_table::{BoxTable, Entry};
use ndqueens_exact::proof;
use ndqueens_model::board::{Board, Grid};
use ndqueens_notation::certificate::Problem;
use ndqueens_notation::name::Piece;
use ndqueens_solver::backends::Options;
use ndqueens_system::cancel::{Control, Deadline, StopReason};
use ndqueens_system::file::Draft;
use ndqueens_system::thread::with_threads;

use crate::evidence::tree::check_text;
use crate::run::exact_engine::{BoxesMonitor, FOUND_BY, settings};
use crate::run::placement_check::{self, ensure_size};
use crate::run::{RefusedError, Watch, WorkflowError, run_watched};

/// Bounds of a box and of the boxes inside it.
#[derive(Debug)]
pub struct Bounded {
    /// The piece on the squares.
    pub piece: Piece,
    /// Sides of the settled boxes, and the bounds of each.
    pub boxes: Vec<(Vec<u32>, Entry)>,
    /// Reason why the work stopped before all boxes were settled.
    pub stop: Option<StopReason>,
}

/// Bounds a box and all boxes inside it; the options' node limit applies to each. Every placement and every
/// proof is checked. Returns `None` if the board is not a plain box.
///
/// # Errors
/// Returns an error if the box is too large for the search, a proof cannot be written to a temporary file, or
/// a placement or a proof does not pass the check.
pub fn bound(
    board: &Board,
    options: &Options,
    watch: &mut Watch<'_>,
) -> Result<Option<Bounded>, WorkflowError> {
    let Some(grid) = board.plain_box() else { return Ok(None) };
    ensure_size(board)?;
    let control = Control::new();
    let monitor = BoxesMonitor::new(&control);
    let settings = settings(options, &control);
    let mut table = BoxTable::new(grid.piece());
    let proofs = Draft::new(None)?;
    let mut entries = Vec::new();
    let (done, stop) = run_watched(
        &control,
        Deadline::after(options.time_limit),
        watch,
        &|seconds| monitor.now(seconds),
        |_| {
            let report = &mut |step: Step<'_>| {
                entries.push((step.sides.to_vec(), step.entry));
                monitor.record(step);
            };
            with_threads(settings.threads, || {
                proofs.write(|out| {
                    let mut out: &mut dyn Write = out;
                    table.fill(grid.sides(), &settings, Some(&mut out), report)
                })
            })
        },
    );
    let whole = done.and_then(|done| done).map_err(WorkflowError::engine)?;
    check(&entries, &table, grid, &proofs)?;
    Ok(Some(Bounded { piece: grid.piece(), boxes: entries, stop: stop.filter(|_| !whole.is_finished()) }))
}

/// Checks the placements of these boxes, smallest box first, and that the packed file of proofs shows all
/// their bounds.
fn check(
    boxes: &[(Vec<u32>, Entry)],
    table: &BoxTable,
    grid: &Grid,
    proofs: &Draft,
) -> Result<(), WorkflowError> {
    let Some((largest, entry)) = boxes.last() else { return Ok(()) };
    // After a stop, the file is a proof about the largest of the settled boxes.
    let head = proof::header(&grid.part(false, largest));
    let end = format!("at most {}\nend\n", entry.upper);
    let proofs = proofs.text().map_err(WorkflowError::Engine)?;
    let refused = |fault| RefusedError::Proof { found_by: FOUND_BY, fault };
    let proved = check_text(head.as_bytes().chain(proofs).chain(end.as_bytes())).map_err(refused)?;
    for (sides, entry) in boxes {
        let board = Board::new(&grid.part(false, sides));
        let placement = table.placement(sides).unwrap_or_default();
        let squares: Vec<_> = placement.iter().filter_map(|square| board.square(square)).collect();
        let placed =
            placement_check::certify(&board, &squares, Problem::IndependentSet, &[], FOUND_BY)?.size() as u64;
        if (placed, proved.upper(board.name())) != (entry.lower, Some(entry.upper)) {
            let words = format!("it does not show what was found of {}", board.name());
            return Err(refused(ProofError::Unreadable(io::Error::other(words))).into());
        }
    }
    Ok(())
}
